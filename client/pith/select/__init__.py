"""From scored documents to the context: each step is a module that can be used alone and switched off.

candidates → pool (duplicates, conflicts) → groups (dependencies) → coverage → marginal relevance → fit → order
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import numpy as np

from pith.budget import Budget, read_budget
from pith.inputs import read_selection
from pith.render import Place, context, snippets
from pith.report import Report, Result
from pith.select.account import account, why_empty
from pith.select.candidates import Candidate, candidates
from pith.select.coverage import best_evidence, cover, need_reports, needs_of, unfit
from pith.select.duplicates import Texts
from pith.select.fit import fill
from pith.select.groups import Groups
from pith.select.ledger import Ledger
from pith.select.meter import meter_for
from pith.select.mmr import mmr_order
from pith.select.order import block_order, ranking
from pith.select.pool import address, conflicts_of, copies_behind, duplicates_of, pool
from pith.select.similarity import similarity_matrix
from pith.switches import Selection, Switches
from pith.types import Address, ScoredDocument

__all__ = ["choose", "select_evidence"]

# A pool of so many times the budget leaves room for what is passed over because it does not fit.
_POOL = 1.1
# The lambda of marginal relevance where several things are asked.
_SEVERAL = 0.7
# Candidates that are compared with each other for it; those behind them follow by score.
_COMPARED = 512


def select_evidence(
    scored: Sequence[ScoredDocument],
    *,
    budget: str | int | Budget,
    threshold: float | None,
    needs: Sequence[str] = (),
    query: str = "",
    **switches: Unpack[Switches],
) -> Result:
    """Choose from documents that are scored already; many budgets and thresholds can share one scoring.

    ``threshold`` is the least score that counts as evidence (None: all do). ``needs`` must be those that the
    documents were scored with; ``query`` only names the question in the report. The switches are those of
    :class:`~pith.switches.Selection`; what concerns the scoring (``split_question``) has no effect here. The
    report's fields on the call itself (requests, seconds) stay empty.
    """
    return choose(
        scored,
        budget=read_budget(budget),
        threshold=threshold,
        texts=needs,
        asked=True,
        query=query,
        switches=read_selection(**switches),
    )


def choose(
    scored: Sequence[ScoredDocument],
    *,
    budget: Budget,
    threshold: float | None,
    texts: Sequence[str],
    asked: bool,
    query: str,
    switches: Selection,
) -> Result:
    """The selection with checked options. ``texts`` are needs, or (not ``asked``) parts of a split question."""
    titles = switches.always_keep_title
    passed = candidates(scored, threshold, names=not switches.dependencies, titles=not titles)
    needs = needs_of(query, texts, asked=asked)
    groups = Groups(scored, switches.dependencies, titles)
    compared = Texts(scored)
    best = [best_evidence(scored, passed, need, threshold) for need in needs]
    weight = switches.diversity
    if weight is None:
        weight = _SEVERAL if len(needs) > 1 else 1.0
    enough = int(_POOL * budget.tokens)
    while True:
        seen = pool(compared, passed, best, enough, budget.tokens, switches)
        order = block_order(scored, switches.order, seen.best)
        most_labels = len({c.document for c in (*seen.ranked, *seen.best) if c is not None})
        meter = meter_for(budget, scored, most_labels, titles=titles, order=order)
        empty = Ledger(meter, budget.tokens, switches.per_document_tokens, switches.max_documents)
        covered = cover(empty, groups, seen.best)
        taken = [group.candidate for group in covered.taken]
        rest = _in_turn(compared, seen.ranked, set(taken), weight)
        ledger = fill(covered.ledger, groups, [*taken, *rest])
        # Where all that was looked at fits there is room for more.
        if not seen.behind or any(candidate.place not in ledger.kept for candidate in seen.ranked):
            break
        enough *= 4

    kept = ledger.kept
    shown = [c for c in dict.fromkeys((*seen.ranked, *seen.best)) if c is not None and c.place in kept]
    copies = [(original, copy) for original, copy, _, _ in seen.found.duplicates]
    if switches.duplicates:
        copies += copies_behind(compared, seen, shown)
    also_in: dict[Place, list[Address]] = {}
    for original, copy in copies:
        if copy.place not in kept:
            also_in.setdefault(original.place, []).append(address(scored, copy.place))
    blocks = snippets(scored, kept, order=order, also_in=also_in)
    with_block = {document for document, _ in kept}
    labels = dict(zip((i for i in order if i in with_block), (b.label for b in blocks), strict=True))
    told = account(
        scored,
        kept=kept,
        passed=passed,
        duplicates=[copy for _, copy in copies],
        closed=[i for i in range(len(scored)) if not ledger.opens(i)],
        labels=labels,
    )
    reports = need_reports(scored, needs, covered, kept, labels)
    report = Report(
        total=told.total("total"),
        kept=told.total("kept"),
        added=told.added,
        below_threshold=told.total("below_threshold"),
        duplicate=told.total("duplicate"),
        over_documents=told.total("over_documents"),
        over_budget=told.total("over_budget"),
        unscored=told.total("unscored"),
        context_tokens=ledger.size if kept else 0,
        budget=budget.tokens,
        threshold=threshold,
        reason=None if kept else why_empty(scored, passed),
        documents=told.documents,
        needs=reports,
        uncovered_needs=tuple(r.text for r in reports if r.asked and r.reason == "no_evidence"),
        unfit=unfit(needs, reports, covered, budget.tokens),
        duplicates=duplicates_of(scored, seen),
        conflicts=conflicts_of(scored, seen, needs, query, threshold),
        ranking=ranking(scored),
    )
    return Result(blocks, context(blocks, titles=titles), report)


def _in_turn(
    compared: Texts, ranked: Sequence[Candidate], taken: set[Candidate], weight: float
) -> list[Candidate]:
    """The candidates that are not taken yet, in the order in which they get their chance."""
    if weight == 1.0:
        return [candidate for candidate in ranked if candidate not in taken]
    near = ranked[:_COMPARED]
    similarity = similarity_matrix([compared.normal(candidate) for candidate in near])
    relevance = np.array([candidate.score for candidate in near])
    chosen = [i for i, candidate in enumerate(near) if candidate in taken]
    turns = mmr_order(relevance, similarity, weight, chosen)
    behind = [candidate for candidate in ranked[_COMPARED:] if candidate not in taken]
    return [near[i] for i in turns] + behind
