"""Line structure of plain text and Markdown: the blocks in which sentences are then found."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import NamedTuple

from preprocessing import markers, tables
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
    """`text[start:end]`, trimmed. `level` is a heading's level, else the columns by which the block is indented."""

    kind: BlockKind
    start: int
    end: int
    level: int
    after_blank: bool


class _Line(NamedTuple):
    start: int
    end: int
    body: str
    indent: int
    raw: str


_TAB = 4
_ITEM_TEXT_INDENT = 2
_LONGEST_TITLE = 200
_SHORT_LINE = 50
_STRONG_LINE_LEVEL = 7
_HARD_BREAKS = ("  \n", "  \r\n", "\\\n", "\\\r\n")
_CLAUSE_ENDS = (".", "!", "?", "…", ";", ",", ":", "。", "！", "？", "；", "，", "：")


def blocks(text: str) -> list[Block]:
    """The blocks of `text` in order; together they cover every non-blank character."""
    return _Scanner().scan(text.splitlines(keepends=True))


class _Scanner:
    """One pass over the lines. At most one of `run`, `rows` and `code` is open at a time."""

    def __init__(self) -> None:
        self.out: list[Block] = []
        self.run: list[_Line] = []
        self.run_item = -1  # indentation of the list item that the run began with, -1 for a paragraph
        self.run_after_blank = True
        self.width = 0  # columns at which the text above was wrapped
        self.rows: list[tables.Row] = []
        self.code: list[tuple[int, int]] = []
        self.code_indent = 0
        self.fence = ""
        self.quote = 0
        self.empty_quote: tuple[int, int] | None = (
            None  # bare ">" lines, which the next quoted block takes in
        )
        self.in_list = False
        self.after_blank = True

    def scan(self, lines: list[str]) -> list[Block]:
        offset = 0
        first = self._front_matter(lines)
        last = len(lines) - 1
        for number, raw in enumerate(lines):
            start = offset
            offset += len(raw)
            if number < first:
                continue
            body = raw.strip()
            if not body:
                self._blank_line()
                continue
            indent = 0
            if raw[0] != body[0]:
                lead = raw[: raw.index(body[0])]
                start += len(lead)
                indent = len(lead.expandtabs(_TAB)) if "\t" in lead else len(lead)
            if self.fence:
                self._fenced_line(body, start)
            elif body[0] == ">" or self.quote:
                self._quoted_line(raw, body, start, indent)
            elif (
                (number == last or lines[number + 1].isspace())
                and not (indent or self.run or self.rows or self.code)
                and _is_prose(body)
            ):
                self.in_list = False
                self._add(BlockKind.PARAGRAPH, start, start + len(body), 0)
            else:
                self._line(_Line(start, start + len(body), body, indent, raw))
        self._flush()
        self._close_empty_quote()
        return self.out

    def _front_matter(self, lines: list[str]) -> int:
        """The number of lines of YAML front matter, which becomes one block of code."""
        if (
            len(lines) < 3
            or lines[0].strip("\ufeff \t\r\n") != "---"
            or not markers.FRONT_KEY.match(lines[1])
        ):
            return 0
        end = len(lines[0])
        for number in range(1, len(lines)):
            line = lines[number].rstrip()
            if line in ("---", "..."):
                self._add(BlockKind.CODE, 0, end + len(line), 0)
                return number + 1
            end += len(lines[number])
        return 0

    def _blank_line(self) -> None:
        if not self.code:
            if self.run or self.rows:
                self._flush()
            self.after_blank = True

    def _fenced_line(self, body: str, start: int) -> None:
        """A line of fenced code; an unclosed fence runs to the end of its quote or of the text."""
        if self.quote and body[0] != ">":
            self.fence = ""
            self._flush()
            self._quoted_line(body, body, start, 0)
            return
        self.code.append((start, start + len(body)))
        mark = body.lstrip("> \t") if self.quote else body
        if len(mark) >= len(self.fence) and not mark.strip(self.fence[0]):
            self.fence = ""
            self._flush()

    def _quoted_line(self, raw: str, body: str, start: int, indent: int) -> None:
        """A line of a block quote or the first one after it; the marks stay in the block that they stand before."""
        end = start + len(body)
        prefix = markers.QUOTE.match(body)
        depth = prefix.group().count(">") if prefix else 0
        if depth != self.quote:
            self._flush()
            if depth < self.quote:
                self._close_empty_quote()
            self.quote = depth
        if prefix:
            body = body[prefix.end() :].strip()
        if body:
            self._line(_Line(start, end, body, indent, raw))
            return
        self._flush()
        self.empty_quote = (self.empty_quote[0] if self.empty_quote else start, end)
        self.after_blank = True

    def _close_empty_quote(self) -> None:
        if self.empty_quote:
            start, end = self.empty_quote
            self.empty_quote = None
            self._add(BlockKind.RULE, start, end, 0)

    def _line(self, line: _Line) -> None:
        body = line.body
        if self.code:
            if line.indent >= _TAB:
                self.code.append((line.start, line.end))
                return
            self._flush()
        elif self.rows:
            if "|" in body:
                self.rows.append(tables.row(line.start, line.end, body))
                return
            self._flush()
        if line.indent >= _TAB and self.after_blank and not self.in_list and markers.CODE_SIGN.search(body):
            self.code_indent = 0
            self.code.append((line.start, line.end))
        elif _is_prose(body) or not self._marked_line(line):
            if not self.run:
                self._open_run(-1)
            self.run.append(line)

    def _marked_line(self, line: _Line) -> bool:
        """Take a line whose beginning marks more than prose; False if it is prose after all."""
        body, start, end = line.body, line.start, line.end
        first = body[0]
        if first in "`~" and (fence := markers.FENCE.match(body)):
            self._flush()
            self.fence = fence.group()
            self.code_indent = line.indent
            self.code.append((start, end))
            return True
        if first == "#" and markers.ATX.match(body):
            self._flush()
            self._add(BlockKind.HEADING, start, end, len(body) - len(body.lstrip("#")))
            self.in_list = False
            return True
        if first in "|:-" and "|" in body and self._opens_table(line):
            return True
        if first in "=-*_" and markers.is_rule(body):
            self._rule(line)
            return True
        marker = markers.ITEM.match(body)
        if marker is None or not self._opens_item(marker):
            return False
        self._flush()
        self._open_run(line.indent)
        self.run.append(line)
        return True

    def _opens_table(self, line: _Line) -> bool:
        row = tables.row(line.start, line.end, line.body)
        if self.run and row.is_delimiter and "|" in self.run[-1].body:
            header = self.run.pop()
            self._flush()
            self.rows = [tables.row(header.start, header.end, header.body), row]
            return True
        if line.body[0] == "|" and line.body.count("|") > 1:
            self._flush()
            self.rows = [row]
            return True
        return False

    def _opens_item(self, marker: re.Match[str]) -> bool:
        """Whether a marker begins an item: a number that a line break put first in running text does not."""
        if (
            not self.run
            or self.run_item >= 0
            or marker.group(1) is None
            or marker.group(1) in markers.FIRST_MARKERS
        ):
            return True
        previous = self.run[-1].body
        return previous.endswith(_CLAUSE_ENDS) or len(previous) < _SHORT_LINE

    def _rule(self, line: _Line) -> None:
        """A setext underline, which makes the one line above it a heading, or a thematic break."""
        mark = line.body[0]
        if len(self.run) == 1 and self.run_item < 0 and mark in "=-" and " " not in line.body:
            title = self.run[0]
            if len(title.body) <= _LONGEST_TITLE and (mark == "=" or not title.body.endswith(_CLAUSE_ENDS)):
                self.run = []
                self.after_blank = self.run_after_blank
                self._add(BlockKind.HEADING, title.start, line.end, 1 if mark == "=" else 2)
                self.in_list = False
                return
        self._flush()
        self._add(BlockKind.RULE, line.start, line.end, 0)
        self.in_list = False

    def _open_run(self, item: int) -> None:
        self.run_item = item
        self.run_after_blank = self.after_blank
        self.after_blank = False

    def _add(self, kind: BlockKind, start: int, end: int, level: int) -> None:
        if self.empty_quote:
            start = self.empty_quote[0]
            self.empty_quote = None
        self.out.append(Block(kind, start, end, level, self.after_blank))
        self.after_blank = False

    def _flush(self) -> None:
        if self.run:
            self._flush_run()
        elif self.rows:
            self._flush_rows()
        elif self.code:
            code, self.code = self.code, []
            self._add(BlockKind.CODE, code[0][0], code[-1][1], self.code_indent)

    def _flush_run(self) -> None:
        run, self.run = self.run, []
        self.after_blank = self.run_after_blank
        if len(run) == 1:
            self._add_text(run[0], run[0].end, self.run_item)
            return
        item = self.run_item
        soft, self.width = soft_line_ends([line.body for line in run], self.width)
        first = 0
        for i in range(len(run)):
            goes_on = i + 1 < len(run) and (soft[i] or (item >= 0 and run[i + 1].indent > item))
            if goes_on and not run[i].raw.endswith(_HARD_BREAKS):
                continue
            self._add_text(run[first], run[i].end, item if first == 0 else -1)
            first = i + 1

    def _add_text(self, line: _Line, end: int, item: int) -> None:
        """Add the block of prose that begins with `line`."""
        if item >= 0:
            self.in_list = True
            self._add(BlockKind.ITEM, line.start, end, item)
        elif self.in_list and line.indent >= _ITEM_TEXT_INDENT:
            self._add(BlockKind.ITEM_TEXT, line.start, end, line.indent)
        else:
            self.in_list = False
            strong = line.body[0] in "*_" and end == line.end and len(line.body) <= _LONGEST_TITLE
            if strong and markers.STRONG_LINE.match(line.body):
                self._add(BlockKind.HEADING, line.start, end, _STRONG_LINE_LEVEL)
            else:
                self._add(BlockKind.PARAGRAPH, line.start, end, line.indent)

    def _flush_rows(self) -> None:
        rows, self.rows = self.rows, []
        head = tables.header_rows(rows)
        if head:
            self._add(BlockKind.TABLE_HEADER, rows[0].start, rows[head - 1].end, 0)
        for row in rows[head:]:
            if row.is_delimiter and head:
                self.out[-1] = self.out[-1]._replace(end=row.end)
            else:
                self._add(BlockKind.TABLE_ROW, row.start, row.end, 0)
        self.in_list = False


def _is_prose(body: str) -> bool:
    return body[0] not in markers.SPECIAL_FIRST and body[1:2] not in (".", ")")
