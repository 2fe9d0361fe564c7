"""A budget is a hard cap, in whosever tokens it is given."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pith
from pith.errors import InvalidInput
from pith.report import Reason
from tests.client.strategies import scored_document, scored_documents


def in_characters(text: str) -> int:
    return len(text)


def in_words_with_marks(text: str) -> int:
    """Like a tokenizer that adds a mark at both ends."""
    return len(re.findall(r"\w+|[^\w\s]", text)) + 2


def in_steps(text: str) -> int:
    """Not additive, above and below: the whole costs more than its parts, in leaps."""
    return len(text) ** 2 // 50 // 7 * 7


def in_lines_squared(text: str) -> int:
    return (text.count("\n") + 1) ** 2 if text else 0


COUNTERS = [in_characters, in_words_with_marks, in_steps, in_lines_squared]


@pytest.mark.parametrize("counter", COUNTERS)
@given(scored=scored_documents(), tokens=st.integers(3, 400))
def test_no_counter_ever_counts_more_than_the_budget(
    counter: Callable[[str], int], scored: list[pith.ScoredDocument], tokens: int
) -> None:
    result = pith.select_evidence(scored, budget=pith.Budget(tokens, counter), threshold=0.2)
    assert counter(result.context) <= tokens
    assert result.report.context_tokens == (counter(result.context) if result.context else 0)


@given(scored=scored_documents(), tokens=st.integers(1, 200))
def test_the_encoders_tokens_never_exceed_the_budget(scored: list[pith.ScoredDocument], tokens: int) -> None:
    result = pith.select_evidence(scored, budget=tokens, threshold=0.2)
    segments = sum(snippet.tokens for snippet in result.snippets)
    titles = sum(
        document.title_tokens
        for document, told in zip(scored, result.report.documents, strict=True)
        if told.label is not None
    )
    labels = sum(len(f"[{snippet.label}] ") for snippet in result.snippets)
    assert segments + titles + labels <= result.report.context_tokens <= tokens or not result.snippets


@given(scored=scored_documents(), tokens=st.integers(1, 200))
def test_the_best_segment_is_shown_whenever_it_fits_alone(
    scored: list[pith.ScoredDocument], tokens: int
) -> None:
    """Without what it depends on, which is part of it otherwise; of equal texts any may be the one shown."""
    result = pith.select_evidence(
        scored, budget=pith.Budget(tokens, in_characters), threshold=0.2, dependencies=False
    )
    alone = [
        len(" ".join((document.document.title or "").split())) + len("[E1] \n") + segment.end - segment.start
        for document in scored
        for segment in document.segments
        if segment.score == max(other.score for every in scored for other in every.segments) >= 0.2
    ]
    if alone and max(alone) <= tokens:
        assert result.snippets


def test_room_that_the_estimate_left_is_filled() -> None:
    """Rounding up makes each part dearer by itself than within the whole."""
    scored = [scored_document([(f"abc{chr(97 + i // 7)}{chr(97 + i % 7)}", 0.9) for i in range(40)])]
    result = pith.select_evidence(
        scored, budget=pith.Budget(40, lambda text: -(-len(text) // 4)), threshold=0.2
    )
    assert len(result.context) > 0.9 * 4 * 40


def test_after_one_that_was_too_much_a_smaller_one_gets_its_chance() -> None:
    """The gaps cost more than the estimate says, which only the count of the whole can tell."""
    scored = [scored_document([("aaaa", 0.9), ("bbbb", 0.8), ("c", 0.7)], gaps=["", "\n" * 8, " "])]
    result = pith.select_evidence(scored, budget=pith.Budget(16, in_characters), threshold=0.2)
    assert result.context == "[E1]\naaaa\nc"


def test_the_best_score_goes_first_whatever_its_length() -> None:
    scored = [scored_document([("short", 0.5), ("a much longer sentence with the answer", 0.9)])]
    result = pith.select_evidence(scored, budget=pith.Budget(48, in_characters), threshold=0.2)
    assert [snippet.text for snippet in result.snippets] == ["a much longer sentence with the answer"]


def test_a_segment_that_does_not_fit_is_passed_over_and_counted() -> None:
    scored = [scored_document([("w " * 99 + "w.", 0.9), ("This fits.", 0.5), ("Not this.", 0.1)])]
    result = pith.select_evidence(scored, budget=30, threshold=0.2)
    assert result.snippets[0].text == "This fits."
    report = result.report
    assert (report.total, report.kept, report.over_budget, report.below_threshold) == (104, 2, 100, 2)


def test_a_budget_too_small_for_anything_gives_an_empty_context_and_says_so() -> None:
    result = pith.select_evidence([scored_document([("some words", 0.9)])], budget=1, threshold=0.2)
    assert (result.context, result.snippets) == ("", ())
    assert result.report.reason is Reason.BUDGET_TOO_SMALL
    assert result.report.context_tokens == 0


def test_a_large_input_takes_few_counts_of_the_whole() -> None:
    scored = [scored_document([(f"sentence number {j} of many", 0.5) for j in range(2_000)])]
    long_counts = 0

    def counter(text: str) -> int:
        nonlocal long_counts
        long_counts += len(text) > 1_000
        # More for the whole than for its parts, so that the estimate is too low.
        return len(text.split()) * (2 if len(text) > 1_000 else 1)

    result = pith.select_evidence(scored, budget=pith.Budget(4_000, counter), threshold=0.2)
    assert counter(result.context) <= 4_000
    assert len(result.context.split()) > 1_900
    assert long_counts < 20


class Tokenizer:
    """Shaped like a tokenizers.Tokenizer."""

    class Encoding:
        def __init__(self, ids: list[int]) -> None:
            self.ids = ids

    def encode(self, text: str) -> Encoding:
        return self.Encoding([0, *map(ord, text)])


class Encoding:
    """Shaped like a tiktoken.Encoding, which refuses special tokens unless it is told not to."""

    def encode(self, text: str) -> list[int]:
        raise ValueError("special token")

    def encode_ordinary(self, text: str) -> list[int]:
        return [ord(character) for character in text]


@pytest.mark.parametrize(("counter", "size"), [(Tokenizer(), 39), (Encoding(), 38)])
def test_tokenizers_count_as_they_are(counter: Any, size: int) -> None:
    scored = [scored_document([("text with <|endoftext|> in it", 0.9)], title="T")]
    result = pith.select_evidence(scored, budget=pith.Budget(100, counter), threshold=0.2)
    assert result.report.context_tokens == len(result.context) + (size - 38)


@pytest.mark.parametrize("tokens", [0, -5, True, False, math.nan, 10.0, "many", None, [5]])
def test_what_is_no_budget_is_refused(tokens: Any) -> None:
    with pytest.raises(InvalidInput, match="budget"):
        pith.select_evidence([], budget=tokens, threshold=None)
    if not isinstance(tokens, str):
        with pytest.raises(InvalidInput, match="budget"):
            pith.Budget(tokens)


@pytest.mark.parametrize(("name", "tokens"), [("low", 1_000), ("medium", 4_000), ("high", 10_000)])
def test_presets(name: str, tokens: int) -> None:
    assert pith.select_evidence([], budget=name, threshold=None).report.budget == tokens


@pytest.mark.parametrize("counter", ["gpt-4", 7, object()])
def test_what_cannot_count_is_refused_at_once(counter: Any) -> None:
    with pytest.raises(InvalidInput, match="counter"):
        pith.Budget(100, counter)


@pytest.mark.parametrize("value", [None, -1, 2.5, "3"])
def test_a_counter_that_returns_no_number_is_named(value: Any) -> None:
    with pytest.raises(InvalidInput, match="counter returned"):
        pith.select_evidence([], budget=pith.Budget(100, lambda text: value), threshold=None)
