"""What the judge must answer, as pydantic models: sent along as JSON schema, and checked here whatever it says."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError
from pydantic.types import Strict
from pydantic_core import from_json

Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
Copied = Annotated[str, StringConstraints(min_length=1, max_length=20_000)]
_MOST_INTENTS = 8


class Category(StrEnum):
    """What a span is to the query."""

    VITAL = "vital"
    OFF_TOPIC = "off-topic"
    ADVERT = "advert"
    METADATA = "metadata"
    NAVIGATION = "navigation"
    DUPLICATE = "duplicate"


class StrictAnswer(BaseModel):
    """An answer of a stated form, and nothing beside it."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class CopiedSpan(StrictAnswer):
    """A text copied from the document, and its category."""

    quote: Copied
    category: Annotated[Category, Strict(False)]


class Intents(StrictAnswer):
    """Stage 1: what the user may want, the likeliest first."""

    intents: list[Line]


class Spans(StrictAnswer):
    """Stage 2: spans in reading order."""

    spans: list[CopiedSpan]


class IntentsAndSpans(StrictAnswer):
    """Both stages in one answer."""

    intents: list[Line]
    spans: list[CopiedSpan]


Answer = TypeVar("Answer", bound=StrictAnswer)


class BrokenAnswer(ValueError):
    """An answer that is no JSON, or not of the form asked for."""


def json_schema(form: type[Answer]) -> dict[str, Any]:
    """The JSON schema of a form, in the subset that strict structured output takes: no lengths, nothing optional."""
    schema: dict[str, Any] = _strict(form.model_json_schema())
    return schema


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    # "description" would carry our own docstrings into every prompt.
    dropped = {"minLength", "maxLength", "title", "default"} | ({"description"} if "type" in node else set())
    return {key: _strict(value) for key, value in node.items() if key not in dropped}


def read_answer(text: str, form: type[Answer]) -> Answer:
    """The answer in a reply, which may stand in a code fence or between words. Raises :class:`BrokenAnswer`."""
    first, last = text.find("{"), text.rfind("}")
    if first < 0 or last < first:
        raise BrokenAnswer("the reply holds no JSON object")
    try:
        answer = form.model_validate(from_json(text[first : last + 1]))
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"]))
        raise BrokenAnswer(f"the reply has another form: {place}: {error.errors()[0]['msg']}") from error
    except ValueError as error:
        raise BrokenAnswer(f"the reply is no JSON: {error}") from error
    intents = getattr(answer, "intents", None)
    if intents is not None and not 1 <= len(intents) <= _MOST_INTENTS:
        raise BrokenAnswer(f"the reply has {len(intents)} intents, not 1 to {_MOST_INTENTS}")
    return answer
