"""A candidate together with what it depends on: the two are kept or left out as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pith.render import Place, is_title
from pith.select.candidates import Candidate
from pith.select.dependencies import dependencies
from pith.types import Kind, ScoredDocument, SpanReason

Additions = dict[Place, SpanReason]


@dataclass(frozen=True, slots=True)
class Group:
    """What goes into the context for one candidate: ``lean`` with all that its meaning needs, ``full`` with the
    background as well (headings, the sentence that a pronoun points back to)."""

    candidate: Candidate
    lean: Additions
    full: Additions


@dataclass(slots=True)
class Groups:
    """Makes groups when they are asked for, each once. Without ``dependent`` a group is its candidate alone."""

    scored: Sequence[ScoredDocument]
    dependent: bool = True
    titles: bool = True
    _made: dict[Place, Group] = field(default_factory=dict)

    def of(self, candidate: Candidate) -> Group:
        """The group of a candidate."""
        place = candidate.place
        if place not in self._made:
            self._made[place] = self._make(candidate)
        return self._made[place]

    def _make(self, candidate: Candidate) -> Group:
        place = candidate.place
        lean: Additions = {place: SpanReason.EVIDENCE}
        if not self.dependent:
            return Group(candidate, lean, lean)
        full: Additions = dict(lean)
        scored = self.scored[candidate.document]
        for found in dependencies(scored, candidate.segment):
            at = candidate.document, found.segment
            if found.required:
                lean[at] = found.reason
                full[at] = found.reason
            elif not (self.titles and is_title(scored, found.segment)):
                full[at] = found.reason
        if self.titles and not (scored.document.title or "").strip():
            first = candidate.document, 0
            if scored.segments[0].kind is Kind.HEADING and full.get(first) is not SpanReason.EVIDENCE:
                full[first] = SpanReason.TITLE
        return Group(candidate, lean, full)
