"""The budget: the best candidates that fit, by what the whole context costs."""

from __future__ import annotations

from collections.abc import Sequence

from pith.select.candidates import Candidate
from pith.select.meter import Meter

# Rounds of filling up what the estimates left over; each costs one count of the whole context, or about
# log2(n) counts where an estimate was too low.
_ROUNDS = 4


def fit(ranked: Sequence[Candidate], meter: Meter, limit: int) -> tuple[list[Candidate], list[Candidate]]:
    """Those that are kept and those that are over the budget, both in the order of ``ranked``.

    Candidates are taken in order; one that does not fit is passed over. Prices are estimates, so what is
    kept is measured as a whole: where it is too much the last ones taken are dropped until it fits, where
    it leaves room the others get another chance. ``meter.measure`` of what is kept never exceeds ``limit``.
    """
    rank = {candidate: i for i, candidate in enumerate(ranked)}
    kept: list[Candidate] = []
    size = meter.base
    waiting = list(ranked)
    for _ in range(_ROUNDS):
        taken, waiting = _take(waiting, kept, meter, limit - size)
        if not taken:
            break
        fitting, size = _longest_fit(kept, size, taken, meter, limit)
        kept += taken[:fitting]
        # The first that was too much does not fit; those after it may.
        waiting = sorted(taken[fitting + 1 :] + waiting, key=rank.__getitem__)
    chosen = set(kept)
    return [c for c in ranked if c in chosen], [c for c in ranked if c not in chosen]


def _take(
    waiting: Sequence[Candidate], kept: Sequence[Candidate], meter: Meter, room: int
) -> tuple[list[Candidate], list[Candidate]]:
    """Split ``waiting`` by estimate into those that fit into ``room`` more tokens and the others."""
    shown = {candidate.document for candidate in kept}
    headers: dict[int, int] = {}
    taken: list[Candidate] = []
    passed_over: list[Candidate] = []
    for i, candidate in enumerate(waiting):
        if room <= 0:
            passed_over += waiting[i:]
            break
        document = candidate.document
        if document in shown:
            extra = meter.join
        else:
            if document not in headers:
                headers[document] = meter.header(document)
            extra = headers[document] + (meter.between if shown else 0)
        # The cheap part first: a counter is not asked about a text whose header alone does not fit.
        if extra > room or (cost := extra + meter.price(candidate)) > room:
            passed_over.append(candidate)
            continue
        taken.append(candidate)
        shown.add(document)
        room -= cost
    return taken, passed_over


def _longest_fit(
    kept: Sequence[Candidate], size: int, taken: Sequence[Candidate], meter: Meter, limit: int
) -> tuple[int, int]:
    """How many of ``taken``, from the first, fit next to ``kept``, and the size that this has.

    ``size`` is that of ``kept``. Only what has been measured is said to fit.
    """
    whole = meter.measure([*kept, *taken])
    if whole <= limit:
        return len(taken), whole
    fits, too_many = 0, len(taken)
    while too_many - fits > 1:
        middle = (fits + too_many) // 2
        measured = meter.measure([*kept, *taken[:middle]])
        if measured <= limit:
            fits, size = middle, measured
        else:
            too_many = middle
    return fits, size
