"""What became of every segment: kept and as what, or dropped and why. Adds up to the counts of the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pith.render import Place
from pith.report import Result
from pith.select.candidates import candidates
from pith.switches import Selection
from pith.types import Address, ScoredDocument, SpanReason


class Fate(StrEnum):
    """``NAME``: a heading, table header or title that reaches the threshold and is no evidence by itself; the report
    counts it as below the threshold. ``UNREAD``: a limit was hit before the model read it; counted likewise."""

    KEPT = "kept"
    BELOW_THRESHOLD = "below_threshold"
    NAME = "name"
    UNREAD = "unread"
    DUPLICATE = "duplicate"
    OVER_DOCUMENTS = "over_documents"
    OVER_BUDGET = "over_budget"


@dataclass(frozen=True, slots=True)
class Told:
    """A segment's fate. ``reason`` is why it is shown; ``same_as`` the place that says the same in its stead."""

    fate: Fate
    reason: SpanReason | None = None
    same_as: Place | None = None


def fates(result: Result, scored: Sequence[ScoredDocument], switches: Selection) -> list[list[Told]]:
    """The fate of each segment of each document. ``scored`` and ``switches`` must be those of the result."""
    kept = _kept(result, scored)
    copies = _copies(result, scored)
    passed = {
        candidate.place
        for candidate in candidates(
            scored,
            result.report.threshold,
            names=not switches.dependencies,
            titles=not switches.always_keep_title,
        )
    }
    least = result.report.threshold or 0.0
    told: list[list[Told]] = []
    for i, (document, counts) in enumerate(zip(scored, result.report.documents, strict=True)):
        beyond = Fate.OVER_DOCUMENTS if counts.over_documents else Fate.OVER_BUDGET
        row: list[Told] = []
        for j, segment in enumerate(document.segments):
            if (i, j) in kept:
                row.append(Told(Fate.KEPT, kept[i, j]))
            elif (i, j) in copies:
                row.append(Told(Fate.DUPLICATE, same_as=copies[i, j]))
            elif (i, j) in passed:
                row.append(Told(beyond))
            elif counts.unscored and segment.score == 0.0:
                row.append(Told(Fate.UNREAD))
            else:
                row.append(Told(Fate.NAME if segment.score >= least else Fate.BELOW_THRESHOLD))
        told.append(row)
    return told


def _kept(result: Result, scored: Sequence[ScoredDocument]) -> dict[Place, SpanReason]:
    """What is shown, and why. A span of the section holds the words of a heading alone, so overlap decides."""
    by_label = {told.label: i for i, told in enumerate(result.report.documents) if told.label is not None}
    kept: dict[Place, SpanReason] = {}
    for snippet in result.snippets:
        number = by_label[snippet.label]
        spans = sorted((*snippet.section, *snippet.spans), key=lambda span: span.start)
        at = 0
        for j, segment in enumerate(scored[number].segments):
            while at < len(spans) and spans[at].end <= segment.start:
                at += 1
            if at < len(spans) and spans[at].start < segment.end:
                kept[number, j] = spans[at].reason
    return kept


def _copies(result: Result, scored: Sequence[ScoredDocument]) -> dict[Place, Place | None]:
    """What was dropped as a duplicate, and the place that stands for it."""
    number = {told.index: i for i, told in enumerate(result.report.documents)}
    starts = [{segment.start: j for j, segment in enumerate(document.segments)} for document in scored]

    def place(address: Address) -> Place:
        document = number[address.document]
        return document, starts[document][address.start]

    copies: dict[Place, Place | None] = {}
    for snippet in result.snippets:
        copies.update((place(address), None) for address in snippet.also_in)
    copies.update((place(found.dropped), place(found.kept)) for found in result.report.duplicates)
    return copies
