"""How much text may be sent on, and in whose tokens."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from typing import Any, Self

from pith.counters import CountTokens, count_with, load_counter
from pith.errors import InvalidInput

__all__ = ["PRESETS", "Budget", "CountTokens", "count_with", "read_budget"]

PRESETS = {"low": 1_000, "medium": 4_000, "high": 10_000}

Size = int | str | Iterable[str]


@dataclass(frozen=True, slots=True)
class Budget:
    """The most tokens that ``Result.context`` may have, labels and titles included.

    ``counter`` says what a token is: None for the encoder's own tokens, a callable ``str -> int``, a tokenizer
    such as a ``tokenizers.Tokenizer`` or a ``tiktoken.Encoding``, the path of a ``tokenizers`` file (.json), or
    "tiktoken:<encoding>". With a counter the cap holds exactly for what the counter says of the context. Raises
    :class:`InvalidInput` for a budget that is not a whole number of at least 1, or a counter that cannot count.
    """

    tokens: int = 1_000
    counter: Any = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", _whole_number(self.tokens))
        object.__setattr__(self, "counter", load_counter(self.counter))
        count_with(self.counter)

    @classmethod
    def for_window(
        cls,
        window: int,
        *,
        instructions: Size = 0,
        history: Size = 0,
        question: Size = 0,
        tools: Size = 0,
        reply: int = 0,
        margin: float | int = 0.05,
        counter: Any = None,
    ) -> Self:
        """The budget that is left for evidence in a model's context window of ``window`` tokens.

        What else goes into the prompt is given in tokens, or as text (or texts) that ``counter`` counts. ``reply``
        tokens are kept for the answer. ``margin`` is kept for what chat templates add: a share of the window
        (a float below 1) or a number of tokens. Raises :class:`InvalidInput`, with the tokens that are lacking,
        when nothing is left, and for a text without a counter.
        """
        counter = load_counter(counter)
        count = count_with(counter)
        size = _whole_number(window, "window")
        parts = {"instructions": instructions, "history": history, "question": question, "tools": tools}
        taken = {name: _size(name, value, count) for name, value in parts.items()}
        taken["reply"] = _whole_number(reply, "reply", least=0)
        taken["margin"] = _margin(margin, size)
        left = size - sum(taken.values())
        if left < 1:
            spent = ", ".join(f"{name} {tokens:,}" for name, tokens in taken.items() if tokens)
            raise _invalid(
                f"nothing of the window's {size:,} tokens is left for evidence: {spent} are {1 - left:,} too many"
            )
        return cls(left, counter)


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


def _size(name: str, value: Size, count: CountTokens | None) -> int:
    if hasattr(value, "__index__"):
        return _whole_number(value, name, least=0)
    texts = [value] if isinstance(value, str) else list(value) if isinstance(value, Iterable) else [value]
    if not all(isinstance(text, str) for text in texts):
        raise _invalid(f"{name} must be a number of tokens, a str or a list of str, not {value!r}")
    if count is None:
        raise _invalid(
            f"{name} is a text, and the encoder's tokens are counted on the server: give counter, the tokenizer of "
            "the model that reads the prompt, or a number of tokens"
        )
    return sum(map(count, map(str, texts)))


def _margin(value: object, window: int) -> int:
    if hasattr(value, "__index__"):
        return _whole_number(value, "margin", least=0)
    if isinstance(value, Real) and 0.0 <= (share := float(value)) < 1.0:
        return math.ceil(share * window)
    raise _invalid(
        f"margin must be a share of the window below 1.0 or a whole number of tokens, not {value!r}"
    )


def _whole_number(value: object, name: str = "budget", least: int = 1) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise _invalid(f"{name} must be a whole number of tokens, not {value!r}")
    tokens = operator.index(value)
    if tokens < least:
        raise _invalid(f"{name} must be at least {least} token{'' if least == 1 else 's'}, not {tokens}")
    return tokens


def _invalid(message: str) -> InvalidInput:
    return InvalidInput(message, code="invalid_budget")
