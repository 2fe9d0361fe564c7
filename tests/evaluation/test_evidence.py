"""The measure: what counts as kept, and ties, budgets and empty sets."""

import pytest

from corpora.sets import Corpus, Document, Question
from evaluation.baselines import Piece, bm25, first_lines
from evaluation.evidence import gain, kept, means
from evaluation.result_sets import ResultSet, result_sets

TEXT = "The bridge opened in 1932. It carries eight lanes. Nobody painted it since."


def case(evidence: list[tuple[int, int]], *, whole: bool) -> ResultSet:
    document = Document("d", TEXT, "", "en", "d", 0)
    question = Question("q", "When did the bridge open?", "d", tuple(evidence), "answer_span")
    return ResultSet(question, (document,), 0, whole)


def test_an_answer_counts_only_when_it_is_kept_whole() -> None:
    answer = case([(21, 25)], whole=True)
    assert gain([Piece(0, 0, 26, 1.0)], answer) == 1.0
    assert gain([Piece(0, 0, 23, 1.0)], answer) == 0.0
    assert gain([Piece(1, 0, 26, 1.0)], answer) == 0.0


def test_an_answer_over_two_neighbours_counts() -> None:
    assert gain([Piece(0, 27, 50, 1.0), Piece(0, 0, 26, 1.0)], case([(20, 40)], whole=True)) == 1.0


def test_sentences_count_by_the_share_that_is_kept() -> None:
    assert gain([Piece(0, 0, 26, 1.0)], case([(0, 26), (27, 53)], whole=False)) == pytest.approx(0.5)


def test_a_piece_that_does_not_fit_is_passed_over() -> None:
    pieces = [Piece(0, 0, 50, 0.9), Piece(0, 50, 60, 0.8), Piece(0, 60, 70, 0.8)]
    assert [p.start for p in kept(pieces, 15)] == [50]


def test_bm25_prefers_rare_words_of_the_query() -> None:
    scored = bm25("How many lanes does it carry?", [TEXT])
    assert max(scored, key=lambda p: p.score).start == TEXT.index("It carries")


def test_bm25_sees_words_in_scripts_without_spaces() -> None:
    text = "天气很好。桥于一九三二年开通。"
    best = max(bm25("桥何时开通?", [text]), key=lambda p: p.score)
    assert text[best.start : best.end].startswith("桥")


def test_first_lines_come_in_the_order_of_the_text() -> None:
    scores = [p.score for p in first_lines("", [TEXT])]
    assert scores == sorted(scores, reverse=True)


def test_a_result_set_holds_the_evidence_once_among_other_documents() -> None:
    documents = {str(i): Document(str(i), f"Text {i}.", "", "en", str(i), 0) for i in range(20)}
    questions = [Question(str(i), "?", str(i), ((0, 4),), "answer_span") for i in range(20)]
    corpus = Corpus("some/dev", documents, questions)
    drawn = list(result_sets(corpus, 5))
    assert [c.question.id for c in drawn] == [c.question.id for c in result_sets(corpus, 5)]
    for c in drawn:
        assert len(c.documents) == 10
        assert c.documents[c.gold].id == c.question.document
        assert len({d.id for d in c.documents}) == 10


def test_every_set_weighs_the_same_in_the_mean() -> None:
    assert means([{"set": "a", "x@1": 1.0, "questions": 900}, {"set": "b", "x@1": 0.0, "questions": 1}]) == {
        "x@1": 0.5
    }
