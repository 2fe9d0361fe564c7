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
    taken = list(dict.fromkeys(chosen))
    if weight == 1.0:
        known = set(taken)
        return [i for i in np.argsort(-relevance, kind="stable").tolist() if i not in known]
    # float64 [n, n]: the marginal relevance of each, were only this one chosen. That of the most similar is the least.
    gain = weight * relevance
    margins = np.multiply(similarity, weight - 1, dtype=np.float64)
    margins += gain
    value = margins[taken].min(axis=0) if taken else gain
    value[taken] = -np.inf
    order: list[int] = []
    for _ in range(n - len(taken)):
        best = int(value.argmax())
        # What nothing was chosen before has no similarity yet; from then on the least counts, and -inf stays.
        value = np.minimum(value, margins[best], out=value) if taken or order else margins[best].copy()
        value[best] = -np.inf
        order.append(best)
    return order


def _check(weight: float) -> None:
    if not 0.0 <= weight <= 1.0:
        raise InvalidInput(
            f"the weight of relevance must be a number from 0 to 1, not {weight!r}", code="invalid_diversity"
        )
