"""Whether a summary may stand for its sources: nothing added, no negation, condition or bound lost."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from pith.select.guards import Signature, signature

# What a sentence says of these must be in what it cites, however often.
_NOTHING_NEW = ("number", "unit", "date", "version", "scope")
# Of these a sentence has as many as all that it cites together: one more or one less turns the sense round.
_THE_SAME = ("negation", "condition")
# Scope words that bound what is said; one that is in the sources must be in the sentence.
_BOUNDS = frozenset({"only", "at least", "at most"})
# Control characters and lone surrogates: no text to show, and the latter cannot be sent on.
_NO_TEXT = frozenset({"Cc", "Cs"})


@dataclass(frozen=True, slots=True)
class Cited:
    """A summary sentence and the passages it is made from, counted from 0, each once."""

    text: str
    passages: tuple[int, ...]


class Unusable(ValueError):
    """Why a summary cannot be used, in a few words."""


def read_reply(reply: str, passages: int) -> list[Cited]:
    """The sentences of a model's reply. Raises :class:`Unusable` for another form, or a sentence without a source."""
    start, end = reply.find("["), reply.rfind("]")
    try:
        items: Any = json.loads(reply[start : end + 1]) if start >= 0 else None
    except (ValueError, RecursionError) as error:
        raise Unusable(f"the reply is no JSON: {error}") from error
    if not isinstance(items, list) or not items:
        raise Unusable("the reply is no list of sentences")
    return [_sentence(item, passages) for item in items]


def check(sentences: Sequence[Cited], passages: Sequence[str]) -> None:
    """Raises :class:`Unusable` for the first number, unit, date, version, scope, negation or condition that disagrees.

    Each sentence is held against its own sources: what another sentence says does not make up for a lost "not".
    """
    sources = [signature(passage) for passage in passages]
    for sentence in sentences:
        own = signature(sentence.text)
        cited = [sources[i] for i in sentence.passages]
        for kind in _NOTHING_NEW:
            _tell(
                f"a sentence has a {kind} that its sources do not have",
                set(getattr(own, kind)) - set(_values(cited, kind)),
            )
        for kind in _THE_SAME:
            said, meant = Counter(getattr(own, kind)), _values(cited, kind)
            _tell(f"a sentence has a {kind} that its sources do not have", said - meant)
            _tell(f"a {kind} of the sources is lost in a sentence", meant - said)
        bounds = _BOUNDS & set(_values(cited, "scope"))
        _tell("a bound of the sources is lost in a sentence", bounds - set(own.scope))


def _values(signatures: Sequence[Signature], kind: str) -> Counter[str]:
    return Counter(value for one in signatures for value in getattr(one, kind))


def _tell(problem: str, values: Collection[str]) -> None:
    if values:
        raise Unusable(f"{problem}: {', '.join(sorted(values))}")


def _sentence(item: Any, passages: int) -> Cited:
    if not isinstance(item, dict) or not isinstance(item.get("text"), str) or not item["text"].strip():
        raise Unusable("a sentence of the reply has no text")
    text = " ".join(item["text"].split())
    if any(unicodedata.category(character) in _NO_TEXT for character in text):
        raise Unusable("a sentence of the reply holds characters that are no text")
    numbers = item.get("passages")
    if not isinstance(numbers, list) or not numbers:
        raise Unusable("a sentence of the reply cites nothing")
    if not all(type(number) is int and 1 <= number <= passages for number in numbers):
        raise Unusable(f"a sentence of the reply cites passages that do not exist: {numbers}")
    return Cited(text, tuple(dict.fromkeys(number - 1 for number in numbers)))
