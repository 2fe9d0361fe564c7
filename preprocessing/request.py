"""One request, from raw bytes to encoder rows and from logits to scores.

This is what the two Python models of the server call; it knows nothing of Triton.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from preprocessing.lexical import LexicalTables
from preprocessing.limits import Limits, RequestRefused
from preprocessing.segments import Segments, segment
from preprocessing.tokenizer import Ids, TextTokenizer
from preprocessing.windows import DocumentTokens, Windows, WindowSettings, build

Ints = NDArray[np.int32]


class Status(IntEnum):
    """Why a document has no segments."""

    OK = 0
    EMPTY = 1
    INVALID_UTF8 = 2
    TOO_LARGE = 3


@dataclass(frozen=True)
class Prepared:
    """A request ready for the encoder.

    windows: see `Windows`. segment: int32 [S, 5] = document, start byte, end byte, kind, parent row or -1.
    segment_tokens: int32 [S]. status: int32 [N], see `Status`. title_tokens, source_tokens: int32 [N]. query_cut: int32
    [Q], tokens of each query that were over its limit and not read. lexical: float32 [S, Q], match of words.
    """

    windows: Windows
    segment: Ints
    segment_tokens: Ints
    status: Ints
    title_tokens: Ints
    source_tokens: Ints
    query_cut: Ints
    lexical: NDArray[np.float32]


def byte_offsets(text: str, encoded: bytes) -> NDArray[np.int64] | None:
    """UTF-8 offset of every code point and of the end, int64 [len(text) + 1]; None where the two are equal."""
    if len(text) == len(encoded):
        return None
    starts = (np.frombuffer(encoded, np.uint8) & 0xC0) != 0x80
    return np.append(np.flatnonzero(starts), len(encoded))


class Preprocessor:
    """Turns requests into `Prepared`. Safe to share between threads."""

    def __init__(
        self, tokenizer: TextTokenizer, lexical: LexicalTables, windows: WindowSettings, limits: Limits
    ) -> None:
        self._tokenizer = tokenizer
        self._lexical = lexical
        self._windows = windows
        self.limits = limits

    @classmethod
    def load(cls, folder: Path) -> Preprocessor:
        """Read a folder of `tokenizer.json`, `lexical.npz` and `windows.json` ("windows" and "limits")."""
        settings = json.loads((folder / "windows.json").read_text(encoding="utf-8"))
        windows = settings["windows"]
        return cls(
            TextTokenizer.load(folder / "tokenizer.json"),
            LexicalTables.load(folder / "lexical.npz"),
            WindowSettings(**windows | {"buckets": tuple(windows["buckets"])}),
            Limits(**settings["limits"]),
        )

    def prepare(
        self,
        queries: Sequence[bytes],
        documents: Sequence[bytes],
        titles: Sequence[bytes] | None = None,
        sources: Sequence[bytes] | None = None,
    ) -> Prepared:
        """Segment, tokenise and lay out a request. `sources` are only counted: the encoder does not read them.

        Raises `RequestRefused` where the request as a whole breaks a limit. A single document that cannot be read
        has a status instead; an unreadable title or source is taken as none.
        """
        self.limits.check_request(len(queries), len(documents), _count(titles), _count(sources))
        query_ids, query_cut = self._queries(queries)
        title_runs, source_runs = (
            self._tokenizer.encode([_lenient(line) for line in lines or [b""] * len(documents)])
            for lines in (titles, sources)
        )

        status = np.zeros(len(documents), np.int32)
        tables: list[Ints] = []
        tokens: list[DocumentTokens] = []
        row = 0
        for n, encoded in enumerate(documents):
            status[n], text, found = self._segment(encoded)
            runs = self._tokenizer.encode(_slices(text, found))
            tokens.append(DocumentTokens(runs, found.parent, title_runs.of(n), row))
            tables.append(_table(n, text, encoded, found, row))
            row += found.start.size

        windows = build(
            query_ids, tokens, self._windows, self.limits.document_windows, self.limits.check_windows
        )
        return Prepared(
            windows,
            np.concatenate(tables),
            np.concatenate([document.runs.lengths for document in tokens]).astype(np.int32),
            status,
            title_runs.lengths.astype(np.int32),
            source_runs.lengths.astype(np.int32),
            query_cut,
            np.concatenate([self._lexical.match(query_ids, document.runs) for document in tokens]),
        )

    def _queries(self, queries: Sequence[bytes]) -> tuple[list[Ids], Ints]:
        texts = []
        for i, query in enumerate(queries):
            try:
                text = query.decode("utf-8")
            except UnicodeDecodeError as error:
                raise RequestRefused("invalid_query", f"Query {i} is not valid UTF-8: {error}.") from error
            if not text.strip():
                raise RequestRefused(
                    "empty_query", f"Query {i} is empty; say what the documents are searched for."
                )
            texts.append(text)
        runs = self._tokenizer.encode(texts)
        most = self.limits.query_tokens
        return [runs.of(i)[:most] for i in range(len(texts))], np.maximum(runs.lengths - most, 0).astype(
            np.int32
        )

    def _segment(self, encoded: bytes) -> tuple[Status, str, Segments]:
        if len(encoded) > self.limits.document_bytes:
            return Status.TOO_LARGE, "", segment("")
        try:
            text = encoded.decode("utf-8")
        except UnicodeDecodeError:
            return Status.INVALID_UTF8, "", segment("")
        found = segment(text)
        return (Status.OK if found.start.size else Status.EMPTY), text, found


def _count(lines: Sequence[bytes] | None) -> int | None:
    return None if lines is None else len(lines)


def _lenient(line: bytes) -> str:
    """A line as it is shown, white space in single spaces: the tokenizer does not take all of it for white space."""
    try:
        return " ".join(line.decode("utf-8").split())
    except UnicodeDecodeError:
        return ""


def _slices(text: str, found: Segments) -> list[str]:
    return [text[a:b] for a, b in zip(found.start.tolist(), found.end.tolist(), strict=True)]


def _table(document: int, text: str, encoded: bytes, found: Segments, row: int) -> Ints:
    at = byte_offsets(text, encoded)
    table = np.empty((found.start.size, 5), np.int32)
    table[:, 0] = document
    table[:, 1] = found.start if at is None else at[found.start]
    table[:, 2] = found.end if at is None else at[found.end]
    table[:, 3] = found.kind
    table[:, 4] = np.where(found.parent >= 0, found.parent + row, -1)
    return table
