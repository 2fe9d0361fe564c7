"""Maximal marginal relevance: what is relevant and not said yet (Carbonell and Goldstein, 1998)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pith.errors import InvalidInput


def marginal(relevance: float, most_similar: float, weight: float) -> float:
    """``weight * relevance - (1 - weight) * most_similar``.

    ``most_similar`` is the largest similarity to anything chosen already, 0 where nothing is. ``weight`` is the
    paper's lambda. Raises :class:`InvalidInput` for a weight outside of [0, 1].
    """
    _check(weight)
    return weight * relevance - (1 - weight) * most_similar


def mmr_order(
    relevance: NDArray[np.float64],
    similarity: NDArray[np.float32],
    weight: float,
    chosen: Sequence[int] = (),
) -> list[int]:
    """The indices that are not ``chosen`` in the order in which marginal relevance takes them.

    ``relevance`` is float64 [n], ``similarity`` float32 [n, n]. Equal values go to the lower index. A weight of 1
    is the order of relevance alone. Raises :class:`InvalidInput` for a weight outside of [0, 1].
    """
    _check(weight)
    n = len(relevance)
    left = np.ones(n, bool)
    left[list(chosen)] = False
    if weight == 1.0:
        order = np.argsort(-relevance, kind="stable")
        return [int(i) for i in order if left[i]]
    most_similar = similarity[list(chosen)].max(axis=0) if len(chosen) else np.zeros(n, np.float32)
    gain = weight * relevance
    order_taken: list[int] = []
    for _ in range(int(left.sum())):
        value = np.where(left, gain - (1 - weight) * most_similar, -np.inf)
        best = int(np.argmax(value))
        order_taken.append(best)
        left[best] = False
        most_similar = np.maximum(most_similar, similarity[best])
    return order_taken


def _check(weight: float) -> None:
    if not 0.0 <= weight <= 1.0:
        raise InvalidInput(
            f"the weight of relevance must be a number from 0 to 1, not {weight!r}", code="invalid_diversity"
        )
