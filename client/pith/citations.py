"""From a label or a quote of the context back to the source: ``Result.source_of`` and ``Result.locate``."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise

from pith.errors import InvalidInput
from pith.render import BETWEEN_HEADINGS, join_between
from pith.render import joined as rendered
from pith.text import utf8_and_utf16
from pith.types import Address, Snippet, Span, SpanReason

# What a quote may have around it that is not the source's: quotation marks, and marks for what was left out.
_MARKS = "\"'`´“”„‟‘’‚‛«»‹›「」『』《》〈〉〝〞〟＂＇…⋯"
_LEFT_OUT = ("[...]", "[…]", "(...)", "(…)", "...")

Placed = list[tuple[int, Span]]


@dataclass(frozen=True, slots=True)
class SourceSpan:
    """A stretch of a document's text in all units, ``[start, end)`` each.

    ``start`` and ``end`` are code points, ``start_byte`` and ``end_byte`` bytes of its UTF-8, ``start_utf16`` and
    ``end_utf16`` UTF-16 code units (what JavaScript and Java count). ``source_start`` and ``source_end`` are code
    points into the source that a chunk was cut from; for a whole document the same as ``start`` and ``end``.
    """

    start: int
    end: int
    start_byte: int
    end_byte: int
    start_utf16: int
    end_utf16: int
    source_start: int
    source_end: int
    text: str
    score: float
    reason: SpanReason


@dataclass(frozen=True, slots=True)
class Source:
    """Where the text under a label comes from. ``start`` is that of a chunk in its source, else 0."""

    label: str
    id: str | None
    title: str | None
    url: str | None
    version: str | None
    content_hash: str
    start: int
    section: tuple[SourceSpan, ...]
    spans: tuple[SourceSpan, ...]
    also_in: tuple[Address, ...]


@dataclass(frozen=True, slots=True)
class Location:
    """Where a quote stands: several spans where something was dropped in the middle of it."""

    label: str
    id: str | None
    version: str | None
    spans: tuple[SourceSpan, ...]


def source_of(snippets: Sequence[Snippet], label: str) -> Source:
    """The source of a label. Raises :class:`InvalidInput` for a label that the result does not have."""
    snippet = _labelled(snippets, label)
    document = snippet.document
    both = _in_all_units(snippet, (*snippet.section, *snippet.spans))
    sections = len(snippet.section)
    return Source(
        label=label,
        id=document.id,
        title=document.title,
        url=document.url,
        version=document.version,
        content_hash=document.content_hash,
        start=document.start or 0,
        section=tuple(both[:sections]),
        spans=tuple(both[sections:]),
        also_in=snippet.also_in,
    )


def locate(snippets: Sequence[Snippet], quote: str, label: str | None = None) -> tuple[Location, ...]:
    """Where a quote of the context stands in its sources; () when it is not in the context.

    Each snippet is searched for the quote as it stands, then with any white space equal to any other, then without
    quotation marks and ellipses around it; the first that finds it gives all its places. They are in the order of
    the context and do not overlap. Headings in a block's first line are searched too; ``label`` asks about one
    snippet. Raises :class:`InvalidInput` for a blank quote, an unknown label, and a snippet whose text is not what
    its spans say.
    """
    if not isinstance(quote, str):
        raise InvalidInput(f"a quote must be a str, not {type(quote).__name__}", code="invalid_quote")
    if not quote.strip():
        raise InvalidInput("the quote is blank: give the words that are quoted", code="blank_quote")
    asked = snippets if label is None else [_labelled(snippets, label)]
    forms = list(_forms(quote.strip()))
    return tuple(location for snippet in asked for location in _places(snippet, forms))


def joined(snippet: Snippet) -> Placed:
    """Each span with the offset in ``snippet.text`` at which it stands.

    Raises :class:`InvalidInput` where the spans do not make up ``snippet.text``.
    """
    text = snippet.document.text
    if rendered(text, snippet.spans) != snippet.text:
        raise _inconsistent(snippet)
    gaps = (join_between(text, *pair) for pair in pairwise(snippet.spans))
    return _placed(snippet.spans, map(len, gaps))


def _placed(spans: Iterable[Span], gaps: Iterable[int]) -> Placed:
    """Each span with its offset, when ``gaps`` characters stand between one and the next."""
    placed: Placed = []
    at = 0
    for span, gap in zip(spans, chain(gaps, [0]), strict=False):
        placed.append((at, span))
        at += span.end - span.start + gap
    return placed


def _forms(quote: str) -> Iterator[re.Pattern[str]]:
    """What is searched for, from the strictest to the loosest."""
    yield re.compile(re.escape(quote))
    yield _with_any_space(quote)
    bare = _without_marks(quote)
    if bare not in ("", quote):
        yield _with_any_space(bare)


def _with_any_space(quote: str) -> re.Pattern[str]:
    return re.compile(r"\s++".join(map(re.escape, quote.split())))


def _without_marks(quote: str) -> str:
    shorter = quote.strip(_MARKS).strip()
    for mark in _LEFT_OUT:
        shorter = shorter.removeprefix(mark).removesuffix(mark)
    return quote if shorter == quote else _without_marks(shorter)


def _places(snippet: Snippet, forms: Sequence[re.Pattern[str]]) -> Iterator[Location]:
    document = snippet.document
    headings = [document.text[span.start : span.end] for span in snippet.section]
    between = len(BETWEEN_HEADINGS)
    searched = (
        (BETWEEN_HEADINGS.join(headings), _placed(snippet.section, [between] * len(headings))),
        (snippet.text, joined(snippet)),
    )
    for form in forms:
        found = [
            pieces
            for shown, placed in searched
            for match in form.finditer(shown)
            if (pieces := _pieces(document.text, placed, *match.span()))
        ]
        if found:
            spans = iter(_in_all_units(snippet, [piece for pieces in found for piece in pieces]))
            for pieces in found:
                own = tuple(islice(spans, len(pieces)))
                yield Location(snippet.label, document.id, document.version, own)
            return


def _pieces(text: str, placed: Placed, start: int, end: int) -> list[Span]:
    """The parts of the document that are shown at ``[start, end)``; those with only white space between as one."""
    pieces: list[Span] = []
    first = bisect_right(placed, start, key=lambda place: place[0])
    for at, span in islice(placed, max(first - 1, 0), None):
        if at >= end:
            break
        low, high = max(start - at, 0) + span.start, min(end - at + span.start, span.end)
        last = pieces[-1] if pieces else None
        if low >= high:
            continue
        if last is not None and not text[last.end : low].strip():
            evidence = SpanReason.EVIDENCE in (last.reason, span.reason)
            reason = SpanReason.EVIDENCE if evidence else last.reason
            pieces[-1] = Span(last.start, high, max(last.score, span.score), reason)
        else:
            pieces.append(Span(low, high, span.score, span.reason))
    return pieces


def _in_all_units(snippet: Snippet, spans: Sequence[Span]) -> list[SourceSpan]:
    text, shift = snippet.document.text, snippet.document.start or 0
    if any(not 0 <= span.start <= span.end <= len(text) for span in spans):
        raise _inconsistent(snippet)
    before = utf8_and_utf16(text, chain.from_iterable((span.start, span.end) for span in spans))
    return [
        SourceSpan(
            start=span.start,
            end=span.end,
            start_byte=before[span.start][0],
            end_byte=before[span.end][0],
            start_utf16=before[span.start][1],
            end_utf16=before[span.end][1],
            source_start=span.start + shift,
            source_end=span.end + shift,
            text=text[span.start : span.end],
            score=span.score,
            reason=span.reason,
        )
        for span in spans
    ]


def _labelled(snippets: Sequence[Snippet], label: str) -> Snippet:
    for snippet in snippets:
        if snippet.label == label:
            return snippet
    known = ", ".join(snippet.label for snippet in snippets) or "none, since nothing was kept"
    raise InvalidInput(
        f"there is no label {label!r} in this result; there are: {known}", code="unknown_label"
    )


def _inconsistent(snippet: Snippet) -> InvalidInput:
    return InvalidInput(
        f"the text of snippet {snippet.label} is not what its spans show of its document: "
        "results must not be changed",
        code="inconsistent_snippet",
    )
