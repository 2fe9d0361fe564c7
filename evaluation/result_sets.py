"""Questions with the documents that a search would bring: one holds the evidence, nine others do not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from corpora.sets import Corpus, Document, Question

# Sets whose documents are long enough to be a result set of their own.
ALONE = frozenset({"wice", "covid-qa", "doc2dial"})
DOCUMENTS = 10


@dataclass(frozen=True)
class ResultSet:
    """documents[gold] holds the evidence of the question, spans in code points of its text.

    whole: the evidence is one or more alternative answers, each of which counts only when it is kept whole.
    """

    question: Question
    documents: tuple[Document, ...]
    gold: int
    whole: bool


def result_sets(corpus: Corpus, most: int, seed: int = 11) -> Iterator[ResultSet]:
    """Up to `most` result sets of a corpus; the same seed draws the same ones."""
    rng = random.Random(seed)
    questions = [question for question in corpus.questions if question.evidence]
    rng.shuffle(questions)
    pool = list(corpus.documents.values())
    alone = corpus.name.split("/")[0] in ALONE
    for question in questions[:most]:
        gold = corpus.documents[question.document]
        documents = [gold]
        if not alone:
            others = [document for document in pool if document.text != gold.text]
            documents += rng.sample(others, min(DOCUMENTS - 1, len(others)))
            rng.shuffle(documents)
        yield ResultSet(question, tuple(documents), documents.index(gold), question.wants_whole_answer)
