"""Adds up what was kept and what was dropped, for the whole and for each document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pith.report import DocumentReport, Reason, Report
from pith.select.candidates import Candidate
from pith.types import ScoredDocument, Snippet, Status


def account(
    scored: Sequence[ScoredDocument],
    *,
    blocks: Sequence[Snippet],
    kept: Sequence[Candidate],
    below_threshold: Sequence[Candidate],
    over_budget: Sequence[Candidate],
    context_tokens: int,
    budget: int,
    threshold: float | None,
    uncovered_needs: tuple[str, ...],
) -> Report:
    """The report on one selection. The candidate lists are disjoint and hold every segment once."""
    tokens_kept, tokens_below, tokens_over = map(_by_document, (kept, below_threshold, over_budget))
    shown = sorted({candidate.document for candidate in kept})
    labels = dict(zip(shown, (block.label for block in blocks), strict=True))
    documents = tuple(
        DocumentReport(
            index=i,
            id=document.document.id,
            status=document.status,
            reason=document.reason,
            label=labels.get(i),
            relevance=document.relevance,
            total=tokens_kept[i] + tokens_below[i] + tokens_over[i],
            kept=tokens_kept[i],
            below_threshold=tokens_below[i],
            over_budget=tokens_over[i],
            unscored=document.unscored,
        )
        for i, document in enumerate(scored)
    )
    return Report(
        total=sum(document.total for document in documents),
        kept=tokens_kept.total(),
        below_threshold=tokens_below.total(),
        over_budget=tokens_over.total(),
        unscored=sum(document.unscored for document in documents),
        context_tokens=context_tokens,
        budget=budget,
        threshold=threshold,
        reason=None if kept else _why_empty(scored, over_budget),
        documents=documents,
        uncovered_needs=uncovered_needs,
    )


def _by_document(candidates: Iterable[Candidate]) -> Counter[int]:
    tokens: Counter[int] = Counter()
    for candidate in candidates:
        tokens[candidate.document] += candidate.tokens
    return tokens


def _why_empty(scored: Sequence[ScoredDocument], over_budget: Sequence[Candidate]) -> Reason:
    if not scored:
        return Reason.NO_DOCUMENTS
    if over_budget:
        return Reason.BUDGET_TOO_SMALL
    if all(document.status is Status.EMPTY for document in scored):
        return Reason.ALL_DOCUMENTS_EMPTY
    if all(document.status is not Status.OK for document in scored):
        return Reason.NO_READABLE_DOCUMENTS
    return Reason.NOTHING_ABOVE_THRESHOLD
