"""The report of `python -m evaluation.answers kept`: table, intervals, tests, and the plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluation.answers.kept import PITH
from evaluation.answers.statistics import holm, interval, mcnemar

# Points by which Pith must lead at the smallest budget, by baseline.
FLOORS = {"BM25": 15.0, "first lines": 40.0}


def summary(rows: Sequence[Mapping[str, Any]], budgets: Sequence[int]) -> dict[str, Any]:
    """Shares of questions with the answer kept, mean over sets, and what that takes.

    Raises ValueError for no rows.
    """
    if not rows:
        raise ValueError("There are no questions: --sets names none of the sets of --data.")
    names = list(rows[0]["kept"])
    sets = list(dict.fromkeys(row["set"] for row in rows))
    total = sum(row["tokens"] for row in rows) / len(rows)
    lines: dict[str, Any] = {}
    for name in names:
        lines[name] = []
        for at, budget in enumerate(budgets):
            groups = [[float(row["kept"][name][at]) for row in rows if row["set"] == one] for one in sets]
            mean, low, high = interval(groups)
            context = sum(row["context"][name][at] for row in rows) / len(rows)
            lines[name].append(
                {
                    "budget": budget,
                    "kept": round(mean, 4),
                    "low": round(low, 4),
                    "high": round(high, 4),
                    "context_tokens": round(context, 1),
                    "factor": round(total / max(context, 1.0), 1),
                }
            )
    return {
        "questions": len(rows),
        "sets": len(sets),
        "languages": len({row["language"] for row in rows}),
        "mean_tokens": round(total, 1),
        "lines": lines,
        "tests": _tests(rows, names, budgets),
        "by_set": {
            one: {
                name: [
                    round(_mean([float(row["kept"][name][at]) for row in rows if row["set"] == one]), 4)
                    for at in range(len(budgets))
                ]
                for name in names
            }
            for one in sets
        },
    }


def markdown(report: Mapping[str, Any], plot: str) -> str:
    """The tables."""
    lines, budgets = report["lines"], [cell["budget"] for cell in report["lines"][PITH]]
    out = [
        "# Is the answer still there?",
        "",
        f"{report['questions']} questions of {report['sets']} development sets, each with ten pages, "
        f"{report['mean_tokens']:,.0f} tokens in the mean, one of which holds the answer. Share of the questions "
        "whose answer is in the context, mean over sets, with 95 % bootstrap intervals. Written by "
        f"`python -m evaluation.answers kept`{told(report)}; pages and rules are described in "
        "[evaluation.md](../evaluation.md).",
        "",
        f"![Answers kept by budget]({plot})",
        "",
        "| budget in tokens | " + " | ".join(f"{budget:,}" for budget in budgets) + " |",
        "|---|" + "---|" * len(budgets),
    ]
    for name, cells in lines.items():
        kept = [f"{c['kept']:.1%} ({c['low']:.0%} to {c['high']:.0%})" for c in cells]
        out.append(f"| {name} | " + " | ".join(kept) + " |")
    out += ["", "| tokens sent on (factor of compression) | " + " | ".join(f"{b:,}" for b in budgets) + " |"]
    out.append("|---|" + "---|" * len(budgets))
    for name, cells in lines.items():
        sent = [f"{c['context_tokens']:,.0f} (÷ {c['factor']:.0f})" for c in cells]
        out.append(f"| {name} | " + " | ".join(sent) + " |")
    out += ["", "| Pith ahead by, in points | budget | measured | p | floor |", "|---|---|---|---|---|"]
    for test in report["tests"]:
        floor = FLOORS.get(test["baseline"]) if test["budget"] == budgets[0] else None
        told_floor = "" if floor is None else f"{floor:.0f}: {'yes' if test['lead'] >= floor else 'no'}"
        out.append(
            f"| {test['baseline']} | {test['budget']:,} | {test['lead']:+.1f} | {_p(test['p'])} | {told_floor} |"
        )
    out += [
        "",
        "p: exact McNemar test on the same questions, adjusted by Holm's procedure for all rows.",
        "",
        "| set, answers kept at " + " / ".join(f"{b:,}" for b in budgets) + " | " + " | ".join(lines) + " |",
        "|---|" + "---|" * len(lines),
    ]
    for one, cells in report["by_set"].items():
        out.append(
            f"| {one} | "
            + " | ".join(" / ".join(f"{value:.2f}" for value in cells[name]) for name in lines)
            + " |"
        )
    return "\n".join(out) + "\n"


def told(report: Mapping[str, Any]) -> str:
    """The model and threshold, for a sentence."""
    return f" with {report['model']}, threshold {report['threshold']:g}" if report.get("model") else ""


def draw(report: Mapping[str, Any], out: Path) -> None:
    """Answers kept by budget, with intervals; one line for each way. The budget is logarithmic."""
    from matplotlib import pyplot as plt

    from evaluation.plots import COLOURS, DOTS_PER_INCH, GREYS

    figure, axes = plt.subplots(figsize=(8.5, 5.0))
    colours = iter(COLOURS * 2)
    budgets = [cell["budget"] for cell in report["lines"][PITH]]
    for number, (name, cells) in enumerate(report["lines"].items()):
        colour, style = GREYS[name] if name in GREYS else (next(colours), "-")
        # Side by side, so that the intervals can be told apart.
        across = [budget * (1 + 0.02 * number) for budget in budgets]
        heights = [100 * cell["kept"] for cell in cells]
        spread = [
            [100 * (c["kept"] - c["low"]) for c in cells],
            [100 * (c["high"] - c["kept"]) for c in cells],
        ]
        axes.errorbar(
            across, heights, yerr=spread, color=colour, linestyle=style, marker="o", capsize=3, label=name
        )
    axes.set_xscale("log")
    axes.set_xticks(budgets, [f"{budget:,}" for budget in budgets])
    axes.set_xticks([], minor=True)
    axes.set_ylim(0, 102)
    axes.set_xlabel(f"budget in tokens, of {report['mean_tokens']:,.0f} in ten pages")
    axes.set_ylabel("questions whose answer is kept, %")
    axes.set_title(
        f"Is the answer still there? {report['questions']} questions, {report['sets']} development sets",
        fontsize=11,
    )
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(out, dpi=DOTS_PER_INCH, metadata={"Software": None})
    plt.close(figure)


def _tests(
    rows: Sequence[Mapping[str, Any]], names: Sequence[str], budgets: Sequence[int]
) -> list[dict[str, Any]]:
    """Pith against every other way: the lead in points, mean over sets, and the adjusted p value."""
    others = [name for name in names if not name.startswith(PITH)]
    raw: dict[str, float] = {}
    leads: dict[str, tuple[str, int, float]] = {}
    for other in others:
        for at, budget in enumerate(budgets):
            mine, theirs = ([row["kept"][name][at] for row in rows] for name in (PITH, other))
            key = f"{other} {budget}"
            raw[key] = mcnemar(theirs, mine)
            by_set: dict[str, list[float]] = {}
            for row, a, b in zip(rows, mine, theirs, strict=True):
                by_set.setdefault(row["set"], []).append(float(a) - float(b))
            leads[key] = other, budget, 100 * _mean([_mean(values) for values in by_set.values()])
    adjusted = holm(raw)
    return [
        {"baseline": other, "budget": budget, "lead": round(lead, 2), "p": adjusted[key]}
        for key, (other, budget, lead) in leads.items()
    ]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
