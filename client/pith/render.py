"""Kept segments → spans → snippets → the text for the prompt.

A snippet is a block: a line ``[E1] title``, then its text. Blocks are separated by a blank line. Spans with
something dropped between them stand on lines of their own: a line end costs one token at most, and headings,
list items, table rows and code keep the line they need, which a mark such as an ellipsis would take away.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pith.types import Document, ScoredDocument, Snippet, Span

# White space up to here between two kept neighbours is shown as it is; more is a gap in the layout.
_LONGEST_JOIN = 8
BETWEEN_SPANS = "\n"
BETWEEN_BLOCKS = "\n\n"


def label(number: int) -> str:
    """The label of the ``number``-th snippet, counted from 1."""
    return f"E{number}"


def header(name: str, document: Document) -> str:
    """The first line of a block, without its line end. A title is shown on one line, whatever it holds."""
    title = " ".join((document.title or "").split())
    return f"[{name}] {title}" if title else f"[{name}]"


def snippets(scored: Sequence[ScoredDocument], kept: Iterable[tuple[int, int]]) -> tuple[Snippet, ...]:
    """One snippet per document with kept segments, in the order of the documents.

    ``kept`` holds (document, segment) indices in any order.
    """
    by_document: dict[int, list[int]] = {}
    for document, segment in sorted(kept):
        by_document.setdefault(document, []).append(segment)
    return tuple(
        _snippet(scored[document], segments, label(number))
        for number, (document, segments) in enumerate(by_document.items(), start=1)
    )


def context(blocks: Iterable[Snippet]) -> str:
    """The text to put in a prompt; "" for no snippets."""
    return BETWEEN_BLOCKS.join(f"{header(block.label, block.document)}\n{block.text}" for block in blocks)


def _snippet(scored: ScoredDocument, segments: Sequence[int], name: str) -> Snippet:
    spans = _spans(scored, segments)
    text = scored.document.text
    return Snippet(
        document=scored.document,
        spans=spans,
        text=BETWEEN_SPANS.join(text[span.start : span.end] for span in spans),
        score=max(span.score for span in spans),
        label=name,
        tokens=sum(scored.segments[segment].tokens for segment in segments),
    )


def _spans(scored: ScoredDocument, segments: Sequence[int]) -> tuple[Span, ...]:
    """Neighbours with only a little white space between them become one span, white space included."""
    text = scored.document.text
    spans: list[Span] = []
    for segment in (scored.segments[index] for index in segments):
        last = spans[-1] if spans else None
        if last is not None and _is_small_gap(text[last.end : segment.start]):
            spans[-1] = Span(last.start, segment.end, max(last.score, segment.score))
        else:
            spans.append(Span(segment.start, segment.end, segment.score))
    return tuple(spans)


def _is_small_gap(gap: str) -> bool:
    return len(gap) <= _LONGEST_JOIN and not gap.strip()
