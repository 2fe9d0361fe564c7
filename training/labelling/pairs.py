"""Reading (query, url, title, summary, document) from JSON lines and Parquet, and going back to single rows."""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.labelling.errors import InvalidInput, MissingPackage

COLUMNS = ("query", "url", "title", "summary", "document")
_NEEDED = ("query", "document")
_KINDS = {".jsonl", ".parquet"}


@dataclass(frozen=True)
class Pair:
    """A query and one search result. `id` is the row's own, or a digest of all that the judge sees."""

    id: str
    query: str
    url: str
    title: str
    summary: str
    document: str


@dataclass(frozen=True)
class Unreadable:
    """A row that is no pair, and why."""

    reason: str


@dataclass(frozen=True)
class Row:
    """One row of an input file. `position` is its byte offset (JSON lines) or its number (Parquet)."""

    position: int
    content: Pair | Unreadable


def input_files(paths: Sequence[Path]) -> list[Path]:
    """The files named, and those of folders named, sorted. Raises :class:`InvalidInput` for others and for none."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += sorted(p for p in path.iterdir() if p.suffix in _KINDS)
        elif path.suffix not in _KINDS:
            raise InvalidInput(f"{path} is neither .jsonl nor .parquet; unpack or convert it first.")
        elif not path.is_file():
            raise InvalidInput(f"{path} does not exist.")
        else:
            found.append(path)
    if not found:
        raise InvalidInput(f"No .jsonl or .parquet file in {', '.join(map(str, paths))}.")
    return found


def arrow(module: str) -> Any:
    """A module of pyarrow. Raises :class:`MissingPackage`."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingPackage("Parquet needs the package pyarrow: pip install 'pith[label]'.") from error


def scan(file: Path) -> Iterator[Row]:
    """All rows of a file, in order."""
    if file.suffix == ".parquet":
        yield from _parquet_rows(file)
        return
    with file.open("rb") as lines:
        position = 0
        for line in lines:
            if line.strip():
                yield Row(position, _from_line(line))
            position += len(line)


def read_at(file: Path, positions: Sequence[int]) -> Iterator[Row]:
    """The rows at ascending `positions`."""
    if file.suffix == ".parquet":
        yield from _parquet_rows(file, positions)
        return
    with file.open("rb") as lines:
        for position in positions:
            lines.seek(position)
            yield Row(position, _from_line(lines.readline()))


def _parquet_rows(file: Path, positions: Sequence[int] | None = None) -> Iterator[Row]:
    try:
        source = arrow("pyarrow.parquet").ParquetFile(file)
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{file} is no Parquet file that can be read: {error}") from error
    names = set(source.schema_arrow.names)
    missing = [name for name in _NEEDED if name not in names]
    if missing:
        raise InvalidInput(f"{file} has no column {' and no column '.join(missing)}; it needs {_NEEDED}.")
    columns = [name for name in ("id", *COLUMNS) if name in names]
    wanted = None if positions is None else set(positions)
    first = 0
    for group in range(source.num_row_groups):
        size = source.metadata.row_group(group).num_rows
        if wanted is None or any(first <= position < first + size for position in wanted):
            at = first
            for batch in source.iter_batches(batch_size=256, row_groups=[group], columns=columns):
                for row in batch.to_pylist():
                    if wanted is None or at in wanted:
                        yield Row(at, _from_object(row))
                    at += 1
        first += size


def _from_line(line: bytes) -> Pair | Unreadable:
    try:
        return _from_object(json.loads(line))
    except (ValueError, RecursionError) as error:
        return Unreadable(f"the line is no JSON in UTF-8: {error}")


def _from_object(row: Any) -> Pair | Unreadable:
    if not isinstance(row, dict):
        return Unreadable("the line is no JSON object")
    values: dict[str, str] = {}
    for name in COLUMNS:
        value = row.get(name)
        if value is None:
            value = ""
        if not isinstance(value, str):
            return Unreadable(f"{name} is no text")
        if not value.strip() and name in _NEEDED:
            return Unreadable(f"{name} is missing or empty")
        values[name] = value
    try:
        digest = hashlib.sha256("\0".join(values[name] for name in COLUMNS).encode())
    except UnicodeEncodeError:
        return Unreadable("the text holds half of a surrogate pair, which is no character")
    own = row.get("id")
    if own is not None and (not isinstance(own, str | int) or isinstance(own, bool) or own == ""):
        return Unreadable("id is neither text nor a whole number")
    return Pair(id=digest.hexdigest()[:32] if own is None else str(own), **values)
