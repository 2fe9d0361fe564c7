"""Fit what turns logits into probabilities, and the threshold that keeps most evidence.

usage: python -m evaluation.calibrate --scores scores.jsonl --repository model_repository

The scores are those of evaluation.evidence, made by a server whose calibration is `--current` (read from the
repository). Platt scaling (Platt, 1999): `sigmoid(scale * logit + shift)` by least log loss. Every set counts the
same, whatever its number of segments. The default threshold is the highest that keeps at least `RECALL` of the
evidence segments; a table says the same for other shares. Both are written into the configuration that clients read.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from preprocessing.scores import Calibration

RECALL = 0.85
RECALLS = (0.80, 0.85, 0.90, 0.95)
BINS = 10

Floats = NDArray[np.float64]


def platt(logit: Floats, label: Floats, weight: Floats, steps: int = 50) -> tuple[float, float]:
    """Scale and shift of least weighted log loss; all arguments float64 [n].

    Newton's method from a constant, with steps halved while they make the loss worse: full steps from afar diverge.
    """
    x = np.stack([logit, np.ones_like(logit)], axis=1)
    share = float(np.clip(np.average(label, weights=weight), 1e-6, 1 - 1e-6))
    beta = np.array([0.0, math.log(share / (1 - share))])
    loss = _log_loss(x @ beta, label, weight)
    for _ in range(steps):
        p = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        gradient = x.T @ (weight * (p - label))
        curvature = (x * (weight * p * (1 - p))[:, None]).T @ x + 1e-9 * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        while (new := _log_loss(x @ (beta - step), label, weight)) > loss and np.abs(step).max() > 1e-9:
            step /= 2
        beta, loss = beta - step, new
        if np.abs(step).max() < 1e-9:
            break
    return float(beta[0]), float(beta[1])


def _log_loss(logit: Floats, label: Floats, weight: Floats) -> float:
    return float((weight * (np.logaddexp(0.0, logit) - label * logit)).sum())


def calibration_error(score: Floats, label: Floats, weight: Floats) -> float:
    """Expected calibration error over ten equal bins of the score (Guo et al., 2017)."""
    bins = np.minimum((score * BINS).astype(int), BINS - 1)
    mass = np.bincount(bins, weight, BINS)
    said = np.bincount(bins, weight * score, BINS)
    true = np.bincount(bins, weight * label, BINS)
    return float(np.abs(said - true).sum() / mass.sum())


def threshold_for(score: Floats, label: Floats, weight: Floats, recall: float) -> float:
    """The highest threshold that keeps at least `recall` of the weight of the evidence."""
    positive = label > 0
    order = np.argsort(-score[positive])
    share = np.cumsum(weight[positive][order]) / weight[positive].sum()
    return float(score[positive][order][np.searchsorted(share, recall)])


def recall_table(score: Floats, label: Floats, weight: Floats) -> dict[float, float]:
    """Threshold for every recall of `RECALLS`, rounded down to three digits, so that it keeps what it promises."""
    table = {}
    for recall in RECALLS:
        threshold = threshold_for(score, label, weight, recall)
        unit = 10.0 ** (math.floor(math.log10(threshold)) - 2)
        table[recall] = float(f"{math.floor(threshold / unit) * unit:.3g}")
    return table


def fit(rows: Sequence[Mapping[str, Any]], current: Calibration) -> dict[str, Any]:
    """The contents of `calibration.json` for scores that a server made with the calibration `current`."""
    score = np.array([row["score"] for row in rows])
    label = np.array([float(row["evidence"]) for row in rows])
    names, sets = np.unique([row["set"] for row in rows], return_inverse=True)
    weight = 1.0 / np.bincount(sets)[sets]

    p = np.clip(score, 1e-7, 1 - 1e-7)
    logit = (np.log(p / (1 - p)) - current.keep_shift) / current.keep_scale
    # What the server will use has these digits, so the thresholds are those of its scores.
    scale, shift = (round(number, 5) for number in platt(logit, label, weight))
    calibrated = 1 / (1 + np.exp(-(scale * logit + shift)))
    threshold = round(threshold_for(calibrated, label, weight, RECALL), 3)
    return {
        "calibration": {
            "keep_scale": scale,
            "keep_shift": shift,
            "lexical_weight": current.lexical_weight,
            "relevance_scale": current.relevance_scale,
            "relevance_shift": current.relevance_shift,
        },
        "default_threshold": threshold,
        "recall_thresholds": {f"{r:g}": t for r, t in recall_table(calibrated, label, weight).items()},
        "fitted_on": {
            "sets": len(names),
            "segments": len(rows),
            "expected_calibration_error": round(calibration_error(calibrated, label, weight), 4),
            "before": round(calibration_error(score, label, weight), 4),
            "evidence_kept_at_threshold": round(float(weight[(calibrated >= threshold) & (label > 0)].sum()
                                                      / weight[label > 0].sum()), 4),
            "other_kept_at_threshold": round(float(weight[(calibrated >= threshold) & (label == 0)].sum()
                                                   / weight[label == 0].sum()), 4),
        },
    }  # fmt: skip


def with_parameters(config: str, values: Mapping[str, str]) -> str:
    """The text of a `config.pbtxt` with other values of its parameters; ValueError for one that it does not have."""
    for name, value in values.items():
        pattern = rf'(key: "{re.escape(name)}" value \{{ string_value: ")[^"]*'
        config, found = re.subn(pattern, rf"\g<1>{value}", config)
        if found != 1:
            raise ValueError(f"The configuration states {name} {found} times, where once is needed.")
    return config


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scores", type=Path, required=True)
    parser.add_argument("--repository", type=Path, default=Path("model_repository"))
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.scores.read_text().splitlines()]

    path = options.repository / "aggregate" / "1" / "calibration.json"
    report = fit(rows, Calibration.load(path))
    config = options.repository / "compressor" / "config.pbtxt"
    stated = {
        "default_threshold": str(report["default_threshold"]),
        "recall_thresholds": ",".join(f"{r}:{t:g}" for r, t in report["recall_thresholds"].items()),
    }
    changed = with_parameters(config.read_text(), stated)
    path.write_text(json.dumps(report, indent=2) + "\n")
    config.write_text(changed)
    print(json.dumps(report))


if __name__ == "__main__":
    main()
