"""Cuts for sentences that are far too long, and for scripts that write no mark at the end of a sentence.

Thai, Lao, Khmer and much Burmese text has spaces between clauses, but also inside names and lists and around numbers.
A stretch of `UNSPACED_TARGET` characters is cut where a word that often begins a clause follows a space; one of twice
that length at a space between two long clauses; one of four times at any space between letters. Sentences of other
scripts stay whole up to `LONG` characters and are then cut after semicolons, commas or dashes, where there are any.
"""

from __future__ import annotations

import re

from preprocessing.characters import joins_previous

Span = tuple[int, int]

UNSPACED_TARGET = 60
LONG = 1000
_LONG_TARGET = 400
_LONG_CLAUSE = 16

_SCRIPT = "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff"
_UNSPACED = re.compile(rf"[{_SCRIPT}]")
# A bracket is passed over whole; a gap stands between two letters of the script and not before an abbreviated era.
_GAP = re.compile(
    rf"\([^()\n]{{0,200}}+\)|(?<=[{_SCRIPT}])[ \u200b]++"
    r"(?=[\u0e01-\u0e30\u0e40-\u0e44\u0e81-\u0eb0\u0ec0-\u0ec4\u1000-\u102a\u1780-\u17b3])(?!\w{1,2}\.)()"
)
_CLAUSE_OPENER = re.compile(
    "แต่|อย่างไรก็|นอกจาก|ต่อมา|หลัง|เมื่อ|ดังนั้น|ดังกล่าว|ทั้งนี้|ปัจจุบัน|ส่วน|สำหรับ|จากนั้น|จากการ|เนื่อง|เขา|เธอ|พวก|"
    "มัน|แม้|ถ้า|หาก|ระหว่าง|ก่อน|ตั้งแต่|โดย|ใน|การ|ซึ่ง|ทำให้|จึง|เพราะ|เพื่อ|มี|ได้|เป็น|นี่|นั่น|ทุก|บาง|ຕໍ່ມາ|ແຕ່|ໃນ|"
    "នៅ|ប៉ុន្តែ|បន្ទាប់|ដោយ"
)
_CONTINUES = re.compile("และ|หรือ|ที่|คือ|กับ|ของ|ๆ|ແລະ|ຫຼື|និង|ឬ")
_SOFT = re.compile(r"[;,،؛](?=\s)|[；，、]|\s[–—|·](?=\s)")


def cut_long(text: str, spans: list[Span]) -> list[Span]:
    """`spans` with those that are too long replaced by their pieces, all trimmed."""
    out: list[Span] = []
    for start, stop in spans:
        size = stop - start
        if size > 2 * UNSPACED_TARGET and _UNSPACED.search(text, start, start + UNSPACED_TARGET):
            _cut_unspaced(text, start, stop, out)
        elif size > LONG:
            _cut_soft(text, start, stop, out)
        else:
            out.append((start, stop))
    return out


def _cut_unspaced(text: str, start: int, stop: int, out: list[Span]) -> None:
    gaps = [(match.start(), match.end()) for match in _GAP.finditer(text, start, stop) if match.lastindex]
    first = previous = start
    for index, (left, right) in enumerate(gaps):
        size = left - first
        if (
            size >= UNSPACED_TARGET
            and stop - right >= UNSPACED_TARGET // 2
            and not _CONTINUES.match(text, right)
        ):
            following = gaps[index + 1][0] if index + 1 < len(gaps) else stop
            clauses = min(left - previous, following - right) >= _LONG_CLAUSE
            if (
                _CLAUSE_OPENER.match(text, right)
                or (clauses and size >= 2 * UNSPACED_TARGET)
                or size >= 4 * UNSPACED_TARGET
            ):
                _append(text, first, right, out)  # with any zero-width space of the gap
                first = right
        previous = right
    _append(text, first, stop, out)


def _cut_soft(text: str, start: int, stop: int, out: list[Span]) -> None:
    first = start
    for match in _SOFT.finditer(text, start, stop):
        right = match.end()
        if (
            right - first >= _LONG_TARGET
            and stop - right >= _LONG_TARGET // 2
            and not joins_previous(text, right)
        ):
            _append(text, first, right, out)
            first = right
    _append(text, first, stop, out)


def _append(text: str, start: int, stop: int, out: list[Span]) -> None:
    while start < stop and text[start].isspace():
        start += 1
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    if start < stop:
        out.append((start, stop))
