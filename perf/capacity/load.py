"""What is planned for: the load, the encoder rows that it takes, and what the plan must hold."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Load:
    """What callers ask.

    queries_per_second: questions a second. documents: documents a question. tokens: tokens of a document. passes:
    queries that one question is scored as (needs and parts of a question count). query_tokens: tokens of a query.
    split: requests that the documents of one question are sent in, at the same time.
    """

    queries_per_second: float
    documents: int
    tokens: int
    passes: int = 1
    query_tokens: int = 16
    split: int = 1

    def __post_init__(self) -> None:
        for name in ("queries_per_second", "documents", "tokens", "passes", "query_tokens", "split"):
            value = getattr(self, name)
            if not 0 < value < math.inf:
                raise ValueError(f"{name} is {value}; give a number above 0.")
        if self.split > self.documents:
            raise ValueError(
                f"split is {self.split} with {self.documents} documents a question; give at most {self.documents}: "
                "a document is never divided between requests."
            )

    @property
    def tokens_per_question(self) -> int:
        """Document tokens of one question; scoring them for several queries does not count twice."""
        return self.documents * self.tokens


@dataclass(frozen=True)
class Target:
    """What the plan must hold.

    utilisation: most of a unit's time that may be used, 0 to 1. p99_seconds: longest time of the slowest hundredth of
    questions, or None. unit_price: price of a unit's hour, in any currency, or None. network_bytes: bytes a second of a
    unit's link. random: requests go to units at random, each with a queue of its own, rather than to the unit with the
    least to do, which is nearly one queue for all.
    """

    utilisation: float = 0.7
    p99_seconds: float | None = None
    unit_price: float | None = None
    network_bytes: float = 1.25e9
    random: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.utilisation < 1:
            raise ValueError(
                f"utilisation is {self.utilisation}; give a share between 0 and 1, such as 0.7: at 1 the queue "
                "never ends."
            )
        if self.p99_seconds is not None and self.p99_seconds <= 0:
            raise ValueError(f"The target p99 is {self.p99_seconds} s; give a time above 0.")
        if self.network_bytes <= 0:
            raise ValueError(f"The network carries {self.network_bytes} bytes/s; give a rate above 0.")


@dataclass(frozen=True)
class Rows:
    """Encoder rows of one question. length: tokens of a row. count: rows."""

    length: int
    count: int

    @property
    def tokens(self) -> int:
        """Tokens that the encoder computes, padding included."""
        return self.length * self.count
