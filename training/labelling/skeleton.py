"""A text without what a judge changes while it copies, and the way back to the offsets of the source.

Three forms, each looser than the one before:

exact    the text as it is
tolerant without white space and Markdown marks; quotation marks, dashes, ellipses, width and case unified
loose    the same without ellipses, bullets, quotation marks, and dashes that stand before no digit

Characters are decomposed one by one (Unicode NFKD) and case-folded, so that composed and decomposed letters agree.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache


class Form(StrEnum):
    """How much of a difference is forgiven."""

    EXACT = "exact"
    TOLERANT = "tolerant"
    LOOSE = "loose"


_QUOTES = frozenset("\"'´‘’‚‛“”„‟‹›«»「」『』〝〞＂＇")
_DASHES = frozenset("-‐‑‒–—―−﹘﹣－⸺⸻")
_BULLETS = frozenset("•◦▪‣·●○∙")
# Marks of Markdown that carry no text, and characters that show nothing.
_MARKS = frozenset("*_`~|\\")
_INVISIBLE = frozenset("\u200b\u200c\u200d\u2060\ufeff\u00ad\ufe0e\ufe0f")
# Heading, quotation and list marks count as such only where a line begins.
_LINE_MARK = re.compile(r"^[ \t*_]*(?:#{1,6}(?=\s)|>+|[-+*•◦▪‣●○](?=\s))[ \t]*", re.MULTILINE)
_ELLIPSIS = re.compile(r"…+|\.(?:\s?\.)+")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s[^()]*)?\)")

QUOTE, DASH, DOT = '"', "-", "."


@dataclass(frozen=True)
class Skeleton:
    """`text`, and for each of its characters the source offsets `[start, end)` of the character it comes from."""

    text: str
    start: list[int]
    end: list[int]

    def source(self, first: int, last: int) -> tuple[int, int] | None:
        """Source offsets of `text[first:last]`, or None where an end lies inside a source character."""
        if first > 0 and self.start[first] == self.start[first - 1]:
            return None
        if last < len(self.start) and self.start[last] == self.start[last - 1]:
            return None
        return self.start[first], self.end[last - 1]


@lru_cache(maxsize=65536)
def _folded(character: str) -> str:
    if character in _QUOTES:
        return QUOTE
    if character in _DASHES:
        return DASH
    # Upper-casing knows nothing of Turkish: both its letters i become one.
    if character in "ıİ":
        return "i"
    decomposed = unicodedata.normalize("NFKD", character).casefold()
    return "".join(c for c in unicodedata.normalize("NFKD", decomposed) if not c.isspace())


def skeleton(text: str, form: Form) -> Skeleton:
    """The skeleton of a text in a form."""
    if form is Form.EXACT:
        positions = list(range(len(text)))
        return Skeleton(text, positions, [p + 1 for p in positions])
    dropped = _markup(text, form)
    out: list[str] = []
    start: list[int] = []
    end: list[int] = []
    for at, character in enumerate(text):
        if dropped[at] or character.isspace() or character in _MARKS or character in _INVISIBLE:
            continue
        # What lower-casing a dotted capital I leaves is the letter i.
        if character == "\u0307" and out and out[-1] == "i":
            end[-1] = at + 1
            continue
        folded = _folded(character)
        if form is Form.LOOSE and (folded == QUOTE or character in _BULLETS or _idle_dash(text, at, folded)):
            continue
        # "--" is a dash, and dots in a row are one ellipsis however many they are.
        if out and folded and set(folded) == {out[-1]} and folded[0] in (DASH, DOT):
            end[-1] = at + 1
            continue
        if folded == "...":
            folded = DOT
        for part in folded:
            out.append(part)
            start.append(at)
            end.append(at + 1)
    return Skeleton("".join(out), start, end)


def _idle_dash(text: str, at: int, folded: str) -> bool:
    """Whether a character is a dash that is no sign or range of numbers."""
    return folded == DASH and not text[at + 1 : at + 2].isdigit()


def _markup(text: str, form: Form) -> bytearray:
    """Which characters belong to line marks, to a link's brackets and address, or to an ellipsis of the loose form."""
    dropped = bytearray(len(text))
    for found in _LINE_MARK.finditer(text):
        dropped[found.start() : found.end()] = b"\1" * (found.end() - found.start())
    for found in _ELLIPSIS.finditer(text) if form is Form.LOOSE else ():
        dropped[found.start() : found.end()] = b"\1" * (found.end() - found.start())
    for found in _LINK.finditer(text):
        for first, last in ((found.start(), found.start(1)), (found.end(1), found.end())):
            dropped[first:last] = b"\1" * (last - first)
    return dropped
