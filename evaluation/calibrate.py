"""Fit what turns an encoder's logits into scores, and the thresholds that keep most evidence.

usage: python -m evaluation.calibrate --data DIR [--model model_repository/encoder/1/model.onnx] [--questions 15]

In order: the weights of the window's relevance and of the lexical match (evaluation.weights); scale and shift, so
that a score of 0.3 means 30 %, by the better of temperature and Platt scaling on articles left out of the fit; the
same for the relevance of documents; thresholds. Isotonic regression is measured
beside them and not served: its steps would make segments equal that are not, and the selection needs their order.

The default threshold is the highest that keeps at least `RECALL` of the evidence, by segments and by characters both.
Every set counts the same, whatever its number of segments. Writes `calibration.json` and the parameters of the
configuration that clients read, and `<out>.json` and `<out>.md`. The same data and model give the same files.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.calibration_report import markdown
from evaluation.evidence import gain
from evaluation.fitting import (
    adaptive_error,
    calibration_error,
    fitted,
    logistic,
    platt,
    rounded_down,
    temperature,
    threshold_for,
)
from evaluation.models import add_data
from evaluation.scored_sets import ScoredSet, asked_of, scored_sets
from evaluation.weights import FOLDS, Pair, choose, fold_of, folds_of_sets, set_mean, weight_of
from preprocessing.scores import Calibration

RECALL = 0.90
RECALLS = (0.80, 0.85, 0.90, 0.95)
SERVED = ("temperature", "platt")
METHODS = (*SERVED, "isotonic")
DIGITS = 5

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sample:
    """Rows to calibrate on: logit, label (0 or 1) and weight, float64 [n]; article and source: the fold of the row
    when articles, or sources of sets, are left out, int64 [n]."""

    logit: Floats
    label: Floats
    weight: Floats
    article: NDArray[np.int64]
    source: NDArray[np.int64]

    def without(self, method: str, fold: NDArray[np.int64]) -> Floats:
        """Probability of every row by a fit on the other folds."""
        out = np.empty_like(self.logit)
        for number in np.unique(fold):
            away, here = fold != number, fold == number
            out[here] = fitted(method, self.logit[away], self.label[away], self.weight[away])(
                self.logit[here]
            )
        return out

    def errors(self) -> dict[str, dict[str, float]]:
        """Expected calibration error of every method on what it was not fitted on."""
        out = {}
        for method in METHODS:
            apart = self.without(method, self.article)
            out[method] = {
                "left_out_articles": round(calibration_error(apart, self.label, self.weight), 4),
                "left_out_articles_equal_mass": round(adaptive_error(apart, self.label, self.weight), 4),
                "left_out_sets": round(
                    calibration_error(self.without(method, self.source), self.label, self.weight), 4
                ),
            }
        return out

    def fit(self, method: str) -> tuple[float, float]:
        """Scale and shift by one of `SERVED`, with the digits that the server will use."""
        if method == "platt":
            scale, shift = platt(self.logit, self.label, self.weight)
            return round(scale, DIGITS), round(shift, DIGITS)
        return round(temperature(self.logit, self.label, self.weight), DIGITS), 0.0


def segments_of(sets: Sequence[ScoredSet], pair: Pair) -> Sample:
    """Every segment, labelled with whether it is evidence."""
    return Sample(
        np.concatenate([pair.logit(one) for one in sets]),
        np.concatenate([one.evidence() for one in sets]).astype(float),
        weight_of(sets),
        np.concatenate([np.full(one.start.size, fold_of(one.asked.article)) for one in sets]),
        np.repeat(folds_of_sets(sets), [one.start.size for one in sets]),
    )


def documents_of(sets: Sequence[ScoredSet]) -> Sample:
    """Every document with a window, labelled with whether it holds the evidence."""
    logit, label, weight = [], [], []
    size: dict[str, int] = {}
    for one in sets:
        size[one.asked.name] = size.get(one.asked.name, 0) + len(one.raw.best)
    for one in sets:
        logit.append(one.raw.best.astype(float))
        label.append((np.arange(len(one.raw.best)) == one.asked.case.gold).astype(float))
        weight.append(np.full(len(one.raw.best), 1.0 / size[one.asked.name]))
    counts = [len(one.raw.best) for one in sets]
    article = np.repeat([fold_of(one.asked.article) for one in sets], counts)
    source = np.repeat(folds_of_sets(sets), counts)
    seen = np.isfinite(np.concatenate(logit))
    all_logits, all_labels, all_weights = (np.concatenate(part)[seen] for part in (logit, label, weight))
    return Sample(all_logits, all_labels, all_weights, article[seen], source[seen])


def better(errors: Mapping[str, Mapping[str, float]]) -> str:
    """The served method with the least error on articles that were left out; Platt scaling of equal ones."""
    return min(reversed(SERVED), key=lambda method: errors[method]["left_out_articles"])


def kept_characters(sets: Sequence[ScoredSet], scores: Sequence[Floats], threshold: float) -> float:
    """Evidence kept of all that reaches the threshold, as evaluation.evidence counts it: mean over sets."""
    values = [
        gain([p for p in one.pieces(score) if p.score >= threshold], one.asked.case)
        for one, score in zip(sets, scores, strict=True)
    ]
    return set_mean(sets, values)


def threshold_that_keeps(
    sets: Sequence[ScoredSet], scores: Sequence[Floats], sample: Sample, recall: float
) -> float:
    """The highest threshold, rounded down to three digits, that keeps `recall` of the evidence segments and of the
    evidence by characters. Where segments cut evidence so that no threshold does, the one for segments alone."""
    flat = np.concatenate(scores)
    of_segments = rounded_down(threshold_for(flat, sample.label, sample.weight, recall))
    if kept_characters(sets, scores, of_segments) >= recall or kept_characters(sets, scores, 0.0) < recall:
        return of_segments
    candidates = np.unique([rounded_down(score) for score in flat[flat < of_segments].tolist()])
    low, high = 0, candidates.size
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (
            (middle, high)
            if kept_characters(sets, scores, float(candidates[middle])) >= recall
            else (low, middle)
        )
    return float(candidates[low])


def fit(sets: Sequence[ScoredSet]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The contents of `calibration.json`, and the report of how they were found."""
    pair, weights = choose(sets)
    segments, documents = segments_of(sets, pair), documents_of(sets)
    errors = {"segments": segments.errors(), "documents": documents.errors()}
    method = {kind: better(table) for kind, table in errors.items()}
    keep_scale, keep_shift = segments.fit(method["segments"])
    relevance_scale, relevance_shift = documents.fit(method["documents"])
    calibration = Calibration(
        keep_scale, keep_shift, pair.lexical, pair.relevance, relevance_scale, relevance_shift
    )
    # The thresholds are those of the scores that the server computes and the client rounds.
    scores = [np.round(one.scores(calibration).astype(float), 6) for one in sets]
    flat = np.concatenate(scores)
    table = {recall: threshold_that_keeps(sets, scores, segments, recall) for recall in RECALLS}
    threshold = table[RECALL]
    unseen = _on_left_out_articles(sets, scores, segments)
    positive, weight = segments.label > 0, segments.weight
    reached = flat >= threshold
    relevance = logistic(relevance_scale * documents.logit + relevance_shift)
    fitted_on = {
        "sets": len({one.asked.name for one in sets}),
        "questions": len(sets),
        "segments": int(flat.size),
        "expected_calibration_error": errors["segments"][method["segments"]]["left_out_articles"],
        "relevance_calibration_error": errors["documents"][method["documents"]]["left_out_articles"],
        "on_the_same_rows": round(calibration_error(flat, segments.label, weight), 4),
        "relevance_on_the_same_rows": round(
            calibration_error(relevance, documents.label, documents.weight), 4
        ),
        "evidence_segments_kept": _share(weight, positive & reached, positive),
        "evidence_characters_kept": round(kept_characters(sets, scores, threshold), 4),
        "other_segments_kept": _share(weight, ~positive & reached, ~positive),
        "on_left_out_articles": unseen,
    }
    values = {
        "calibration": vars(calibration),
        "default_threshold": threshold,
        "recall_thresholds": {f"{recall:g}": value for recall, value in table.items()},
        "fitted_on": fitted_on,
    }
    return values, {
        "weights": weights,
        "method": method,
        "errors": errors,
        "folds_of_articles": FOLDS,
    } | values


