"""Whose tokens: a model's window, tokenizer files, and what is missing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pith
from pith.errors import InvalidInput
from tests.client.strategies import scored_document

TOKENIZER = Path("model_repository/tokenize/1/tokenizer.json")


def test_a_window_leaves_what_the_rest_of_the_prompt_does_not_take() -> None:
    budget = pith.Budget.for_window(
        8_000,
        instructions="be brief",
        history=["one two", "three"],
        question="what is it",
        tools=100,
        reply=1_000,
        margin=200,
        counter=lambda text: len(text.split()),
    )
    assert budget.tokens == 8_000 - 2 - 3 - 3 - 100 - 1_000 - 200
    assert budget.counter is not None


@given(st.integers(1, 10**6), st.integers(0, 10**5), st.floats(0, 0.99))
def test_a_window_is_never_overfilled(window: int, reply: int, margin: float) -> None:
    try:
        budget = pith.Budget.for_window(window, reply=reply, margin=margin)
    except InvalidInput:
        assert window - reply - margin * window < 2
    else:
        assert budget.tokens + reply + margin * window <= window + 1e-6


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"window": 100, "reply": 200}, "106 too many"),
        ({"window": 100, "question": "text"}, "give counter"),
        ({"window": 0}, "window"),
        ({"window": 100, "margin": 1.5}, "margin"),
        ({"window": 100, "margin": True}, "margin"),
        ({"window": 100, "history": [1]}, "history"),
        ({"window": 100, "reply": -1}, "reply"),
    ],
)
def test_what_leaves_nothing_or_cannot_be_counted_is_told(options: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        pith.Budget.for_window(**options)


@pytest.mark.parametrize("name", [TOKENIZER, str(TOKENIZER)])
def test_a_tokenizers_file_counts_the_context(name: str | Path) -> None:
    pytest.importorskip("tokenizers")
    budget = pith.Budget(20, counter=name)
    scored = [scored_document([("Paid within 5 days.", 0.9), ("Or " + "later " * 30, 0.8)])]
    result = pith.select_evidence(scored, budget=budget, threshold=0.2)
    assert result.context == "[E1]\nPaid within 5 days."
    assert result.report.context_tokens == len(budget.counter.encode(result.context).ids) <= 20


@pytest.mark.parametrize("name", ["missing.json", "pyproject.json", __file__ + ".json"])
def test_a_file_that_cannot_be_read_is_named(name: str) -> None:
    with pytest.raises(InvalidInput, match=Path(name).name):
        pith.Budget(100, counter=name)


def test_a_package_that_is_missing_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(InvalidInput, match="pip install tiktoken"):
        pith.Budget(100, counter="tiktoken:o200k_base")
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(InvalidInput, match="pip install tokenizers"):
        pith.Budget(100, counter=TOKENIZER)
