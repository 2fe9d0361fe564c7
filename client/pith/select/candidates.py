"""Segments as candidates for the context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pith.render import Place
from pith.types import ScoredDocument


@dataclass(frozen=True, slots=True)
class Candidate:
    """A segment by its place: document and segment index, with what the steps of selection ask for most."""

    document: int
    segment: int
    score: float
    tokens: int

    @property
    def place(self) -> Place:
        return self.document, self.segment


def candidates(scored: Sequence[ScoredDocument], threshold: float | None) -> list[Candidate]:
    """The segments at or above the threshold (None: all), best score first.

    Equal scores stay in the order of the documents and their text. The score alone decides: dividing it by the
    length would prefer a short remark to the sentence with the answer.
    """
    least = 0.0 if threshold is None else threshold
    found = [
        Candidate(i, j, segment.score, segment.tokens)
        for i, document in enumerate(scored)
        for j, segment in enumerate(document.segments)
        if segment.score >= least
    ]
    found.sort(key=lambda candidate: -candidate.score)
    return found
