"""The client for threads: one channel, any number of threads."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, Self, Unpack

import grpc
from tritonclient.grpc import InferenceServerClient
from tritonclient.utils import InferenceServerException

from pith.budget import Budget
from pith.call import Call
from pith.compression import Compression
from pith.config import ServerConfig, read_config
from pith.connection import Connection, string_parameters
from pith.failure import closed, retry_delay, typed
from pith.packing import Request
from pith.report import Result
from pith.switches import Switches
from pith.types import Document, ScoredDocument
from pith.wire import tensors

_Done = tuple[Request, Any, InferenceServerException | None]


class Compressor:
    """Scores and compresses documents with a Pith server. Thread-safe: make one and share it.

    ``url`` is host:port of the server's gRPC port. ``timeout`` (seconds) bounds a whole call, which sends up
    to ``max_in_flight`` requests side by side. ``ssl`` turns on TLS with the system's roots,
    ``credentials`` takes any other ``grpc.ChannelCredentials``, ``headers`` go along with every request.
    Nothing is sent before the first call. Use it as a context manager or :meth:`close` it.

    Every method raises errors of :mod:`pith.errors` and none other for what a server or a network can do.
    """

    def __init__(
        self,
        url: str = "localhost:8001",
        *,
        model: str = "compressor",
        timeout: float = 60.0,
        max_in_flight: int = 4,
        ssl: bool = False,
        credentials: grpc.ChannelCredentials | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self._connection = Connection(
            url=url,
            model=model,
            timeout=timeout,
            max_in_flight=max_in_flight,
            ssl=ssl,
            credentials=credentials,
            headers=headers,
        )
        self._client = InferenceServerClient(**self._connection.client_arguments())
        self._config: ServerConfig | None = None
        self._closed = False
        # tritonclient's async_infer keeps the RPC that it starts in an attribute of the client for a moment,
        # so two threads within it could swap their answers.
        self._starting = threading.Lock()

    def score(
        self,
        query: str,
        documents: Iterable[Document | str],
        needs: Iterable[str] | None = None,
        *,
        timeout: float | None = None,
    ) -> list[ScoredDocument]:
        """Score every segment of every document, in the order given; nothing is dropped.

        ``needs`` are facts that an answer must contain, each scored like a query of its own.
        ``timeout`` replaces the compressor's own for this call.
        """
        call = self._connection.ask(query, documents, needs, timeout)
        self._run(call)
        return call.scoring().documents

    def compress(
        self,
        query: str,
        documents: Iterable[Document | str],
        budget: str | int | Budget = "medium",
        threshold: float | str | None = None,
        needs: Iterable[str] | None = None,
        *,
        timeout: float | None = None,
        **switches: Unpack[Switches],
    ) -> Result:
        """Keep the segments that are evidence, within a budget of tokens.

        ``budget`` is "low", "medium" or "high" (1,000, 4,000 or 10,000 tokens), a number of tokens, or a
        :class:`~pith.Budget` with a counter of its own; it is a hard cap on ``Result.context``.
        ``threshold`` is the least score that is evidence: a number, a share of the evidence that should be found,
        as in "recall=0.9", or None for the server's own. ``needs`` are facts that the answer must contain; each
        gets its best evidence before anything else is taken. The other keyword arguments are the switches of
        :class:`~pith.Selection`. A result without evidence is empty and says why in ``report.reason``.
        """
        compression = Compression.read(query, documents, budget, threshold, needs, switches)
        call = self._connection.ask(query, compression.documents, compression.texts, timeout)
        with compression.callers_positions():
            self._run(call)
        return compression.result(call)

    def close(self) -> None:
        """Close the channel; calls that are under way fail. Closing twice is fine."""
        self._closed = True
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, call: Call) -> None:
        """Bring ``call`` to its end, or raise what ended it; no request stays under way."""
        if self._closed:
            raise closed()
        if not call.needs_server:
            return
        call.start(self._read_config(call))
        done: queue.SimpleQueue[_Done] = queue.SimpleQueue()
        under_way: dict[Request, Any] = {}
        try:
            while not call.finished:
                while (
                    len(under_way) < self._connection.max_in_flight and (request := call.next()) is not None
                ):
                    under_way[request] = self._start(call, request, done)
                try:
                    request, response, error = done.get(timeout=call.pause())
                except queue.Empty:
                    continue
                del under_way[request]
                if self._closed:
                    raise closed()
                if error is None:
                    call.succeeded(request, response)
                else:
                    call.failed(request, error)
        finally:
            for rpc in under_way.values():
                rpc.cancel()

    def _start(self, call: Call, request: Request, done: queue.SimpleQueue[_Done]) -> Any:
        def take(result: Any, error: InferenceServerException | None) -> None:
            done.put((request, result, error))

        inputs = tensors(request, call.queries)
        with self._starting:
            try:
                return self._client.async_infer(
                    inputs=inputs, callback=take, **self._connection.infer_arguments(call.deadline)
                )
            except ValueError as error:
                # What gRPC raises for a channel that another thread has closed.
                raise closed() from error

    def _read_config(self, call: Call) -> ServerConfig:
        """The server's configuration, asked for once; two first calls at a time may both ask."""
        tries = 0
        while self._config is None:
            tries += 1
            try:
                response = self._client.get_model_config(
                    self._connection.model,
                    headers=self._connection.header_arguments(),
                    client_timeout=call.deadline.left,
                )
                self._config = read_config(string_parameters(response), model=self._connection.model)
            except ValueError as error:
                raise closed() from error
            except InferenceServerException as error:
                if self._closed:
                    raise closed() from error
                final = typed(
                    error,
                    url=self._connection.url,
                    model=self._connection.model,
                    deadline=call.deadline,
                    model_was_there=False,
                )
                delay = retry_delay(final, tries, call.deadline)
                if delay is None:
                    raise final from error
                time.sleep(delay)
        return self._config
