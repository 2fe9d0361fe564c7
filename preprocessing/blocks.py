"""Line structure of plain text and Markdown: the blocks that sentences are then found in."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import NamedTuple

from preprocessing.wrapping import soft_line_ends


class BlockKind(IntEnum):
    PARAGRAPH = 0
    HEADING = 1
    ITEM = 2
    ITEM_TEXT = 3
    TABLE_HEADER = 4
    TABLE_ROW = 5
    CODE = 6
    RULE = 7


class Block(NamedTuple):
    """`text[start:end]`, trimmed. `level` is a heading's level or the indentation of an item, its text, or code."""

    kind: BlockKind
    start: int
    end: int
    level: int
    after_blank: bool


_QUOTE = re.compile(r"(?:>[ \t]?)+")
_ATX = re.compile(r"#{1,6}(?:\s|\Z)")
_FENCE = re.compile(r"`{3,}(?=[^`]*\Z)|~{3,}")
_BULLETS = "•‣⁃◦▪●○■□►▶➢➤✓✔∙·"
_ITEM = re.compile(
    rf"(?:[-*+–—](?=\s|\Z)|[{_BULLETS}]|[①-⑳⑴-⒇㈠-㈩]"
    r"|(?:(\d{1,3})|([a-zа-яα-ω])|[ivx]{2,5})[.)](?=\s|\Z)|\((?:\d{1,3}|[a-zA-Zа-яА-Я]|[ivx]{2,5})\)(?=\s|\Z)"
    r"|[A-Z]\)(?=\s|\Z)|[（(](?:[一二三四五六七八九十]{1,3}|\d{1,2})[）)]|(?:[一二三四五六七八九十]{1,3}|\d{1,2})、)"
)
_ITEM_FIRST = frozenset("-*+–—((（" + _BULLETS + "一二三四五六七八九十0123456789①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
                        "⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽㈠㈡㈢㈣㈤㈥㈦㈧㈨㈩")
_PROSE_FIRST = frozenset("`~#|" ) | _ITEM_FIRST
_CODE_SIGN = re.compile(r"[{};=<>$\\`]|\w\(|://|\s--?\w|\w_\w|^\s*#")
_FRONT_KEY = re.compile(r"[\w-]+\s*:")
_STRONG_LINE = re.compile(r"(?:\*\*[^*]+\*\*|__[^_]+__):?\Z")
_SENTENCE_END = (".", "!", "?", "。", "！", "？", "…", ";", ",", ":")
_TAB = 4
_MOST_HEADER_ROWS = 3


class _Row(NamedTuple):
    start: int
    end: int
    delimiter: bool
    empty_corner: bool


class _Line(NamedTuple):
    start: int
    end: int
    body: str
    indent: int
    hard: bool


def blocks(text: str) -> list[Block]:
    """The blocks of `text` in order; they cover every non-blank character."""
    return _Scanner().scan(text)


