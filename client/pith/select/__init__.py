"""From scored documents to what is kept: each step takes candidates and says which go on and which do not."""

from __future__ import annotations

from collections.abc import Sequence

from pith.budget import Budget, read_budget
from pith.render import context, snippets
from pith.report import Result
from pith.select.account import account
from pith.select.candidates import candidates, places
from pith.select.fit import fit
from pith.select.meter import meter_for
from pith.select.threshold import above, uncovered_needs
from pith.types import ScoredDocument

__all__ = ["select_evidence"]


def select_evidence(
    scored: Sequence[ScoredDocument],
    *,
    budget: str | int | Budget,
    threshold: float | None,
    needs: Sequence[str] = (),
) -> Result:
    """Choose from documents that are scored already; many budgets and thresholds can share one scoring.

    Segments at or above ``threshold`` (None: all of them) are taken best score first while they fit the
    budget, and are shown in the order of the documents and their text. ``needs`` must be those that the
    documents were scored with. The report's fields on the call itself (requests, seconds) stay empty.
    """
    limit = read_budget(budget)
    passed, below = above(candidates(scored), threshold)
    meter = meter_for(limit, scored, passed)
    kept, over = fit(passed, meter, limit.tokens)
    blocks = snippets(scored, places(kept))
    report = account(
        scored,
        blocks=blocks,
        kept=kept,
        below_threshold=below,
        over_budget=over,
        context_tokens=meter.measure(kept) if kept else 0,
        budget=limit.tokens,
        threshold=threshold,
        uncovered_needs=uncovered_needs(scored, needs, threshold),
    )
    return Result(blocks, context(blocks), report)
