"""The tensors of the wire contract: requests in, parts of scored documents out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tritonclient.grpc import InferInput

from pith.errors import IncompatibleServer
from pith.packing import Request, Unit
from pith.text import code_points
from pith.types import Kind, Status

_SEGMENT_COLUMNS = 5
_KINDS = len(Kind)
# Later ones are the client's own: the server never hears of such documents.
_LAST_STATUS = Status.TOO_LARGE
# Scores are float32; rounding them here keeps 0.9 from being below a threshold of 0.9.
_SCORE_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Part:
    """What came back for one unit. Offsets are code points into the whole document.

    ``start``, ``end``, ``kind``, ``parent`` (row of this part, -1: none) and ``tokens`` are int64 [S],
    ``scores`` is float64 [S, Q] and ``relevance`` float64 [Q]. ``source_tokens`` is None where the server does not
    count them.
    """

    unit: Unit
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    kind: NDArray[np.int64]
    parent: NDArray[np.int64]
    tokens: NDArray[np.int64]
    scores: NDArray[np.float64]
    relevance: NDArray[np.float64]
    unscored: int
    status: Status
    title_tokens: int
    source_tokens: int | None


def tensors(request: Request, queries: Sequence[bytes]) -> list[InferInput]:
    """QUERY [Q], DOCUMENT [N] and, where any document has one, TITLE [N] and SOURCE [N], all BYTES."""
    inputs = [
        _text_tensor("QUERY", queries),
        _text_tensor("DOCUMENT", [unit.data for unit in request.units]),
    ]
    lines = (("TITLE", [unit.title for unit in request.units]), ("SOURCE", _sources(request)))
    return inputs + [_text_tensor(name, values) for name, values in lines if any(values)]


def read_response(response: Any, request: Request, queries: int) -> tuple[list[Part], list[int]]:
    """The parts, in the order of the request's units, and QUERY_CUT, one count per query.

    ``response`` is a tritonclient InferResult. Raises :class:`IncompatibleServer` for anything that the
    wire contract does not allow: nothing of such an answer can be trusted.
    """
    n = len(request.units)
    segment = _output(response, "SEGMENT", (None, _SEGMENT_COLUMNS)).astype(np.int64)
    rows = len(segment)
    tokens = _output(response, "SEGMENT_TOKENS", (rows,)).astype(np.int64)
    scores = _probabilities(response, "SEGMENT_SCORE", (rows, queries))
    relevance = _probabilities(response, "RELEVANCE", (n, queries))
    unscored = _output(response, "UNSCORED", (n,))
    status = _output(response, "STATUS", (n,))
    title_tokens = _output(response, "TITLE_TOKENS", (n,))
    # An answer without it is whole where nothing was sent to be counted.
    source_tokens = _output(response, "SOURCE_TOKENS", (n,)) if any(_sources(request)) else np.zeros(n)
    query_cut = _output(response, "QUERY_CUT", (queries,))

    document, start, end, kind, parent = segment.T
    _require(bool(np.all((document >= 0) & (document < n))), "SEGMENT names a document that was not sent")
    _require(bool(np.all(np.diff(document) >= 0)), "SEGMENT rows are not in the order of the documents")
    _require(bool(np.all(start <= end)), "SEGMENT holds a segment that ends before it starts")
    _require(bool(np.all((kind >= 0) & (kind < _KINDS))), "SEGMENT holds an unknown kind")
    _require(bool(np.all((status >= 0) & (status <= _LAST_STATUS))), "STATUS holds an unknown value")

    firsts = np.searchsorted(document, np.arange(n + 1))
    parts: list[Part] = []
    for i, unit in enumerate(request.units):
        own = slice(int(firsts[i]), int(firsts[i + 1]))
        begins, ends = _offsets(unit, start[own], end[own])
        parts.append(
            Part(
                unit=unit,
                start=begins,
                end=ends,
                kind=kind[own],
                parent=_parents(parent[own], own),
                tokens=tokens[own],
                scores=scores[own],
                relevance=relevance[i],
                unscored=int(unscored[i]),
                status=Status(int(status[i])),
                title_tokens=int(title_tokens[i]),
                source_tokens=None if unit.source is None else int(source_tokens[i]),
            )
        )
    return parts, [int(cut) for cut in query_cut]


def _sources(request: Request) -> list[bytes]:
    return [unit.source or b"" for unit in request.units]


def _text_tensor(name: str, values: Sequence[bytes]) -> InferInput:
    tensor = InferInput(name, [len(values)], "BYTES")
    # Never np.bytes_, which strips trailing zero bytes.
    tensor.set_data_from_numpy(np.array(values, dtype=np.object_))
    return tensor


def _output(response: Any, name: str, shape: tuple[int | None, ...]) -> NDArray[Any]:
    try:
        array = response.as_numpy(name)
    except (ValueError, TypeError) as error:
        raise _broken(f"{name} cannot be read: {error}") from error
    if array is None:
        raise _broken(f"it lacks the output {name}")
    wanted = "[" + ", ".join("S" if size is None else str(size) for size in shape) + "]"
    fits = len(array.shape) == len(shape) and all(
        size is None or size == got for size, got in zip(shape, array.shape, strict=True)
    )
    _require(fits, f"{name} has the shape {list(array.shape)}, where {wanted} is due")
    _require(array.dtype.kind in "if", f"{name} has the type {array.dtype}, where numbers are due")
    numbers: NDArray[Any] = array
    return numbers


def _probabilities(response: Any, name: str, shape: tuple[int, ...]) -> NDArray[np.float64]:
    values = _output(response, name, shape).astype(np.float64)
    _require(bool(np.all((values >= 0.0) & (values <= 1.0))), f"{name} holds values outside of 0 to 1")
    rounded: NDArray[np.float64] = np.round(values, _SCORE_DECIMALS)
    return rounded


def _offsets(
    unit: Unit, start: NDArray[np.int64], end: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    _require(bool(np.all(start[1:] >= end[:-1])), "SEGMENT rows overlap or are not in the order of the text")
    try:
        return code_points(unit.data, start) + unit.start, code_points(unit.data, end) + unit.start
    except ValueError as error:
        raise _broken(f"SEGMENT does not fit the text that was sent: {error}") from error


def _parents(parent: NDArray[np.int64], own: slice) -> NDArray[np.int64]:
    inside = (parent >= own.start) & (parent < own.stop)
    _require(bool(np.all(inside | (parent == -1))), "SEGMENT names a parent in another document")
    return np.where(parent == -1, -1, parent - own.start)


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise _broken(otherwise)


def _broken(what: str) -> IncompatibleServer:
    return IncompatibleServer(
        f"the server's answer breaks the wire contract: {what}. Are client and server of matching versions?",
        code="broken_answer",
    )
