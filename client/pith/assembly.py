"""Parts of one document, scored in one or more requests → the scored document."""

from __future__ import annotations

from collections.abc import Sequence

from pith.types import REASONS, Document, Kind, ScoredDocument, Segment, Status
from pith.wire import Part


def assemble(document: Document, parts: Sequence[Part]) -> ScoredDocument:
    """Join the parts of ``document`` in the order of its text.

    A part without text does not count; a part that the server refused leaves the whole document without
    segments, because half a document must not pass for a whole one.
    """
    ordered = sorted(parts, key=lambda part: part.unit.start)
    told = {part.status for part in ordered} - {Status.OK, Status.EMPTY}
    if not told and all(part.status is Status.EMPTY for part in ordered):
        told = {Status.EMPTY}
    if told:
        status = max(told)
        return ScoredDocument(document, status=status, reason=REASONS[status])
    segments: list[Segment] = []
    for part in ordered:
        segments += _segments(part, first=len(segments))
    return ScoredDocument(
        document=document,
        segments=tuple(segments),
        relevance=max(float(part.relevance.max()) for part in ordered),
        unscored=sum(part.unscored for part in ordered),
        title_tokens=max(part.title_tokens for part in ordered),
        # Each part was sent with the whole line.
        source_tokens=ordered[0].source_tokens,
    )


def _segments(part: Part, *, first: int) -> list[Segment]:
    """The segments of one part; ``first`` is the index that its first segment has in the document."""
    columns = zip(
        part.start.tolist(),
        part.end.tolist(),
        part.kind.tolist(),
        part.parent.tolist(),
        part.tokens.tolist(),
        part.scores.tolist(),
        strict=True,
    )
    return [
        Segment(
            start, end, _KINDS[kind], max(scores), tokens, first + parent if parent >= 0 else None, (*scores,)
        )
        for start, end, kind, parent, tokens, scores in columns
    ]


_KINDS = tuple(Kind)
