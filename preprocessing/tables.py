"""Rows of a pipe table: which of them are the header, which name a group of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from preprocessing.markers import is_delimiter_row

_MOST_HEADER_ROWS = 3


class Row(NamedTuple):
    """One line of a table, `text[start:end]`."""

    start: int
    end: int
    is_delimiter: bool
    has_empty_corner: bool


def row(start: int, end: int, body: str) -> Row:
    return Row(start, end, is_delimiter_row(body), body[0] == "|" and body[1:].lstrip(" \t")[:1] == "|")


def header_rows(rows: Sequence[Row]) -> int:
    """How many leading rows are the header: 0 for a lone row.

    With a delimiter row, what stands above it and itself. Without one the first row, and further ones while their first
    cell is empty: such tables come from web pages, where units or years stand in a second row.
    """
    if len(rows) < 2:
        return 0
    if rows[1].is_delimiter:
        return 2
    count = 1
    while count < min(_MOST_HEADER_ROWS, len(rows) - 1) and rows[count].has_empty_corner:
        count += 1
    return count


def names_group(body: str) -> bool:
    """Whether only the first cell of a row is filled: it names the group of rows below it."""
    label = body.strip("| \t")
    return bool(label) and "|" not in label and body.count("|") > 2 and body.find("|", 1) > body.find(label)
