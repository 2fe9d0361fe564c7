"""Kept segments → spans → snippets → the text for the prompt.

A snippet is a block: a line ``[E1] title › section · version 2 · url``, then its text. Blocks are separated by a blank
line. Spans with something dropped between them stand on lines of their own: a line end costs one token at most, and
headings, list items, table rows and code keep the line they need, which a mark such as an ellipsis would take away.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from pith.source_line import BETWEEN_SOURCES, source_line
from pith.types import Address, Document, ScoredDocument, Snippet, Span, SpanReason

Place = tuple[int, int]
Kept = Mapping[Place, SpanReason]

# White space up to here between two kept neighbours is shown as it is; more is a gap in the layout.
_LONGEST_JOIN = 8
_SEPARATORS = frozenset("\x1c\x1d\x1e\x1f")
BETWEEN_SPANS = "\n"
BETWEEN_BLOCKS = "\n\n"
BETWEEN_HEADINGS = " › "
# A heading's own words: its first line without the marks that make it a heading.
_HEADING = re.compile(r"[ \t]*(?:#{1,6}[ \t]+)?(?P<words>[^\r\n]*?)(?:[ \t]+#+)?[ \t]*(?=[\r\n]|$)")
_SHOWN_ABOVE = frozenset({SpanReason.HEADING, SpanReason.TITLE})


def label(number: int) -> str:
    """The label of the ``number``-th snippet, counted from 1."""
    return f"E{number}"


def header(name: str, document: Document, section: Iterable[str] = (), *, titles: bool = True) -> str:
    """The first line of a block, without its line end. A title is shown on one line, whatever it holds."""
    title = " ".join((document.title or "").split()) if titles else ""
    path = BETWEEN_HEADINGS.join(part for part in (title, *section) if part)
    source = source_line(document)
    if not path:
        source = source.removeprefix(BETWEEN_SOURCES)
    return f"[{name}] {path}{source}" if path or source else f"[{name}]"


def snippets(
    scored: Sequence[ScoredDocument],
    kept: Kept,
    *,
    order: Sequence[int] | None = None,
    also_in: Mapping[Place, Sequence[Address]] | None = None,
) -> tuple[Snippet, ...]:
    """One snippet per document with kept segments, in the order of the documents, or in ``order``.

    ``kept`` says of (document, segment) why it is shown; ``also_in`` of such a place where else it is said.
    """
    by_document: dict[int, list[int]] = {}
    for document, segment in sorted(kept):
        by_document.setdefault(document, []).append(segment)
    shown = list(by_document) if order is None else [number for number in order if number in by_document]
    return tuple(
        _snippet(scored[document], document, by_document[document], kept, label(number), also_in or {})
        for number, document in enumerate(shown, start=1)
    )


def block(snippet: Snippet, *, titles: bool = True) -> str:
    """One snippet as it stands in the context."""
    text = snippet.document.text
    section = (text[span.start : span.end] for span in snippet.section)
    first = header(snippet.label, snippet.document, section, titles=titles)
    return f"{first}\n{snippet.text}"


def context(blocks: Iterable[Snippet], *, titles: bool = True) -> str:
    """The text to put in a prompt; "" for no snippets."""
    return BETWEEN_BLOCKS.join(block(snippet, titles=titles) for snippet in blocks)


def joined(text: str, spans: Sequence[Span]) -> str:
    """The spans for reading, with :func:`join_between` them."""
    pieces: list[str] = []
    for i, span in enumerate(spans):
        if i:
            pieces.append(join_between(text, spans[i - 1], span))
        pieces.append(text[span.start : span.end])
    return "".join(pieces)


def join_between(text: str, before: Span, after: Span) -> str:
    """What stands between two spans: a small gap of white space as it is, a line end for any other."""
    gap = text[before.end : after.start]
    return gap if _is_small_gap(gap) else BETWEEN_SPANS


def heading_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the words of the heading ``text[start:end]`` stand, without its marks."""
    match = _HEADING.match(text, start, end)
    if match is None or not match["words"]:
        return start, end
    return match.start("words"), match.end("words")


def _snippet(
    scored: ScoredDocument,
    document: int,
    segments: Sequence[int],
    kept: Kept,
    name: str,
    also_in: Mapping[Place, Sequence[Address]],
) -> Snippet:
    above = _section(scored, document, segments, kept)
    spans = _spans(scored, [(s, kept[document, s]) for s in segments if s not in above])
    text = scored.document.text
    section = []
    for index in sorted(above):
        start, end = heading_words(text, scored.segments[index].start, scored.segments[index].end)
        section.append(Span(start, end, scored.segments[index].score, kept[document, index]))
    addresses = (address for segment in segments for address in also_in.get((document, segment), ()))
    return Snippet(
        document=scored.document,
        spans=spans,
        text=joined(text, spans),
        score=max(span.score for span in spans),
        label=name,
        tokens=sum(scored.segments[segment].tokens for segment in segments),
        section=tuple(section),
        also_in=tuple(dict.fromkeys(addresses)),
    )


def _section(scored: ScoredDocument, document: int, segments: Sequence[int], kept: Kept) -> set[int]:
    """The headings above all the rest, which the first line can show."""
    candidates = {segment for segment in segments if kept[document, segment] in _SHOWN_ABOVE}
    rest = [segment for segment in segments if segment not in candidates]
    if not candidates or not rest:
        return set()
    common = set(candidates)
    for segment in rest:
        chain: set[int] = set()
        parent = scored.segments[segment].parent
        while parent is not None:
            chain.add(parent)
            parent = scored.segments[parent].parent
        common &= chain
        if not common:
            break
    # A document's first heading stands for its title, even where the structure does not put it above everything.
    return common | {segment for segment in candidates if kept[document, segment] is SpanReason.TITLE}


def _spans(scored: ScoredDocument, segments: Sequence[tuple[int, SpanReason]]) -> tuple[Span, ...]:
    """Neighbours with one reason and only a little white space between them become one span, white space included."""
    text = scored.document.text
    spans: list[Span] = []
    for index, reason in segments:
        segment = scored.segments[index]
        last = spans[-1] if spans else None
        if last is not None and last.reason is reason and _is_small_gap(text[last.end : segment.start]):
            spans[-1] = Span(last.start, segment.end, max(last.score, segment.score), reason)
        else:
            spans.append(Span(segment.start, segment.end, segment.score, reason))
    return tuple(spans)


def _is_small_gap(gap: str) -> bool:
    # Separators that Python takes for white space are tokens of their own to the encoder.
    return len(gap) <= _LONGEST_JOIN and not gap.strip() and not _SEPARATORS.intersection(gap)


def is_title(scored: ScoredDocument, segment: int) -> bool:
    """Whether a segment says what the document's title says, so that the title line shows it already."""
    title, own = scored.document.title, scored.segments[segment]
    if not title:
        return False
    start, end = heading_words(scored.document.text, own.start, own.end)
    words = scored.document.text[start:end]
    return " ".join(words.split()).casefold() == " ".join(title.split()).casefold()
