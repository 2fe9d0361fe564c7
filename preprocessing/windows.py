"""Segments to windows: the rows that the encoder reads.

A row is `<s> query </s> context </s> body </s>` and padding. The context is the document's title and what the first
segment of the row depends on (headings above it, header of its table, lead-in of its list), so that a row in the
middle of a long document still says what it is about. The body is a run of consecutive segments; a segment that is
longer than a row continues in the next one. The rows of a document cover all of its tokens and overlap a little, so
that a segment's neighbour is seen beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from preprocessing.tokenizer import Ids, TextTokenizer, TokenRuns

SPECIAL_TOKENS = 4


@dataclass(frozen=True)
class WindowSettings:
    """Shapes of the encoder's rows, in tokens.

    buckets: row lengths, ascending; all rows of a request share one. row_tokens: the row length that long documents
    are cut into. context_tokens: most tokens of title and headings in front of a body. overlap_tokens: most tokens
    of the row before that a row repeats.
    """

    buckets: tuple[int, ...] = (64, 128, 256, 512)
    row_tokens: int = 256
    context_tokens: int = 48
    overlap_tokens: int = 24

    def __post_init__(self) -> None:
        if list(self.buckets) != sorted(set(self.buckets)) or self.row_tokens not in self.buckets:
            raise ValueError(f"Buckets must ascend and hold row_tokens: {self.buckets}, {self.row_tokens}.")

    def row_length(self, query_tokens: int, document_tokens: int) -> int:
        """The row length for a request whose longest query and longest document have these many tokens.

        The least bucket that holds the longest document (with its title) whole, up to `row_tokens`. Otherwise
        `row_tokens`, or the next bucket where query and context would leave less than half of that to the body.
        """
        whole = query_tokens + document_tokens + SPECIAL_TOKENS
        if whole <= self.row_tokens:
            return next(b for b in self.buckets if b >= whole)
        prefix = query_tokens + self.context_tokens + SPECIAL_TOKENS
        roomy = next((b for b in self.buckets if b >= 2 * prefix), self.buckets[-1])
        return max(self.row_tokens, roomy)


@dataclass(frozen=True)
class DocumentTokens:
    """What the windows of one document are made from.

    runs: the tokens of its segments. parent: int32 [S], index of the segment that each depends on, or -1.
    title: the tokens of its title, int32 [T]. row: index of its first segment in the request's segment table.
    """

    runs: TokenRuns
    parent: NDArray[np.int32]
    title: Ids
    row: int

    @property
    def tokens(self) -> int:
        """Tokens of the text, title excluded."""
        return int(self.runs.ids.size)


def context_of(document: DocumentTokens, segment: int, most: int) -> Ids:
    """Title and chain of parents of a segment, outermost first, int32 [<= most].

    The nearest parents say most about a segment, so the title and far headings give way first.
    """
    chain: list[Ids] = []
    room = most
    at = int(document.parent[segment])
    while at >= 0 and room > 0:
        piece = document.runs.of(at)[:room]
        chain.append(piece)
        room -= piece.size
        at = int(document.parent[at])
    if room > 0:
        chain.append(document.title[:room])
    return np.concatenate(chain[::-1]) if chain else np.zeros(0, np.int32)


@dataclass(frozen=True)
class Span:
    """One window of a document: body tokens `first` to `last` (exclusive) behind `context`."""

    first: int
    last: int
    context: Ids


def plan(
    document: DocumentTokens, query_tokens: int, length: int, settings: WindowSettings, most: int
) -> list[Span]:
    """Cut a document into at most `most` windows for a row of `length` tokens; an empty one has none."""
    bounds, total = document.runs.bounds, document.tokens
    spans: list[Span] = []
    first = reached = 0
    while reached < total and len(spans) < most:
        segment = int(np.searchsorted(bounds, first, side="right")) - 1
        context = context_of(document, segment, settings.context_tokens)
        room = length - query_tokens - context.size - SPECIAL_TOKENS
        last = min(first + room, total)
        if last < total:
            boundary = int(bounds[np.searchsorted(bounds, last, side="right") - 1])
            # A segment is only cut when keeping it whole would leave half of the row empty.
            if boundary > max(reached, first + room // 2):
                last = boundary
        spans.append(Span(first, last, context))
        reached = last
        # A row of barely any room must still move forward, whatever it repeats.
        back = last - min(settings.overlap_tokens, (last - first) // 2)
        boundary = int(bounds[np.searchsorted(bounds, back, side="left")])
        first = boundary if boundary < last else (last if boundary == last else back)
    return spans


@dataclass(frozen=True)
class Windows:
    """The encoder rows of a request.

    input_ids: int32 [W, L]. token_segment: int32 [W, L], row of the segment table for each body position, -1
    elsewhere. window: int32 [W, 2], document and query of each row. unscored: int32 [N], tokens of each document
    that no window covers.
    """

    input_ids: NDArray[np.int32]
    token_segment: NDArray[np.int32]
    window: NDArray[np.int32]
    unscored: NDArray[np.int32]


def build(
    queries: Sequence[Ids],
    documents: Sequence[DocumentTokens],
    settings: WindowSettings,
    document_windows: int,
    accept: Callable[[int], None] | None = None,
) -> Windows:
    """Lay out the windows of every document for every query.

    There is always at least one row: a request without any text gets one that holds nothing (document -1). `accept` is
    called with the number of rows before memory is taken for them, and refuses by raising.
    """
    longest_query = max((query.size for query in queries), default=0)
    longest = max((document.tokens + document.title.size for document in documents), default=0)
    length = settings.row_length(longest_query, longest)
    unscored = np.zeros(len(documents), np.int32)
    rows: list[tuple[int, int, Span]] = []
    for n, document in enumerate(documents):
        for q, query in enumerate(queries):
            spans = plan(document, query.size, length, settings, document_windows)
            rows += [(n, q, span) for span in spans]
            covered = spans[-1].last if spans else 0
            unscored[n] = max(int(unscored[n]), document.tokens - covered)

    count = max(len(rows), 1)
    if accept is not None:
        accept(count)
    input_ids = np.full((count, length), TextTokenizer.pad_id, np.int32)
    token_segment = np.full((count, length), -1, np.int32)
    window = np.full((count, 2), -1, np.int32)
    if not rows:
        input_ids[0, :4] = (TextTokenizer.bos_id, *[TextTokenizer.sep_id] * 3)
        window[0, 1] = 0
    segment_of = [np.repeat(np.arange(d.row, d.row + d.parent.size), d.runs.lengths) for d in documents]
    for w, (n, q, span) in enumerate(rows):
        window[w] = (n, q)
        row = input_ids[w]
        query = queries[q]
        at = 1 + query.size
        row[0] = TextTokenizer.bos_id
        row[1:at] = query
        row[at] = TextTokenizer.sep_id
        body = at + 1 + span.context.size
        row[at + 1 : body] = span.context
        row[body] = TextTokenizer.sep_id
        end = body + 1 + span.last - span.first
        row[body + 1 : end] = documents[n].runs.ids[span.first : span.last]
        row[end] = TextTokenizer.sep_id
        token_segment[w, body + 1 : end] = segment_of[n][span.first : span.last]
    return Windows(input_ids, token_segment, window, unscored)
