"""Whose tokens: tokenizer files, encodings by name, and what is missing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import pith
import pith.budget
import pith.counters
from pith.errors import InvalidInput
from tests.client.strategies import scored_document

TOKENIZER = Path("model_repository/tokenize/1/tokenizer.json")


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


class Encoding:
    def encode_ordinary(self, text: str) -> list[int]:
        return [len(word) for word in text.split()]


def tiktoken_that(get_encoding: Callable[[str], Encoding]) -> ModuleType:
    module = ModuleType("tiktoken")
    module.__dict__["get_encoding"] = get_encoding
    return module


def test_an_encoding_by_name_is_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def get_encoding(name: str) -> Encoding:
        asked.append(name)
        return Encoding()

    monkeypatch.setitem(sys.modules, "tiktoken", tiktoken_that(get_encoding))
    budget = pith.Budget.for_window(100, question="two words", margin=0, counter="tiktoken:o200k_base")
    result = pith.select_evidence(
        [scored_document([("Three short words.", 0.9)])], budget=budget, threshold=0.2
    )
    assert budget.tokens == 98
    assert result.report.context_tokens == len(result.context.split())
    assert asked == ["o200k_base"]


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ValueError("Unknown encoding"), "no encoding 'x'"),
        (ConnectionError("no route"), "TIKTOKEN_CACHE_DIR"),
    ],
)
def test_an_encoding_that_cannot_be_loaded_is_named(
    monkeypatch: pytest.MonkeyPatch, error: Exception, told: str
) -> None:
    def get_encoding(name: str) -> Encoding:
        raise error

    monkeypatch.setitem(sys.modules, "tiktoken", tiktoken_that(get_encoding))
    with pytest.raises(InvalidInput, match=told):
        pith.Budget(100, counter="tiktoken:x")


def test_what_the_selection_imports_from_the_budget_is_the_same() -> None:
    assert pith.budget.count_with is pith.counters.count_with
    assert pith.budget.count_with(None) is None
