"""Segments as candidates for the context."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pith.types import ScoredDocument


@dataclass(frozen=True, slots=True)
class Candidate:
    """A segment by its place: document and segment index, with what the steps of selection ask for most."""

    document: int
    segment: int
    score: float
    tokens: int


def candidates(scored: Sequence[ScoredDocument]) -> list[Candidate]:
    """All segments, best score first; equal scores in the order of the documents and their text.

    The score alone decides: dividing it by the length would prefer a short remark to the sentence with the
    answer.
    """
    found = [
        Candidate(i, j, segment.score, segment.tokens)
        for i, document in enumerate(scored)
        for j, segment in enumerate(document.segments)
    ]
    return sorted(found, key=lambda candidate: -candidate.score)


def places(chosen: Iterable[Candidate]) -> list[tuple[int, int]]:
    """(document, segment) of each candidate."""
    return [(candidate.document, candidate.segment) for candidate in chosen]
