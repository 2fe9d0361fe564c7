"""The least score that counts as evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pith.select.candidates import Candidate
from pith.types import ScoredDocument


def above(ranked: Iterable[Candidate], threshold: float | None) -> tuple[list[Candidate], list[Candidate]]:
    """Candidates at or above the threshold, and those below it; both keep their order."""
    least = 0.0 if threshold is None else threshold
    passed: list[Candidate] = []
    below: list[Candidate] = []
    for candidate in ranked:
        (passed if candidate.score >= least else below).append(candidate)
    return passed, below


def uncovered_needs(
    scored: Sequence[ScoredDocument], needs: Sequence[str], threshold: float | None
) -> tuple[str, ...]:
    """The needs for which no segment of any document reaches the threshold.

    ``Segment.scores`` holds the query's score first, then those of the needs in order.
    """
    least = 0.0 if threshold is None else threshold
    return tuple(
        need
        for i, need in enumerate(needs, start=1)
        if not any(segment.scores[i] >= least for document in scored for segment in document.segments)
    )
