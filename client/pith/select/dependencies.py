"""What a segment depends on to be understood, and what takes part of it back; all in one document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pith.select.openings import ends_open, ends_whole, opens_inside, points_back, takes_back
from pith.types import Kind, ScoredDocument, Segment, SpanReason

# How far each rule goes: sentences back to what a pronoun means, parts of a cut sentence, exceptions in a row.
_BACK, _PARTS, _EXCEPTIONS = 2, 3, 2
# A line without a full stop is taken for the first half of a sentence only from this length on; shorter ones are
# mostly labels and navigation.
_LEAST_HALF = 20
_PROSE = frozenset({Kind.SENTENCE, Kind.LIST_ITEM})

_Bring = Callable[[int, SpanReason, bool], None]


@dataclass(frozen=True, slots=True)
class Dependency:
    """Segment ``segment`` of the same document is brought for ``reason``.

    ``required``: without it the meaning would be wrong or incomplete. Otherwise it is background, which is the first
    to go when the budget is tight.
    """

    segment: int
    reason: SpanReason
    required: bool


def dependencies(scored: ScoredDocument, segment: int) -> tuple[Dependency, ...]:
    """What is kept together with a segment, in the order of the text; never the segment itself.

    Background: the headings above, and the sentence that an opening pronoun or connective points back to. Required:
    the header of a table's row, the lead-in of a list's item, the other parts of a sentence that was cut, and
    exceptions that follow at once, with the parts of these. A sentence that is brought brings no more than the rest
    of itself.
    """
    found: dict[int, Dependency] = {}

    def bring(index: int, reason: SpanReason, required: bool) -> None:
        if index != segment and (index not in found or (required and not found[index].required)):
            found[index] = Dependency(index, reason, required)

    for index in _structure(scored, segment, bring):
        bring(index, SpanReason.HEADING, False)
    first, last = _sentence(scored, segment)
    for index in range(first, last + 1):
        bring(index, SpanReason.CONTINUATION, True)
    after = last
    for _ in range(_EXCEPTIONS):
        following = after + 1
        if not (_follows(scored, following) and takes_back(_text(scored, following))):
            break
        _, after = _sentence(scored, following)
        for index in range(following, after + 1):
            bring(index, SpanReason.EXCEPTION, True)
    opening = first
    for _ in range(_BACK):
        if not (_follows(scored, opening) and points_back(_text(scored, opening))):
            break
        start, _ = _sentence(scored, opening - 1)
        for index in range(start, opening):
            bring(index, SpanReason.ANTECEDENT, False)
        opening = start
    return tuple(found[index] for index in sorted(found))


def _structure(scored: ScoredDocument, segment: int, bring: _Bring) -> list[int]:
    """Brings table headers and lead-ins of the parents' chain, and returns its headings."""
    headings: list[int] = []
    seen = {segment}
    parent = scored.segments[segment].parent
    while parent is not None and parent not in seen:
        seen.add(parent)
        kind = scored.segments[parent].kind
        if kind is Kind.HEADING:
            headings.append(parent)
        elif kind is Kind.TABLE_HEADER:
            bring(parent, SpanReason.TABLE_HEADER, True)
        else:
            bring(parent, SpanReason.LEAD_IN, True)
        parent = scored.segments[parent].parent
    return headings


def _sentence(scored: ScoredDocument, segment: int) -> tuple[int, int]:
    """First and last segment of the sentence that a segment is a part of, mostly the segment twice."""
    first = last = segment
    for _ in range(_PARTS):
        if not _is_cut(scored, first):
            break
        first -= 1
    for _ in range(_PARTS):
        if not _is_cut(scored, last + 1):
            break
        last += 1
    return first, last


def _is_cut(scored: ScoredDocument, segment: int) -> bool:
    """Whether a segment goes on with the sentence of the one before."""
    if not _follows(scored, segment):
        return False
    before, after = scored.segments[segment - 1], scored.segments[segment]
    if Kind.LIST_ITEM in (before.kind, after.kind) and before.kind is not after.kind:
        return False
    text = scored.document.text
    # The last characters tell nearly all cases apart, and segments can be long.
    ending = text[max(before.start, before.end - 40) : before.end]
    if ends_whole(ending):
        return False
    long_enough = before.end - before.start >= _LEAST_HALF
    return ends_open(ending) or (long_enough and opens_inside(_text(scored, segment)))


def _follows(scored: ScoredDocument, segment: int) -> bool:
    """Whether a segment and the one before are prose of one paragraph or list."""
    if not 0 < segment < len(scored.segments):
        return False
    before, after = scored.segments[segment - 1], scored.segments[segment]
    if before.kind not in _PROSE or after.kind not in _PROSE:
        return False
    if before.parent != after.parent and after.parent != segment - 1:
        return False
    # One character is one line end at most.
    return after.start - before.end < 2 or _breaks(scored.document.text[before.end : after.start]) < 2


def _breaks(gap: str) -> int:
    return gap.count("\n") + gap.count("\r") - gap.count("\r\n")


def _text(scored: ScoredDocument, segment: int) -> str:
    """The beginning of a segment, which is all that openings need."""
    own: Segment = scored.segments[segment]
    return scored.document.text[own.start : min(own.end, own.start + 80)]
