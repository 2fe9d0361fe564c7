"""Text to segments with exact offsets, kinds and parents."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from preprocessing.blocks import Block, BlockKind, blocks
from preprocessing.kinds import Kind
from preprocessing.markers import BULLETS
from preprocessing.sentences import sentences
from preprocessing.tables import names_group

_INLINE_ITEM = re.compile(rf"[{BULLETS}]|(?P<dash>[-–]\s)|(?P<number>(?:\d{{1,2}}|[a-z])[.)]+\s)")
# A line end within code; the group marks a blank line. Trailing and leading white space stays outside both pieces.
_CODE_LINE = re.compile(r"(?<=\S)[^\S\n]*+\n(?:([^\S\n]*+\n)\s*+)?(?:[^\S\n]*+)(?=\S)")
_CODE_PIECE = 1000
_CODE_LIMIT = 3000
_INLINE_FIRST = frozenset(BULLETS + "-–0123456789abcdefghijklmnopqrstuvwxyz")


@dataclass(frozen=True)
class Segments:
    """The segments of one text, in order: four int32 arrays of one length S.

    `start` and `end` are code points into the text, `kind` holds `Kind` values, `parent` the index of the segment that
    this one depends on, or -1. A parent always comes before its children.
    """

    start: NDArray[np.int32]
    end: NDArray[np.int32]
    kind: NDArray[np.int32]
    parent: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.start)


def segment(text: str) -> Segments:
    """Split `text` into segments: disjoint, in order, trimmed, covering every non-blank character."""
    builder = _Builder(text)
    for block in blocks(text):
        builder.add(block)
    return builder.segments()


class _Builder:
    def __init__(self, text: str) -> None:
        self.text = text
        self.start: list[int] = []
        self.end: list[int] = []
        self.kind: list[int] = []
        self.parent: list[int] = []
        self.headings: list[tuple[int, int]] = []
        self.items: list[tuple[int, int]] = []
        self.list_parent = -1
        self.table = -1
        self.row_parent = -1
        self.trails_item = False
        self.previous = BlockKind.RULE

    def segments(self) -> Segments:
        return Segments(
            *(np.array(values, np.int32) for values in (self.start, self.end, self.kind, self.parent))
        )

    def add(self, block: Block) -> None:
        kind = block.kind
        if kind == BlockKind.PARAGRAPH:
            # Text right below an item, not indented: the list may go on after it, so it does not lead a new one in.
            self.trails_item = not block.after_blank and (self.trails_item or self.previous == BlockKind.ITEM)
            self.items.clear()
            self._prose(block, Kind.SENTENCE, self._heading(), chain=False)
        elif kind == BlockKind.ITEM:
            self._item(block)
        elif kind == BlockKind.ITEM_TEXT:
            self._pop_items(block.level)
            if self.items:
                self._prose(block, Kind.LIST_ITEM, self.items[-1][1], chain=False)
            else:
                self._prose(block, Kind.SENTENCE, self._heading(), chain=False)
        elif kind == BlockKind.HEADING:
            self.items.clear()
            while self.headings and self.headings[-1][0] >= block.level:
                self.headings.pop()
            parent = self._heading()
            self.headings.append((block.level, len(self.start)))
            self._append(block.start, block.end, Kind.HEADING, parent)
        elif kind == BlockKind.TABLE_HEADER or kind == BlockKind.TABLE_ROW:
            self._row(block)
        elif kind == BlockKind.CODE:
            self._code(block)
        else:
            self._append(block.start, block.end, Kind.SENTENCE, self._heading())
        self.previous = kind

    def _append(self, start: int, end: int, kind: Kind, parent: int) -> None:
        self.start.append(start)
        self.end.append(end)
        self.kind.append(kind)
        self.parent.append(parent)

    def _heading(self) -> int:
        return self.headings[-1][1] if self.headings else -1

    def _prose(self, block: Block, kind: Kind, parent: int, *, chain: bool) -> None:
        """Add the sentences of a block, and the items of a list flattened into it ("three types: • one • two").

        With `chain` the sentences after the first depend on the first, as those of a list item do.
        """
        text = self.text
        lead = owner = parent
        opening = len(self.start)
        numbered = listed = False
        for start, end in sentences(text, block.start, block.end):
            index = len(self.start)
            marker = _INLINE_ITEM.match(text, start, end) if text[start] in _INLINE_FIRST else None
            if index == opening:
                numbered = marker is not None and marker.lastgroup == "number"
                listed = chain and marker is not None
            if (
                marker
                and index > opening
                and (listed or marker.lastgroup != "dash")
                and (numbered or marker.lastgroup != "number")
            ):
                sibling = numbered or text[start] == text[block.start]
                self._append(start, end, Kind.LIST_ITEM, lead if sibling or not chain else opening)
                if chain and sibling:
                    owner = index
                listed = True
                continue
            self._append(start, end, kind, owner)
            listed = text[end - 1] == ":" or (listed and chain)
            if not chain:
                lead = index
            elif index == opening:
                owner = index

    def _pop_items(self, indent: int) -> None:
        while self.items and self.items[-1][0] >= indent:
            self.items.pop()

    def _item(self, block: Block) -> None:
        if not self.items and not (self.trails_item and not self._ends_with_colon()):
            self.list_parent = self._lead_in(block, colon_only=False)
        self.trails_item = False
        self._pop_items(block.level)
        parent = self.items[-1][1] if self.items else self.list_parent
        self.items.append((block.level, len(self.start)))
        self._prose(block, Kind.LIST_ITEM, parent, chain=True)

    def _lead_in(self, block: Block, *, colon_only: bool) -> int:
        """The sentence that leads a list, a table or code in, else the heading above."""
        directly = not colon_only and not block.after_blank
        if self.previous == BlockKind.PARAGRAPH and (directly or self._ends_with_colon()):
            return len(self.start) - 1
        return self._heading()

    def _ends_with_colon(self) -> bool:
        return self.text[self.start[-1] : self.end[-1]].rstrip("*_ ").endswith((":", "："))

    def _row(self, block: Block) -> None:
        """A row depends on its table's header, or on the row above that only names a group of rows."""
        index = len(self.start)
        if block.kind == BlockKind.TABLE_HEADER or self.previous not in (
            BlockKind.TABLE_HEADER,
            BlockKind.TABLE_ROW,
        ):
            self.table = self.row_parent = self._lead_in(block, colon_only=True)
        if block.kind == BlockKind.TABLE_HEADER:
            self._append(block.start, block.end, Kind.TABLE_HEADER, self.table)
            self.table = self.row_parent = index
        elif names_group(self.text[block.start : block.end]):
            self._append(block.start, block.end, Kind.TABLE_ROW, self.table)
            self.row_parent = index
        else:
            self._append(block.start, block.end, Kind.TABLE_ROW, self.row_parent)

    def _code(self, block: Block) -> None:
        """Code is one segment; only a long block is cut, at blank lines, or at any line when very long."""
        parent = (
            self.items[-1][1]
            if self.items and block.level > self.items[-1][0]
            else self._lead_in(block, colon_only=True)
        )
        first = block.start
        for match in _CODE_LINE.finditer(self.text, block.start, block.end):
            size = match.start() - first
            if size >= (_CODE_PIECE if match.group(1) else _CODE_LIMIT):
                self._append(first, match.start(), Kind.CODE, parent)
                first = match.end()
        self._append(first, block.end, Kind.CODE, parent)
