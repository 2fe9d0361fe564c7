"""Characters that belong to the one before them and must not be cut off it."""

from __future__ import annotations

import unicodedata

_FIRST_MARK = "\u0300"
_SKIN_TONES = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
# Not of a mark category, yet part of the character before: joiners, Thai and Lao am, half-width voicing marks.
_JOINERS = frozenset("\u200c\u200d\u0e33\u0eb3\uff9e\uff9f" + _SKIN_TONES)


def joins_previous(text: str, index: int) -> bool:
    """Whether a cut before `text[index]` would split a user-perceived character."""
    char = text[index]
    if char < _FIRST_MARK:
        return index > 0 and text[index - 1] == "\u200d"
    if char in _JOINERS or unicodedata.category(char)[0] == "M" or "\U000e0020" <= char <= "\U000e007f":
        return True
    return text[index - 1] == "\u200d" if index else False
