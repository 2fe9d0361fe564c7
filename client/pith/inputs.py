"""Checks of what callers pass in, so that a mistake is told in a sentence and before anything is sent."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from numbers import Real
from typing import get_args

from pith.errors import InvalidInput
from pith.recall import RecallTarget, read_recall
from pith.switches import Order, Selection
from pith.text import encode
from pith.types import Document

_OPTIONAL_FIELDS = ("id", "title", "url", "version")


def read_queries(query: object, needs: object) -> tuple[str, ...]:
    """The query first, then the needs. Raises :class:`InvalidInput` for a blank or unencodable text."""
    return (_question(query, "query"), *(_question(need, f"needs[{i}]") for i, need in _needs(needs)))


def read_documents(documents: object) -> list[Document]:
    """Every document as a :class:`Document` with an id, in the order given; a plain str is a text.

    Raises :class:`InvalidInput` that names the position of the first document of a wrong type.
    """
    if isinstance(documents, (str, bytes, Document, Mapping)) or not isinstance(documents, Iterable):
        raise InvalidInput(
            f"documents must be a list of str or pith.Document, not {_named(documents)}: put a single "
            "document into a list",
            code="invalid_documents",
        )
    return [_document(value, index) for index, value in enumerate(documents)]


def read_threshold(threshold: object) -> float | RecallTarget | None:
    """None means the server's default. Raises :class:`InvalidInput` for what is neither a number in [0, 1] nor a
    share of the evidence to find, as in "recall=0.9"."""
    if threshold is None:
        return None
    if isinstance(threshold, str):
        return read_recall(threshold)
    if isinstance(threshold, bool) or not isinstance(threshold, Real) or not 0.0 <= float(threshold) <= 1.0:
        raise InvalidInput(
            f"threshold must be a number from 0 to 1, or 'recall=0.9', not {threshold!r}",
            code="invalid_threshold",
        )
    return float(threshold)


def read_selection(**switches: object) -> Selection:
    """The switches of a selection. Raises :class:`InvalidInput` for one that is unknown or has a senseless value."""
    known = {switch.name for switch in fields(Selection)}
    unknown = sorted(switches.keys() - known)
    if unknown:
        raise InvalidInput(
            f"{unknown[0]!r} is no switch: there are {', '.join(sorted(known))}", code="unknown_switch"
        )
    for name, value in switches.items():
        wanted = _wanted(name, value)
        if wanted:
            raise InvalidInput(f"{name} must be {wanted}, not {value!r}", code=f"invalid_{name}")
    return Selection(**switches)  # type: ignore[arg-type]


def _wanted(name: str, value: object) -> str | None:
    """What a switch must be, or None when it is."""
    if name == "order":
        return None if value in get_args(Order) else f"one of {', '.join(get_args(Order))}"
    if name in ("max_documents", "per_document_tokens"):
        fits = value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 1)
        return None if fits else "a whole number of at least 1, or None"
    if name == "diversity":
        number = isinstance(value, Real) and not isinstance(value, bool)
        fits = value is None or (number and 0.0 <= float(value) <= 1.0)  # type: ignore[arg-type]
        return None if fits else "a number from 0 to 1, or None"
    return None if isinstance(value, bool) else "True or False"


def read_timeout(timeout: object) -> float:
    """Seconds. Raises :class:`InvalidInput` for anything but a positive, finite number."""
    if isinstance(timeout, bool) or not isinstance(timeout, Real) or not 0.0 < float(timeout) < math.inf:
        raise InvalidInput(
            f"timeout must be a positive number of seconds, not {timeout!r}", code="invalid_timeout"
        )
    return float(timeout)


def _question(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be a str, not {_named(value)}", code="invalid_query")
    if not value.strip():
        raise InvalidInput(f"{name} is blank: say what is looked for", code="empty_query")
    if encode(value) is None:
        raise InvalidInput(
            f"{name} is not valid Unicode: it holds lone surrogates and has no UTF-8 form",
            code="invalid_query",
        )
    return value


def _needs(needs: object) -> Iterable[tuple[int, object]]:
    if needs is None:
        return ()
    if isinstance(needs, (str, bytes)) or not isinstance(needs, Iterable):
        raise InvalidInput(
            f"needs must be a list of str, not {_named(needs)}: put a single need into a list",
            code="invalid_needs",
        )
    return enumerate(needs)


def _document(value: object, index: int) -> Document:
    if isinstance(value, str):
        return Document(value, id=str(index))
    if not isinstance(value, Document):
        raise InvalidInput(
            f"documents[{index}] must be a str or a pith.Document, not {_named(value)}",
            code="invalid_documents",
            documents=(index,),
        )
    if not isinstance(value.text, str):
        raise _wrong_field(index, "text", "a str", _named(value.text))
    for name in _OPTIONAL_FIELDS:
        if not isinstance(getattr(value, name), str | None):
            raise _wrong_field(index, name, "a str or None", _named(getattr(value, name)))
    if not isinstance(value.allowed, bool):
        raise _wrong_field(index, "allowed", "True or False", repr(value.allowed))
    start = value.start
    if start is not None and (isinstance(start, bool) or not isinstance(start, int) or start < 0):
        raise _wrong_field(
            index, "start", "a whole number of code points of at least 0, or None", repr(start)
        )
    return value if value.id is not None else replace(value, id=str(index))


def _wrong_field(index: int, name: str, wanted: str, told: str) -> InvalidInput:
    return InvalidInput(
        f"documents[{index}].{name} must be {wanted}, not {told}",
        code="invalid_documents",
        documents=(index,),
    )


def _named(value: object) -> str:
    return "None" if value is None else type(value).__name__
