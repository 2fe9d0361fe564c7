"""Kinds of segments."""

from __future__ import annotations

from enum import IntEnum


class Kind(IntEnum):
    """What a segment is; the values are part of the wire format."""

    SENTENCE = 0
    HEADING = 1
    LIST_ITEM = 2
    TABLE_HEADER = 3
    TABLE_ROW = 4
    CODE = 5
