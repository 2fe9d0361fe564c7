"""The same is said once, almost the same stays two, and what contradicts is a conflict."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pith
from pith.select.candidates import Candidate, candidates
from pith.select.duplicates import Deduplicated, deduplicate
from pith.select.normal import normalised
from pith.select.similarity import gram_similarity, near_pairs, similarity_matrix
from tests.client.strategies import scored_document

KEPT_TWO = [
    (
        "Claims must be submitted within 30 days of the trip.",
        "Claims must be submitted within 60 days of the trip.",
    ),
    ("Water damage in the cellar is covered.", "Water damage in the cellar is not covered."),
    ("The claim is paid within 5 working days.", "The claim is paid within 5 calendar days."),
    ("差旅报销申请须在出差结束后30天内提交。", "差旅报销申请须在出差结束后60天内提交。"),
    ("地下室的水渍损失在保险范围之内。", "地下室的水渍损失不在保险范围之内。"),
    (
        "Pieteikums jāiesniedz 30 dienu laikā pēc brauciena.",
        "Pieteikums jāiesniedz 60 dienu laikā pēc brauciena.",
    ),
    (
        "La domanda va presentata entro 30 giorni dal viaggio.",
        "La domanda va presentata entro 60 giorni dal viaggio.",
    ),
    ("Der Antrag ist binnen 30 Tagen einzureichen.", "Der Antrag ist binnen 14 Tagen einzureichen."),
]
MERGED = [
    (
        "Claims must be submitted within 30 days of the trip.",
        "Claims must be submitted within 30 days of a trip.",
    ),
    ("差旅报销申请须在出差结束后30天内提交。", "差旅报销的申请须在出差结束后30天内提交。"),
    (
        "Pieteikums jāiesniedz 30 dienu laikā pēc brauciena.",
        "Pieteikums jāiesniedz 30 dienu laikā pēc braucieniem.",
    ),
    (
        "La domanda va presentata entro 30 giorni dal viaggio.",
        "La domanda va presentata entro trenta giorni dal viaggio.",
    ),
    ("Der Antrag ist binnen 30 Tagen einzureichen.", "Der Antrag ist binnen 30 Tagen einzureichen!"),
]


def of_two(one: str, other: str) -> Deduplicated:
    scored = [scored_document([(one, 0.9)], id="a"), scored_document([(other, 0.8)], id="b")]
    return deduplicate(scored, candidates(scored, None))


@pytest.mark.parametrize(("one", "other"), KEPT_TWO)
def test_two_that_contradict_stay_two_and_are_a_conflict(one: str, other: str) -> None:
    found = of_two(one, other)
    assert len(found.kept) == 2
    assert len(found.conflicts) == 1


@pytest.mark.parametrize(("one", "other"), MERGED)
def test_a_rewording_with_the_same_facts_is_said_once(one: str, other: str) -> None:
    found = of_two(one, other)
    assert [candidate.document for candidate in found.kept] == [0]
    assert found.conflicts == []


def test_layout_and_letter_case_make_no_difference() -> None:
    found = of_two("- **Claims** are due in 30 days.", "claims are   due in 30 days")
    ((kept, dropped, exact, similarity),) = found.duplicates
    assert (kept.document, dropped.document, exact, similarity) == (0, 1, True, 1.0)


def test_a_short_text_or_one_that_points_back_is_the_same_only_in_the_same_place() -> None:
    scored = [
        scored_document([("Passports are renewed by post.", 0.1), ("It takes 30 days.", 0.9)], id="a"),
        scored_document([("Visas are issued at the border.", 0.1), ("It takes 30 days.", 0.8)], id="b"),
        scored_document([("Passports are renewed by post.", 0.1), ("It takes 30 days.", 0.7)], id="c"),
    ]
    found = deduplicate(scored, candidates(scored, 0.5))
    assert [candidate.document for candidate in found.kept] == [0, 1]


def test_pages_on_different_models_do_not_speak_for_each_other() -> None:
    text = [("The battery lasts for two years of normal use.", 0.9)]
    titles = ["Model X manual", "Model Y manual", "Manuals", None]
    scored = [scored_document(text, title=title) for title in titles]
    found = deduplicate(scored, candidates(scored, None))
    assert [candidate.document for candidate in found.kept] == [0, 1]


def test_conflicts_are_reported_with_both_sources_where_both_answer_the_query() -> None:
    one, other = KEPT_TWO[0]
    scored = [
        scored_document([(one, 0.9)], id="new"),
        scored_document([(other, 0.8)], id="old"),
        scored_document([(other.replace("60", "90"), 0.1)], id="off-topic"),
    ]
    report = pith.select_evidence(scored, budget="low", threshold=0.5, query="when?").report
    (conflict,) = report.conflicts
    assert (conflict.first.id, conflict.second.id, conflict.query) == ("new", "old", "when?")
    assert (conflict.kinds, conflict.values) == (("number",), (("30",), ("60",)))


def test_a_number_that_only_one_of_two_has_is_no_conflict() -> None:
    found = of_two(
        "1.9 Markdown and an example of its conversion", "Markdown and an example of its conversion"
    )
    assert (len(found.kept), found.conflicts) == (2, [])


def test_a_copy_is_an_address_of_what_is_shown_and_the_shortest_document_speaks() -> None:
    rule = "Claims must be submitted within 30 days."
    scored = [
        scored_document([(rule, 0.9), ("Much more about something else here.", 0.1)], id="handbook"),
        scored_document([(rule, 0.8)], id="rule"),
    ]
    result = pith.select_evidence(scored, budget="low", threshold=0.5)
    (snippet,) = result.snippets
    assert (snippet.document.id, [address.id for address in snippet.also_in]) == ("rule", ["handbook"])
    assert [told.exact for told in result.report.duplicates] == [True]
    off = pith.select_evidence(scored, budget="low", threshold=0.5, duplicates=False, near_duplicates=False)
    assert off.context.count(rule) == 2


sentences = st.lists(
    st.text(alphabet="ab 3一二.|-", min_size=1, max_size=25).filter(str.strip), min_size=1, max_size=8
)


@given(sentences)
def test_every_candidate_is_kept_or_a_duplicate_of_one_that_is(texts: list[str]) -> None:
    scored = [scored_document([(text.strip(), 0.9 - i / 100)], id=str(i)) for i, text in enumerate(texts)]
    ranked = candidates(scored, None)
    found = deduplicate(scored, ranked)
    dropped = [item[1] for item in found.duplicates]
    assert sorted([*found.kept, *dropped], key=ranked.index) == ranked
    assert all(ranked.index(kept) < ranked.index(gone) for kept, gone, _, _ in found.duplicates)
    assert found == deduplicate(scored, ranked)


@given(sentences)
def test_a_copy_behind_the_others_changes_nothing_that_is_kept(texts: list[str]) -> None:
    scored = [scored_document([(text.strip(), 0.9)], id=str(i)) for i, text in enumerate(texts)]
    ranked = candidates(scored, None)
    kept: list[Candidate] = deduplicate(scored, ranked).kept
    more = [*scored, scored[0]]
    copy = Candidate(len(scored), 0, 0.1, ranked[0].tokens)
    assert deduplicate(more, [*ranked, copy]).kept == kept


@given(st.lists(st.text(max_size=40), max_size=7))
def test_the_matrix_is_symmetric_and_pairs_agree_with_the_measure(texts: list[str]) -> None:
    matrix = similarity_matrix(texts)
    assert matrix.shape == (len(texts), len(texts))
    assert ((matrix >= 0) & (matrix <= 1)).all()
    assert (matrix == matrix.T).all()
    assert all(matrix[i, i] == 1 for i in range(len(texts)))
    normals = [normalised(text) for text in texts]
    for i, j, similarity in near_pairs(normals, 0.5):
        assert i < j
        assert similarity == gram_similarity(texts[i], texts[j]) >= 0.5