def _on_left_out_articles(
    sets: Sequence[ScoredSet], scores: Sequence[Floats], sample: Sample
) -> dict[str, float]:
    """Evidence kept by the default threshold when it is chosen on other articles."""
    fold = np.array([fold_of(one.asked.article) for one in sets])
    flat = np.concatenate(scores)
    limit = np.empty(flat.size)
    characters = np.empty(len(sets))
    for number in np.unique(fold):
        rows = sample.article != number
        inside = [i for i in range(len(sets)) if fold[i] != number]
        part = Sample(*(column[rows] for column in vars(sample).values()))
        threshold = threshold_that_keeps([sets[i] for i in inside], [scores[i] for i in inside], part, RECALL)
        limit[~rows] = threshold
        for i in np.flatnonzero(fold == number).tolist():
            pieces = [p for p in sets[i].pieces(scores[i]) if p.score >= threshold]
            characters[i] = gain(pieces, sets[i].asked.case)
    positive = sample.label > 0
    return {
        "evidence_segments_kept": _share(sample.weight, positive & (flat >= limit), positive),
        "evidence_characters_kept": round(set_mean(sets, characters.tolist()), 4),
    }


def _share(weight: Floats, part: NDArray[np.bool_], whole: NDArray[np.bool_]) -> float:
    return round(float(weight[part].sum() / weight[whole].sum()), 4)


