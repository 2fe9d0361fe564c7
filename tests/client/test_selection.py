"""Threshold, order, spans, labels, rendering and the report."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pith
from pith.render import joined
from pith.report import Reason
from tests.client.strategies import scored_document, scored_documents


@given(scored_documents(), st.sampled_from([None, 0.0, 0.2, 0.5, 1.0]), st.sampled_from([1, 10, 40, 10_000]))
def test_spans_round_trip_and_the_counts_add_up(
    scored: list[pith.ScoredDocument], threshold: float | None, budget: int
) -> None:
    result = pith.select_evidence(scored, budget=budget, threshold=threshold)
    for snippet in result.snippets:
        pieces = [snippet.document.text[span.start : span.end] for span in snippet.spans]
        assert snippet.text == joined(snippet.document.text, snippet.spans)
        assert all(piece in snippet.text for piece in pieces)
        assert all(piece == piece.strip() and piece for piece in pieces)
        ends = [span.end for span in snippet.spans]
        assert all(end <= span.start for end, span in zip(ends, snippet.spans[1:], strict=False))
        assert snippet.score == max(span.score for span in snippet.spans)
        assert snippet.score >= (threshold or 0.0)
    assert [snippet.label for snippet in result.snippets] == [
        f"E{k}" for k in range(1, len(result.snippets) + 1)
    ]
    order = [snippet.document.id for snippet in result.snippets]
    assert order == sorted(order, key=lambda id: int(id or -1))
    report = result.report
    parts = (report.kept, report.below_threshold, report.duplicate, report.over_documents, report.over_budget)
    assert report.total == sum(parts)
    assert report.total == sum(segment.tokens for document in scored for segment in document.segments)
    assert report.kept == sum(snippet.tokens for snippet in result.snippets)
    assert (report.reason is None) == bool(result.snippets) == bool(result.context)
    json.dumps(result.to_dict())


def test_a_block_is_a_label_with_the_title_and_the_text() -> None:
    scored = [
        scored_document([("Kept one.", 0.9), ("Dropped.", 0.1), ("Kept two.", 0.8)], title=" The\n title "),
        scored_document([("Dropped.", 0.1)], title="Unseen"),
        scored_document([("Third.", 0.5)]),
    ]
    result = pith.select_evidence(scored, budget="medium", threshold=0.2)
    assert result.context == "[E1] The title\nKept one.\nKept two.\n\n[E2]\nThird."
    assert [told.label for told in result.report.documents] == ["E1", None, "E2"]


def test_neighbours_keep_the_white_space_between_them() -> None:
    scored = [scored_document([("# Head", 0.9), ("Text.", 0.9), ("文。", 0.9)], gaps=["\n", "\n\n", ""])]
    (snippet,) = pith.select_evidence(scored, budget="low", threshold=0.2).snippets
    assert snippet.text == "# Head\n\nText.文。"
    assert [(span.start, span.end) for span in snippet.spans] == [(1, len(scored[0].document.text))]


def test_a_large_blank_gap_is_not_paid_for() -> None:
    scored = [scored_document([("a", 0.9), ("b", 0.9)], gaps=["", "\n" * 9])]
    (snippet,) = pith.select_evidence(scored, budget="low", threshold=0.2).snippets
    assert snippet.text == "a\nb"
    assert len(snippet.spans) == 2


def test_separators_between_segments_are_not_shown_as_white_space() -> None:
    scored = [scored_document([("One.", 0.9), ("Two.", 0.9)], gaps=["", "\n\x1c\n\x1c"])]
    (snippet,) = pith.select_evidence(scored, budget="low", threshold=0.2).snippets
    assert snippet.text == "One.\nTwo."


def test_equal_scores_go_in_the_order_of_the_text() -> None:
    scored = [scored_document([("one", 0.5), ("two", 0.5)]), scored_document([("three", 0.5)])]
    result = pith.select_evidence(scored, budget=pith.Budget(8, len), threshold=0.2)
    assert result.context == "[E1]\none"


def test_a_score_at_the_threshold_is_kept() -> None:
    scored = [scored_document([("in", 0.2), ("out", 0.19)])]
    assert pith.select_evidence(scored, budget="low", threshold=0.2).context == "[E1]\nin"


def test_a_segment_counts_for_the_need_it_answers_and_others_are_reported() -> None:
    scored = [scored_document([("price", 0.1), ("else", 0.1)], needs=[(0.9, 0.0), (0.0, 0.1)])]
    result = pith.select_evidence(
        scored, budget="low", threshold=0.5, needs=["the price", "the delivery date"]
    )
    assert result.snippets[0].text == "price"
    assert result.report.uncovered_needs == ("the delivery date",)


@pytest.mark.parametrize(
    ("scored", "reason"),
    [
        ([], Reason.NO_DOCUMENTS),
        ([pith.ScoredDocument(pith.Document(" "), status=pith.Status.EMPTY)], Reason.ALL_DOCUMENTS_EMPTY),
        (
            [pith.ScoredDocument(pith.Document("\ud800"), status=pith.Status.INVALID_TEXT)],
            Reason.NO_READABLE_DOCUMENTS,
        ),
        ([scored_document([("low", 0.1)])], Reason.NOTHING_ABOVE_THRESHOLD),
    ],
)
def test_an_empty_result_says_why(scored: list[pith.ScoredDocument], reason: Reason) -> None:
    result = pith.select_evidence(scored, budget="low", threshold=0.5)
    assert (result.snippets, result.context, result.report.reason) == ((), "", reason)


def test_tokens_that_nobody_read_are_reported() -> None:
    scored = [pith.ScoredDocument(pith.Document("x"), unscored=40), scored_document([("a", 0.9)])]
    report = pith.select_evidence(scored, budget="low", threshold=0.5).report
    assert report.unscored == 40
    assert [told.unscored for told in report.documents] == [40, 0]
