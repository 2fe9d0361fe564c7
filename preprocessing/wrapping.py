"""Decides which line ends inside a paragraph are soft: the paragraph goes on, the line was only full."""

from __future__ import annotations

import re

# Characters that take two columns and between which a line may break anywhere.
_WIDE = re.compile(r"[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]")
_ENDS = re.compile(r"[.!?…:;。！？：；؟۔।॥።፧։][\"'”’»)\]」』）*_]*\Z")
_FIRST_WORD = re.compile(r"\S+")

_NARROWEST = 40
_WIDEST = 132
_NARROWEST_UNCASED = 50
# A line of Chinese or Japanese may end a character or two early, lest the next one begins with a closing mark.
_KINSOKU_SLACK = 4


def soft_line_ends(lines: list[str]) -> list[bool]:
    """For each of the stripped `lines` but the last: whether the next line continues its sentence.

    A line was wrapped when the next line's first word would not have fitted on it. A run of lines counts as wrapped when
    most of its lines are full in that sense and, where the script has case, lines start in lower case as running text
    does; a list of headlines of like lengths does not. Outside wrapped runs only a long line without a final mark that
    is followed by a lower-case letter goes on.
    """
    widths = [len(line) if line.isascii() else len(line) + len(_WIDE.findall(line)) for line in lines]
    wrapped = _wrapped_lines(lines, widths)
    soft = [False] * (len(lines) - 1)
    for i in range(len(soft)):
        if wrapped and wrapped[i]:
            soft[i] = True
        elif widths[i] >= _NARROWEST and lines[i + 1][0].islower():
            soft[i] = not _ENDS.search(lines[i][-8:])
    return soft


def _wrapped_lines(lines: list[str], widths: list[int]) -> list[bool] | None:
    """Which lines are full, when the run looks hard-wrapped; else None."""
    widest = max(widths)
    inner = len(lines) - 1
    if not _NARROWEST <= widest <= _WIDEST or inner < 2:
        return None
    full = [_is_full(widths[i], lines[i + 1], widest) for i in range(inner)]
    count = sum(full)
    if count < 2 or count * 5 < inner * 3:
        return None
    starts = [lines[i + 1][0] for i in range(inner) if full[i]]
    lower = sum(char.islower() for char in starts)
    cased = sum(char.isupper() for char in starts) + lower
    if cased:
        likely = lower * 3 >= cased
    elif _WIDE.match(lines[0]):
        likely = count * 5 >= inner * 4
    else:
        likely = inner > 2 and widest >= _NARROWEST_UNCASED
    return full if likely else None


def _is_full(width: int, following: str, widest: int) -> bool:
    if _WIDE.match(following):
        return width + 2 > widest - _KINSOKU_SLACK
    if width + 1 + len(following) <= widest:
        return False
    word = _FIRST_WORD.match(following)
    return word is not None and width + 1 + word.end() > widest
