"""How sure a figure is: bootstrap intervals, and paired tests between two settings.

Intervals are percentiles of means of resampled questions (Efron, Bootstrap methods: another look at the jackknife,
1979). The test of two settings on the same questions is McNemar's (Note on the sampling error of the difference between
correlated proportions or percentages, 1947) in its exact, binomial form. Of several tests, p values are adjusted by
Holm's procedure (A simple sequentially rejective multiple test procedure, 1979).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

DRAWS = 10_000
LEVEL = 0.95


def interval(
    groups: Sequence[Sequence[float]], draws: int = DRAWS, level: float = LEVEL, seed: int = 0
) -> tuple[float, float, float]:
    """(mean, low, high) of the mean over groups of the mean of each; questions are resampled within their group.

    One group is the plain mean of its values. NaN for no values.
    """
    filled = [np.asarray(values, np.float64) for values in groups if len(values)]
    if not filled:
        return math.nan, math.nan, math.nan
    rng = np.random.default_rng(seed)
    means = np.zeros(draws)
    for values in filled:
        for first in range(0, draws, 1000):
            size = (min(1000, draws - first), values.size)
            means[first : first + 1000] += values[rng.integers(values.size, size=size)].mean(1)
    means /= len(filled)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(np.mean([values.mean() for values in filled])), float(low), float(high)


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> float:
    """Two-sided exact p value that two settings are right equally often on the same questions.

    Under that hypothesis each question on which they differ is as likely to go either way. Raises ValueError for lists
    of different lengths.
    """
    pairs = list(zip(first, second, strict=True))
    gained, lost = pairs.count((False, True)), pairs.count((True, False))
    n = gained + lost
    tail = sum(math.comb(n, k) for k in range(min(gained, lost) + 1))
    return float(min(1.0, tail / 2 ** (n - 1))) if n else 1.0


def holm(values: Mapping[str, float]) -> dict[str, float]:
    """p values adjusted for their number, by the same names."""
    out: dict[str, float] = {}
    highest = 0.0
    for rank, name in enumerate(sorted(values, key=lambda name: values[name])):
        highest = max(highest, min(1.0, (len(values) - rank) * values[name]))
        out[name] = highest
    return {name: out[name] for name in values}
