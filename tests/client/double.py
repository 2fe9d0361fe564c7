"""A stand-in for a Pith server: the wire contract over real gRPC, with word overlap for a model.

Only here for what a real server does not do on demand: to fail in a given way, to be slow, to answer with
nonsense. What the model and the real server do is tested in tests/e2e.
"""

from __future__ import annotations

import re
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import numpy as np
from numpy.typing import NDArray
from tritonclient.grpc import model_config_pb2, service_pb2, service_pb2_grpc

Tensors = dict[str, NDArray[Any]]
Failure = tuple[grpc.StatusCode, str]

PARAMETERS = {
    "pith_wire": "1",
    "default_threshold": "0.2",
    "max_documents": "256",
    "max_document_bytes": "1048576",
    "max_windows": "256",
    "max_queries": "16",
    "model_name": "word-overlap",
    "counts_source": "1",
}
_DATATYPES = {"int32": "INT32", "float32": "FP32"}
_SEGMENT = re.compile(r"[^\s.!?。][^.!?。\n]*[.!?。]*|[.!?。]+")
_WINDOW_TOKENS = 200


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def score(query: str, segment: str) -> float:
    """The share of the query's words that the segment holds."""
    asked = set(words(query))
    return len(asked & set(words(segment))) / max(1, len(asked))


