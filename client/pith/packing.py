"""Documents → requests: long texts in parts, alike lengths together, every request within the limits.

How many windows a text becomes is known to the server alone (it has the tokenizer), so two estimates are
used. Small texts share a request up to what is hardly ever refused, one byte a token. A text is cut only
where ordinary prose, three bytes a token, would not fit either, because a cut costs its parts their
headings. Where an estimate was wrong the server refuses or reads only a part, and the request is halved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from pith.config import ServerConfig
from pith.split import cut, split

# What is left of a row of 256 for the document, after a query, headings and the overlap of windows.
_WINDOW_TOKENS = 160
_PROSE_BYTES_PER_TOKEN = 3
_LIKELY_BYTES_PER_TOKEN = 4
# All windows of a request are padded to one of these lengths.
_PADDED_LENGTHS = (64, 128, 256)
# Padding worth a request of its own, in tokens: a few full windows of work for the encoder.
_PADDING_WORTH_A_REQUEST = 1024
# Below these a text is not cut: the first is too short to be too much, the second is less than two windows.
_LEAST_CHARACTERS = 64
_LEAST_WINDOW_CHARACTERS = 512


@dataclass(frozen=True, slots=True)
class Unit:
    """A document, or one part of it, as it is sent: ``start`` is the part's offset in code points.

    ``source`` is what the document's first line says of version and address, b"" for nothing; None where the
    server does not count it, so that it is not sent.
    """

    document: int
    start: int
    text: str
    data: bytes
    title: bytes = b""
    source: bytes | None = None


@dataclass(slots=True, eq=False)
class Request:
    """Units that are scored in one inference request. ``tries`` counts the attempts made so far."""

    units: tuple[Unit, ...]
    tries: int = field(default=0)

    @property
    def documents(self) -> tuple[int, ...]:
        return tuple(sorted({unit.document for unit in self.units}))


def part_limit(config: ServerConfig, queries: int) -> int:
    """The most bytes that are sent as one part of a document when ``queries`` are scored together."""
    windows = max(1, min(config.max_windows // queries, config.max_document_windows))
    return max(1, min(config.max_document_bytes, windows * _WINDOW_TOKENS * _PROSE_BYTES_PER_TOKEN))


def cut_to_units(whole: Unit, limit: int) -> list[Unit]:
    """A document as one unit, or in parts of at most ``limit`` bytes. Blank parts hold no segments and are left out."""
    if len(whole.data) <= limit:
        return [whole]
    return _parts(whole, split(whole.text, whole.data, limit))


def pack(units: Iterable[Unit], queries: Sequence[bytes], config: ServerConfig) -> list[Request]:
    """Group units into requests, the longest texts first. Every unit is in exactly one request.

    Units of one request have similar lengths where that saves enough padding, their number is at most
    ``max_documents`` and their windows, by the safe estimate, at most ``max_windows``. A unit that is over
    the safe estimate by itself travels alone.
    """
    prefix = max(map(len, queries)) // _LIKELY_BYTES_PER_TOKEN
    requests: list[Request] = []
    group: list[Unit] = []
    most_windows = likely_windows = length = 0
    for unit in sorted(units, key=lambda unit: len(unit.data)):
        most = -(-len(unit.data) // _WINDOW_TOKENS) * len(queries)
        tokens = len(unit.data) // _LIKELY_BYTES_PER_TOKEN
        padded = _padded_length(tokens + prefix + len(unit.title) // _LIKELY_BYTES_PER_TOKEN)
        wasted = likely_windows * (max(padded, length) - length)
        if group and (
            len(group) >= config.max_documents
            or most_windows + most > config.max_windows
            or wasted >= _PADDING_WORTH_A_REQUEST
        ):
            requests.append(Request(tuple(group)))
            group, most_windows, likely_windows, length = [], 0, 0, 0
        group.append(unit)
        most_windows += most
        likely_windows += max(1, -(-tokens // _WINDOW_TOKENS)) * len(queries)
        length = max(length, padded)
    if group:
        requests.append(Request(tuple(group)))
    return requests[::-1]


def halve(request: Request) -> list[Request]:
    """The same units in two requests, or the one unit's text in two parts; [] when it is too short to cut."""
    units = request.units
    if len(units) > 1:
        return [Request(units[: len(units) // 2]), Request(units[len(units) // 2 :])]
    (unit,) = units
    return [Request((half,)) for half in halve_unit(unit, _LEAST_CHARACTERS)]


def halve_unit(unit: Unit, least: int = _LEAST_WINDOW_CHARACTERS) -> list[Unit]:
    """The two halves of a text, without a blank one; [] for a text of fewer than ``least`` characters."""
    if len(unit.text) < least:
        return []
    middle = cut(unit.text, len(unit.text) * 2 // 5, len(unit.text) * 3 // 5)
    return _parts(unit, ((0, middle), (middle, len(unit.text))))


def _parts(unit: Unit, ranges: Iterable[tuple[int, int]]) -> list[Unit]:
    parts = ((start, unit.text[start:end]) for start, end in ranges)
    return [
        replace(unit, start=unit.start + start, text=part, data=part.encode())
        for start, part in parts
        if part.strip()
    ]


def _padded_length(tokens: int) -> int:
    return next((length for length in _PADDED_LENGTHS if tokens <= length), _PADDED_LENGTHS[-1])
