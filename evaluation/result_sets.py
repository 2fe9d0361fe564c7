"""Questions with the documents that a search would bring: one holds the evidence, nine others do not."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpora.sets import Corpus, Document, Question, development_corpora

# Sets whose documents are long enough to be a result set of their own.
ALONE = frozenset({"wice", "covid-qa", "doc2dial"})
DOCUMENTS = 10
# Its evidence is whole ranges of turns in meetings of an hour; a share of the text says little there.
LEFT_OUT = "qmsum"


@dataclass(frozen=True)
class ResultSet:
    """documents[gold] holds the evidence of the question, spans in code points of its text.

    whole: the evidence is one or more alternative answers, each of which counts only when it is kept whole.
    """

    question: Question
    documents: tuple[Document, ...]
    gold: int
    whole: bool


def measured_corpora(data: Path, parts: Sequence[str] = ()) -> list[Corpus]:
    """The development sets that are measured; with `parts`, those whose name holds one of them."""
    return [
        corpus
        for corpus in development_corpora(data)
        if not corpus.name.startswith(LEFT_OUT) and (not parts or any(part in corpus.name for part in parts))
    ]


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
