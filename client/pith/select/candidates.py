"""Segments as candidates for the context."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from pith.render import Place, heading_words, is_title
from pith.select.normal import wide_letters
from pith.types import Kind, ScoredDocument

# A heading or a table's header names what an answer is about; it is rarely the answer.
NAMES = frozenset({Kind.HEADING, Kind.TABLE_HEADER})


class Candidate(NamedTuple):
    """A segment by its place: document and segment index, with what the steps of selection ask for most."""

    document: int
    segment: int
    score: float
    tokens: int

    @property
    def place(self) -> Place:
        return self.document, self.segment


def candidates(
    scored: Sequence[ScoredDocument],
    threshold: float | None,
    *,
    names: bool = True,
    titles: bool = True,
) -> list[Candidate]:
    """The segments at or above the threshold (None: all), best score first.

    Equal scores stay in the order of the documents and their text. The score alone decides: dividing it by the
    length would prefer a short remark to the sentence with the answer. Without ``names``, headings of a few words
    and table headers are no candidates: they name what stands under them, and come along with that. Without
    ``titles``, nor is a line that says what the document's title says, which the block's first line shows.
    """
    least = 0.0 if threshold is None else threshold
    found: list[Candidate] = []
    for i, document in enumerate(scored):
        longest = _MARKS * len(document.document.title or "")
        # Few of many segments pass; finding them must not cost a step of Python each.
        scores = np.fromiter(map(_SCORE, document.segments), np.float64, len(document.segments))
        for j in np.flatnonzero(scores >= least).tolist():
            segment = document.segments[j]
            if not names and segment.kind in NAMES and not _says_something(document, j):
                continue
            if titles or not segment.end - segment.start <= longest or not is_title(document, j):
                found.append(Candidate(i, j, segment.score, segment.tokens))
    found.sort(key=_SCORE, reverse=True)
    return found


def _says_something(scored: ScoredDocument, segment: int) -> bool:
    """Whether a heading is a statement of its own, as headlines are."""
    own = scored.segments[segment]
    if own.kind is not Kind.HEADING:
        return False
    start, end = heading_words(scored.document.text, own.start, own.end)
    words = scored.document.text[start:end]
    return len(words.split()) >= _LEAST_WORDS or wide_letters(words) >= _LEAST_WIDE


_SCORE = attrgetter("score")
# A line that says what the title says is not longer than so many times the title.
_MARKS = 2
_LEAST_WORDS, _LEAST_WIDE = 5, 10
