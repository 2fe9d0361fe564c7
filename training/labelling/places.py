"""Where a quote occurs as a whole: not inside a word, a number or a decomposed letter."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from training.labelling.skeleton import Skeleton

Occurrence = tuple[int, int]

# Scripts whose words are written without spaces between them, or with endings joined on: a boundary between two
# letters of these is no sign of a cut word. Names are the first words of the Unicode character names.
_JOINED = frozenset(
    {
        "CJK",
        "HIRAGANA",
        "KATAKANA",
        "KATAKANA-HIRAGANA",
        "HANGUL",
        "THAI",
        "LAO",
        "KHMER",
        "MYANMAR",
        "TIBETAN",
    }
)
_SIGNS = frozenset("-−–+±")
_POINTS = frozenset(".,")


def occurrences(text: str, source: Skeleton, needle: str) -> list[Occurrence]:
    """Offsets `[start, end)` in `text` of the disjoint whole occurrences of `needle` in its skeleton, in order."""
    found: list[Occurrence] = []
    at = source.text.find(needle)
    while at >= 0:
        place = source.source(at, at + len(needle))
        if place is not None and _is_whole(text, *place):
            found.append(place)
            at = source.text.find(needle, at + len(needle))
        else:
            at = source.text.find(needle, at + 1)
    return found


def _is_whole(text: str, start: int, end: int) -> bool:
    # A mark belongs to the letter before it; a variation selector only says how that is drawn.
    if end < len(text) and _is_mark(text[end]) and text[end] not in "\ufe0e\ufe0f":
        return False
    return not (_cut(text, start, before=True) or _cut(text, end, before=False))


def _cut(text: str, at: int, *, before: bool) -> bool:
    """Whether the boundary at `at` goes through a word or a number."""
    if at <= 0 or at >= len(text):
        return False
    left, right = text[at - 1], text[at]
    inside, outside = (right, left) if before else (left, right)
    if inside.isdigit():
        beyond = (
            text[at - 2] if before and at > 1 else text[at + 1] if not before and at + 1 < len(text) else ""
        )
        if outside.isdigit() or (outside in _POINTS and beyond.isdigit()):
            return True
        if before and outside in _SIGNS:
            return not beyond.isalnum()
        return not before and outside == "%"
    if not (_is_letter(inside) and _is_letter(outside)):
        return False
    return not (_joined(inside) or _joined(outside))


def _is_mark(character: str) -> bool:
    return unicodedata.category(character).startswith("M")


def _is_letter(character: str) -> bool:
    return character.isalpha() or _is_mark(character)


@lru_cache(maxsize=65536)
def _joined(character: str) -> bool:
    return unicodedata.name(character, "").split(" ", 1)[0] in _JOINED
