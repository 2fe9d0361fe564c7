"""How much the window's relevance and the lexical match count beside the keep logit: chosen on folds of sets.

Two ways are tried: the pair of a grid that keeps most evidence at 5, 10 and 20 % of the text, and the pair that a
logistic regression on the three terms gives. Each is judged on folds of sets that it did not see (sets of one source
are in one fold), and the better one is then applied to all sets. Every set counts the same.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.evidence import SHARES, gain, kept
from evaluation.fitting import logistic, regression
from evaluation.scored_sets import ScoredSet

Floats = NDArray[np.float64]
# A window's relevance lifts all of its segments alike. At 2 it keeps up to a point more evidence than at 1, and at the
# threshold that holds 90 % of the evidence a quarter more of what stands beside it and is none: it ends at 1.
RELEVANCE = (0.0, 0.25, 0.5, 0.75, 1.0)
LEXICAL = (0.0, 1.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 16.0)
FOLDS = 5
WAYS = ("grid", "regression")


@dataclass(frozen=True)
class Pair:
    """Weights of the two terms beside the keep logit, whose own weight is 1."""

    relevance: float
    lexical: float

    def logit(self, one: ScoredSet) -> Floats:
        """Logits of the segments of a result set, float64 [S]; -1e4 for what no window saw."""
        raw = one.raw
        sum_ = raw.keep.astype(float) + self.relevance * raw.relevance + self.lexical * raw.lexical
        return np.where(raw.seen, sum_, -1e4)


def fold_of(name: str, folds: int = FOLDS) -> int:
    """The fold of whatever has this name, the same everywhere."""
    return zlib.crc32(name.encode()) % folds


def folds_of_sets(sets: Sequence[ScoredSet]) -> NDArray[np.int64]:
    """The fold of each result set, int64 [n]: sources by falling number of sets, each to the smallest fold so far."""
    names: dict[str, set[str]] = {}
    for one in sets:
        names.setdefault(one.asked.group, set()).add(one.asked.name)
    sizes = [0] * FOLDS
    fold: dict[str, int] = {}
    for group in sorted(names, key=lambda g: (-len(names[g]), g)):
        fold[group] = sizes.index(min(sizes))
        sizes[fold[group]] += len(names[group])
    return np.array([fold[one.asked.group] for one in sets], np.int64)


def set_mean(sets: Sequence[ScoredSet], values: Sequence[float]) -> float:
    """The mean of one value a result set, every set counting the same."""
    of_set: dict[str, list[float]] = {}
    for one, value in zip(sets, values, strict=True):
        of_set.setdefault(one.asked.name, []).append(value)
    return float(np.mean([np.mean(v) for v in of_set.values()]))


def evidence_kept(one: ScoredSet, scores: NDArray[np.floating]) -> list[float]:
    """Evidence kept of one result set at each of `SHARES`; see evaluation.evidence."""
    total = sum(map(len, one.asked.texts))
    pieces = one.pieces(scores)
    return [gain(kept(pieces, share * total), one.asked.case) for share in SHARES]


def choose(sets: Sequence[ScoredSet]) -> tuple[Pair, dict[str, Any]]:
    """The pair of weights, and the report of how it was chosen.

    The report holds `way`, for each way the evidence kept at each share on folds it did not see, and the same for the
    keep logit alone and for the chosen pair on all sets.
    """
    grid = [Pair(*pair) for pair in product(RELEVANCE, LEXICAL)]
    figures = {pair: np.array([evidence_kept(one, pair.logit(one)) for one in sets]) for pair in grid}
    fold = folds_of_sets(sets)
    unseen: dict[str, NDArray[np.float64]] = {way: np.zeros((len(sets), len(SHARES))) for way in WAYS}
    for out in range(FOLDS):
        inside, outside = np.flatnonzero(fold != out).tolist(), np.flatnonzero(fold == out).tolist()
        best = _best(sets, figures, inside)
        unseen["grid"][outside] = figures[best][outside]
        fitted = _regression([sets[i] for i in inside])
        for i in outside:
            unseen["regression"][i] = evidence_kept(sets[i], fitted.logit(sets[i]))
    means = {way: _shares(sets, values) for way, values in unseen.items()}
    way = max(WAYS, key=lambda w: sum(means[w].values()))
    everything = list(range(len(sets)))
    pair = _best(sets, figures, everything) if way == "grid" else _regression(sets)
    chosen = np.array([evidence_kept(one, pair.logit(one)) for one in sets])
    report = {
        "way": way,
        "grid": {"relevance_weight": RELEVANCE, "lexical_weight": LEXICAL},
        "folds": FOLDS,
        "kept_on_unseen_folds": means,
        "kept_by_keep_alone": _shares(sets, figures[Pair(0.0, 0.0)]),
        "kept": _shares(sets, chosen),
    }
    return pair, report


def weight_of(sets: Sequence[ScoredSet]) -> Floats:
    """Weight of each segment, end to end, so that every set counts the same, float64 [sum of S]."""
    size: dict[str, int] = {}
    for one in sets:
        size[one.asked.name] = size.get(one.asked.name, 0) + one.start.size
    return np.concatenate([np.full(one.start.size, 1.0 / max(size[one.asked.name], 1)) for one in sets])


def _best(
    sets: Sequence[ScoredSet], figures: Mapping[Pair, NDArray[np.float64]], rows: Sequence[int]
) -> Pair:
    """The pair of the grid that keeps most on these result sets; of equal ones the one with the least weights."""
    some = [sets[i] for i in rows]
    mean = {
        pair: round(set_mean(some, values[rows].mean(axis=1).tolist()), 9) for pair, values in figures.items()
    }
    return max(mean, key=lambda pair: (mean[pair], -pair.relevance - pair.lexical))


def unseen_scores(sets: Sequence[ScoredSet]) -> list[Floats]:
    """Probability of every segment by a logistic regression on the folds of sets that its own set is not in.

    So models that were never calibrated are compared by the same rule, and none by what it was fitted on.
    """
    fold = folds_of_sets(sets)
    out: list[Floats] = [np.zeros(0)] * len(sets)
    for here in range(FOLDS):
        elsewhere = [one for one, its in zip(sets, fold, strict=True) if its != here] or list(sets)
        beta = _coefficients(elsewhere)
        for i in np.flatnonzero(fold == here).tolist():
            probability = logistic(_terms(sets[i]) @ beta[:-1] + beta[-1])
            out[i] = np.where(sets[i].raw.seen, probability, 0.0)
    return out


def _terms(one: ScoredSet) -> Floats:
    return np.stack([one.raw.keep, one.raw.relevance, one.raw.lexical], axis=1).astype(float)


def _coefficients(sets: Sequence[ScoredSet]) -> Floats:
    seen = np.concatenate([one.raw.seen for one in sets])
    terms = np.concatenate([_terms(one) for one in sets])[seen]
    label = np.concatenate([one.evidence() for one in sets])[seen].astype(float)
    return regression(terms, label, weight_of(sets)[seen])


def _regression(sets: Sequence[ScoredSet]) -> Pair:
    keep, relevance, lexical, _ = _coefficients(sets).tolist()
    if keep <= 0:
        return Pair(0.0, 0.0)
    return Pair(round(min(max(relevance / keep, 0.0), RELEVANCE[-1]), 3), round(max(lexical / keep, 0.0), 3))


def _shares(sets: Sequence[ScoredSet], values: NDArray[np.float64]) -> dict[str, float]:
    return {f"{share:.2f}": round(set_mean(sets, values[:, i].tolist()), 4) for i, share in enumerate(SHARES)}
