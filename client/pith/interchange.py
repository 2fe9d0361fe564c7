"""Results as JSON and back, by the types of their fields."""

from __future__ import annotations

import json
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum, StrEnum
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from pith.errors import InvalidInput
from pith.text import encode


def plain(value: Any) -> Any:
    """A value of our dataclasses as dicts, lists, strings and numbers; enums by value, or by name in lower case."""
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value


def restored(kind: Any, value: Any, place: str = "result") -> Any:
    """The value of type ``kind`` that :func:`plain` made ``value`` of.

    Keys that the type does not have are ignored, so that later versions can be read. Raises :class:`InvalidInput`
    (code ``invalid_result``) with the place of what is missing or has another type.
    """
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        if value is None and type(None) in get_args(kind):
            return None
        (kind,) = (option for option in get_args(kind) if option is not type(None))
        return restored(kind, value, place)
    if origin is tuple:
        return _tuple(get_args(kind), value, place)
    if is_dataclass(kind):
        return _dataclass(kind, value, place)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _enum(kind, value, place)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return _float(value, place)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise _wrong(place, f"{kind.__name__} is due, not {type(value).__name__}")
    return value


def to_json(value: Any) -> str:
    """JSON text that any file can hold: characters as they are, or all escaped where there are lone surrogates."""
    values = plain(value)
    text = json.dumps(values, ensure_ascii=False)
    return text if encode(text) is not None else json.dumps(values)


def from_json(kind: Any, text: str) -> Any:
    """The value that :func:`to_json` wrote. Raises :class:`InvalidInput` for what is no JSON or another shape."""
    if not isinstance(text, (str, bytes)):
        raise _wrong("result", f"JSON text is due, not {type(text).__name__}")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _wrong("result", f"it is no JSON: {error}") from error
    return restored(kind, value)


def _tuple(options: tuple[Any, ...], value: Any, place: str) -> tuple[Any, ...]:
    if not isinstance(value, (list, tuple)):
        raise _wrong(place, f"a list is due, not {type(value).__name__}")
    if len(options) == 2 and options[1] is Ellipsis:
        return tuple(restored(options[0], item, f"{place}[{i}]") for i, item in enumerate(value))
    if len(options) != len(value):
        raise _wrong(place, f"{len(options)} values are due, not {len(value)}")
    pairs = enumerate(zip(options, value, strict=True))
    return tuple(restored(option, item, f"{place}[{i}]") for i, (option, item) in pairs)


def _dataclass(kind: Any, value: Any, place: str) -> Any:
    if not isinstance(value, Mapping):
        raise _wrong(place, f"an object is due, not {type(value).__name__}")
    hints = _hints(kind)
    for field in fields(kind):
        if field.name not in value:
            raise _wrong(
                f"{place}.{field.name}", "it is missing; write results with to_json() or to_dict(texts=True)"
            )
    names = [field.name for field in fields(kind)]
    return kind(**{name: restored(hints[name], value[name], f"{place}.{name}") for name in names})


def _float(value: int, place: str) -> float:
    try:
        return float(value)
    except OverflowError:
        raise _wrong(place, "the number is too large for a float") from None


def _enum(kind: type[Enum], value: Any, place: str) -> Enum:
    for member in kind:
        if plain(member) == value:
            return member
    raise _wrong(place, f"one of {', '.join(str(plain(member)) for member in kind)} is due, not {value!r}")


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _wrong(place: str, what: str) -> InvalidInput:
    return InvalidInput(f"{place} cannot be read: {what}", code="invalid_result")
