"""Training rows: labels follow the evidence, and rows have the layout that is served."""

import random
from pathlib import Path

import numpy as np
import pytest

from corpora.sets import Corpus, Document, Question
from preprocessing.tokenizer import TextTokenizer
from preprocessing.windows import WindowSettings
from training.rows import RowMaker, page_of

TOKENIZER = Path(__file__).parents[2] / "model_repository" / "tokenize" / "1" / "tokenizer.json"
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
    noise = [tokenizer.encode(["Subscribe to our newsletter"]).ids]
    maker = RowMaker(corpus(), tokenizer, noise, WindowSettings(), random.Random(1))
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
            RowMaker(corpus(), tokenizer, [], WindowSettings(), random.Random(4)).row(q, 128)
            for q in corpus().questions
        ]
        for _ in range(2)
    ]
    for one, other in zip(*made, strict=True):
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert np.array_equal(one[0], other[0])
            assert np.array_equal(one[1], other[1])
