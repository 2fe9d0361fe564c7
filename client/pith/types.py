"""The values that go in and come out: documents, scored segments, snippets.

All offsets are code points into ``Document.text``: ``document.text[start:end]`` is the text meant, for any
Unicode text. All of these are immutable.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import IntEnum, StrEnum
from typing import Any


class Kind(IntEnum):
    """What a segment is in the document's structure."""

    SENTENCE = 0
    HEADING = 1
    LIST_ITEM = 2
    TABLE_HEADER = 3
    TABLE_ROW = 4
    CODE = 5


class Status(IntEnum):
    """What became of a document. Anything but OK leaves it without segments."""

    OK = 0
    EMPTY = 1
    INVALID_TEXT = 2
    TOO_LARGE = 3
    NOT_ALLOWED = 4


class SpanReason(StrEnum):
    """Why a span is shown: as evidence, or because evidence depends on it."""

    EVIDENCE = "evidence"
    TITLE = "title"
    HEADING = "heading"
    TABLE_HEADER = "table_header"
    LEAD_IN = "lead_in"
    CONTINUATION = "continuation"
    ANTECEDENT = "antecedent"
    EXCEPTION = "exception"


REASONS: Mapping[Status, str] = {
    Status.OK: "",
    Status.EMPTY: "the document has no text other than white space",
    Status.INVALID_TEXT: "the text or title is not valid Unicode (it holds lone surrogates or broken UTF-8)",
    Status.TOO_LARGE: "the document is over the server's limit of bytes for one document",
    Status.NOT_ALLOWED: "the caller marked the document as not allowed, so it was not read",
}


@dataclass(frozen=True, slots=True)
class Document:
    """A text to compress, with what is known about it.

    ``id`` defaults to the position in the list as a string; ids need not be unique. ``title`` is read by the
    model and shown above the snippet, as are ``version`` and ``url``. A document that is not ``allowed`` (the
    caller has checked the permission) is never sent, scored or shown. ``start`` is for chunks: where the text
    begins in its source, in code points. ``compress`` joins chunks of one id and version that touch or overlap.
    """

    text: str
    id: str | None = None
    title: str | None = None
    url: str | None = None
    version: str | None = None
    allowed: bool = True
    start: int | None = None

    def source(self) -> dict[str, Any]:
        """Where the text came from, without the text, as JSON-able values."""
        return {
            "id": self.id,
            "title": self.title,
            "url": self.url,
            "version": self.version,
            "start": self.start,
        }

    @property
    def content_hash(self) -> str:
        """``"sha256:"`` and the digest of the text's UTF-8: two documents with the same one hold the same text."""
        return f"sha256:{hashlib.sha256(self.text.encode('utf-8', 'surrogatepass')).hexdigest()}"


@dataclass(frozen=True, slots=True)
class Segment:
    """The unit that is kept or dropped: a sentence, heading, list item, table row or code block.

    ``score`` is the probability that the segment is evidence for the query or for one of the needs, the
    highest of ``scores``, which holds the query's own score first and then one per need. ``tokens`` counts
    the encoder's tokens. ``parent`` is the index, in the document's segments, of the segment this one
    depends on (the heading of a section, the header of a table), or None.
    """

    start: int
    end: int
    kind: Kind
    score: float
    tokens: int
    parent: int | None
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ScoredDocument:
    """A document with the scores of all its segments, which are disjoint and in the order of the text.

    ``relevance`` is the probability that the document holds any evidence (highest over query and needs).
    ``unscored`` counts tokens that the model never saw because a limit was hit; 0 in the normal case.
    ``reason`` is a sentence when ``status`` is not OK, else "". ``title_tokens`` is what the title costs,
    ``source_tokens`` what version and url cost as they are shown; None when the server did not count them.
    """

    document: Document
    segments: tuple[Segment, ...] = ()
    relevance: float = 0.0
    status: Status = Status.OK
    reason: str = ""
    unscored: int = 0
    title_tokens: int = 0
    source_tokens: int | None = None

    def text_of(self, segment: int) -> str:
        """The text of the segment with this index."""
        own = self.segments[segment]
        return self.document.text[own.start : own.end]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one document's text that is shown as it is. ``score`` is the best of its segments.

    ``reason`` is why it is shown; anything but EVIDENCE was added because evidence depends on it.
    """

    start: int
    end: int
    score: float
    reason: SpanReason = SpanReason.EVIDENCE

    def to_dict(self) -> dict[str, Any]:
        return {"start": self.start, "end": self.end, "score": self.score, "reason": str(self.reason)}


@dataclass(frozen=True, slots=True)
class Address:
    """A place in a result set: the position of a document in the caller's list, what names it, and the offsets
    ``[start, end)`` in its text, in code points."""

    document: int
    id: str | None
    url: str | None
    version: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Snippet:
    """What is kept of one document. ``text`` joins the spans for reading; ``label`` names it ("E1").

    ``section`` holds the headings that stand above all of it, outermost first; they are shown in the block's
    first line and not in ``text``. ``also_in`` lists where else the same is said: places in other documents, or
    elsewhere in this one, that were dropped as duplicates of what is shown here.
    """

    document: Document
    spans: tuple[Span, ...]
    text: str = field(repr=False)
    score: float
    label: str
    tokens: int
    section: tuple[Span, ...] = ()
    also_in: tuple[Address, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        text = self.document.text
        return {
            "label": self.label,
            "document": self.document.source(),
            "score": self.score,
            "tokens": self.tokens,
            "section": [span.to_dict() | {"text": text[span.start : span.end]} for span in self.section],
            "spans": [span.to_dict() | {"text": text[span.start : span.end]} for span in self.spans],
            "also_in": [asdict(address) for address in self.also_in],
            "text": self.text,
        }
