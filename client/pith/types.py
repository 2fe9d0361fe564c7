"""The values that go in and come out: documents, scored segments, snippets.

All offsets are code points into ``Document.text``: ``document.text[start:end]`` is the text meant, for any
Unicode text. All of these are immutable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
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


REASONS: Mapping[Status, str] = {
    Status.OK: "",
    Status.EMPTY: "the document has no text other than white space",
    Status.INVALID_TEXT: "the text or title is not valid Unicode (it holds lone surrogates or broken UTF-8)",
    Status.TOO_LARGE: "the document is over the server's limit of bytes for one document",
}


@dataclass(frozen=True, slots=True)
class Document:
    """A text to compress, with what is known about it.

    ``id`` defaults to the position in the list as a string; ids need not be unique. ``title`` is read by the
    model and shown above the snippet. ``url`` and ``version`` are carried along untouched.
    """

    text: str
    id: str | None = None
    title: str | None = None
    url: str | None = None
    version: str | None = None

    def source(self) -> dict[str, Any]:
        """Where the text came from, without the text, as JSON-able values."""
        return {"id": self.id, "title": self.title, "url": self.url, "version": self.version}


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
    ``reason`` is a sentence when ``status`` is not OK, else "". ``title_tokens`` is what the title costs.
    """

    document: Document
    segments: tuple[Segment, ...] = ()
    relevance: float = 0.0
    status: Status = Status.OK
    reason: str = ""
    unscored: int = 0
    title_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one document's text that is shown as it is. ``score`` is the best of its segments."""

    start: int
    end: int
    score: float

    def to_dict(self) -> dict[str, Any]:
        return {"start": self.start, "end": self.end, "score": self.score}


@dataclass(frozen=True, slots=True)
class Snippet:
    """What is kept of one document. ``text`` joins the spans for reading; ``label`` names it ("E1")."""

    document: Document
    spans: tuple[Span, ...]
    text: str = field(repr=False)
    score: float
    label: str
    tokens: int

    def to_dict(self) -> dict[str, Any]:
        return {
            "label": self.label,
            "document": self.document.source(),
            "score": self.score,
            "tokens": self.tokens,
            "spans": [
                span.to_dict() | {"text": self.document.text[span.start : span.end]} for span in self.spans
            ],
            "text": self.text,
        }
