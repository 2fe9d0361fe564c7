"""UTF-8 and code points: the wire speaks bytes, this package speaks code points."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Offsets = NDArray[np.int64]


def encode(text: str) -> bytes | None:
    """The UTF-8 bytes of a text, or None when it has none (it holds lone surrogates)."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return None


def byte_offsets(data: bytes) -> Offsets:
    """Where each code point of UTF-8 ``data`` starts, and its end: int64 [code points + 1]."""
    if data.isascii():
        return np.arange(len(data) + 1, dtype=np.int64)
    return np.append(np.flatnonzero(_starts(data)), len(data)).astype(np.int64, copy=False)


def code_points(data: bytes, offsets: Offsets) -> Offsets:
    """Turn byte offsets into ``data`` (UTF-8) into code point offsets, same shape.

    Raises ValueError for an offset outside of the text or in the middle of a character.
    """
    if offsets.size and (offsets.min() < 0 or offsets.max() > len(data)):
        raise ValueError(f"a byte offset lies outside of a text of {len(data)} bytes")
    if data.isascii():
        return offsets
    # One more entry than bytes, so that the end of the text is an offset like any other.
    starts = np.append(_starts(data), True)
    if not starts[offsets].all():
        raise ValueError("a byte offset lies in the middle of a character")
    before: Offsets = np.cumsum(starts, dtype=np.int64) - 1
    return before[offsets]


def utf8_and_utf16(text: str, offsets: Iterable[int]) -> dict[int, tuple[int, int]]:
    """For each offset (code points into ``text``) the bytes of UTF-8 and the code units of UTF-16 before it.

    The text is read once, however many offsets there are. A lone surrogate counts as three bytes and one unit.
    Raises ValueError for an offset outside of the text.
    """
    wanted = sorted(set(offsets))
    if wanted and not 0 <= wanted[0] <= wanted[-1] <= len(text):
        raise ValueError(f"an offset lies outside of a text of {len(text)} characters")
    if text.isascii():
        return {offset: (offset, offset) for offset in wanted}
    before: dict[int, tuple[int, int]] = {}
    last = in_bytes = in_units = 0
    for offset in wanted:
        piece = text[last:offset]
        in_bytes += len(piece.encode("utf-8", "surrogatepass"))
        in_units += len(piece.encode("utf-16-le", "surrogatepass")) // 2
        before[offset] = in_bytes, in_units
        last = offset
    return before


def _starts(data: bytes) -> NDArray[np.bool_]:
    """Which bytes start a character: all but the continuation bytes 10xxxxxx."""
    starts: NDArray[np.bool_] = (np.frombuffer(data, dtype=np.uint8) & 0xC0) != 0x80
    return starts
