"""The result of a compression, and its account of what was dropped and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self

from pith.citations import Location, Source, locate, source_of
from pith.interchange import from_json, plain, restored, to_json
from pith.types import Address, Snippet, Status


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

    ``label`` is that of its snippet, or None when nothing of it was kept. ``chunks`` are the positions, in the
    caller's list, of the chunks that this document was joined from; ``index`` is the first of them.
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
    duplicate: int
    over_documents: int
    over_budget: int
    unscored: int
    chunks: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """JSON-able values: plain dicts, lists, strings and numbers."""
        values: dict[str, Any] = plain(self)
        return values


@dataclass(frozen=True, slots=True)
class Duplicate:
    """``dropped`` says what ``kept`` says: the same text but for its form (``exact``, similarity 1.0), or alike in
    wording and the same in all numbers, units, dates, negations, conditions, versions and scope words."""

    kept: Address
    dropped: Address
    exact: bool
    similarity: float


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two segments that answer the same query in almost the same words and differ where it matters.

    ``kinds`` says in what ("number", "unit", "date", "negation", "condition", "version", "scope"), ``values``
    what the first and the second say there. ``query`` is the query or need that both answer.
    """

    first: Address
    second: Address
    kinds: tuple[str, ...]
    values: tuple[tuple[str, ...], tuple[str, ...]]
    query: str


@dataclass(frozen=True, slots=True)
class NeedReport:
    """What became of one need (``asked``), of one part of a split question, or of the query itself.

    ``covered``: its best evidence is in the context, with what that depends on. ``score`` is that evidence's, 0.0
    when nothing reaches the threshold; ``label`` is where it is shown. ``reason`` is "" when covered, else
    "no_evidence" or "over_budget". ``tokens`` is what its evidence needs by itself, in the budget's tokens.
    """

    text: str
    asked: bool
    covered: bool
    score: float
    label: str | None
    tokens: int
    reason: str


@dataclass(frozen=True, slots=True)
class Unfit:
    """What is necessary and did not fit. ``missing``: the needs (or the query) whose evidence was found and had to
    be left out. ``tokens``: the budget that holds all that is necessary. ``split``: the needs in groups, each of
    which fits the budget in a call of its own; a need that alone is too large is a group by itself."""

    missing: tuple[str, ...]
    tokens: int
    split: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Counts and reasons, in the encoder's tokens unless said otherwise.

    ``total`` = ``kept`` + ``below_threshold`` + ``duplicate`` + ``over_documents`` + ``over_budget``. ``kept``
    includes ``added``: tokens of what is no evidence itself but what evidence depends on. ``unscored`` tokens are
    part of ``total``: the model never read them because a limit was hit. ``context_tokens`` is the size of
    ``Result.context`` in the budget's own tokens, never above ``budget``. ``query_cut`` and ``needs_cut`` count
    the tokens of the query and of each need that were over the server's limit and were not read.
    ``uncovered_needs`` are the needs for which no segment reached the threshold. ``ranking`` holds the documents'
    positions, most relevant first. ``requests`` counts the inference requests sent, retries included, and
    ``seconds`` is the wall time of the whole call.
    """

    total: int = 0
    kept: int = 0
    added: int = 0
    below_threshold: int = 0
    duplicate: int = 0
    over_documents: int = 0
    over_budget: int = 0
    unscored: int = 0
    context_tokens: int = 0
    budget: int = 0
    threshold: float | None = None
    reason: Reason | None = None
    documents: tuple[DocumentReport, ...] = ()
    needs: tuple[NeedReport, ...] = ()
    uncovered_needs: tuple[str, ...] = ()
    unfit: Unfit | None = None
    duplicates: tuple[Duplicate, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    ranking: tuple[int, ...] = ()
    query_cut: int = 0
    needs_cut: tuple[int, ...] = ()
    requests: int = 0
    seconds: float = 0.0
    model: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """JSON-able values: plain dicts, lists, strings and numbers."""
        values: dict[str, Any] = plain(self)
        return values


@dataclass(frozen=True, slots=True)
class Result:
    """What to put in the prompt (``context``), what it is made of (``snippets``), and the account of it."""

    snippets: tuple[Snippet, ...]
    context: str = field(repr=False)
    report: Report = field(repr=False)

    def source_of(self, label: str) -> Source:
        """Where the text under a label ("E1") comes from: document, version, content hash, and its spans in code
        points, UTF-8 bytes and UTF-16 units. Raises :class:`~pith.errors.InvalidInput` for an unknown label."""
        return source_of(self.snippets, label)

    def locate(self, quote: str, label: str | None = None) -> tuple[Location, ...]:
        """Where a quote of the context stands in its sources, to check an answer's citations; () when it is not in
        the context (or not under ``label``). White space may differ, letters may not."""
        return locate(self.snippets, quote, label)

    def to_json(self) -> str:
        """The whole result, with the texts of the documents that have snippets; see :meth:`from_json`."""
        return to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The result that :meth:`to_json` wrote, equal to it. Raises :class:`~pith.errors.InvalidInput`."""
        result: Self = from_json(cls, text)
        return result

    def to_dict(self, texts: bool = False) -> dict[str, Any]:
        """JSON-able values for people and logs: what is shown, and with ``texts`` also the whole texts of the
        documents that have snippets, so that :meth:`from_dict` can read it."""
        snippets = [snippet.to_dict() for snippet in self.snippets]
        if texts:
            for values, snippet in zip(snippets, self.snippets, strict=True):
                values["document"] |= plain(snippet.document)
        return {"context": self.context, "snippets": snippets, "report": self.report.to_dict()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """The result that ``to_dict(texts=True)`` wrote, equal to it. Keys that are unknown here are ignored.

        Raises :class:`~pith.errors.InvalidInput` that names the place of what is missing or of another type.
        """
        result: Self = restored(cls, values)
        return result
