"""One request whose scores are kept beside its result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Unpack

from pith.budget import Budget
from pith.compression import Compression
from pith.compressor import Compressor
from pith.inspect.page import page
from pith.report import Result
from pith.switches import Selection, Switches
from pith.types import Document, ScoredDocument


@dataclass(frozen=True, slots=True)
class Inspection:
    """A result with all the scores that it was chosen from. ``scored`` has the documents as they were scored: chunks
    of one source are joined, so that it is as long as ``result.report.documents``."""

    query: str
    result: Result
    scored: tuple[ScoredDocument, ...]
    switches: Selection

    def page(self) -> str:
        """The HTML page."""
        return page(self.result, self.scored, query=self.query, switches=self.switches)


def inspect(
    compressor: Compressor,
    query: str,
    documents: Iterable[Document | str],
    budget: str | int | Budget = "medium",
    threshold: float | str | None = None,
    needs: Iterable[str] | None = None,
    *,
    timeout: float | None = None,
    **switches: Unpack[Switches],
) -> Inspection:
    """What ``compressor.compress`` does with the same arguments, and raises; the scores come along."""
    compression = Compression.read(query, documents, budget, threshold, needs, switches)
    call = compressor._connection.ask(query, compression.documents, compression.texts, timeout)
    with compression.callers_positions():
        compressor._run(call)
    return Inspection(query, compression.result(call), tuple(call.scoring().documents), compression.switches)
