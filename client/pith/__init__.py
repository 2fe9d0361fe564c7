"""Query-aware context compression: the client of a Pith server.

>>> import pith
>>> with pith.Compressor("localhost:8001") as compressor:  # doctest: +SKIP
...     result = compressor.compress("When does the warranty end?", documents, budget="low")
...     prompt = result.context
"""

from pith import errors
from pith.aio import AsyncCompressor
from pith.budget import Budget
from pith.citations import Location, Source, SourceSpan
from pith.compressor import Compressor
from pith.parts import split_question
from pith.report import Conflict, DocumentReport, Duplicate, NeedReport, Reason, Report, Result, Unfit
from pith.select import select_evidence
from pith.switches import Selection
from pith.types import (
    Address,
    Document,
    Kind,
    ScoredDocument,
    Segment,
    Snippet,
    Span,
    SpanReason,
    Status,
)

__all__ = [
    "Address",
    "AsyncCompressor",
    "Budget",
    "Compressor",
    "Conflict",
    "Document",
    "DocumentReport",
    "Duplicate",
    "Kind",
    "Location",
    "NeedReport",
    "Reason",
    "Report",
    "Result",
    "ScoredDocument",
    "Segment",
    "Selection",
    "Snippet",
    "Source",
    "SourceSpan",
    "Span",
    "SpanReason",
    "Status",
    "Unfit",
    "errors",
    "select_evidence",
    "split_question",
]
