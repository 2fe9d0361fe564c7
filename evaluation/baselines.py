"""What people rank sentences with when they have no model: their position, and BM25."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from preprocessing.segments import segment

# One token a character in scripts without spaces, else words.
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]|\w+")


@dataclass(frozen=True)
class Piece:
    """A segment of document `document` with its score; offsets in code points."""

    document: int
    start: int
    end: int
    score: float


def pieces(texts: Sequence[str]) -> list[Piece]:
    """The segments of several texts, unscored."""
    out = []
    for n, text in enumerate(texts):
        found = segment(text)
        out += [Piece(n, a, b, 0.0) for a, b in zip(found.start.tolist(), found.end.tolist(), strict=True)]
    return out


def first_lines(_query: str, texts: Sequence[str]) -> list[Piece]:
    """Segments scored by how near they are to the beginning of their document."""
    return [Piece(p.document, p.start, p.end, -float(p.start)) for p in pieces(texts)]


def bm25(query: str, texts: Sequence[str], k1: float = 1.2, b: float = 0.75) -> list[Piece]:
    """Segments scored by BM25 (Robertson and Zaragoza, 2009), each a document of its own."""
    found = pieces(texts)
    words = [WORD.findall(texts[p.document][p.start : p.end].lower()) for p in found]
    average = sum(map(len, words)) / max(len(words), 1)
    frequency = Counter(word for sentence in words for word in set(sentence))
    terms = set(WORD.findall(query.lower()))
    idf = {
        t: log(1 + (len(words) - frequency[t] + 0.5) / (frequency[t] + 0.5)) for t in terms if t in frequency
    }
    scored = []
    for piece, sentence in zip(found, words, strict=True):
        count = Counter(word for word in sentence if word in idf)
        norm = k1 * (1 - b + b * len(sentence) / average)
        score = sum(idf[t] * n * (k1 + 1) / (n + norm) for t, n in count.items())
        scored.append(Piece(piece.document, piece.start, piece.end, score))
    return scored
