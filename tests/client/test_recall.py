"""A threshold by the share of evidence that it keeps."""

from __future__ import annotations

from typing import Any

import pytest

from pith.errors import InvalidInput
from pith.inputs import read_threshold
from pith.recall import RecallTarget

TABLE = {0.8: 0.04, 0.9: 0.01, 0.95: 0.0025}


@pytest.mark.parametrize(
    ("given", "recall"), [("recall=0.9", 0.9), (" recall = 90% ", 0.9), ("recall=0.825", 0.825)]
)
def test_a_share_of_the_evidence_is_read(given: str, recall: float) -> None:
    assert read_threshold(given) == RecallTarget(recall)


@pytest.mark.parametrize(
    "given", ["recall=1", "recall=0", "recall=", "recall=150%", "0.5", "recall=-0.5", True, [], 1.5]
)
def test_what_is_no_threshold_is_refused(given: Any) -> None:
    with pytest.raises(InvalidInput, match="threshold"):
        read_threshold(given)


def test_thresholds_are_looked_up_and_between_two_taken_on_a_logarithmic_line() -> None:
    assert RecallTarget(0.9).threshold(TABLE) == 0.01
    assert RecallTarget(0.85).threshold(TABLE) == pytest.approx(0.02)


def test_a_share_that_the_server_does_not_state_is_refused_with_the_range() -> None:
    with pytest.raises(InvalidInput, match=r"from 0\.8 to 0\.95"):
        RecallTarget(0.99).threshold(TABLE)
    with pytest.raises(InvalidInput, match="number from 0 to 1"):
        RecallTarget(0.9).threshold({})
