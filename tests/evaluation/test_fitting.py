"""Probabilities from logits: a known scale and shift is found again; errors and thresholds are what they say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.fitting import (
    adaptive_error,
    calibration_error,
    fitted,
    isotonic,
    platt,
    regression,
    rounded_down,
    temperature,
    threshold_for,
)

RNG = np.random.default_rng(5)
LOGIT = RNG.normal(-1.0, 2.0, 40_000)
TRUE = 1 / (1 + np.exp(-(0.6 * LOGIT - 1.5)))
LABEL = (RNG.random(LOGIT.size) < TRUE).astype(float)
ONES = np.ones_like(LABEL)


def test_platt_finds_the_scale_and_shift_that_made_the_labels() -> None:
    scale, shift = platt(LOGIT, LABEL, ONES)
    assert scale == pytest.approx(0.6, abs=0.03)
    assert shift == pytest.approx(-1.5, abs=0.05)


def test_regression_finds_the_weight_of_every_term() -> None:
    other = RNG.normal(0.0, 1.0, LOGIT.size)
    label = (RNG.random(LOGIT.size) < 1 / (1 + np.exp(-(0.6 * LOGIT - 1.2 * other + 0.3)))).astype(float)
    assert regression(np.stack([LOGIT, other], 1), label, ONES) == pytest.approx([0.6, -1.2, 0.3], abs=0.06)


def test_a_temperature_finds_a_scale_that_has_no_shift() -> None:
    label = (RNG.random(LOGIT.size) < 1 / (1 + np.exp(-0.4 * LOGIT))).astype(float)
    assert temperature(LOGIT, label, ONES) == pytest.approx(0.4, abs=0.02)


def test_isotonic_steps_rise_and_are_the_means_of_what_they_hold() -> None:
    knots, heights = isotonic(LOGIT, LABEL, ONES)
    assert np.all(np.diff(knots) > 0)
    assert np.all(np.diff(heights) > 0)
    assert calibration_error(fitted("isotonic", LOGIT, LABEL, ONES)(LOGIT), LABEL, ONES) < 0.01


def test_scores_that_mean_what_they_say_have_little_error() -> None:
    for error in (calibration_error, adaptive_error):
        assert error(TRUE, LABEL, ONES) < 0.01
        assert error(np.minimum(TRUE + 0.3, 1.0), LABEL, ONES) > 0.2


def test_bins_of_equal_mass_see_an_error_that_equal_bins_average_away() -> None:
    score = np.linspace(0.0, 0.099, 1000)
    label = np.zeros(1000)
    label[:50] = 1.0
    assert calibration_error(score, label, np.ones(1000)) < 0.001
    assert adaptive_error(score, label, np.ones(1000)) > 0.05


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 1), st.booleans(), st.floats(0.1, 10)), min_size=1, max_size=60),
    st.sampled_from([0.8, 0.85, 0.9, 0.95]),
)
def test_a_threshold_keeps_the_promised_share_also_when_rounded(
    rows: list[tuple[float, bool, float]], recall: float
) -> None:
    score, label, weight = (np.array(column, float) for column in zip(*rows, strict=True))
    if not label.any():
        return
    threshold = threshold_for(score, label, weight, recall)
    positive = label > 0
    total = weight[positive].sum()
    assert weight[positive & (score >= threshold)].sum() >= (recall - 1e-6) * total
    above = weight[positive & (score > threshold)].sum()
    assert above < recall * total or threshold == score[positive].max()
    assert rounded_down(threshold) <= threshold


@settings(deadline=None)
@given(st.floats(1e-6, 1.0))
def test_rounding_down_leaves_three_digits_and_loses_little(threshold: float) -> None:
    rounded = rounded_down(threshold)
    assert float(f"{rounded:.3g}") == rounded
    assert threshold * 0.989 <= rounded <= threshold * (1 + 1e-9)
