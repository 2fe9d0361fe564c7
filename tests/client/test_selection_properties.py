"""What holds for every selection, whatever the documents."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pith
from pith.render import block
from pith.report import DocumentReport, Report
from tests.client.strategies import distinct_scores, scored_documents, with_needs

Chosen = set[tuple[str | None, int, int, str]]


def in_characters(text: str) -> int:
    return len(text)


def in_words(text: str) -> int:
    return len(text.split())


BUDGETS: list[Callable[[int], pith.Budget]] = [
    lambda tokens: pith.Budget(tokens),
    lambda tokens: pith.Budget(tokens, in_characters),
    lambda tokens: pith.Budget(tokens, in_words),
]


def chosen(result: pith.Result) -> Chosen:
    return {
        (snippet.document.id, span.start, span.end, span.reason)
        for snippet in result.snippets
        for span in (*snippet.section, *snippet.spans)
    }


@pytest.mark.parametrize("budget", BUDGETS)
@given(
    scored=scored_documents(),
    tokens=st.integers(1, 150),
    cap=st.sampled_from([None, 5, 20]),
    most=st.sampled_from([None, 1, 2]),
    titles=st.booleans(),
    order=st.sampled_from(["source", "relevance", "need"]),
)
def test_no_budget_is_exceeded_with_any_switch(
    budget: Callable[[int], pith.Budget],
    scored: list[pith.ScoredDocument],
    tokens: int,
    cap: int | None,
    most: int | None,
    titles: bool,
    order: str,
) -> None:
    limit = budget(tokens)
    result = pith.select_evidence(
        scored,
        budget=limit,
        threshold=0.2,
        per_document_tokens=cap,
        max_documents=most,
        always_keep_title=titles,
        order=order,  # type: ignore[arg-type]
    )
    assert result.report.context_tokens <= tokens
    assert most is None or len(result.snippets) <= most
    if limit.counter is not None:
        assert limit.counter(result.context) == result.report.context_tokens or not result.context
        for snippet in result.snippets:
            assert cap is None or limit.counter(block(snippet, titles=titles)) <= cap


@given(scored=distinct_scores(), tokens=st.integers(5, 200), seed=st.integers(0, 99))
def test_what_is_chosen_does_not_depend_on_the_order_of_the_documents(
    scored: list[pith.ScoredDocument], tokens: int, seed: int
) -> None:
    shuffled = list(scored)
    random.Random(seed).shuffle(shuffled)
    first, second = (pith.select_evidence(s, budget=tokens, threshold=0.2) for s in (scored, shuffled))
    assert chosen(first) == chosen(second)
    assert first == pith.select_evidence(scored, budget=tokens, threshold=0.2)


@given(scored=scored_documents(), tokens=st.integers(5, 200), data=st.data())
def test_a_further_copy_of_a_document_never_changes_the_context(
    scored: list[pith.ScoredDocument], tokens: int, data: st.DataObject
) -> None:
    if not scored:
        return
    original = data.draw(st.sampled_from(scored))
    copy = replace(original, document=replace(original.document, id="copy"))
    without = pith.select_evidence(scored, budget=tokens, threshold=0.2)
    with_copy = pith.select_evidence([*scored, copy], budget=tokens, threshold=0.2)
    assert with_copy.context == without.context


@given(
    scored=with_needs(), tokens=st.integers(1, 120), more=st.integers(0, 120), budget=st.sampled_from(BUDGETS)
)
def test_a_larger_budget_never_loses_a_need_that_was_covered(
    scored: list[pith.ScoredDocument], tokens: int, more: int, budget: Callable[[int], pith.Budget]
) -> None:
    needs = ["one", "two", "three"]
    small, large = (
        pith.select_evidence(scored, budget=budget(size), threshold=0.2, needs=needs)
        for size in (tokens, tokens + more)
    )
    covered = {need.text for need in small.report.needs if need.covered}
    assert covered <= {need.text for need in large.report.needs if need.covered}


@given(scored=with_needs(), tokens=st.integers(1, 200), threshold=st.sampled_from([None, 0.0, 0.2, 0.5]))
def test_every_token_is_accounted_for_once(
    scored: list[pith.ScoredDocument], tokens: int, threshold: float | None
) -> None:
    report = pith.select_evidence(
        scored, budget=tokens, threshold=threshold, needs=["one", "two", "three"], max_documents=2
    ).report
    counts: list[Report | DocumentReport] = [report, *report.documents]
    for told in counts:
        parts = (told.kept, told.below_threshold, told.duplicate, told.over_documents, told.over_budget)
        assert min(parts) >= 0
        assert told.total == sum(parts)
    assert report.total == sum(segment.tokens for document in scored for segment in document.segments)
