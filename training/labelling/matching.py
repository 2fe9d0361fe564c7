"""From what a judge quoted to offsets in the document; what cannot be placed for certain is reported, never guessed.

Each quote is looked for in three forms (training.labelling.skeleton), the first that finds it decides. A quote that
occurs once has its place. Repeats are resolved by order: as many quotes as occurrences are paired off in order, and
otherwise the neighbours that have a place say between which offsets a quote lies, since judges list spans in reading
order; a list whose sure places are out of order is not trusted with that. What an ellipsis leaves out is left out
here too: the parts around it are placed, not what is between them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from training.labelling.places import Occurrence, occurrences
from training.labelling.skeleton import Form, skeleton

# How far apart the parts around an ellipsis may lie, in characters of the skeleton.
LONGEST_GAP = 600
# A part shorter than this says too little to be looked for beside an ellipsis.
SHORTEST_PART = 3
_ELLIPSIS = re.compile(r"\s*(?:[\[(]\s*(?:…|\.{3,})\s*[\])]|…|\.{3,})\s*")


class Reason(StrEnum):
    """Why a quote has no place."""

    EMPTY = "empty"
    NOT_FOUND = "not found"
    AMBIGUOUS = "ambiguous"
    SURPLUS = "quoted more often than it occurs"
    OVERLAP = "overlaps another span"


@dataclass(frozen=True)
class Quote:
    """A text that a judge copied, and its category."""

    text: str
    category: str


@dataclass(frozen=True)
class Placed:
    """Quote number `quote` lies at `spans`, `[start, end)` in code points: one, or one for each part around an
    ellipsis."""

    quote: int
    spans: tuple[tuple[int, int], ...]
    form: Form


@dataclass(frozen=True)
class Unmatched:
    """Quote number `quote` has no place."""

    quote: int
    reason: Reason


@dataclass(frozen=True)
class Matching:
    """Every quote is in one of the two, each in the order of the quotes; the spans placed are disjoint."""

    placed: tuple[Placed, ...]
    unmatched: tuple[Unmatched, ...]


@dataclass(frozen=True)
class _Open:
    places: list[Occurrence]
    form: Form


@dataclass
class _State:
    placed: dict[int, Placed] = field(default_factory=dict)
    unmatched: dict[int, Reason] = field(default_factory=dict)
    # Where quotes may lie that occur more often than they were quoted; by what they say, then by quote.
    open: dict[str, dict[int, _Open]] = field(default_factory=lambda: defaultdict(dict))

    def put(self, quote: int, spans: tuple[tuple[int, int], ...], form: Form) -> None:
        self.unmatched.pop(quote, None)
        self.placed[quote] = Placed(quote, spans, form)

    def taken(self) -> set[tuple[int, int]]:
        return {span for placed in self.placed.values() for span in placed.spans}


def match(text: str, quotes: Sequence[Quote]) -> Matching:
    """Place the quotes in the text."""
    state = _State()
    waiting = []
    for number, quote in enumerate(quotes):
        if skeleton(quote.text, Form.LOOSE).text.strip("."):
            waiting.append(number)
        else:
            state.unmatched[number] = Reason.EMPTY
    for form in Form:
        waiting = _search(text, quotes, waiting, form, state)
        if not waiting:
            break
    for number in waiting:
        spans = _around_ellipsis(text, quotes[number].text)
        if isinstance(spans, Reason):
            state.unmatched[number] = spans
        else:
            state.put(number, spans, Form.LOOSE)
    _by_neighbours(state)
    _disjoint(state)
    return Matching(
        tuple(state.placed[n] for n in sorted(state.placed)),
        tuple(Unmatched(n, state.unmatched[n]) for n in sorted(state.unmatched)),
    )


def _search(
    text: str, quotes: Sequence[Quote], waiting: Sequence[int], form: Form, state: _State
) -> list[int]:
    """Decide the quotes that occur in a form; returns those that do not."""
    source = skeleton(text, form)
    groups: dict[str, list[int]] = defaultdict(list)
    for number in waiting:
        groups[_needle(quotes[number].text, form)].append(number)
    left: list[int] = []
    for needle, members in groups.items():
        found = occurrences(text, source, needle) if needle else []
        if not found:
            left += members
            continue
        free = [place for place in found if place not in state.taken()]
        if len(members) > len(free):
            for number in members[len(free) :]:
                state.unmatched[number] = Reason.SURPLUS
            members = members[: len(free)]
        same_category = len({quotes[number].category for number in members}) == 1
        if len(members) == len(free) and (len(members) == 1 or same_category):
            for number, place in zip(members, free, strict=True):
                state.put(number, (place,), form)
        elif members:
            says = _needle(needle, Form.LOOSE)
            state.open[says] |= dict.fromkeys(members, _Open(free, form))
            state.unmatched |= dict.fromkeys(members, Reason.AMBIGUOUS)
    return sorted(left)


def _needle(quote: str, form: Form) -> str:
    return quote.strip() if form is Form.EXACT else skeleton(quote, form).text


def _by_neighbours(state: _State) -> None:
    """Place repeats for which the sure places around them leave as many occurrences as there are quotes."""
    order = sorted(state.placed)
    starts = [state.placed[n].spans[0][0] for n in order]
    ends = [state.placed[n].spans[-1][1] for n in order]
    if any(start < end for start, end in zip(starts[1:], ends, strict=False)):
        return
    for group in state.open.values():
        between: dict[int, list[int]] = defaultdict(list)
        for number in sorted(group):
            between[bisect_left(order, number)].append(number)
        for gap, numbers in between.items():
            least = ends[gap - 1] if gap else 0
            most = starts[gap] if gap < len(starts) else None
            # Copies of one text may have been found in different forms; the loosest sees all its occurrences.
            widest = max((group[n] for n in numbers), key=lambda found: list(Form).index(found.form))
            fitting = [p for p in widest.places if p[0] >= least and (most is None or p[1] <= most)]
            if len(fitting) == len(numbers):
                for number, place in zip(numbers, fitting, strict=True):
                    own = [p for p in group[number].places if p[0] < place[1] and place[0] < p[1]]
                    if len(own) == 1:
                        state.put(number, (own[0],), group[number].form)


def _disjoint(state: _State) -> None:
    """Of spans that overlap, the longer stays: the shorter was quoted out of it."""
    kept: list[tuple[int, int]] = []
    for placed in sorted(state.placed.values(), key=lambda p: (-sum(b - a for a, b in p.spans), p.quote)):
        at = bisect_left(kept, placed.spans[0])
        first, last = placed.spans[0][0], placed.spans[-1][1]
        before = at > 0 and kept[at - 1][1] > first
        after = at < len(kept) and kept[at][0] < last
        if before or after:
            del state.placed[placed.quote]
            state.unmatched[placed.quote] = Reason.OVERLAP
        else:
            kept[at:at] = placed.spans


def _around_ellipsis(text: str, quote: str) -> tuple[tuple[int, int], ...] | Reason:
    """The places of the parts around the ellipses of a quote."""
    parts = [part for part in _ELLIPSIS.split(quote) if part.strip()]
    if not parts or (len(parts) == 1 and parts[0] == quote.strip()):
        return Reason.NOT_FOUND
    source = skeleton(text, Form.TOLERANT)
    needles = [_needle(part, Form.TOLERANT) for part in parts]
    if min(map(len, needles)) < SHORTEST_PART:
        return Reason.NOT_FOUND
    places = [occurrences(text, source, needle) for needle in needles]
    chains: list[tuple[Occurrence, ...]] = [(place,) for place in places[0]]
    for following in places[1:]:
        chains = [
            (*chain, place)
            for chain in chains
            for place in following
            if 0 <= place[0] - chain[-1][1] <= LONGEST_GAP
        ]
        if len(chains) > 1000:
            return Reason.AMBIGUOUS
    if len(chains) == 1:
        return chains[0]
    return Reason.AMBIGUOUS if chains else Reason.NOT_FOUND
