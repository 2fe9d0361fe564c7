"""Training rows: labels follow the evidence, and rows have the layout that is served."""

import random
from pathlib import Path

import numpy as np
import pytest

from corpora.sets import Corpus, Document, Question
from preprocessing.lexical import LexicalTables
from preprocessing.request import Preprocessor
from preprocessing.tokenizer import TextTokenizer
from preprocessing.windows import WindowSettings
from training.rows import RowMaker, page_of

TOKENIZER = Path(__file__).parents[2] / "model_repository" / "tokenize" / "1" / "tokenizer.json"
SERVED = TOKENIZER.parent
LEXICAL = LexicalTables.load(SERVED / "lexical.npz")
TEXT = "The bridge was opened in 1932. It carries eight lanes of traffic. Painting it takes ten years."


@pytest.fixture(scope="module")
def tokenizer() -> TextTokenizer:
    return TextTokenizer.load(TOKENIZER)


def corpus() -> Corpus:
    documents = {
        str(i): Document(str(i), TEXT.replace("1932", str(1900 + i)), "Bridge", "en", str(i), 0)
        for i in range(9)
    }
    questions = [
        Question(str(i), "When did the bridge open?", str(i), ((25, 29),), "answer_span") for i in range(9)
    ]
    return Corpus("some/train", documents, questions)


def test_the_sentence_that_holds_an_answer_is_marked(tokenizer: TextTokenizer) -> None:
    page = page_of(corpus().documents["3"], tokenizer)
    assert page.marked([(25, 29)], answers=True).tolist() == [True, False, False]


def test_a_sentence_is_marked_when_half_of_it_is_evidence(tokenizer: TextTokenizer) -> None:
    page = page_of(corpus().documents["3"], tokenizer)
    assert page.marked([(0, 35)], answers=False).tolist() == [True, False, False]
    assert page.marked([(0, 60)], answers=False).tolist() == [True, True, False]


def test_labels_lie_on_the_tokens_of_the_evidence_and_on_no_other(tokenizer: TextTokenizer) -> None:
    noise = ["Subscribe to our newsletter"]
    maker = RowMaker(corpus(), tokenizer, noise, WindowSettings(), random.Random(1), LEXICAL)
    answers = {str(1900 + i): tokenizer.encode([f"opened in {1900 + i}."]).ids[-3:] for i in range(9)}
    positive = negative = 0
    for _ in range(30):
        for question in maker._corpus.questions:
            made = maker.row(question, 128)
            if made is None:
                continue
            ids, labels = made
            assert ids.shape == labels.shape == (128,)
            assert (labels[ids == TextTokenizer.pad_id] == -1).all()
            marked = ids[labels == 1]
            if marked.size:
                positive += 1
                wanted = answers[str(1900 + int(question.document))]
                assert any(np.array_equal(marked[i : i + wanted.size], wanted) for i in range(marked.size))
            else:
                negative += 1
    assert positive > 100
    assert negative > 20


def test_the_same_seed_makes_the_same_rows(tokenizer: TextTokenizer) -> None:
    made = [
        [
            RowMaker(corpus(), tokenizer, [], WindowSettings(), random.Random(4), LEXICAL).row(q, 128)
            for q in corpus().questions
        ]
        for _ in range(2)
    ]
    for one, other in zip(*made, strict=True):
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert np.array_equal(one[0], other[0])
            assert np.array_equal(one[1], other[1])


def test_a_row_is_what_serving_lays_out_for_the_same_text(tokenizer: TextTokenizer) -> None:
    text = f"# Opening\n\n{TEXT}\n\n- Toll:  four euros\n- 除非下雨。\n\n| Lane | Use |\n| --- | --- |\n| 1 | buses |"
    document = Document("0", text, "The  Bridge\n", "en", "a", 0)
    question = Question("0", "When did it open?", "0", ((37, 41),), "answer_span")
    maker = RowMaker(
        Corpus("some/train", {"0": document}, [question]),
        tokenizer,
        [],
        WindowSettings(),
        random.Random(2),
        LEXICAL,
    )
    served = [
        Preprocessor.load(SERVED).prepare([question.text.encode()], [text.encode()], [title.encode()])
        for title in (document.title, "")
    ]
    seen = set()
    for _ in range(60):
        made = maker.row(question, 256)
        if made is None or not (made[1] == 1).any():
            continue
        ids = made[0][: int((made[0] != TextTokenizer.pad_id).sum())]
        for n, prepared in enumerate(served):
            row = prepared.windows.input_ids[0]
            if np.array_equal(ids, row[row != TextTokenizer.pad_id]):
                seen.add(n)
                of = prepared.windows.token_segment[0][: ids.size]
                start, end = prepared.segment[:, 1], prepared.segment[:, 2]
                hit = (start <= 37) & (end > 37)
                assert np.array_equal(made[1][: ids.size], np.where(of >= 0, hit[of], -1))
    assert seen == {0, 1}


def test_a_condition_of_the_evidence_is_evidence_too(tokenizer: TextTokenizer) -> None:
    text = "Business class is allowed. Only if the flight takes six hours. Trains are preferred."
    page = page_of(Document("0", text, "", "en", "a", 0), tokenizer)
    assert page.evidence_of(Question("0", "?", "0", ((0, 8),), "answer_span")).tolist() == [True, True, False]
    assert page.evidence_of(Question("0", "?", "0", ((0, 8),), "sentence")).tolist() == [False, False, False]
    assert page.evidence_of(Question("0", "?", "0", ((63, 69),), "span")).tolist() == [False, False, True]


def test_a_page_like_the_question_is_met_more_often_than_any_other(tokenizer: TextTokenizer) -> None:
    texts = [TEXT] + [f"Number {i} is a number. It follows {i - 1}." for i in range(1, 30)]
    texts[7] = "A bridge that opened last year was closed again. It had opened too soon."
    documents = {str(i): Document(str(i), text, "", "en", str(i), 0) for i, text in enumerate(texts)}
    question = Question("0", "When did the bridge open?", "0", ((25, 29),), "answer_span")
    made = Corpus("some/train", documents, [question])
    maker = RowMaker(made, tokenizer, [], WindowSettings(), random.Random(3), LEXICAL)
    query = tokenizer.encode([question.text]).ids
    drawn = [maker._other("0", query) for _ in range(600)]
    counts = {key: drawn.count(key) for key in documents if key != "0"}
    assert max(counts, key=lambda key: counts[key]) == "7"
    assert counts["7"] > 5 * sorted(counts.values())[-2]
    assert sum(1 for n in counts.values() if n) > 20
