"""The budget: what fits, best first, by what the whole context costs."""

from __future__ import annotations

from collections.abc import Sequence

from pith.select.candidates import Candidate
from pith.select.groups import Additions, Groups
from pith.select.ledger import Ledger
from pith.types import SpanReason

# Rounds of filling up what the estimates left over; each costs one count of the whole context, or about
# log2(n) counts where an estimate was too low.
_ROUNDS = 4


def fill(ledger: Ledger, groups: Groups, candidates: Sequence[Candidate]) -> Ledger:
    """The ledger with the group of every candidate, in order, that fits: with its background if there is room for it.

    A group that does not fit is passed over, and a smaller one after it may still fit. Prices are estimates, so
    what is kept is measured as a whole: where it is too much the last ones taken are dropped until it fits, where
    it leaves room the others get another chance. Only what has been measured is said to fit. What ``ledger``
    holds already is never dropped.
    """
    waiting = list(range(len(candidates)))
    for _ in range(_ROUNDS):
        trial = ledger.copy()
        taken: list[tuple[int, Additions]] = []
        passed_over: list[int] = []
        for number in waiting:
            chosen = _take(trial, groups, candidates[number])
            if chosen is None:
                passed_over.append(number)
            elif chosen:
                taken.append((number, chosen))
        if not taken:
            break
        ledger, fitting = _longest_fit(ledger, trial, [additions for _, additions in taken])
        # The first that was too much does not fit; those after it may.
        waiting = sorted(passed_over + [number for number, _ in taken[fitting + 1 :]])
    return ledger


def _take(trial: Ledger, groups: Groups, candidate: Candidate) -> Additions | None:
    """Add what fits of a group and return it: {} when it was all there, None when it does not fit."""
    # Most of what is left when the budget is nearly full does not fit by itself; nothing need be made of it.
    alone: Additions = {candidate.place: SpanReason.EVIDENCE}
    if not trial.fits(alone, trial.cost(alone)):
        return None
    group = groups.of(candidate)
    for additions in (group.full, group.lean):
        cost = trial.cost(additions)
        if trial.fits(additions, cost):
            new = {
                place: reason
                for place, reason in additions.items()
                if place not in trial.kept
                or (reason is SpanReason.EVIDENCE and trial.kept[place] is not reason)
            }
            trial.add(additions, cost)
            return new
        if additions is group.full and group.full.keys() == group.lean.keys():
            return None
    return None


def _longest_fit(ledger: Ledger, trial: Ledger, taken: Sequence[Additions]) -> tuple[Ledger, int]:
    """The ledger with as many of ``taken``, from the first, as fit, and how many these are."""
    if trial.settles():
        return trial, len(taken)
    fits, too_many = 0, len(taken)
    best = ledger
    while too_many - fits > 1:
        middle = (fits + too_many) // 2
        some = ledger.copy()
        for additions in taken[:middle]:
            some.add(additions, some.cost(additions))
        if some.settles():
            fits, best = middle, some
        else:
            too_many = middle
    return best, fits
