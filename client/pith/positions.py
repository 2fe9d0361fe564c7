"""Positions in the caller's list, where chunks were joined and the list became shorter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pith.report import Conflict, Duplicate, Result
from pith.types import Address


def renumbered(result: Result, positions: Sequence[tuple[int, ...]]) -> Result:
    """The result with every document named by the position of its first chunk in the caller's list.

    ``positions[i]`` holds the caller's positions of the chunks that document i was joined from, in the order of the
    source; a document that is no chunk has one.
    """
    if all(chunks == (i,) for i, chunks in enumerate(positions)):
        return result
    place = [min(chunks) for chunks in positions]

    def moved(address: Address) -> Address:
        return replace(address, document=place[address.document])

    def moved_duplicate(found: Duplicate) -> Duplicate:
        return replace(found, kept=moved(found.kept), dropped=moved(found.dropped))

    def moved_conflict(found: Conflict) -> Conflict:
        return replace(found, first=moved(found.first), second=moved(found.second))

    report = result.report
    return replace(
        result,
        snippets=tuple(replace(s, also_in=tuple(map(moved, s.also_in))) for s in result.snippets),
        report=replace(
            report,
            documents=tuple(
                replace(
                    told,
                    index=place[told.index],
                    chunks=positions[told.index] if len(positions[told.index]) > 1 else (),
                )
                for told in report.documents
            ),
            duplicates=tuple(map(moved_duplicate, report.duplicates)),
            conflicts=tuple(map(moved_conflict, report.conflicts)),
            ranking=tuple(place[i] for i in report.ranking),
        ),
    )
