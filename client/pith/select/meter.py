"""What a choice of segments costs, in the tokens of the budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pith.budget import Budget, CountTokens, count_with
from pith.render import BETWEEN_BLOCKS, BETWEEN_SPANS, Kept, Place, block, context, header, label, snippets
from pith.source_line import source_line
from pith.types import Kind, ScoredDocument

# The encoder's tokenizer turns any run of white space into at most one token.
_WHITE_SPACE = 1
# What stands between two headings in a block's first line: white space on both sides of a mark.
_BETWEEN_HEADINGS = 3


class Meter(Protocol):
    """Prices add up to an estimate of a context's size; ``measure`` is its size.

    ``base`` is the size of an empty context, ``between`` the price of what stands between two documents.
    """

    base: int
    between: int

    def price(self, place: Place) -> int:
        """The estimated tokens of one segment's text and of what joins it to the one before."""

    def header(self, document: int) -> int:
        """The estimated tokens of a document's label, title, version and url."""

    def measure(self, kept: Kept) -> int:
        """The tokens of the context that holds exactly ``kept``."""

    def measure_block(self, kept: Kept) -> int:
        """The tokens of the one block of ``kept``, all of whose places are in one document."""


class EncoderMeter:
    """The encoder's own tokens, as the server counted them; nothing is tokenized here.

    What the server did not count (labels, and version and url for a server that does not count them) is charged at
    one token a character and one more, which no tokenizer of the encoder's kind exceeds. So the size is an upper
    bound, and prices add up to it exactly.
    """

    base = 0
    between = _WHITE_SPACE

    def __init__(self, scored: Sequence[ScoredDocument], most_labels: int, titles: bool) -> None:
        self._scored = scored
        self._label = len(f"[{label(most_labels)}] ") + 1
        self._titles = titles

    def price(self, place: Place) -> int:
        segment = self._scored[place[0]].segments[place[1]]
        return segment.tokens + (_BETWEEN_HEADINGS if segment.kind is Kind.HEADING else _WHITE_SPACE)

    def header(self, document: int) -> int:
        scored = self._scored[document]
        source = scored.source_tokens
        if source is None:
            line = source_line(scored.document)
            source = len(line) + 1 if line else 0
        return self._label + (scored.title_tokens if self._titles else 0) + source + _WHITE_SPACE

    def measure(self, kept: Kept) -> int:
        documents = {document for document, _ in kept}
        return (
            sum(map(self.header, documents))
            + sum(map(self.price, kept))
            + self.between * max(0, len(documents) - 1)
        )

    def measure_block(self, kept: Kept) -> int:
        return self.measure(kept)


class CounterMeter:
    """The caller's tokens: each text is priced by itself, and the size is the counter's word on the whole."""

    def __init__(
        self,
        count: CountTokens,
        scored: Sequence[ScoredDocument],
        most_labels: int,
        titles: bool,
        order: Sequence[int] | None,
    ) -> None:
        self._count = count
        self._scored = scored
        self._order = order
        self._widest_label = label(most_labels)
        self._titles = titles
        # What the counter charges for any text, such as a tokenizer's marks for begin and end.
        self.base = count("")
        self.between = self._net(BETWEEN_BLOCKS)
        self._join = self._net(BETWEEN_SPANS)
        self._prices: dict[Place, int] = {}

    def price(self, place: Place) -> int:
        known = self._prices.get(place)
        if known is None:
            text = self._scored[place[0]].text_of(place[1])
            known = self._prices[place] = self._net(text) + self._join
        return known

    def header(self, document: int) -> int:
        line = header(self._widest_label, self._scored[document].document, titles=self._titles)
        return self._net(line)

    def measure(self, kept: Kept) -> int:
        return self._count(context(snippets(self._scored, kept, order=self._order), titles=self._titles))

    def measure_block(self, kept: Kept) -> int:
        (snippet,) = snippets(self._scored, kept)
        return self._count(block(snippet, titles=self._titles))

    def _net(self, text: str) -> int:
        return max(0, self._count(text) - self.base)


def meter_for(
    budget: Budget,
    scored: Sequence[ScoredDocument],
    most_labels: int,
    *,
    titles: bool = True,
    order: Sequence[int] | None = None,
) -> Meter:
    """The meter in the budget's tokens, for a context of at most ``most_labels`` documents in a given order."""
    count = count_with(budget.counter)
    if count is None:
        return EncoderMeter(scored, most_labels, titles)
    return CounterMeter(count, scored, most_labels, titles, order)
