"""What a choice of segments costs, in the tokens of the budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pith.budget import Budget, CountTokens, count_with
from pith.render import BETWEEN_BLOCKS, BETWEEN_SPANS, context, header, label, snippets
from pith.select.candidates import Candidate, places
from pith.types import ScoredDocument

# The encoder's tokenizer turns any run of white space into at most one token.
_WHITE_SPACE = 1


class Meter(Protocol):
    """Prices add up to an estimate of a context's size; ``measure`` is its size.

    ``base`` is the size of an empty context, ``join`` the price of what stands between two segments of a
    document, ``between`` that of what stands between two documents.
    """

    base: int
    join: int
    between: int

    def price(self, candidate: Candidate) -> int:
        """The estimated tokens of one segment's text."""

    def header(self, document: int) -> int:
        """The estimated tokens of a document's label and title."""

    def measure(self, kept: Sequence[Candidate]) -> int:
        """The tokens of the context that holds exactly ``kept``."""


class EncoderMeter:
    """The encoder's own tokens, as the server counted them; nothing is tokenized here.

    Labels are charged at one token a character and one more, which no tokenizer of the encoder's kind
    exceeds. So the size is an upper bound, and prices add up to it exactly.
    """

    base = 0
    join = _WHITE_SPACE
    between = _WHITE_SPACE

    def __init__(self, scored: Sequence[ScoredDocument], most_labels: int) -> None:
        self._scored = scored
        self._label = len(f"[{label(most_labels)}] ") + 1

    def price(self, candidate: Candidate) -> int:
        return candidate.tokens

    def header(self, document: int) -> int:
        return self._label + self._scored[document].title_tokens + _WHITE_SPACE

    def measure(self, kept: Sequence[Candidate]) -> int:
        documents = {candidate.document for candidate in kept}
        return (
            sum(self.header(document) for document in documents)
            + sum(self.price(candidate) for candidate in kept)
            + self.join * (len(kept) - len(documents))
            + self.between * max(0, len(documents) - 1)
        )


class CounterMeter:
    """The caller's tokens: each text is priced by itself, and the size is the counter's word on the whole."""

    def __init__(self, count: CountTokens, scored: Sequence[ScoredDocument], most_labels: int) -> None:
        self._count = count
        self._scored = scored
        self._widest_label = label(most_labels)
        # What the counter charges for any text, such as a tokenizer's marks for begin and end.
        self.base = count("")
        self.join = self._net(BETWEEN_SPANS)
        self.between = self._net(BETWEEN_BLOCKS)
        self._prices: dict[Candidate, int] = {}

    def price(self, candidate: Candidate) -> int:
        known = self._prices.get(candidate)
        if known is None:
            scored = self._scored[candidate.document]
            segment = scored.segments[candidate.segment]
            known = self._prices[candidate] = self._net(scored.document.text[segment.start : segment.end])
        return known

    def header(self, document: int) -> int:
        line = header(self._widest_label, self._scored[document].document)
        return self._net(f"{line}\n")

    def measure(self, kept: Sequence[Candidate]) -> int:
        return self._count(context(snippets(self._scored, places(kept))))

    def _net(self, text: str) -> int:
        return max(0, self._count(text) - self.base)


def meter_for(budget: Budget, scored: Sequence[ScoredDocument], passed: Sequence[Candidate]) -> Meter:
    """The meter in the budget's tokens, for a context of at most the documents that ``passed`` names."""
    most_labels = len({candidate.document for candidate in passed})
    count = count_with(budget.counter)
    return EncoderMeter(scored, most_labels) if count is None else CounterMeter(count, scored, most_labels)
