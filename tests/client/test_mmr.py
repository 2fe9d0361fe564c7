"""Marginal relevance: the formula, its order and its ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pith.errors import InvalidInput
from pith.select.mmr import marginal, mmr_order


def test_the_worked_example() -> None:
    assert marginal(0.92, 0.98, 0.7) == pytest.approx(0.350)
    assert marginal(0.85, 0.25, 0.7) == pytest.approx(0.520)
    similarity = np.array([[1, 0.98, 0.25], [0.98, 1, 0.2], [0.25, 0.2, 1]], np.float32)
    assert mmr_order(np.array([0.95, 0.92, 0.85]), similarity, 0.7, chosen=[0]) == [2, 1]


@given(st.lists(st.floats(0, 1), max_size=8), st.floats(0, 1), st.data())
def test_all_that_are_not_chosen_come_once(
    relevance: list[float], weight: float, data: st.DataObject
) -> None:
    n = len(relevance)
    chosen = data.draw(st.sets(st.integers(0, n - 1)) if n else st.just(set()))
    similarity = np.eye(n, dtype=np.float32)
    order = mmr_order(np.array(relevance, np.float64), similarity, weight, sorted(chosen))
    assert sorted([*order, *chosen]) == list(range(n))
    if weight == 1.0:
        assert order == sorted(order, key=lambda i: (-relevance[i], i))


@given(st.integers(1, 12), st.floats(0, 1), st.integers(0, 2**32 - 1))
def test_each_in_turn_is_the_best_by_the_formula(n: int, weight: float, seed: int) -> None:
    """Against the definition, with similarities below 0 as well, as cosines have them."""
    random = np.random.default_rng(seed)
    # Few values, so that ties are common, which go to the lower index.
    relevance = random.integers(0, 4, n) / 4
    half = np.triu(random.integers(-4, 5, (n, n)) / 4).astype(np.float32)
    similarity = np.maximum(half, half.T)
    before = relevance.copy(), similarity.copy()
    order = mmr_order(relevance, similarity, weight)
    left = list(range(n))
    for turn, taken in enumerate(order):
        most = similarity[order[:turn]].max(axis=0) if turn else np.zeros(n)
        value = [marginal(float(relevance[i]), float(most[i]), weight) for i in range(n)]
        assert value[taken] == max(value[i] for i in left)
        assert taken == min(i for i in left if value[i] == value[taken])
        left.remove(taken)
    assert mmr_order(relevance, similarity, weight, order[:1]) == order[1:]
    np.testing.assert_array_equal(relevance, before[0])
    np.testing.assert_array_equal(similarity, before[1])


def test_relevance_alone_does_not_look_at_the_similarity() -> None:
    unknown = np.full((3, 3), np.nan, np.float32)
    assert mmr_order(np.array([0.2, 0.9, 0.9]), unknown, 1.0) == [1, 2, 0]
    assert mmr_order(np.array([0.2, 0.9, 0.9]), unknown, 1.0, chosen=[1, 1]) == [2, 0]


@pytest.mark.parametrize("weight", [-0.1, 1.1, float("nan")])
def test_a_weight_outside_of_its_range_is_refused(weight: float) -> None:
    with pytest.raises(InvalidInput, match="0 to 1"):
        marginal(0.5, 0.5, weight)
    with pytest.raises(InvalidInput, match="0 to 1"):
        mmr_order(np.zeros(1), np.ones((1, 1), np.float32), weight)
