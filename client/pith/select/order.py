"""The order of the blocks, and of the documents by relevance."""

from __future__ import annotations

from collections.abc import Sequence

from pith.select.candidates import Candidate
from pith.switches import Order
from pith.types import ScoredDocument, Status


def ranking(scored: Sequence[ScoredDocument]) -> tuple[int, ...]:
    """Positions of the documents that could be scored, most relevant first; equal ones in their order."""
    usable = [i for i, document in enumerate(scored) if document.status is Status.OK]
    return tuple(sorted(usable, key=lambda i: -scored[i].relevance))


def block_order(
    scored: Sequence[ScoredDocument], by: Order, best: Sequence[Candidate | None]
) -> tuple[int, ...]:
    """All documents in the order in which those that are shown have their blocks; it does not depend on the budget.

    By need: a document stands where the first need stands whose best evidence it holds; those that hold none come
    after, by relevance.
    """
    places = range(len(scored))
    if by == "source":
        return tuple(places)
    if by == "relevance":
        return tuple(sorted(places, key=lambda i: -scored[i].relevance))
    first: dict[int, int] = {}
    for number, candidate in enumerate(best):
        if candidate is not None:
            first.setdefault(candidate.document, number)
    return tuple(sorted(places, key=lambda i: (first.get(i, len(best)), -scored[i].relevance)))
