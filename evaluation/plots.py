"""The figures of docs/reports. matplotlib is in the extra `eval` and needed here alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("agg")
from matplotlib import pyplot as plt

# Dark to light blue for models in the order given, then others that stay apart for colour-blind eyes (Okabe and Ito).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
GREYS = {"BM25": ("#555555", "--"), "first lines": ("#999999", ":")}
# From what an answer needs to what it does not.
CATEGORIES = {
    "vital": "#0072b2",
    "off-topic": "#a6bddb",
    "duplicate": "#cc79a7",
    "metadata": "#e69f00",
    "advert": "#d55e00",
    "navigation": "#999999",
}
# In the name of a model: its line is broken.
UNDISTILLED = "undistilled"
DOTS_PER_INCH = 110


def draw_frontier(report: Mapping[str, Any], out: Path) -> None:
    """Evidence kept against tokens sent on, one line for each model and baseline; tokens on a logarithmic axis."""
    figure, axes = plt.subplots(figsize=(8.5, 5.2))
    colours = iter(COLOURS * 3)
    for name, line in report["lines"].items():
        plain = "-." if UNDISTILLED in name else "-"
        colour, style = GREYS[name] if name in GREYS else (next(colours), plain)
        points = [(p["tokens"], p["evidence"]) for p in line["line"] if p["tokens"] > 0]
        axes.plot(*zip(*points, strict=True), style, color=colour, label=name, linewidth=1.8)
    axes.set_xscale("log")
    total = report["mean_tokens"]
    ticks = [share * total for share in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)]
    axes.set_xticks(ticks, [f"{tick:,.0f}\n{100 * tick / total:.0f} %" for tick in ticks])
    axes.set_xticks([], minor=True)
    axes.set_xlim(0.008 * total, 1.1 * total)
    axes.set_ylim(0, 1.02)
    axes.set_yticks([tick / 10 for tick in range(0, 11, 2)], [f"{tick * 10} %" for tick in range(0, 11, 2)])
    axes.set_xlabel("tokens sent on for a question (share of all tokens)")
    axes.set_ylabel("evidence kept")
    axes.set_title(
        f"Evidence kept against tokens sent on: {report['questions']} questions, {report['sets']} development sets",
        fontsize=11,
    )
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="lower right", frameon=False)
    _save(figure, out)


def draw_noise(report: Mapping[str, Any], out: Path) -> None:
    """What the tokens that are sent on are, one bar for each way of filling the budget."""
    ways = report["ways"]
    figure, axes = plt.subplots(figsize=(8.5, 1.4 + 0.75 * len(ways)))
    for row, way in enumerate(reversed(ways.values())):
        left = 0.0
        for category, colour in CATEGORIES.items():
            width = 100 * way["shares"][category]
            axes.barh(row, width, left=left, color=colour, label=category if row == 0 else None, height=0.6)
            if width >= 3:
                light = category in {"off-topic", "metadata", "navigation"}
                axes.text(
                    left + width / 2,
                    row,
                    f"{width:.0f} %",
                    ha="center",
                    va="center",
                    fontsize=9,
                    color="#000000" if light else "#ffffff",
                )
            left += width
    axes.set_yticks(
        range(len(ways)), [f"{name}\n{way['tokens']:,.0f} tokens" for name, way in reversed(ways.items())]
    )
    axes.set_xlim(0, 100)
    axes.set_xticks([])
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.set_title(
        f"What is sent on for a budget of {report['budget']:,} tokens, {report['questions']:,} questions",
        fontsize=11,
    )
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0.02), ncols=6, frameon=False, fontsize=9)
    _save(figure, out)


def _save(figure: Any, out: Path) -> None:
    figure.tight_layout()
    # No date and version in the file: the same figures give the same bytes.
    figure.savefig(out, dpi=DOTS_PER_INCH, metadata={"Software": None})
    plt.close(figure)
