"""Whether a full stop ends a sentence or belongs to an abbreviation, an initial or an ordinal number."""

from __future__ import annotations

import re

from preprocessing.abbreviations import (
    BEFORE_NAME,
    BEFORE_NUMBER,
    BEFORE_ORDINAL,
    BEFORE_STARTER,
    MONTH_PREFIXES,
    OFTEN_FINAL,
    STARTERS,
)

# Marks that may stand before a word without belonging to it.
OPENING = "([{«\"'“„‘*_¿¡—–-/•⁃◦‣"

_WORD = re.compile(r"\w+")
_ROMAN = re.compile(r"[IVXLC]{2,}\Z")
_VOWEL = re.compile(r"[aeiouyáéíóúàèìòùäöüåæøâêîôûãõāēīūąęėіаеёиоуыэюяїєαεηιουωάέήίόύώ]")
_SHORT_INDIC = 2
_SHORT_THAI = 8
_REACH = 32
# A run of letters longer than any abbreviation listed is a word.
_LONGEST = max(map(len, BEFORE_NAME | BEFORE_NUMBER | BEFORE_STARTER)) + 1


def full_stop_ends(text: str, first: int, mark: int, follow: int, end: int, *, dashed: bool) -> bool:
    """Whether the single full stop at `mark`, followed by white space, ends the sentence that began at `first`.

    The next word is at `follow` and not in lower case; `dashed` says that a dash stands before it. Reads a bounded
    stretch before the mark.
    """
    if mark - first >= _LONGEST and text[mark - _LONGEST : mark].isalpha():
        return True
    window = text[max(first, mark - _REACH) : mark]
    if not window or window[-1].isspace():
        return True
    parts = window.split()
    token = parts[-1].lstrip(OPENING)
    if "'" in token or "’" in token:
        article, _, name = token.replace("’", "'").rpartition("'")
        token = name if len(name) > 1 else article
    lowered = token.lower()
    if lowered in BEFORE_NAME:
        return False
    digit_next = text[follow].isdigit()
    if digit_next and lowered in BEFORE_NUMBER:
        return False
    token = token.replace("–", "-").rpartition("-")[2]
    if not token:
        return True
    if "\u0900" <= token[0] < "\u0e80":
        # Indian scripts write initials and titles so, Thai ends no sentence with a full stop.
        return len(token) > (_SHORT_INDIC if token[0] < "\u0e00" else _SHORT_THAI)
    if not token[-1].isalnum():
        return True
    if token.isdigit():
        return not dashed and _number_ends(text, token, parts, follow, end)
    if token in OFTEN_FINAL:
        return not digit_next
    if len(token) == 1 or ("." in token and _initials(token)):
        return not dashed and _starter(text, follow, end)
    if lowered in BEFORE_STARTER or _ROMAN.match(token):
        return _starter(text, follow, end)
    if (
        len(token) <= 4
        and token.isalpha()
        and (token.islower() or token.istitle())
        and not _VOWEL.search(lowered)
    ):
        return token[0] >= "\u0530" or _starter(text, follow, end)
    return True


def _initials(token: str) -> bool:
    *parts, last = token.split(".")
    return len(last) <= 2 and last.isalpha() and all(len(part) <= 4 for part in parts)


def _number_ends(text: str, token: str, parts: list[str], follow: int, end: int) -> bool:
    if len(token) > 2:
        return True
    word = _WORD.match(text, follow, end)
    if word is None:
        return True
    if word.group().lower().startswith(MONTH_PREFIXES):
        return False
    return not (len(parts) > 1 and parts[-2].lower().lstrip(OPENING) in BEFORE_ORDINAL)


def _starter(text: str, follow: int, end: int) -> bool:
    word = _WORD.match(text, follow, end)
    if word is None:
        return True
    found = word.group()
    return found.lower() in STARTERS and not (len(found) == 1 and text[word.end() : word.end() + 1] == ".")
