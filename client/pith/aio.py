"""The client for asyncio: the same methods as :class:`pith.Compressor`, awaited."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, Self, Unpack

import grpc
from tritonclient.grpc.aio import InferenceServerClient
from tritonclient.utils import InferenceServerException

from pith.budget import Budget
from pith.call import Call
from pith.compression import Compression
from pith.config import ServerConfig, read_config
from pith.connection import Connection, string_parameters
from pith.errors import PithError
from pith.failure import closed, retry_delay, typed
from pith.packing import Request
from pith.report import Result
from pith.switches import Switches
from pith.types import Document, ScoredDocument
from pith.wire import tensors


class AsyncCompressor:
    """Scores and compresses documents with a Pith server, for one event loop; make one and share it.

    Takes the same settings as :class:`pith.Compressor`. The channel is opened at the first call and belongs
    to the event loop of that call. Packing, decoding and selection run in the loop's own thread, so a
    budget's counter should be quick. Cancelling a call cancels its requests.
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
        self._client: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._config: ServerConfig | None = None
        self._closed = False

    async def score(
        self,
        query: str,
        documents: Iterable[Document | str],
        needs: Iterable[str] | None = None,
        *,
        timeout: float | None = None,
    ) -> list[ScoredDocument]:
        """See :meth:`pith.Compressor.score`."""
        call = self._connection.ask(query, documents, needs, timeout)
        await self._run(call)
        return call.scoring().documents

    async def compress(
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
        """See :meth:`pith.Compressor.compress`."""
        compression = Compression.read(query, documents, budget, threshold, needs, switches)
        call = self._connection.ask(query, compression.documents, compression.texts, timeout)
        with compression.callers_positions():
            await self._run(call)
        return compression.result(call)

    async def close(self) -> None:
        """Close the channel; calls that are under way fail. Closing twice is fine."""
        self._closed = True
        if self._client is not None:
            await self._client.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _run(self, call: Call) -> None:
        """Bring ``call`` to its end, or raise what ended it; no request stays under way."""
        if self._closed:
            raise closed()
        if not call.needs_server:
            return
        self._open()
        call.start(await self._read_config(call))
        under_way: dict[asyncio.Task[Any], Request] = {}
        try:
            while not call.finished:
                while (
                    len(under_way) < self._connection.max_in_flight and (request := call.next()) is not None
                ):
                    under_way[asyncio.create_task(self._infer(call, request))] = request
                if not under_way:
                    await asyncio.sleep(call.pause() or 0.0)
                    continue
                done, _ = await asyncio.wait(
                    under_way, timeout=call.pause(), return_when=asyncio.FIRST_COMPLETED
                )
                for task in done:
                    self._take(call, under_way.pop(task), task)
        finally:
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)

    def _take(self, call: Call, request: Request, task: asyncio.Task[Any]) -> None:
        try:
            response = task.result()
        except InferenceServerException as error:
            if self._closed:
                raise closed() from error
            call.failed(request, error)
        except (grpc.aio.UsageError, asyncio.CancelledError) as error:
            # What gRPC raises in the calls of a channel that is closed under them.
            raise closed() from error
        else:
            call.succeeded(request, response)

    async def _infer(self, call: Call, request: Request) -> Any:
        return await self._client.infer(
            inputs=tensors(request, call.queries), **self._connection.infer_arguments(call.deadline)
        )

    @staticmethod
    def _cancelled_by_caller(error: BaseException) -> bool:
        """gRPC cancels the calls of a channel that is closed, which must not pass for the caller's wish."""
        task = asyncio.current_task()
        return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0

    def _open(self) -> None:
        loop = asyncio.get_running_loop()
        if self._client is None:
            self._client = InferenceServerClient(**self._connection.client_arguments())
            self._loop = loop
        elif self._loop is not loop:
            raise PithError(
                "this AsyncCompressor is used in a second event loop: make one for each loop",
                code="wrong_event_loop",
            )

    async def _read_config(self, call: Call) -> ServerConfig:
        """The server's configuration, asked for once; two first calls at a time may both ask."""
        tries = 0
        while self._config is None:
            tries += 1
            try:
                response = await self._client.get_model_config(
                    self._connection.model,
                    headers=self._connection.header_arguments(),
                    client_timeout=call.deadline.left,
                )
                self._config = read_config(string_parameters(response), model=self._connection.model)
            except (grpc.aio.UsageError, asyncio.CancelledError) as error:
                if self._cancelled_by_caller(error):
                    raise
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
                await asyncio.sleep(delay)
        return self._config
