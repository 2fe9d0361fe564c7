"""How much text may be sent on, and in whose tokens."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pith.errors import InvalidInput

PRESETS = {"low": 1_000, "medium": 4_000, "high": 10_000}

CountTokens = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Budget:
    """The most tokens that ``Result.context`` may have, labels and titles included.

    ``counter`` says what a token is: None for the encoder's own tokens, a callable ``str -> int``, or a
    tokenizer such as a ``tokenizers.Tokenizer`` or a ``tiktoken.Encoding``. With a counter the cap holds
    exactly for what the counter says of the context. Raises :class:`InvalidInput` for a budget that is not
    a whole number of at least 1, or a counter that cannot count.
    """

    tokens: int = 1_000
    counter: Any = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", _whole_number(self.tokens))
        count_with(self.counter)


def read_budget(budget: object) -> Budget:
    """A preset's name, a number of tokens or a :class:`Budget` → a :class:`Budget`."""
    if isinstance(budget, Budget):
        return budget
    if isinstance(budget, str):
        if budget not in PRESETS:
            raise _invalid(
                f"budget {budget!r} is unknown: take one of {', '.join(PRESETS)} or a number of tokens"
            )
        return Budget(PRESETS[budget])
    return Budget(_whole_number(budget))


def count_with(counter: Any) -> CountTokens | None:
    """The counter as a checked function, or None for the encoder's tokens."""
    if counter is None:
        return None
    # tiktoken's encode() refuses texts that spell a special token; encode_ordinary() takes any text.
    encode = getattr(counter, "encode_ordinary", None) or getattr(counter, "encode", None)
    # A str has an encode() as well, of another kind.
    if callable(encode) and not isinstance(counter, str):
        return lambda text: _length(encode(text))
    if callable(counter):
        return lambda text: _count(counter(text))
    raise _invalid(
        "counter must be a function from str to int or a tokenizer with encode(), "
        f"not {type(counter).__name__}",
        code="invalid_counter",
    )


def _length(encoded: Any) -> int:
    return len(getattr(encoded, "ids", encoded))


def _count(value: Any) -> int:
    try:
        tokens = operator.index(value)
    except TypeError:
        tokens = -1
    if tokens < 0:
        raise _invalid(
            f"the budget's counter returned {value!r}, where a whole number of tokens is needed",
            code="invalid_counter",
        )
    return tokens


def _whole_number(value: object) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise _invalid(f"budget must be a whole number of tokens, not {value!r}")
    tokens = operator.index(value)
    if tokens < 1:
        raise _invalid(f"budget must be at least 1 token, not {tokens}")
    return tokens


def _invalid(message: str, code: str = "invalid_budget") -> InvalidInput:
    return InvalidInput(message, code=code)
