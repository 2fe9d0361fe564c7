"""Each need gets its best evidence before anything else is taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pith.render import Kept
from pith.report import NeedReport, Unfit
from pith.select.candidates import NAMES, Candidate
from pith.select.groups import Additions, Group, Groups
from pith.select.ledger import Ledger
from pith.types import ScoredDocument


@dataclass(frozen=True, slots=True)
class Need:
    """Something the context must hold: a need of the caller's (``asked``), a part of the question, or the question.

    ``column`` is where its score stands in ``Segment.scores``.
    """

    text: str
    column: int
    asked: bool


@dataclass(frozen=True, slots=True)
class Covered:
    """The ledger with the needs' evidence in it, the groups of those that are covered, in the order in which they
    were taken, and for every need the group of its best evidence (None: nothing reaches the threshold)."""

    ledger: Ledger
    taken: tuple[Group, ...]
    best: tuple[Group | None, ...]


def needs_of(query: str, texts: Sequence[str], *, asked: bool) -> tuple[Need, ...]:
    """The needs or parts of a request, or its query where there are none; scored in that order, the query first."""
    if not texts:
        return (Need(query, 0, False),)
    return tuple(Need(text, i, asked) for i, text in enumerate(texts, start=1))


def best_evidence(
    scored: Sequence[ScoredDocument], ranked: Iterable[Candidate], need: Need, threshold: float | None
) -> Candidate | None:
    """The candidate that answers the need best; a heading only when nothing else does."""
    least = 0.0 if threshold is None else threshold
    best: Candidate | None = None
    best_key = (False, -1.0)
    for candidate in ranked:
        segment = scored[candidate.document].segments[candidate.segment]
        score = segment.scores[need.column]
        if score >= least and (key := (segment.kind not in NAMES, score)) > best_key:
            best, best_key = candidate, key
    return best


def cover(ledger: Ledger, groups: Groups, best: Sequence[Candidate | None]) -> Covered:
    """Add the lean groups of as many needs' best evidence as fit.

    The order depends on prices alone: always the need that costs least next to those before it. As many as fit
    are taken from the first, so a larger budget covers what a smaller one covered, and more.
    """
    best_groups = tuple(None if candidate is None else groups.of(candidate) for candidate in best)
    waiting = [group for group in best_groups if group is not None]
    trial = ledger
    taken: list[Group] = []
    while waiting:
        open_ = [g for g in waiting if trial.opens(g.candidate.document)]
        if not open_:
            break
        cost, _, group = min(
            ((trial.cost(g.lean), i, g) for i, g in enumerate(open_)), key=lambda item: item[:2]
        )
        waiting.remove(group)
        tried = trial.copy()
        tried.add(group.lean, cost)
        if tried.settles():
            trial = tried
            taken.append(group)
        elif tried.size > tried.limit:
            break
    return Covered(trial, tuple(taken), best_groups)


def need_reports(
    scored: Sequence[ScoredDocument],
    needs: Sequence[Need],
    covered: Covered,
    kept: Kept,
    labels: Mapping[int, str],
) -> tuple[NeedReport, ...]:
    """What became of each need, in a context that holds ``kept`` with the documents' ``labels``."""
    reports = []
    for need, group in zip(needs, covered.best, strict=True):
        if group is None:
            reports.append(NeedReport(need.text, need.asked, False, 0.0, None, 0, "no_evidence"))
            continue
        place = group.candidate
        shown = group.lean.keys() <= kept.keys()
        reports.append(
            NeedReport(
                text=need.text,
                asked=need.asked,
                covered=shown,
                score=scored[place.document].segments[place.segment].scores[need.column],
                label=labels.get(place.document) if shown else None,
                tokens=covered.ledger.meter.measure(group.lean),
                reason="" if shown else "over_budget",
            )
        )
    return tuple(reports)


def unfit(needs: Sequence[Need], reports: Sequence[NeedReport], covered: Covered, limit: int) -> Unfit | None:
    """What is necessary and did not fit, and how the needs could be asked for in several calls; None if all fit."""
    missing = tuple(report.text for report in reports if report.reason == "over_budget")
    if not missing:
        return None
    found = [
        (need.text, group.lean) for need, group in zip(needs, covered.best, strict=True) if group is not None
    ]
    meter = covered.ledger.meter
    calls: list[list[str]] = []
    held: Additions = {}
    for text, lean in found:
        together = held | lean
        if calls and meter.measure(together) <= limit:
            calls[-1].append(text)
            held = together
        else:
            calls.append([text])
            held = dict(lean)
    everything: Additions = {}
    for _, lean in found:
        everything |= lean
    return Unfit(missing, meter.measure(everything), tuple(map(tuple, calls)))
