"""The candidates worth looking at: without duplicates, and only as many as could fill the budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pith.render import Place
from pith.report import Conflict, Duplicate
from pith.select.candidates import Candidate
from pith.select.coverage import Need
from pith.select.duplicates import Deduplicated, Duplicated, Texts, deduplicate
from pith.switches import Selection
from pith.types import Address, ScoredDocument

# A pool has at least so many, where there are so many.
_LEAST = 32


@dataclass(frozen=True, slots=True)
class Pool:
    """``ranked``: best first, each thing once. ``best``: what answers each need best, by what stands for it where it
    is a duplicate. ``found``: the duplicates and conflicts. ``behind``: candidates that were not looked at."""

    ranked: tuple[Candidate, ...]
    best: tuple[Candidate | None, ...]
    found: Deduplicated
    behind: tuple[Candidate, ...]


def pool(
    texts: Texts,
    passed: Sequence[Candidate],
    best: Sequence[Candidate | None],
    enough: int,
    largest: int,
    switches: Selection,
) -> Pool:
    """The best of ``passed`` (in order) that hold ``enough`` tokens without duplicates, and ``best`` of each need.

    Candidates of more than ``largest`` tokens can hardly be kept and do not count towards ``enough``.
    Where the pool ends depends on what it holds and not on how many duplicates lie in between, so that a further
    copy of something changes nothing.
    """
    # A beginning: what would be enough if a sixteenth were duplicates.
    end = _enough(passed, enough + enough // 16, largest, 2 * _LEAST) or len(passed)
    while True:
        found = _without_duplicates(texts, passed[:end], switches)
        full = _enough(found.kept, enough, largest, _LEAST)
        if full is not None or end == len(passed):
            break
        end = min(len(passed), 2 * end)
    kept = found.kept[:full]
    cut = end if full is None else passed.index(kept[-1]) + 1
    seen = set(passed[:cut])
    if full is not None:
        found = Deduplicated(
            kept,
            [item for item in found.duplicates if item[1] in seen],
            [item for item in found.conflicts if item[0] in seen and item[1] in seen],
        )
    extra = list(dict.fromkeys(c for c in best if c is not None and c not in seen))
    if extra:
        again = _without_duplicates(texts, [*kept, *extra], switches)
        conflicts = dict.fromkeys((*found.conflicts, *again.conflicts))
        found = Deduplicated(again.kept, found.duplicates + again.duplicates, list(conflicts))
    found = _elected(texts.scored, found)
    kept = found.kept[: len(kept)]
    stands_for = {dropped: original for original, dropped, _, _ in found.duplicates}
    looked_at = set(extra)
    behind = tuple(c for c in passed[cut:] if c not in looked_at) if looked_at else tuple(passed[cut:])
    return Pool(
        tuple(kept),
        tuple(c if c is None else stands_for.get(c, c) for c in best),
        found,
        behind,
    )


def copies_behind(texts: Texts, pool: Pool, shown: Sequence[Candidate]) -> list[tuple[Candidate, Candidate]]:
    """(shown, copy) for what was not looked at and holds the very text of something shown."""
    by_text = {texts.text(candidate): candidate for candidate in shown}
    alike = [candidate for candidate in pool.behind if texts.text(candidate) in by_text]
    if not alike:
        return []
    originals = list(dict.fromkeys(by_text[texts.text(candidate)] for candidate in alike))
    found = deduplicate(texts.scored, [*originals, *alike], near=False, texts=texts).duplicates
    places = set(originals)
    return [(original, copy) for original, copy, _, _ in found if original in places and copy not in places]


def _enough(ranked: Sequence[Candidate], enough: int, largest: int, least: int) -> int | None:
    """How many candidates from the first hold ``enough`` tokens, ``least`` at the least; None when all do not."""
    tokens = 0
    for i, candidate in enumerate(ranked, start=1):
        tokens += candidate.tokens if candidate.tokens <= largest else 0
        if tokens >= enough and i >= least:
            return i
    return None


def _without_duplicates(texts: Texts, ranked: Sequence[Candidate], switches: Selection) -> Deduplicated:
    exact, near = switches.duplicates, switches.near_duplicates
    if exact or near:
        return deduplicate(texts.scored, ranked, exact=exact, near=near, texts=texts)
    return Deduplicated(list(ranked), [], [])


def _elected(scored: Sequence[ScoredDocument], found: Deduplicated) -> Deduplicated:
    """Of several places of the very same text the one in the shortest document stands for all.

    It is the source that is about this: a rule's own page rather than the handbook that repeats it, which is then
    shown only for what it adds. Its rank is that of the best copy. Equal lengths: the best copy itself.
    """
    copies: dict[Candidate, list[Candidate]] = {}
    for original, dropped, exact, _ in found.duplicates:
        if exact:
            copies.setdefault(original, [original]).append(dropped)
    elected = {
        original: min(group, key=lambda c: len(scored[c.document].document.text))
        for original, group in copies.items()
    }
    stands = {candidate: elected[original] for original, group in copies.items() for candidate in group}
    duplicates: list[Duplicated] = [
        (stands.get(original, original), dropped, exact, similarity)
        for original, dropped, exact, similarity in found.duplicates
        if not exact
    ]
    duplicates += [
        (elected[original], candidate, True, 1.0)
        for original, group in copies.items()
        for candidate in group
        if candidate != elected[original]
    ]
    conflicts = [
        (stands.get(first, first), stands.get(second, second), kinds, values)
        for first, second, kinds, values in found.conflicts
    ]
    return Deduplicated([stands.get(c, c) for c in found.kept], duplicates, conflicts)


def duplicates_of(scored: Sequence[ScoredDocument], pool: Pool) -> tuple[Duplicate, ...]:
    """The duplicates for the report, in the order in which they were found."""
    return tuple(
        Duplicate(address(scored, kept.place), address(scored, dropped.place), exact, similarity)
        for kept, dropped, exact, similarity in pool.found.duplicates
    )


def conflicts_of(
    scored: Sequence[ScoredDocument], pool: Pool, needs: Sequence[Need], query: str, threshold: float | None
) -> tuple[Conflict, ...]:
    """Those conflicts whose two sides answer the same need, or the query."""
    least = 0.0 if threshold is None else threshold
    columns = {need.column: need.text for need in needs} | {0: query}
    found = []
    for first, second, kinds, values in pool.found.conflicts:
        one, other = (scored[c.document].segments[c.segment].scores for c in (first, second))
        both = [column for column in columns if one[column] >= least and other[column] >= least]
        if both:
            column = max(both, key=lambda column: min(one[column], other[column]))
            places = address(scored, first.place), address(scored, second.place)
            found.append(Conflict(*places, kinds, values, columns[column]))
    return tuple(found)


def address(scored: Sequence[ScoredDocument], place: Place) -> Address:
    """The address of a segment."""
    document, segment = place
    source, own = scored[document].document, scored[document].segments[segment]
    return Address(document, source.id, source.url, source.version, own.start, own.end)
