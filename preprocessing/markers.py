"""What the beginning of a line says about its block: list markers, fences, rules, table rows, signs of code."""

from __future__ import annotations

import re

BULLETS = "•‣⁃◦▪●○■□►▶➢➤✓✔∙·"
_ENCLOSED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽㈠㈡㈢㈣㈤㈥㈦㈧㈨㈩"
_HAN_NUMBERS = "一二三四五六七八九十"

# The group is set for numbers and letters, which may also begin a line of running text by chance.
ITEM = re.compile(
    rf"(?:[-*+–—](?=\s|\Z)|[{BULLETS}{_ENCLOSED}]"
    rf"|((?:\d{{1,3}}|[a-zа-яα-ω]|[ivx]{{2,5}})[.)](?=\s|\Z))|[A-Z]\)(?=\s|\Z)"
    rf"|\((?:\d{{1,3}}|[a-zA-Zа-яА-Я]|[ivx]{{2,5}})\)(?=\s|\Z)"
    rf"|[（(](?:[{_HAN_NUMBERS}]{{1,3}}|\d{{1,2}})[）)]|(?:[{_HAN_NUMBERS}]{{1,3}}|\d{{1,2}})、)"
)
FIRST_MARKERS = frozenset(("1.", "1)", "a.", "a)", "i.", "i)"))

ATX = re.compile(r"#{1,6}(?:\s|\Z)")
FENCE = re.compile(r"`{3,}(?=[^`]*\Z)|~{3,}")
QUOTE = re.compile(r"(?:>[ \t]?)+")
STRONG_LINE = re.compile(r"(?:\*\*[^*]+\*\*|__[^_]+__):?\Z")
FRONT_KEY = re.compile(r"[\w-]+\s*:")
CODE_SIGN = re.compile(r"[{};=<>$\\`]|\w\(|://|\s--?\w|\w_\w|^\s*#")

# A line that starts with anything else, and has no full stop or bracket as its second character, is plain prose.
SPECIAL_FIRST = frozenset("`~#|=_:(（>ivx0123456789-*+–—" + BULLETS + _ENCLOSED + _HAN_NUMBERS)


def is_rule(body: str) -> bool:
    """A thematic break or setext underline: three or more of one mark."""
    return len(body) > 2 and not body.strip(body[0] + " \t")


def is_delimiter_row(body: str) -> bool:
    """The row of dashes under a table's header."""
    return "-" in body and not body.strip("|:-+ \t")
