"""Needs come first, the necessary is told from the rest, and what does not fit is named."""

from __future__ import annotations

import pith
from tests.client.strategies import scored_document

# Two needs; the query itself (first score) likes neither of their sentences best.
SCORED = [
    scored_document(
        [
            ("The fee is due within 30 days.", 0.4),
            ("Refunds take two weeks.", 0.3),
            ("A long remark on fees.", 0.9),
        ],
        needs=[(0.8, 0.0), (0.0, 0.7), (0.1, 0.1)],
        id="rules",
    ),
    scored_document([("Much else about fees and refunds.", 0.95)], needs=[(0.3, 0.2)], id="blog"),
]
NEEDS = ["when the fee is due", "how long refunds take"]


def test_each_need_gets_its_best_evidence_before_what_only_scores_high() -> None:
    result = pith.select_evidence(SCORED, budget=21, threshold=0.2, needs=NEEDS)
    assert result.snippets[0].text == "The fee is due within 30 days. Refunds take two weeks."
    assert [(need.covered, need.label, need.reason) for need in result.report.needs] == [(True, "E1", "")] * 2
    assert result.report.unfit is None


def test_what_is_necessary_and_does_not_fit_is_named_with_calls_in_which_it_does() -> None:
    result = pith.select_evidence(SCORED, budget=16, threshold=0.2, needs=NEEDS)
    assert [need.covered for need in result.report.needs] == [False, True]
    unfit = result.report.unfit
    assert unfit is not None
    assert unfit.missing == ("when the fee is due",)
    assert unfit.split == (("when the fee is due",), ("how long refunds take",))
    assert pith.select_evidence(SCORED, budget=unfit.tokens, threshold=0.2, needs=NEEDS).report.unfit is None


def test_a_need_without_evidence_is_named_and_a_part_of_the_question_is_no_need() -> None:
    scored = [scored_document([("price", 0.1), ("else", 0.1)], needs=[(0.9, 0.0), (0.0, 0.1)])]
    report = pith.select_evidence(scored, budget="low", threshold=0.5, needs=["the price", "the date"]).report
    assert report.uncovered_needs == ("the date",)
    assert [(need.text, need.reason) for need in report.needs] == [
        ("the price", ""),
        ("the date", "no_evidence"),
    ]


def test_without_needs_the_query_itself_is_what_must_be_covered() -> None:
    scored = [scored_document([("a b c d e f g h i j", 0.9), ("short", 0.3)])]
    report = pith.select_evidence(scored, budget=9, threshold=0.2, query="what?").report
    (need,) = report.needs
    assert (need.text, need.covered, need.reason, need.asked) == ("what?", False, "over_budget", False)
    assert report.unfit is not None
    assert report.unfit.tokens == need.tokens


def test_a_heading_is_evidence_for_a_need_only_where_nothing_else_is() -> None:
    (document,) = [scored_document([("Refunds and how long they will take", 0.9), ("Two weeks.", 0.5)])]
    heading = pith.Segment(
        **{name: getattr(document.segments[0], name) for name in document.segments[0].__slots__}
        | {"kind": pith.Kind.HEADING}
    )
    scored = pith.ScoredDocument(document.document, (heading, document.segments[1]), 0.9)
    (need,) = pith.select_evidence([scored], budget="low", threshold=0.2, query="q").report.needs
    assert need.score == 0.5


def test_documents_are_counted_and_the_surplus_reported() -> None:
    scored = [scored_document([(f"answer {i}", 0.9 - i / 10)], id=str(i)) for i in range(4)]
    result = pith.select_evidence(scored, budget="low", threshold=0.2, max_documents=2)
    assert [snippet.document.id for snippet in result.snippets] == ["0", "1"]
    assert result.report.over_documents == 4


def test_blocks_stand_in_the_order_asked_for() -> None:
    scored = [
        scored_document([("second need", 0.1)], needs=[(0.0, 0.5)], id="a"),
        scored_document([("first need", 0.1)], needs=[(0.6, 0.0)], id="b"),
        scored_document([("the query's", 0.9)], needs=[(0.0, 0.0)], id="c"),
    ]

    def ids(order: str) -> list[str | None]:
        result = pith.select_evidence(
            scored,
            budget="low",
            threshold=0.2,
            needs=["one", "two"],
            order=order,  # type: ignore[arg-type]
        )
        assert [snippet.label for snippet in result.snippets] == ["E1", "E2", "E3"]
        return [snippet.document.id for snippet in result.snippets]

    assert ids("source") == ["a", "b", "c"]
    assert ids("relevance") == ["c", "b", "a"]
    assert ids("need") == ["b", "a", "c"]
    assert pith.select_evidence(scored, budget="low", threshold=0.2).report.ranking == (2, 1, 0)