def with_parameters(config: str, values: Mapping[str, str]) -> str:
    """The text of a `config.pbtxt` with other values of its parameters; ValueError for one that it does not have."""
    for name, value in values.items():
        pattern = rf'(key: "{re.escape(name)}" value \{{ string_value: ")[^"]*'
        config, found = re.subn(pattern, rf"\g<1>{value}", config)
        if found != 1:
            raise ValueError(f"The configuration states {name} {found} times, where once is needed.")
    return config


def write(values: Mapping[str, Any], repository: Path) -> None:
    """Put a calibration into the model repository: the server's file, and what clients read."""
    config = repository / "compressor" / "config.pbtxt"
    stated = {
        "default_threshold": str(values["default_threshold"]),
        "recall_thresholds": ",".join(f"{r}:{t:g}" for r, t in values["recall_thresholds"].items()),
    }
    changed = with_parameters(config.read_text(), stated)
    path = repository / "aggregate" / "1" / "calibration.json"
    path.write_text(json.dumps(values, indent=2) + "\n")
    config.write_text(changed)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_data(parser, questions=15)
    parser.add_argument("--repository", type=Path, default=Path("model_repository"))
    parser.add_argument("--model", type=Path, help="default: the repository's encoder/1/model.onnx")
    parser.add_argument("--out", type=Path, default=Path("docs/reports/calibration"))
    parser.add_argument("--report-only", action="store_true", help="leave the repository as it is")
    options = parser.parse_args()
    model = options.model or options.repository / "encoder" / "1" / "model.onnx"
    asked = asked_of(options.data, options.questions, options.sets)
    values, report = fit(scored_sets(asked, model.stem, model, options.cache))
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.with_suffix(".json").write_text(json.dumps(report, indent=1) + "\n")
    options.out.with_suffix(".md").write_text(markdown(report))
    if not options.report_only:
        write(values, options.repository)
    print(json.dumps(values))


if __name__ == "__main__":
    main()
