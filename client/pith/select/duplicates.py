"""The same thing said twice is kept once; almost the same thing with another number is a conflict."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pith.select.candidates import Candidate
from pith.select.guards import KINDS, Differences, Signature, differences, signature
from pith.select.normal import normalised, wide_letters
from pith.select.openings import points_back
from pith.select.similarity import near_pairs
from pith.select.wording import same_words
from pith.types import Kind, ScoredDocument

# From here on two sentences with equal guards say the same; judged on rewordings in ten languages.
_SAME = 0.72
# From here on two sentences are about the same, so that other guards contradict.
_ALIKE = 0.5
# Texts below these mean something only in their place: "Yes.", "30 days".
_LEAST_WORDS, _LEAST_WIDE = 4, 10
_VALUES = frozenset({"number", "unit", "date", "version"})
_IN_PLACE = frozenset({Kind.TABLE_ROW, Kind.LIST_ITEM})

Duplicated = tuple[Candidate, Candidate, bool, float]
Conflicting = tuple[Candidate, Candidate, tuple[str, ...], tuple[tuple[str, ...], tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Deduplicated:
    """``kept`` in the order given; ``duplicates``: (kept, dropped, exact, similarity); ``conflicts``: (first, second,
    kinds, values of each)."""

    kept: list[Candidate]
    duplicates: list[Duplicated]
    conflicts: list[Conflicting]


def deduplicate(
    scored: Sequence[ScoredDocument],
    ranked: Sequence[Candidate],
    *,
    exact: bool = True,
    near: bool = True,
    texts: Texts | None = None,
) -> Deduplicated:
    """Drop each candidate that says what one before it says; ``ranked`` is best first.

    Exact: the same text but for layout, typography and letter case. Near: alike in wording, with equal numbers,
    units, dates, negations, conditions, versions and scope words. What means something only in its place (rows, list
    items, short texts and those that open with a pronoun) must have the same header, lead-in or heading too, and
    titles and headings must not name different versions or models. Two that are alike and differ in one of these
    words stay both and are a conflict, unless they stand under one parent, which lists and does not contradict.
    """
    texts = texts or Texts(scored)
    kept: list[Candidate] = []
    duplicates: list[Duplicated] = []
    first_of: dict[tuple[Kind, str], list[Candidate]] = {}
    for candidate in ranked:
        others = first_of.setdefault((texts.kind(candidate), texts.normal(candidate)), [])
        original = next((c for c in others if texts.same(c, candidate)), None) if exact else None
        if original is None:
            others.append(candidate)
            kept.append(candidate)
        else:
            duplicates.append((original, candidate, True, 1.0))
    if not near:
        return Deduplicated(kept, duplicates, [])

    dropped: dict[int, int] = {}
    conflicts: list[Conflicting] = []
    for i, j, similarity in near_pairs([texts.normal(candidate) for candidate in kept], _ALIKE):
        if i in dropped or j in dropped:
            continue
        a, b = kept[i], kept[j]
        if texts.kind(a) is not texts.kind(b) or texts.kind(a) is Kind.CODE:
            continue
        differ = differences(texts.signature(a), texts.signature(b))
        if not differ:
            alike = similarity >= _SAME and same_words(texts.normal(a), texts.normal(b))
            if alike and texts.in_like_places(a, b):
                dropped[j] = i
                duplicates.append((a, b, False, round(similarity, 4)))
        elif texts.kind(a) is not Kind.HEADING and not texts.one_list(a, b):
            kinds = tuple(kind for kind in KINDS if kind in differ and _contradicts(kind, differ))
            if kinds:
                conflicts.append((a, b, kinds, (_only(differ, kinds, 0), _only(differ, kinds, 1))))
    conflicts = [item for item in conflicts if not {item[0], item[1]} & {kept[j] for j in dropped}]
    return Deduplicated([c for j, c in enumerate(kept) if j not in dropped], duplicates, conflicts)


def _contradicts(kind: str, differ: Differences) -> bool:
    """Whether a difference is more than an addition: a number that only one side has contradicts nothing."""
    return kind not in _VALUES or bool(_only(differ, (kind,), 0) and _only(differ, (kind,), 1))


def _only(differ: Differences, kinds: Sequence[str], side: int) -> tuple[str, ...]:
    """What one side says and the other does not."""
    left = (Counter(differ[kind][side]) - Counter(differ[kind][1 - side]) for kind in kinds)
    return tuple(value for values in left for value in values.elements())


class Texts:
    """What candidates are compared by, each made once; may be shared by several calls on the same documents."""

    def __init__(self, scored: Sequence[ScoredDocument]) -> None:
        self.scored = scored
        self._normals: dict[tuple[int, int], str] = {}
        self._signatures: dict[tuple[int, int], Signature] = {}
        self._frames: dict[tuple[int, int | None], tuple[str, ...]] = {}

    def kind(self, candidate: Candidate) -> Kind:
        return self.scored[candidate.document].segments[candidate.segment].kind

    def text(self, candidate: Candidate) -> str:
        return self.scored[candidate.document].text_of(candidate.segment)

    def normal(self, candidate: Candidate) -> str:
        return self._normal(candidate.document, candidate.segment)

    def signature(self, candidate: Candidate) -> Signature:
        place = candidate.place
        if place not in self._signatures:
            self._signatures[place] = signature(self.text(candidate))
        return self._signatures[place]

    def same(self, a: Candidate, b: Candidate) -> bool:
        """Whether two of one normal form are the same text; where units tell, letter case does (mW and MW)."""
        one, other = self.text(a), self.text(b)
        if one != other and _DIGIT.search(one) and self.signature(a) != self.signature(b):
            return False
        return self.in_like_places(a, b)

    def in_like_places(self, a: Candidate, b: Candidate) -> bool:
        """Whether equal words mean the same where the two stand."""
        return self._place(a) == self._place(b) and self._may_agree(a, b)

    def _place(self, candidate: Candidate) -> tuple[str, ...]:
        """What gives a text its meaning from outside, where it needs that; () where it stands for itself."""
        document, segment = candidate.place
        own = self.scored[document].segments[segment]
        if own.kind in _IN_PLACE:
            return () if own.parent is None else (self._normal(document, own.parent),)
        if own.kind is not Kind.SENTENCE or not self._leans(candidate):
            return ()
        above = "" if own.parent is None else self._normal(document, own.parent)
        before = self._normal(document, segment - 1) if segment else ""
        title = normalised(self.scored[document].document.title or "")
        return (above or before or title,)

    def _may_agree(self, a: Candidate, b: Candidate) -> bool:
        """Whether titles and headings of the two leave it open that they speak of the same version or model."""
        one, other = (self._frame(c.document, self._parent(c)) for c in (a, b))
        return not one or not other or one == other

    def one_list(self, a: Candidate, b: Candidate) -> bool:
        """Whether the two are rows of one table, items of one list or sentences of one section."""
        return a.document == b.document and self._parent(a) == self._parent(b)

    def _leans(self, candidate: Candidate) -> bool:
        text = self.text(candidate)
        wide = wide_letters(text)
        short = wide < _LEAST_WIDE if wide else len(text.split()) < _LEAST_WORDS
        return short or points_back(text[:60])

    def _frame(self, document: int, parent: int | None) -> tuple[str, ...]:
        """The versions, codes and numbers in the title and the headings above; few have any."""
        key = document, parent
        if key not in self._frames:
            scored = self.scored[document]
            texts = [scored.document.title or ""]
            at = parent
            while at is not None:
                if scored.segments[at].kind is Kind.HEADING:
                    texts.append(_SECTION_NUMBER.sub("", scored.text_of(at)))
                at = scored.segments[at].parent
            named: set[str] = set()
            for text in filter(_NAMING.search, texts):
                marks = signature(text)
                named.update((*marks.version, *marks.number, *marks.date))
            self._frames[key] = tuple(sorted(named))
        return self._frames[key]

    def _parent(self, candidate: Candidate) -> int | None:
        return self.scored[candidate.document].segments[candidate.segment].parent

    def _normal(self, document: int, segment: int) -> str:
        place = document, segment
        if place not in self._normals:
            self._normals[place] = normalised(self.scored[document].text_of(segment))
        return self._normals[place]


_DIGIT = re.compile(r"\d")
# Without a digit or a word in capitals a title names no version or model.
_NAMING = re.compile(r"\d|\b[A-Z]{1,6}\b")
# "4.2 Claims" numbers the section and names no version.
_SECTION_NUMBER = re.compile(r"^[\s#]*(?:§|\d+(?:\.\d+)*[.)]?)\s+")
