"""Whether a summary may stand for its sources: nothing added, no negation or condition lost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pith.select.guards import Signature, signature

# What a sentence says of these must be in what it cites.
_NOTHING_ADDED = ("number", "unit", "date", "version", "scope", "negation", "condition")
# What the cited passages say of these must be in the sentences that cite them.
_NOTHING_LOST = ("negation", "condition")


@dataclass(frozen=True, slots=True)
class Cited:
    """A summary sentence and the passages it is made from, counted from 0."""

    text: str
    passages: tuple[int, ...]


class Unusable(ValueError):
    """Why a summary cannot be used, in a few words."""


def read_reply(reply: str, passages: int) -> list[Cited]:
    """The sentences of a model's reply. Raises :class:`Unusable` for another form, or a sentence without a source."""
    start, end = reply.find("["), reply.rfind("]")
    try:
        items: Any = json.loads(reply[start : end + 1]) if start >= 0 else None
    except ValueError as error:
        raise Unusable(f"the reply is no JSON: {error}") from error
    if not isinstance(items, list) or not items:
        raise Unusable("the reply is no list of sentences")
    return [_sentence(item, passages) for item in items]


def check(sentences: Sequence[Cited], passages: Sequence[str]) -> None:
    """Raises :class:`Unusable` for the first number, unit, date, negation or condition that does not agree."""
    sources = [signature(passage) for passage in passages]
    said = [signature(sentence.text) for sentence in sentences]
    for sentence, own in zip(sentences, said, strict=True):
        for kind in _NOTHING_ADDED:
            added = _values([own], kind) - _values([sources[i] for i in sentence.passages], kind)
            if added:
                raise Unusable(
                    f"a sentence has a {kind} that its sources do not have: {', '.join(sorted(added))}"
                )
    for i, source in enumerate(sources):
        citing = [own for own, sentence in zip(said, sentences, strict=True) if i in sentence.passages]
        for kind in _NOTHING_LOST if citing else ():
            lost = _values([source], kind) - _values(citing, kind)
            if lost:
                raise Unusable(f"a {kind} of the sources is lost: {', '.join(sorted(lost))}")


def _values(signatures: Sequence[Signature], kind: str) -> set[str]:
    return {value for one in signatures for value in getattr(one, kind)}


def _sentence(item: Any, passages: int) -> Cited:
    if not isinstance(item, dict) or not isinstance(item.get("text"), str) or not item["text"].strip():
        raise Unusable("a sentence of the reply has no text")
    numbers = item.get("passages")
    if not isinstance(numbers, list) or not numbers:
        raise Unusable("a sentence of the reply cites nothing")
    if not all(type(number) is int and 1 <= number <= passages for number in numbers):
        raise Unusable(f"a sentence of the reply cites passages that do not exist: {numbers}")
    return Cited(" ".join(item["text"].split()), tuple(number - 1 for number in numbers))
