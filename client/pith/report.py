"""The result of a compression, and its account of what was dropped and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pith.types import Snippet, Status


class Reason(StrEnum):
    """Why a result holds no evidence at all."""

    NO_DOCUMENTS = "no_documents"
    ALL_DOCUMENTS_EMPTY = "all_documents_empty"
    NO_READABLE_DOCUMENTS = "no_readable_documents"
    NOTHING_ABOVE_THRESHOLD = "nothing_above_threshold"
    BUDGET_TOO_SMALL = "budget_too_small"


@dataclass(frozen=True, slots=True)
class DocumentReport:
    """One document's share of the report. Counts are the encoder's tokens, as in :class:`Report`.

    ``label`` is that of its snippet, or None when nothing of it was kept.
    """

    index: int
    id: str | None
    status: Status
    reason: str
    label: str | None
    relevance: float
    total: int
    kept: int
    below_threshold: int
    over_budget: int
    unscored: int

    def to_dict(self) -> dict[str, Any]:
        return {
            "index": self.index,
            "id": self.id,
            "status": self.status.name.lower(),
            "reason": self.reason,
            "label": self.label,
            "relevance": self.relevance,
            "total": self.total,
            "kept": self.kept,
            "below_threshold": self.below_threshold,
            "over_budget": self.over_budget,
            "unscored": self.unscored,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """Counts and reasons, in the encoder's tokens unless said otherwise.

    ``total`` = ``kept`` + ``below_threshold`` + ``over_budget``. ``unscored`` tokens are part of ``total``:
    the model never read them because a limit was hit. ``context_tokens`` is the size of ``Result.context``
    in the budget's own tokens, never above ``budget``. ``query_cut`` and ``needs_cut`` count the tokens of
    the query and of each need that were over the server's limit and were not read. ``uncovered_needs`` are
    the needs for which no segment reached the threshold. ``requests`` counts the inference requests sent,
    retries included, and ``seconds`` is the wall time of the whole call.
    """

    total: int = 0
    kept: int = 0
    below_threshold: int = 0
    over_budget: int = 0
    unscored: int = 0
    context_tokens: int = 0
    budget: int = 0
    threshold: float | None = None
    reason: Reason | None = None
    documents: tuple[DocumentReport, ...] = ()
    uncovered_needs: tuple[str, ...] = ()
    query_cut: int = 0
    needs_cut: tuple[int, ...] = ()
    requests: int = 0
    seconds: float = 0.0
    model: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "total": self.total,
            "kept": self.kept,
            "below_threshold": self.below_threshold,
            "over_budget": self.over_budget,
            "unscored": self.unscored,
            "context_tokens": self.context_tokens,
            "budget": self.budget,
            "threshold": self.threshold,
            "reason": None if self.reason is None else str(self.reason),
            "documents": [document.to_dict() for document in self.documents],
            "uncovered_needs": list(self.uncovered_needs),
            "query_cut": self.query_cut,
            "needs_cut": list(self.needs_cut),
            "requests": self.requests,
            "seconds": self.seconds,
            "model": self.model,
        }


@dataclass(frozen=True, slots=True)
class Result:
    """What to put in the prompt (``context``), what it is made of (``snippets``), and the account of it."""

    snippets: tuple[Snippet, ...]
    context: str = field(repr=False)
    report: Report = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """JSON-able values: plain dicts, lists, strings and numbers."""
        return {
            "context": self.context,
            "snippets": [snippet.to_dict() for snippet in self.snippets],
            "report": self.report.to_dict(),
        }
