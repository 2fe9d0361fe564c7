"""Result sets and scores made by a rule, so that what a fit should find is known."""

from __future__ import annotations

import numpy as np

from corpora.sets import Document, Question
from evaluation.encoder import Raw
from evaluation.result_sets import ResultSet
from evaluation.scored_sets import Asked, ScoredSet

SENTENCE = "This sentence has forty-nine characters, it says. "
SENTENCES, DOCUMENTS = 8, 4
SCALE, SHIFT, RELEVANCE, LEXICAL = 0.7, -2.0, 0.5, 3.0


def asked(number: int, name: str, evidence: tuple[tuple[int, int], ...], language: str = "en") -> Asked:
    """A question on four documents of eight sentences; the first holds the evidence."""
    documents = tuple(
        Document(f"{number}-{n}", SENTENCE * SENTENCES, "", language, f"article {number}", n)
        for n in range(DOCUMENTS)
    )
    question = Question(str(number), "What does it say?", documents[0].id, evidence, "sentence")
    return Asked(name, language, ResultSet(question, documents, 0, False))


def made_sets(questions: int = 240, sets: int = 6, seed: int = 5) -> list[ScoredSet]:
    """Scored sets whose segments are evidence with probability
    `sigmoid(SCALE * (keep + RELEVANCE * relevance + LEXICAL * lexical) + SHIFT)` in the first document.

    Questions that drew no evidence are left out.
    """
    rng = np.random.default_rng(seed)
    width = len(SENTENCE)
    out = []
    for number in range(questions):
        size = SENTENCES * DOCUMENTS
        document = np.repeat(np.arange(DOCUMENTS, dtype=np.int32), SENTENCES)
        start = np.tile(np.arange(SENTENCES, dtype=np.int32) * width, DOCUMENTS)
        keep = rng.normal(-1.0, 2.0, size).astype(np.float32)
        relevance = rng.normal(0.0, 2.0, size).astype(np.float32)
        lexical = (rng.random(size) * (rng.random(size) < 0.4)).astype(np.float32)
        logit = SCALE * (keep + RELEVANCE * relevance + LEXICAL * lexical) + SHIFT
        drawn = rng.random(size) < 1 / (1 + np.exp(-logit))
        # Evidence elsewhere than in the first document would be unlabelled: such segments get what they are not.
        keep[document > 0] -= 20 * drawn[document > 0]
        hit = np.flatnonzero(drawn & (document == 0))
        if not hit.size:
            continue
        evidence = tuple((int(start[i]), int(start[i]) + width - 1) for i in hit)
        best = np.where(np.arange(DOCUMENTS) == 0, rng.normal(2, 1, DOCUMENTS), rng.normal(-2, 1, DOCUMENTS))
        raw = Raw(keep, relevance, lexical, np.ones(size, np.bool_), best.astype(np.float32))
        tokens = np.full(size, 12, np.int32)
        one = asked(number, f"set{number % sets}/dev", evidence)
        out.append(ScoredSet(one, document, start, start + width - 1, tokens, raw))
    return out
