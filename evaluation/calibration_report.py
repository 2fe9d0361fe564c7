"""The report of evaluation.calibrate as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# The most that a score may be off, in the mean.
LARGEST_ERROR = 0.03


def markdown(report: Mapping[str, Any]) -> str:
    """The report for people."""
    weights, fitted_on, values = report["weights"], report["fitted_on"], report["calibration"]
    unseen = fitted_on["on_left_out_articles"]
    lines = [
        "# Calibration",
        "",
        "Written by `python -m evaluation.calibrate`, where every step is described. "
        f"{fitted_on['questions']} questions of {fitted_on['sets']} development sets, "
        f"{fitted_on['segments']:,} segments; every set counts the same.",
        "",
        "## Weights",
        "",
        f"Chosen by {weights['way']}: relevance {values['relevance_weight']:g}, "
        f"lexical match {values['lexical_weight']:g}, keep logit 1. "
        f"Evidence kept, mean over sets; the two ways on {weights['folds']} folds of sets that they did not see.",
        "",
        "| | 5 % | 10 % | 20 % |",
        "|---|---|---|---|",
        _kept("keep logit alone", weights["kept_by_keep_alone"]),
        *(_kept(f"{way}, unseen sets", kept) for way, kept in weights["kept_on_unseen_folds"].items()),
        _kept("the chosen weights, the same sets", weights["kept"]),
        "",
        "## Expected calibration error",
        "",
        f"Ten bins. A method is fitted on four of {report['folds_of_articles']} folds of articles (or of sets) and "
        f"measured on the fifth; the limit is {LARGEST_ERROR:g}.",
        "",
        "| | left-out articles | the same, bins of equal mass | left-out sets | |",
        "|---|---|---|---|---|",
    ]
    for kind, table in report["errors"].items():
        for method, row in table.items():
            used = "used" if method == report["method"][kind] else ""
            cells = " | ".join(f"{value:.4f}" for value in row.values())
            lines.append(f"| {kind}, {method} | {cells} | {used} |")
    thresholds = "; ".join(f"{float(r):.0%}: {t:g}" for r, t in report["recall_thresholds"].items())
    lines += [
        "",
        "## Thresholds",
        "",
        f"Evidence kept (by segments and by characters) and the threshold for it: {thresholds}.",
        "",
        f"| default threshold {report['default_threshold']:g} | evidence segments kept | evidence kept by characters |",
        "|---|---|---|",
        f"| the same articles | {fitted_on['evidence_segments_kept']:.1%} "
        f"| {fitted_on['evidence_characters_kept']:.1%} |",
        f"| articles that it was not chosen on | {unseen['evidence_segments_kept']:.1%} "
        f"| {unseen['evidence_characters_kept']:.1%} |",
        "",
        f"It also keeps {fitted_on['other_segments_kept']:.1%} of the segments that are no evidence.",
    ]
    return "\n".join(lines) + "\n"


def _kept(name: str, shares: Mapping[str, float]) -> str:
    return f"| {name} | " + " | ".join(f"{value:.3f}" for value in shares.values()) + " |"
