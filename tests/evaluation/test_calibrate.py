"""Calibration: a known scale and shift is found again, and the threshold keeps what it promises."""

import numpy as np
import pytest

from evaluation.calibrate import calibration_error, platt, threshold_for

RNG = np.random.default_rng(5)
LOGIT = RNG.normal(-1.0, 2.0, 40_000)
TRUE = 1 / (1 + np.exp(-(0.6 * LOGIT - 1.5)))
LABEL = (RNG.random(LOGIT.size) < TRUE).astype(float)
ONES = np.ones_like(LABEL)


def test_platt_finds_the_scale_and_shift_that_made_the_labels() -> None:
    scale, shift = platt(LOGIT, LABEL, ONES)
    assert scale == pytest.approx(0.6, abs=0.03)
    assert shift == pytest.approx(-1.5, abs=0.05)


def test_scores_that_mean_what_they_say_have_little_error() -> None:
    assert calibration_error(TRUE, LABEL, ONES) < 0.01
    assert calibration_error(np.minimum(TRUE + 0.3, 1.0), LABEL, ONES) > 0.2


def test_the_threshold_keeps_the_promised_share_and_hardly_more() -> None:
    threshold = threshold_for(TRUE, LABEL, ONES, 0.9)
    kept = LABEL[threshold <= TRUE].sum() / LABEL.sum()
    assert 0.9 <= kept < 0.905
