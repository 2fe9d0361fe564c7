"""Adds up what was kept and what was dropped, for the whole and for each document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from pith.render import Kept, Place
from pith.report import DocumentReport, Reason
from pith.select.candidates import Candidate
from pith.types import ScoredDocument, SpanReason, Status

_TOKENS = attrgetter("tokens")


@dataclass(frozen=True, slots=True)
class Account:
    """The encoder's tokens by what became of them: totals, and the reports on the documents."""

    documents: tuple[DocumentReport, ...]
    added: int

    def total(self, name: str) -> int:
        """The sum of one count over the documents."""
        return sum(getattr(document, name) for document in self.documents)


def account(
    scored: Sequence[ScoredDocument],
    *,
    kept: Kept,
    passed: Sequence[Candidate],
    duplicates: Iterable[Candidate],
    closed: Iterable[int],
    labels: Mapping[int, str],
) -> Account:
    """Count every token once.

    ``passed`` are all candidates that reached the threshold, ``duplicates`` those of them that were dropped as such,
    ``closed`` the documents that got no block because there were enough. What is kept is kept, whatever else it is.
    """
    of_kept, of_added = Counter[int](), 0
    for place, reason in kept.items():
        tokens = scored[place[0]].segments[place[1]].tokens
        of_kept[place[0]] += tokens
        of_added += 0 if reason is SpanReason.EVIDENCE else tokens
    dropped: set[Place] = set()
    of_duplicates = Counter[int]()
    for candidate in duplicates:
        if candidate.place not in kept:
            dropped.add(candidate.place)
            of_duplicates[candidate.document] += candidate.tokens
    shut = set(closed)
    of_closed, of_budget = Counter[int](), Counter[int]()
    for candidate in passed:
        place = candidate.place
        if place not in kept and place not in dropped:
            (of_closed if candidate.document in shut else of_budget)[candidate.document] += candidate.tokens
    documents = []
    for i, document in enumerate(scored):
        total = sum(map(_TOKENS, document.segments))
        documents.append(
            DocumentReport(
                index=i,
                id=document.document.id,
                status=document.status,
                reason=document.reason,
                label=labels.get(i),
                relevance=document.relevance,
                total=total,
                kept=of_kept[i],
                below_threshold=total - of_kept[i] - of_duplicates[i] - of_closed[i] - of_budget[i],
                duplicate=of_duplicates[i],
                over_documents=of_closed[i],
                over_budget=of_budget[i],
                unscored=document.unscored,
            )
        )
    return Account(tuple(documents), of_added)


def why_empty(scored: Sequence[ScoredDocument], passed: Sequence[Candidate]) -> Reason:
    """Why nothing was kept."""
    if not scored:
        return Reason.NO_DOCUMENTS
    if passed:
        return Reason.BUDGET_TOO_SMALL
    if all(document.status is Status.EMPTY for document in scored):
        return Reason.ALL_DOCUMENTS_EMPTY
    if all(document.status is not Status.OK for document in scored):
        return Reason.NO_READABLE_DOCUMENTS
    return Reason.NOTHING_ABOVE_THRESHOLD
