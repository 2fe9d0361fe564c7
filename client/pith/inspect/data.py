"""What the page shows, as JSON-able values. Texts come in pieces, so that the page needs no offsets of its own."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from pith.inspect.fates import Fate, Told, fates
from pith.report import Result
from pith.switches import Selection
from pith.types import ScoredDocument, Status

# Places that are listed as the evidence of a need.
_EVIDENCE = 3
_DIGITS = 6
_COUNTS = (
    "total",
    "kept",
    "context_tokens",
    "budget",
    "query_cut",
    "requests",
    "seconds",
    "model",
)


def page_data(
    result: Result, scored: Sequence[ScoredDocument], query: str, switches: Selection
) -> dict[str, Any]:
    """Everything of one request: the report, the columns of scores, the needs with their evidence, the documents."""
    told = fates(result, scored, switches)
    report = result.report
    return {
        "query": query,
        "context": result.context,
        "columns": _columns(result, scored, query),
        "threshold": report.threshold,
        "reason": report.reason,
        "totals": _totals(told, scored),
        "report": {name: getattr(report, name) for name in _COUNTS},
        "needs": _needs(result, scored, told),
        "unfit": None
        if report.unfit is None
        else {"missing": report.unfit.missing, "tokens": report.unfit.tokens},
        "conflicts": [
            {
                "kinds": conflict.kinds,
                "values": conflict.values,
                "places": [
                    [side.id or str(side.document), side.start] for side in (conflict.first, conflict.second)
                ],
            }
            for conflict in report.conflicts
        ],
        "documents": [
            _document(result, number, document, row)
            for number, (document, row) in enumerate(zip(scored, told, strict=True))
        ],
    }


def _columns(result: Result, scored: Sequence[ScoredDocument], query: str) -> list[str]:
    """What each of a segment's scores was given for: the query, then the needs or the parts of the question."""
    wanted = next((len(document.segments[0].scores) for document in scored if document.segments), 1)
    if wanted == 1:
        return [query]
    return [query, *(need.text for need in result.report.needs)]


def _totals(told: Sequence[Sequence[Told]], scored: Sequence[ScoredDocument]) -> dict[str, int]:
    """Tokens by fate."""
    totals = dict.fromkeys(map(str, Fate), 0)
    for document, row in zip(scored, told, strict=True):
        for segment, one in zip(document.segments, row, strict=True):
            totals[one.fate] += segment.tokens
    return totals


def _needs(
    result: Result, scored: Sequence[ScoredDocument], told: Sequence[Sequence[Told]]
) -> list[dict[str, Any]]:
    """The needs (or parts, or the query) with the places that answer each best and are shown as evidence."""
    needs = result.report.needs
    several = any(len(document.segments[0].scores) > 1 for document in scored if document.segments)
    out = []
    for number, need in enumerate(needs, start=1):
        column = number if several else 0
        shown = [
            (segment.scores[column], -i, -j)
            for i, document in enumerate(scored)
            for j, segment in enumerate(document.segments)
            if told[i][j].reason == "evidence" and segment.scores[column] >= (result.report.threshold or 0.0)
        ]
        out.append(
            {
                "text": need.text,
                "asked": need.asked,
                "covered": need.covered,
                "score": need.score,
                "label": need.label,
                "reason": need.reason,
                "tokens": need.tokens,
                "column": column,
                "evidence": [
                    {"place": [-i, -j], "score": round(score, _DIGITS), "text": scored[-i].text_of(-j)}
                    for score, i, j in sorted(shown, reverse=True)[:_EVIDENCE]
                ],
            }
        )
    return out


_OF_DOCUMENT = attrgetter("id", "title", "url", "version", "start")


def _document(result: Result, number: int, scored: ScoredDocument, row: Sequence[Told]) -> dict[str, Any]:
    report = result.report.documents[number]
    identity, title, url, version, start = _OF_DOCUMENT(scored.document)
    text = scored.document.text
    segments: list[dict[str, Any]] = []
    end = 0
    for segment, told in zip(scored.segments, row, strict=True):
        segments.append(
            {
                "gap": text[end : segment.start],
                "text": text[segment.start : segment.end],
                "start": segment.start,
                "end": segment.end,
                "kind": segment.kind.name.lower(),
                "scores": [round(score, _DIGITS) for score in segment.scores],
                "tokens": segment.tokens,
                "parent": segment.parent,
                "fate": told.fate,
                "shown": told.reason,
                "same": told.same_as,
            }
        )
        end = segment.end
    return {
        "id": identity,
        "title": title,
        "url": url,
        "version": version,
        "start": start,
        "index": report.index,
        "chunks": report.chunks,
        "label": report.label,
        "status": Status(report.status).name.lower(),
        "reason": report.reason,
        "relevance": report.relevance,
        "total": report.total,
        "kept": report.kept,
        "unscored": report.unscored,
        "segments": segments,
        # What no segment holds: the white space at the end, or all of a document without segments.
        "rest": text[end:] if scored.document.allowed else "",
    }
