"""Intervals and tests agree with values worked out by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.answers.statistics import holm, interval, mcnemar


def test_the_mean_is_that_over_groups_and_lies_in_its_interval() -> None:
    mean, low, high = interval([[1.0, 0.0, 1.0, 1.0], [0.0, 0.0]])
    assert mean == pytest.approx(0.375)
    assert low < mean < high


def test_an_interval_covers_its_share_of_a_normal_mean() -> None:
    values = np.random.default_rng(4).normal(0.0, 1.0, 400)
    mean, low, high = interval([values.tolist()])
    error = values.std() / 20
    assert high - mean == pytest.approx(1.96 * error, rel=0.1)
    assert mean - low == pytest.approx(1.96 * error, rel=0.1)


def test_certain_groups_have_no_width_and_none_is_not_a_number() -> None:
    assert interval([[1.0, 1.0], [1.0]]) == (1.0, 1.0, 1.0)
    assert all(math.isnan(value) for value in interval([]))


def test_the_paired_test_counts_only_questions_that_differ() -> None:
    # Six gained, none lost: both tails of six coins.
    assert mcnemar([False] * 6 + [True] * 50, [True] * 56) == pytest.approx(2 / 2**6)
    assert mcnemar([True, False, True], [True, False, True]) == 1.0


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=60))
def test_the_paired_test_is_symmetric_and_a_probability(pairs: list[tuple[bool, bool]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    assert mcnemar(first, second) == mcnemar(second, first)
    assert 0.0 < mcnemar(first, second) <= 1.0


def test_lists_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        mcnemar([True], [True, False])


def test_holm_multiplies_the_smallest_by_the_number_and_never_falls() -> None:
    found = holm({"a": 0.01, "b": 0.04, "c": 0.03})
    assert list(found) == ["a", "b", "c"]
    assert found == pytest.approx({"a": 0.03, "c": 0.06, "b": 0.06})
    assert holm({"a": 0.9, "b": 0.8}) == {"a": 1.0, "b": 1.0}
