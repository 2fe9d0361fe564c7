"""Query-aware context compression: the client of a Pith server.

>>> import pith
>>> with pith.Compressor("localhost:8001") as compressor:  # doctest: +SKIP
...     result = compressor.compress("When does the warranty end?", documents, budget="low")
...     prompt = result.context
"""

from pith import errors
from pith.aio import AsyncCompressor
from pith.budget import Budget
from pith.compressor import Compressor
from pith.report import DocumentReport, Reason, Report, Result
from pith.select import select_evidence
from pith.types import Document, Kind, ScoredDocument, Segment, Snippet, Span, Status

__all__ = [
    "AsyncCompressor",
    "Budget",
    "Compressor",
    "Document",
    "DocumentReport",
    "Kind",
    "Reason",
    "Report",
    "Result",
    "ScoredDocument",
    "Segment",
    "Snippet",
    "Span",
    "Status",
    "errors",
    "select_evidence",
]
