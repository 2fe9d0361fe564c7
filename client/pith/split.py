"""Cuts long texts into parts at the boundary that does the least harm to what is read."""

from __future__ import annotations

import re
import unicodedata

import numpy as np

from pith.text import byte_offsets

# From the best place to cut to the worst. Each match ends where the next part may start; indentation
# after a line end stays with the line it belongs to.
_BOUNDARIES = (
    re.compile(r"\n[^\S\n]*\n"),
    re.compile(r"\n"),
    re.compile(r"[.!?…][\"'”’»)\]]*\s+"),
    re.compile(r"[。！？．｡；][”’」』）】》]*|[؟۔।॥።။៖]\s*"),
    re.compile(r"[，、：､،؛]\s*"),
    re.compile(r"\s+"),
)
_ZERO_WIDTH_JOINER = "\u200d"
_VIRAMA = 9
_STEPS_BACK = 64


def split(text: str, data: bytes, limit: int) -> list[tuple[int, int]]:
    """Consecutive ranges (code points) that cover ``text`` and hold at most ``limit`` bytes of UTF-8 each.

    ``data`` is the text's UTF-8. A single character longer than the limit stays whole.
    """
    if len(data) <= limit:
        return [(0, len(text))]
    bytes_before = byte_offsets(data)
    ranges: list[tuple[int, int]] = []
    start = 0
    while (rest := len(data) - int(bytes_before[start])) > limit:
        # Even shares rather than full parts and a stub, which would be scored with little around it.
        share = -(-rest // -(-rest // limit))
        furthest = int(np.searchsorted(bytes_before, bytes_before[start] + share, side="right")) - 1
        furthest = max(furthest, start + 1)
        end = cut(text, start + (furthest - start) * 2 // 3, furthest)
        ranges.append((start, end))
        start = end
    if start < len(text):
        ranges.append((start, len(text)))
    return ranges


def cut(text: str, low: int, high: int) -> int:
    """The best offset in (low, high] to cut the text at, never within a character as readers see it."""
    for boundary in _BOUNDARIES:
        place = max((match.end() for match in boundary.finditer(text, low, high)), default=low)
        if place > low:
            return _whole_characters(text, low, place)
    return _whole_characters(text, low, high)


def _whole_characters(text: str, low: int, at: int) -> int:
    """Step back from ``at`` to where no character is torn apart; ``at`` itself if there is no such place."""
    for place in range(at, max(low, at - _STEPS_BACK), -1):
        if place == len(text) or not _belongs_together(text[place - 1], text[place]):
            return place
    return at


def _belongs_together(left: str, right: str) -> bool:
    if right.isascii():
        return left == "\r" and right == "\n"
    return (
        unicodedata.category(right)[0] == "M"
        or _ZERO_WIDTH_JOINER in (left, right)
        or unicodedata.combining(left) == _VIRAMA
        or "\U0001f3fb" <= right <= "\U0001f3ff"
        or "\U000e0020" <= right <= "\U000e007f"
        or "\u1160" <= right <= "\u11ff"
        or (_is_regional_indicator(left) and _is_regional_indicator(right))
    )


def _is_regional_indicator(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"
