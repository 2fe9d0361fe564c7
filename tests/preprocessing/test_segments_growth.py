"""Work grows linearly with the text, whatever the text is."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

from evaluation.boundaries.growth import texts
from preprocessing.segments import segment
from tests.preprocessing.hostile import assert_sound

SMALL, LARGE = texts(1_500), texts(6_000)


def work(text: str) -> int:
    """Calls of Python and C functions made while `text` is split."""
    calls = 0

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    previous = sys.getprofile()
    sys.setprofile(count)
    try:
        segment(text)
    finally:
        sys.setprofile(previous)
    return calls


@pytest.mark.parametrize("name", SMALL)
def test_four_times_the_text_takes_about_four_times_the_calls(name: str) -> None:
    growth = len(LARGE[name]) / len(SMALL[name])
    small = work(SMALL[name])
    assert work(LARGE[name]) <= 1.25 * growth * small + 300


def test_large_hostile_texts_are_split_soundly() -> None:
    for text in texts(40_000).values():
        assert_sound(text, segment(text))
