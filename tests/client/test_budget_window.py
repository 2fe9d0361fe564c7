"""The budget that a model's context window leaves for evidence."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pith
from pith.errors import InvalidInput


def in_words(text: str) -> int:
    return len(text.split())


def test_a_window_leaves_what_the_rest_of_the_prompt_does_not_take() -> None:
    budget = pith.Budget.for_window(
        8_000,
        instructions="be brief",
        history=["one two", "three"],
        question="what is it",
        tools=100,
        reply=1_000,
        margin=200,
        counter=in_words,
    )
    assert budget.tokens == 8_000 - 2 - 3 - 3 - 100 - 1_000 - 200
    assert budget.counter is in_words


def test_a_text_and_a_list_of_that_text_take_the_same() -> None:
    one, many = (
        pith.Budget.for_window(1_000, history=history, counter=in_words) for history in ("a b c", ["a b c"])
    )
    assert one == many


@pytest.mark.parametrize("margin", [0.05, Fraction(1, 20), np.float32(0.05), 50, np.int64(50)])
def test_a_margin_is_a_share_or_a_number_of_tokens(margin: Any) -> None:
    left = pith.Budget.for_window(1_000, margin=margin).tokens
    # A float32 of 0.05 is a little more than that: the margin is rounded up.
    assert left == (949 if isinstance(margin, np.float32) else 950)


def test_a_twentieth_is_kept_free_unless_told_otherwise() -> None:
    assert pith.Budget.for_window(1_000).tokens == 950
    assert pith.Budget.for_window(1_000, margin=0.0) == pith.Budget.for_window(1_000, margin=0)


@given(st.integers(1, 10**6), st.integers(0, 10**5), st.floats(0, 0.99))
def test_a_window_is_never_overfilled(window: int, reply: int, margin: float) -> None:
    left = window - reply - math.ceil(margin * window)
    if left < 1:
        with pytest.raises(InvalidInput, match=f"{1 - left:,} too many"):
            pith.Budget.for_window(window, reply=reply, margin=margin)
    else:
        assert pith.Budget.for_window(window, reply=reply, margin=margin).tokens == left


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"window": 100, "reply": 200}, "106 too many"),
        ({"window": 100, "reply": 100, "margin": 0}, "1 too many"),
        ({"window": 100, "question": "text"}, "give counter"),
        ({"window": 100, "history": ["text"]}, "give counter"),
        ({"window": 0}, "window"),
        ({"window": "100"}, "window"),
        ({"window": 100, "margin": 1.5}, "margin"),
        ({"window": 100, "margin": 1.0}, "margin"),
        ({"window": 100, "margin": -0.1}, "margin"),
        ({"window": 100, "margin": -1}, "margin"),
        ({"window": 100, "margin": math.nan}, "margin"),
        ({"window": 100, "margin": True}, "margin"),
        ({"window": 100, "margin": None}, "margin"),
        ({"window": 100, "history": [1]}, "history"),
        ({"window": 100, "tools": {1: 2}}, "tools"),
        ({"window": 100, "question": None}, "question"),
        ({"window": 100, "instructions": True}, "instructions"),
        ({"window": 100, "instructions": -1}, "instructions"),
        ({"window": 100, "reply": -1}, "reply"),
        ({"window": 100, "reply": 1.5}, "reply"),
    ],
)
def test_what_leaves_nothing_or_cannot_be_counted_is_told(options: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        pith.Budget.for_window(**options)