class Double(service_pb2_grpc.GRPCInferenceServiceServicer):  # type: ignore[misc]
    """Serves ``compressor`` at ``url``. The next inferences fail as ``failures`` says, one each.

    A failure waits until ``fail_among`` requests are under way, the others take ``delay`` seconds, and
    ``most_read`` tokens of a document are scored at most. ``spoil`` may change an answer before it is sent.
    ``requests`` holds the documents of every request, ``received`` all that its tensors held.
    """

    def __init__(self, parameters: dict[str, str] | None = None) -> None:
        self.parameters = PARAMETERS if parameters is None else parameters
        self.failures: deque[Failure] = deque()
        self.config_failures: deque[Failure] = deque()
        self.fail_among = 1
        self.delay = 0.0
        self.most_read = 1_000_000
        self.spoil: Callable[[Tensors], None] = lambda outputs: None
        self.requests: list[list[str]] = []
        self.received: list[dict[str, list[bytes]]] = []
        self.cancelled = threading.Event()
        self.timeouts: list[int] = []
        self.under_way = self.most_under_way = 0
        self._lock = threading.Lock()
        self._server = grpc.server(ThreadPoolExecutor(max_workers=16))
        service_pb2_grpc.add_GRPCInferenceServiceServicer_to_server(self, self._server)
        self.url = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()

    def stop(self) -> None:
        self._server.stop(grace=None).wait()

    def ModelConfig(self, request: Any, context: Any) -> Any:  # noqa: N802
        if self.config_failures:
            context.abort(*self.config_failures.popleft())
        parameters = {
            name: model_config_pb2.ModelParameter(string_value=value)
            for name, value in self.parameters.items()
        }
        config = model_config_pb2.ModelConfig(name=request.name, parameters=parameters)
        return service_pb2.ModelConfigResponse(config=config)

    def ModelInfer(self, request: Any, context: Any) -> Any:  # noqa: N802
        with self._lock:
            self.under_way += 1
            self.most_under_way = max(self.most_under_way, self.under_way)
            failure = self.failures.popleft() if self.failures else None
            self.timeouts.append(request.parameters["timeout"].int64_param)
        try:
            return self._answer(request, context, failure)
        finally:
            with self._lock:
                self.under_way -= 1

    def _answer(self, request: Any, context: Any, failure: Failure | None) -> Any:
        texts = {
            tensor.name: list(_strings(content))
            for tensor, content in zip(request.inputs, request.raw_input_contents, strict=True)
        }
        with self._lock:
            self.requests.append([text.decode() for text in texts["DOCUMENT"]])
            self.received.append(texts)
        if failure is not None:
            while self.under_way < self.fail_among:
                time.sleep(0.005)
            context.abort(*failure)
        until = time.monotonic() + self.delay
        while time.monotonic() < until:
            time.sleep(0.005)
            if not context.is_active():
                self.cancelled.set()
                break
        try:
            outputs = self._infer(texts["QUERY"], texts["DOCUMENT"], texts.get("TITLE"))
            outputs |= self._source_tokens(len(texts["DOCUMENT"]), texts.get("SOURCE"))
        except ValueError as error:
            context.abort(
                grpc.StatusCode.INVALID_ARGUMENT, f"in ensemble 'compressor', {error}\n\nAt: model.py"
            )
        self.spoil(outputs)
        return _response(outputs)

    def _infer(
        self, queries: Sequence[bytes], documents: Sequence[bytes], titles: Sequence[bytes] | None
    ) -> Tensors:
        rows: list[tuple[int, int, int, int, int]] = []
        tokens: list[int] = []
        scores: list[list[float]] = []
        status: list[int] = []
        relevance: list[list[float]] = []
        unscored: list[int] = []
        windows = 0
        asked = [query.decode() for query in queries]
        if len(documents) > int(self.parameters["max_documents"]):
            raise ValueError("PITH:too_many_documents: too many documents")
        for i, data in enumerate(documents):
            heading, first = -1, len(rows)
            text = data.decode()
            for match in _SEGMENT.finditer(text):
                segment = match[0].rstrip()
                start = len(text[: match.start()].encode())
                is_heading = segment.startswith("# ")
                rows.append((i, start, start + len(segment.encode()), int(is_heading), heading))
                heading = len(rows) - 1 if is_heading else heading
                tokens.append(max(1, len(words(segment))))
                scores.append([score(query, segment) for query in asked])
            status.append(0 if len(rows) > first else 1)
            relevance.append([max((s[q] for s in scores[first:]), default=0.0) for q in range(len(queries))])
            windows += max(1, -(-sum(tokens[first:]) // _WINDOW_TOKENS)) * len(queries)
            unscored.append(max(0, sum(tokens[first:]) - self.most_read))
        if windows > int(self.parameters["max_windows"]):
            raise ValueError(f"PITH:too_many_windows: {windows} windows are over the limit")
        n = len(documents)
        return {
            "SEGMENT": np.array(rows, dtype=np.int32).reshape(-1, 5),
            "SEGMENT_TOKENS": np.array(tokens, dtype=np.int32),
            "SEGMENT_SCORE": np.array(scores, dtype=np.float32).reshape(-1, len(queries)),
            "RELEVANCE": np.array(relevance, dtype=np.float32),
            "UNSCORED": np.array(unscored, dtype=np.int32),
            "STATUS": np.array(status, dtype=np.int32),
            "TITLE_TOKENS": np.array([len(words(t.decode())) for t in titles or [b""] * n], dtype=np.int32),
            "QUERY_CUT": np.array([max(0, len(words(query)) - 64) for query in asked], dtype=np.int32),
        }

    def _source_tokens(self, documents: int, sources: Sequence[bytes] | None) -> Tensors:
        if self.parameters.get("counts_source") == "1":
            counts = [len(words(source.decode())) for source in sources or [b""] * documents]
            return {"SOURCE_TOKENS": np.array(counts, dtype=np.int32)}
        if sources is not None:
            raise ValueError("unexpected inference input 'SOURCE' for model 'compressor'")
        return {}


def _strings(content: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(content):
        (size,) = struct.unpack_from("<I", content, at)
        yield content[at + 4 : at + 4 + size]
        at += 4 + size


def _response(outputs: Tensors) -> Any:
    response = service_pb2.ModelInferResponse(model_name="compressor", model_version="1")
    for name, array in outputs.items():
        response.outputs.add(name=name, datatype=_DATATYPES[array.dtype.name], shape=array.shape)
        response.raw_output_contents.append(array.tobytes())
    return response
