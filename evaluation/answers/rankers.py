"""What people fill a budget with when they have no Pith: first lines, BM25 over sentences, chunks by an embedding.

Each gives its pieces an order; they are then sent on by the same code, labels and counts as Pith's own
(:func:`sent_on`), without the steps that only Pith has. So the rankers differ in the order alone, and in the piece:
chunks for embeddings, sentences for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pith
from evaluation.baselines import Piece, bm25, first_lines, pieces
from preprocessing.tokenizer import TextTokenizer

# Of a query and the texts of documents, their pieces with scores.
Ranker = Callable[[str, Sequence[str]], list[Piece]]
EMBEDDINGS = "embedding top-k"


def ordered(
    documents: Sequence[pith.Document], ranked: Sequence[Piece], tokenizer: TextTokenizer
) -> list[pith.ScoredDocument]:
    """The pieces as segments whose scores fall with their rank; ties go to the earlier piece."""
    best = sorted(ranked, key=lambda p: (-p.score, p.document, p.start))
    lengths = tokenizer.encode([documents[p.document].text[p.start : p.end] for p in best]).lengths.tolist()
    segments: list[list[pith.Segment]] = [[] for _ in documents]
    for rank, (piece, tokens) in enumerate(zip(best, lengths, strict=True)):
        score = 1.0 - rank / len(best)
        segments[piece.document].append(
            pith.Segment(piece.start, piece.end, pith.Kind.SENTENCE, score, tokens, None, (score,))
        )
    return [
        pith.ScoredDocument(
            document,
            tuple(sorted(own, key=lambda segment: segment.start)),
            title_tokens=_tokens(tokenizer, document.title),
            source_tokens=_tokens(tokenizer, document.url),
        )
        for document, own in zip(documents, segments, strict=True)
    ]


def sent_on(scored: Sequence[pith.ScoredDocument], budget: int) -> pith.Result:
    """The best pieces that fit the budget, and nothing else done to them."""
    return pith.select_evidence(
        scored,
        budget=budget,
        threshold=None,
        duplicates=False,
        near_duplicates=False,
        dependencies=False,
        diversity=1.0,
    )


def in_order(_query: str, texts: Sequence[str]) -> list[Piece]:
    """The documents one after the other, as a prompt without compression holds them."""
    found = pieces(texts)
    return [Piece(p.document, p.start, p.end, -float(n)) for n, p in enumerate(found)]


RANKERS: dict[str, Ranker] = {"first lines": first_lines, "BM25": bm25}


def _tokens(tokenizer: TextTokenizer, text: str | None) -> int:
    return int(tokenizer.encode([text]).lengths[0]) if text else 0
