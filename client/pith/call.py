"""One scoring call as a state machine without any I/O.

The transports (threads or asyncio) ask it what to send next, tell it what came back, and in the end collect
the scored documents. Order, retries, halving and assembly live here, once.
"""

from __future__ import annotations

import heapq
import itertools
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tritonclient.utils import InferenceServerException

from pith.assembly import assemble
from pith.config import ServerConfig
from pith.deadline import Deadline
from pith.errors import InvalidInput
from pith.failure import asks_for_less, out_of_time, retry_delay, typed
from pith.packing import Request, Unit, cut_to_units, halve, halve_unit, pack, part_limit
from pith.source_line import source_line
from pith.text import encode
from pith.types import REASONS, Document, ScoredDocument, Status
from pith.wire import Part, read_response


@dataclass(frozen=True, slots=True)
class Scoring:
    """The outcome: scored documents in the order given, and what it took.

    ``query_cut`` counts, per query, the tokens that were not read. ``config`` is None when nothing had to
    be sent.
    """

    documents: list[ScoredDocument]
    query_cut: tuple[int, ...]
    requests: int
    config: ServerConfig | None


class Call:
    """Scores ``documents`` for ``queries`` (the query first, then the needs)."""

    def __init__(
        self,
        documents: Sequence[Document],
        queries: Sequence[str],
        *,
        url: str,
        model: str,
        deadline: Deadline,
    ) -> None:
        self.queries = [query.encode() for query in queries]
        self.needs = tuple(queries[1:])
        self.deadline = deadline
        self._documents = documents
        self._url = url
        self._model = model
        self._known: dict[int, Status] = {}
        self._to_cut: list[tuple[int, bytes, bytes]] = []
        self._parts: list[Part] = []
        self._query_cut = [0] * len(queries)
        self._ready: deque[Request] = deque()
        self._delayed: list[tuple[float, int, Request]] = []
        self._numbers = itertools.count()
        self._under_way = 0
        self._sent = 0
        self._config: ServerConfig | None = None
        for index, document in enumerate(documents):
            self._sort_in(index, document)

    @property
    def needs_server(self) -> bool:
        """False when no document holds anything to score."""
        return bool(self._to_cut)

    @property
    def finished(self) -> bool:
        return not (self._ready or self._delayed or self._under_way)

    def start(self, config: ServerConfig) -> None:
        """Plan the requests. Raises :class:`InvalidInput` for more needs than the server takes."""
        if len(self.queries) > config.max_queries:
            raise InvalidInput(
                f"{len(self.queries) - 1} needs are too many: the server takes {config.max_queries - 1} "
                "next to the query",
                code="too_many_queries",
            )
        self._config = config
        limit = part_limit(config, len(self.queries))
        units: list[Unit] = []
        for index, data, title in self._to_cut:
            document = self._documents[index]
            source = source_line(document).encode() if config.counts_source else None
            units += cut_to_units(Unit(index, 0, document.text, data, title, source), limit)
        self._ready.extend(pack(units, self.queries, config))

    def next(self) -> Request | None:
        """The request to send now; None when there is none, or none yet.

        Raises :class:`~pith.errors.DeadlineExceeded` when there is one but no time for it.
        """
        while self._delayed and self._delayed[0][0] <= time.monotonic():
            self._ready.append(heapq.heappop(self._delayed)[2])
        if not self._ready:
            return None
        if self.deadline.left <= 0.0:
            raise out_of_time(self.deadline, self._ready[0].documents)
        request = self._ready.popleft()
        request.tries += 1
        self._under_way += 1
        self._sent += 1
        return request

    def pause(self) -> float | None:
        """Seconds until :meth:`next` has a request that waits for its second try; None when none waits."""
        return max(0.0, self._delayed[0][0] - time.monotonic()) if self._delayed else None

    def succeeded(self, request: Request, response: Any) -> None:
        """Take in an InferResult. Raises :class:`~pith.errors.IncompatibleServer` if it makes no sense."""
        self._under_way -= 1
        parts, query_cut = read_response(response, request, len(self.queries))
        for part in parts:
            # The server reads so much of a document and no more; in halves all of it is read.
            if part.unscored and (halves := halve_unit(part.unit)):
                self._ready.extend(Request((half,)) for half in halves)
            else:
                self._parts.append(part)
        self._query_cut = [max(pair) for pair in zip(self._query_cut, query_cut, strict=True)]

    def failed(self, request: Request, error: InferenceServerException) -> None:
        """Plan another try, or smaller requests; raises the typed error when neither can help."""
        self._under_way -= 1
        if asks_for_less(error) and (halves := halve(request)):
            self._ready.extendleft(reversed(halves))
            return
        final = typed(
            error,
            url=self._url,
            model=self._model,
            deadline=self.deadline,
            model_was_there=True,
            documents=request.documents,
        )
        delay = retry_delay(final, request.tries, self.deadline)
        if delay is None:
            raise final
        heapq.heappush(self._delayed, (time.monotonic() + delay, next(self._numbers), request))

    def scoring(self) -> Scoring:
        """The outcome of a finished call."""
        parts: dict[int, list[Part]] = {}
        for part in self._parts:
            parts.setdefault(part.unit.document, []).append(part)
        scored = [
            self._without_segments(document, self._known[index])
            if index in self._known
            else assemble(document, parts[index])
            for index, document in enumerate(self._documents)
        ]
        return Scoring(scored, tuple(self._query_cut), self._sent, self._config)

    def _sort_in(self, index: int, document: Document) -> None:
        """Find what has a known answer: such a document is not sent and cannot disturb the others."""
        if not document.allowed:
            self._known[index] = Status.NOT_ALLOWED
            return
        data, title = encode(document.text), encode(document.title or "")
        if data is None or title is None:
            self._known[index] = Status.INVALID_TEXT
        elif not document.text.strip():
            self._known[index] = Status.EMPTY
        else:
            self._to_cut.append((index, data, title))

    @staticmethod
    def _without_segments(document: Document, status: Status) -> ScoredDocument:
        return ScoredDocument(document, status=status, reason=REASONS[status])
