"""Decides which line ends inside a paragraph are soft: the paragraph goes on, the line was only full."""

from __future__ import annotations

import re

# Characters that take two columns, and those between which a line may break anywhere.
_WIDE = re.compile(
    r"[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]"
)
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_ENDS = re.compile(r"[.!?…:;>。！？：；؟۔।॥።፧։][\"'”’»)\]」』）*_]*\Z")
_FIRST_WORD = re.compile(r"[^\s\u2e80-\ua4cf\uf900-\ufaff\uff00-\uff60]+")

_NARROWEST = 40
_WIDEST = 132
_FRAGMENT = 25
_LONG_WORD = 12
# A line of Chinese or Japanese may end a character or two early, lest the next one begins with a closing mark.
_KINSOKU_SLACK = 4


def soft_line_ends(lines: list[str], known_width: int = 0) -> tuple[list[bool], int]:
    """For each of the stripped `lines` but the last: whether the next line continues its sentence.

    A line was wrapped when the next line's first word would not have fitted on it. A run of lines counts as wrapped
    when most of its lines are full in that sense and, where the script has case, lines start in lower case as running
    text does; a list of headlines of like lengths does not. A run of two lines says too little: `known_width`, the
    width of the last wrapped run above it, decides. Otherwise only a long line without a final mark goes on, where
    more than a fragment follows in lower case. Also returns the width of the text, 0 if unknown.
    """
    widths = [len(line) if line.isascii() else len(line) + len(_WIDE.findall(line)) for line in lines]
    inner = len(lines) - 1
    widest = max(widths)
    full = [False] * inner
    if _NARROWEST <= widest <= _WIDEST:
        if inner > 1:
            full = [_is_full(lines, widths, i, widest) for i in range(inner)]
            if _looks_wrapped(lines, full):
                known_width = widest
            else:
                full = [False] * inner
        elif widest <= known_width:
            full = [_is_full(lines, widths, 0, known_width)]
    return [full[i] or _goes_on(lines, widths, i) for i in range(inner)], known_width


def _looks_wrapped(lines: list[str], full: list[bool]) -> bool:
    inner = len(full)
    count = sum(full)
    if count < 2 or count * 5 < inner * 3:
        return False
    starts = [lines[i + 1][0] for i in range(inner) if full[i]]
    lower = sum(char.islower() for char in starts)
    cased = sum(char.isupper() for char in starts) + lower
    if cased:
        return lower * 3 >= cased
    if _UNSPACED.search(lines[0]):
        return count * 5 >= inner * 4
    return all(line.count(" ") * _LONG_WORD > len(line) for line in lines[:-1])


def _is_full(lines: list[str], widths: list[int], i: int, width: int) -> bool:
    """Whether the first word of line i + 1 would have made line i wider than `width`."""
    following = lines[i + 1]
    if _UNSPACED.match(following):
        return widths[i] + 2 > width - _KINSOKU_SLACK
    if widths[i] + 1 + widths[i + 1] <= width:
        return False
    word = _FIRST_WORD.match(following)
    if word is None or (word.end() == len(following) and i + 2 < len(lines)):
        return False  # lines of one word each are a list
    return widths[i] + 1 + word.end() > width


def _goes_on(lines: list[str], widths: list[int], i: int) -> bool:
    following = lines[i + 1]
    if widths[i] < _NARROWEST or not following[0].islower() or _ENDS.search(lines[i][-8:]):
        return False
    return widths[i + 1] >= _FRAGMENT or _ENDS.search(following[-8:]) is not None
