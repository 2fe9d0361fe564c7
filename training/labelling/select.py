"""Which rows a run labels, and in which pieces its workers take them."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from training.labelling.pairs import Pair, Row, Unreadable, scan


@dataclass(frozen=True)
class Chunk:
    """Rows of one file that one worker labels together; it keeps a journal named for its number."""

    number: int
    file: str
    positions: tuple[int, ...]


@dataclass(frozen=True)
class Selection:
    """chunks: what to label. pairs: how many that is. repeated: rows left out because a row before has the same id.
    unreadable: rows that are no pair. digest: of the ids selected and their order."""

    chunks: tuple[Chunk, ...]
    pairs: int
    rows: int
    repeated: int
    unreadable: int
    digest: str


def draw(seed: int, identity: str) -> int:
    """A number of 64 bits for an id, the same on every machine and in any order of reading."""
    return int.from_bytes(hashlib.sha256(f"{seed}\0{identity}".encode()).digest()[:8])


def select(files: Sequence[Path], chunk: int, sample: int | None, seed: int) -> Selection:
    """Every pair once, or the `sample` pairs of least draw; chunks of at most `chunk` rows, in order of the input."""
    within = None if sample is None else _least(files, sample, seed)
    chunks: list[Chunk] = []
    seen: set[str] = set()
    ids = hashlib.sha256()
    rows = repeated = unreadable = 0
    for file in files:
        positions: list[int] = []
        for row in scan(file):
            rows += 1
            if isinstance(row.content, Unreadable):
                unreadable += 1
                continue
            identity = row.content.id
            if identity in seen:
                repeated += 1
                continue
            seen.add(identity)
            if within is not None and identity not in within:
                continue
            ids.update(f"{identity}\0".encode())
            positions.append(row.position)
            if len(positions) == chunk:
                chunks.append(Chunk(len(chunks), str(file), tuple(positions)))
                positions = []
        if positions:
            chunks.append(Chunk(len(chunks), str(file), tuple(positions)))
    count = sum(len(c.positions) for c in chunks)
    return Selection(tuple(chunks), count, rows, repeated, unreadable, ids.hexdigest()[:16])


def unreadable_rows(files: Sequence[Path]) -> Iterator[tuple[Path, Row, str]]:
    """Rows that are no pair, with the reason."""
    for file in files:
        for row in scan(file):
            if isinstance(row.content, Unreadable):
                yield file, row, row.content.reason


def _least(files: Sequence[Path], sample: int, seed: int) -> set[str]:
    heap: list[tuple[int, str]] = []
    kept: set[str] = set()
    for file in files:
        for row in scan(file):
            if not isinstance(row.content, Pair) or row.content.id in kept:
                continue
            item = (-draw(seed, row.content.id), row.content.id)
            if len(heap) < sample:
                heapq.heappush(heap, item)
                kept.add(item[1])
            elif item > heap[0]:
                kept.discard(heapq.heappushpop(heap, item)[1])
                kept.add(item[1])
    return kept
