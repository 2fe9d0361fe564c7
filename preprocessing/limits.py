"""The limits of one request, in one place, and the errors that state them.

Every refusal carries a short code and a sentence with the limit and the value that broke it, so that a caller in any
language can act on the code and a person can act on the sentence.
"""

from __future__ import annotations

from dataclasses import dataclass


class RequestRefused(ValueError):
    """A request that is refused as a whole; `str()` reads `PITH:<code>: <sentence>`."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(f"PITH:{code}: {sentence}")
        self.code = code
        self.sentence = sentence


@dataclass(frozen=True)
class Limits:
    """What one request may hold.

    documents: most documents of a request. document_bytes: most UTF-8 bytes of a document (over it: status
    `TOO_LARGE`, its neighbours are scored). queries: most queries of a request. query_tokens: tokens read of each
    query (the rest is reported as `QUERY_CUT`). windows: most encoder rows of a request, which must not exceed the
    encoder's `max_batch_size`. document_windows: most windows of one document for one query; tokens beyond it are
    reported as `UNSCORED`.
    """

    documents: int = 256
    document_bytes: int = 1_048_576
    queries: int = 16
    query_tokens: int = 128
    windows: int = 128
    document_windows: int = 128

    def check_request(
        self, queries: int, documents: int, titles: int | None = None, sources: int | None = None
    ) -> None:
        """Refuse a request by its counts alone, before any text is read; None for an input that was not sent."""
        if queries < 1:
            raise RequestRefused("empty_query", "QUERY holds no query; send at least one.")
        if queries > self.queries:
            raise RequestRefused(
                "too_many_queries",
                f"{queries} queries in one request, the limit is {self.queries}; send fewer.",
            )
        if documents < 1:
            raise RequestRefused("no_documents", "DOCUMENT holds no document; send at least one.")
        if documents > self.documents:
            raise RequestRefused(
                "too_many_documents",
                f"{documents} documents in one request, the limit is {self.documents}; split the request.",
            )
        for name, count in (("TITLE", titles), ("SOURCE", sources)):
            if count is not None and count != documents:
                raise RequestRefused(
                    "shape_mismatch",
                    f"{name} has {count} entries for {documents} documents; send one a document.",
                )

    def check_windows(self, windows: int) -> None:
        """Refuse a request whose windows would not fit one encoder batch."""
        if windows > self.windows:
            raise RequestRefused(
                "too_many_windows",
                f"{windows} windows in one request, the limit is {self.windows}; "
                "send fewer or shorter documents, or fewer queries.",
            )