class _Scanner:
    def __init__(self) -> None:
        self.out: list[Block] = []
        self.run: list[_Line] = []
        self.item_indent = -1
        self.in_list = False
        self.rows: list[_Row] = []
        self.code: list[tuple[int, int]] = []
        self.code_indent = 0
        self.fence = ""
        self.quote = 0
        self.pending = -1
        self.blank = True
        self.run_blank = True

    def scan(self, text: str) -> list[Block]:
        lines = text.splitlines(keepends=True)
        offset = 0
        skip = self._front_matter(lines)
        for number, raw in enumerate(lines):
            start = offset
            offset += len(raw)
            if number < skip:
                continue
            body = raw.strip()
            if self.fence:
                self._in_fence(raw, body, start)
                continue
            if not body:
                if self.code:
                    continue
                if self.run or self.rows:
                    self._flush()
                self.blank = True
                continue
            indent = 0
            if raw[0] != body[0]:
                lead = raw[: raw.index(body[0])]
                start += len(lead)
                indent = len(lead.expandtabs(_TAB)) if "\t" in lead else len(lead)
            end = start + len(body)
            if body[0] == ">":
                prefix = _QUOTE.match(body)
                assert prefix is not None
                depth = prefix.group().count(">")
                body = body[prefix.end() :].strip()
                if not body:
                    self._flush()
                    if self.pending < 0:
                        self.pending = start
                    self.pending_end = end
                    self.quote = depth
                    self.blank = True
                    continue
                if depth != self.quote:
                    self._flush()
                    self.quote = depth
            elif self.quote:
                self._flush()
                self._drop_pending()
                self.quote = 0
            self._line(raw, body, start, end, indent)
        self._flush()
        self._drop_pending()
        return self.out

    def _front_matter(self, lines: list[str]) -> int:
        """Lines of YAML front matter, after adding it as code."""
        if not lines or lines[0].strip("\ufeff \t\r\n") != "---" or len(lines) < 3 or not _FRONT_KEY.match(lines[1]):
            return 0
        size = len(lines[0])
        for number in range(1, len(lines)):
            if lines[number].rstrip() in ("---", "..."):
                start = 0
                self.out.append(Block(BlockKind.CODE, start, size + len(lines[number].rstrip()), 0, True))
                return number + 1
            size += len(lines[number])
        return 0

    def _line(self, raw: str, body: str, start: int, end: int, indent: int) -> None:
        if self.code:
            if indent >= _TAB:
                self.code.append((start, end))
                return
            self._flush()
        if self.rows:
            if "|" in body:
                self.rows.append(_row(start, end, body))
                return
            self._flush()
        first = body[0]
        if indent >= _TAB and self.blank and not self.in_list and _CODE_SIGN.search(body):
            self._flush()
            self.code_indent = 0
            self.code.append((start, end))
            return
        if first not in _PROSE_FIRST and body[1:2] not in (".", ")") and first not in "=_:ivx":
            self._text(raw, body, start, end, indent)
            return
        if first in "`~" and (fence := _FENCE.match(body)):
            self._flush()
            self.fence = fence.group()
            self.code_indent = indent
            self.code.append((start, end))
            return
        if first == "#" and _ATX.match(body):
            self._flush()
            level = len(body) - len(body.lstrip("#"))
            self._add(BlockKind.HEADING, start, end, level)
            self.in_list = False
            return
        if first in "|:-" and "|" in body:
            if self.run and _is_delimiter(body) and "|" in self.run[-1].body:
                header = self.run.pop()
                blank = self.run_blank and not self.run
                self._flush()
                self.blank = blank
                self.rows = [_row(header.start, header.end, header.body), _row(start, end, body)]
                return
            if first == "|" and body.count("|") > 1:
                self._flush()
                self.rows = [_row(start, end, body)]
                return
        if first in "=-*_" and len(body) > 2 and len(set(body) - {" ", "\t"}) == 1:
            self._rule(body, start, end)
            return
        match = _ITEM.match(body)
        if match is not None and self._begins_item(match):
            self._flush()
            self.item_indent = indent
            self.run_blank = self.blank
            self.run.append(_Line(start, end, body, indent, raw.endswith(("  \n", "\\\n"))))
            self.blank = False
            return
        self._text(raw, body, start, end, indent)

    def _text(self, raw: str, body: str, start: int, end: int, indent: int) -> None:
        if not self.run:
            self.item_indent = -1
            self.run_blank = self.blank
            if self.blank and indent < 2:
                self.in_list = False
        self.run.append(_Line(start, end, body, indent, raw.endswith(("  \n", "\\\n", "  \r\n", "\\\r\n"))))
        self.blank = False

    def _begins_item(self, match: re.Match[str]) -> bool:
        """A number in running text that a line break put first is no list item."""
        if not self.run or self.item_indent >= 0 or match.lastindex is None:
            return True
        previous = self.run[-1].body
        if match.group() in ("1.", "1)", "a.", "a)") or previous.endswith(_SENTENCE_END):
            return True
        return len(previous) < 50

    def _rule(self, body: str, start: int, end: int) -> None:
        """A setext underline makes its line a heading; else a thematic break."""
        if len(self.run) == 1 and self.item_indent < 0 and body[0] in "=-" and " " not in body:
            line = self.run[0]
            if len(line.body) <= 200 and (body[0] == "=" or not line.body.endswith(_SENTENCE_END)):
                self.blank = self.run_blank
                self.run = []
                self._add(BlockKind.HEADING, line.start, end, 1 if body[0] == "=" else 2)
                self.in_list = False
                return
        self._flush()
        self._add(BlockKind.RULE, start, end, 0)
        self.in_list = False

    def _in_fence(self, raw: str, body: str, start: int) -> None:
        if not body:
            return
        begin = start + raw.index(body[0])
        self.code.append((begin, begin + len(body)))
        mark = body.lstrip("> \t") if self.quote else body
        if mark[:1] == self.fence[0] and len(mark) >= len(self.fence) and not mark.strip(self.fence[0]):
            self.fence = ""
            self._flush()

    def _add(self, kind: BlockKind, start: int, end: int, level: int) -> None:
        if self.pending >= 0:
            start, self.pending = self.pending, -1
        self.out.append(Block(kind, start, end, level, self.blank))
        self.blank = False

    def _drop_pending(self) -> None:
        if self.pending >= 0:
            start, self.pending = self.pending, -1
            self.out.append(Block(BlockKind.RULE, start, self.pending_end, 0, self.blank))

    def _flush(self) -> None:
        if self.run:
            self._flush_run()
        elif self.rows:
            self._flush_table()
        elif self.code:
            self._flush_code()

    def _flush_run(self) -> None:
        run, self.run = self.run, []
        item = self.item_indent
        self.blank = self.run_blank
        if len(run) == 1:
            line = run[0]
            if item >= 0:
                self._add(BlockKind.ITEM, line.start, line.end, item)
                self.in_list = True
            elif line.body[0] in "*_" and len(line.body) <= 120 and _STRONG_LINE.match(line.body):
                self._add(BlockKind.HEADING, line.start, line.end, 7)
                self.in_list = False
            else:
                self._prose(line, line.end)
            return
        soft = soft_line_ends([line.body for line in run])
        for i in range(len(soft)):
            if run[i].hard:
                soft[i] = False
            elif item >= 0 and run[i + 1].indent > item:
                soft[i] = True
        first = 0
        for i, line in enumerate(run):
            if i + 1 < len(run) and soft[i]:
                continue
            if item >= 0 and first == 0:
                self._add(BlockKind.ITEM, run[0].start, line.end, item)
                self.in_list = True
            else:
                if run[first].indent <= max(item, 0):
                    self.in_list = self.in_list and item < 0
                self._prose(run[first], line.end)
            first = i + 1

    def _prose(self, line: _Line, end: int) -> None:
        if self.in_list and line.indent >= 2:
            self._add(BlockKind.ITEM_TEXT, line.start, end, line.indent)
        else:
            self.in_list = False
            self._add(BlockKind.PARAGRAPH, line.start, end, line.indent)

    def _flush_table(self) -> None:
        rows, self.rows = self.rows, []
        head = 0
        if len(rows) > 1:
            head = 1
            if rows[1].delimiter:
                head = 2
            else:
                while head < min(_MOST_HEADER_ROWS, len(rows) - 1) and rows[head].empty_corner:
                    head += 1
            self._add(BlockKind.TABLE_HEADER, rows[0].start, rows[head - 1].end, 0)
        for row in rows[head:]:
            if row.delimiter and self.out and len(rows) > 1:
                self.out[-1] = self.out[-1]._replace(end=row.end)
            else:
                self._add(BlockKind.TABLE_ROW, row.start, row.end, 0)
        self.in_list = False

    def _flush_code(self) -> None:
        code, self.code = self.code, []
        self._add(BlockKind.CODE, code[0][0], code[-1][1], self.code_indent)


def _is_delimiter(body: str) -> bool:
    return "-" in body and not body.strip("|:-+ \t")


def _row(start: int, end: int, body: str) -> _Row:
    return _Row(start, end, _is_delimiter(body), body[0] == "|" and body[1:].lstrip(" \t")[:1] == "|")
