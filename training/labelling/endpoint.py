"""Calls of an OpenAI-compatible endpoint: rate limits, timeouts, retries with backoff, and what they cost.

Three ends of a call: a :class:`Reply`; :class:`CallFailed`, which concerns one pair; :class:`EndpointRefused`, which
would meet every call and stops the run.
"""

from __future__ import annotations

import asyncio
import email.utils
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import openai

from training.labelling.errors import EndpointRefused
from training.labelling.limits import RateLimiter
from training.labelling.settings import Settings

# UTF-8 bytes a token, for what a call reserves of the token rate before the endpoint says what it took.
_BYTES_A_TOKEN = 4
Read = TypeVar("Read")
# Calls that found nobody, one after the other, before a run is stopped.
_NOBODY_THERE = 20
_HOPELESS = {
    401: "the key is wrong (--api-key-env names the variable that holds it)",
    403: "the key may not use this model",
    404: "there is no such model or address (--model, --base-url)",
}


class CallFailed(Exception):
    """One pair's call has no answer; the text is the reason of a dead letter."""


@dataclass
class Usage:
    """Requests sent and the tokens that the endpoint told, summed over calls, failed ones too.

    completion_tokens holds reasoning_tokens, which are those that an endpoint counts apart.
    """

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0

    def add(self, other: Usage) -> None:
        self.requests += other.requests
        self.prompt_tokens += other.prompt_tokens
        self.completion_tokens += other.completion_tokens
        self.reasoning_tokens += other.reasoning_tokens

    def as_json(self) -> dict[str, int]:
        return dict(vars(self))


@dataclass(frozen=True)
class Reply:
    """The text of an answer; `cut` says that it ended at the limit of tokens."""

    text: str
    cut: bool


class Endpoint:
    """Asks one model. Belongs to the event loop in which it was made; `share` of the rates is this worker's."""

    def __init__(self, settings: Settings, share: float = 1.0) -> None:
        self._settings = settings
        self._client = openai.AsyncOpenAI(
            base_url=settings.base_url, api_key=settings.api_key, timeout=settings.timeout, max_retries=0
        )
        self._limits = RateLimiter(settings.requests * share, settings.tokens * share)
        self._slots = asyncio.Semaphore(settings.concurrency)
        self._response_format = settings.response_format
        self._limit = "max_tokens"
        self._temperature: dict[str, Any] = {"temperature": settings.temperature}
        self._unreachable = 0

    async def close(self) -> None:
        await self._client.close()

    async def ask(
        self, system: str, prompt: str, schema: Mapping[str, Any], limit: int, usage: Usage
    ) -> Reply:
        """The answer to a prompt, of at most `limit` tokens; what it took is added to `usage`."""
        messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt}]
        return await self.chat(messages, read_reply, limit, usage, schema=schema)

    async def chat(
        self,
        messages: Sequence[Mapping[str, Any]],
        read: Callable[[Any], Read],
        limit: int,
        usage: Usage,
        *,
        schema: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Read:
        """What `read` makes of a completion; where it raises :class:`Unreadable`, the endpoint is asked again.

        `options` go into the request as they are, such as `tools`.
        """
        reason = ""
        for attempt in range(self._settings.tries):
            try:
                async with self._slots:
                    return await self._once(messages, read, limit, usage, schema, options)
            except (openai.APIError, TimeoutError, Unreadable) as error:
                reason = self._sort(error)
                wait = _retry_after(error)
                if wait is None:
                    wait = self._settings.backoff * 2**attempt * random.uniform(0.5, 1.0)
                elif wait > self._settings.longest_wait:
                    raise EndpointRefused(
                        f"The endpoint asks to wait {wait:.0f} s, more than --longest-wait; give the same command "
                        "again then, and it goes on from here."
                    ) from error
                else:
                    self._limits.pause(wait)
                if attempt + 1 < self._settings.tries:
                    await asyncio.sleep(min(wait, self._settings.longest_wait))
        raise CallFailed(f"{reason}, {self._settings.tries} times")

    async def _once(
        self,
        messages: Sequence[Mapping[str, Any]],
        read: Callable[[Any], Read],
        limit: int,
        usage: Usage,
        schema: Mapping[str, Any] | None,
        options: Mapping[str, Any],
    ) -> Read:
        reserved = sum(len(str(message.get("content")).encode()) for message in messages) // _BYTES_A_TOKEN
        await self._limits.wait(reserved)
        usage.requests += 1
        request: dict[str, Any] = {"model": self._settings.model, "messages": list(messages)}
        request |= {self._limit: limit, **self._temperature, **options}
        if schema is not None:
            request |= self._form(schema)
        # The client's timeout begins anew with each byte that comes; this one holds for the whole answer.
        async with asyncio.timeout(self._settings.timeout):
            try:
                answer = await self._client.chat.completions.create(**request)
            # The package lets through what its parsers raise on a body that is no answer.
            except (ValueError, TypeError, AttributeError, KeyError) as error:
                raise Unreadable(f"the endpoint's reply cannot be read: {error}") from error
        self._unreachable = 0
        told = _usage(getattr(answer, "usage", None))
        usage.add(told)
        self._limits.settle(reserved, (told.prompt_tokens + told.completion_tokens) or reserved)
        return read(answer)

    def _form(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        if self._response_format == "schema":
            form = {"name": "labels", "strict": True, "schema": dict(schema)}
            return {"response_format": {"type": "json_schema", "json_schema": form}}
        return {"response_format": {"type": "json_object"}} if self._response_format == "object" else {}

    def _sort(self, error: Exception) -> str:
        """The reason in words, where another try may help. Raises where none can."""
        if isinstance(error, openai.APIStatusError):
            return self._sort_status(error)
        if isinstance(error, openai.APITimeoutError | TimeoutError):
            return f"no whole answer within {self._settings.timeout:g} s"
        if isinstance(error, openai.APIConnectionError):
            self._unreachable += 1
            if self._unreachable >= _NOBODY_THERE:
                raise EndpointRefused(
                    f"{self._settings.base_url} could not be reached {_NOBODY_THERE} times in a row: {error}. "
                    "The same command goes on from here once it answers."
                ) from error
            return f"the endpoint could not be reached: {error}"
        return str(error)

    def _sort_status(self, error: openai.APIStatusError) -> str:
        status, said = error.status_code, _brief(error.message)
        self._unreachable = 0
        if status in _HOPELESS or (status == 429 and error.code == "insufficient_quota"):
            why = _HOPELESS.get(status, "the account has no quota left")
            raise EndpointRefused(f"The endpoint answered {status}: {why}. It said: {said}") from error
        if status in (400, 422):
            if "response_format" in said or "json_schema" in said:
                looser = {"schema": "object", "object": "none"}.get(self._response_format)
                if looser:
                    self._response_format = looser
                    return "the endpoint takes no response_format"
            # Models that reason take another limit, and no temperature.
            if "max_tokens" in said and self._limit == "max_tokens":
                self._limit = "max_completion_tokens"
                return "the endpoint takes no max_tokens"
            if "temperature" in said and self._temperature:
                self._temperature = {}
                return "the endpoint takes no temperature"
            raise CallFailed(f"the endpoint refused the request ({status}): {said}") from error
        if status == 429:
            return "the endpoint's rate limit was hit (429)"
        if status < 500 and status not in (408, 409):
            raise CallFailed(f"the endpoint refused the request ({status}): {said}") from error
        return f"the endpoint failed ({status}): {said}"


class Unreadable(Exception):
    """A reply with status 200 that is no completion."""


def first_choice(answer: Any) -> Any:
    """The choice of a completion.

    Raises :class:`Unreadable` where there is none, and :class:`CallFailed` where the model or a filter refused.
    """
    choices = getattr(answer, "choices", None)
    if not choices:
        raise Unreadable("the endpoint gave no answer")
    choice = choices[0]
    if choice.finish_reason == "content_filter":
        raise CallFailed("the endpoint's filter cut the answer")
    if getattr(choice.message, "refusal", None):
        raise CallFailed(f"the model refused: {_brief(choice.message.refusal)}")
    return choice


def read_reply(answer: Any) -> Reply:
    """The text of a completion."""
    choice = first_choice(answer)
    text = choice.message.content
    if not isinstance(text, str):
        raise Unreadable("the endpoint gave an empty answer")
    return Reply(text, choice.finish_reason == "length")


def _usage(used: Any) -> Usage:
    details = getattr(used, "completion_tokens_details", None)
    return Usage(
        0,
        _count(used, "prompt_tokens"),
        _count(used, "completion_tokens"),
        _count(details, "reasoning_tokens"),
    )


def _count(usage: Any, name: str) -> int:
    """A count as it was told; the package does not check that it is one."""
    value = getattr(usage, name, 0)
    return value if type(value) is int and value > 0 else 0


def _brief(text: object) -> str:
    line = " ".join(str(text).split())
    return line if len(line) <= 300 else line[:297] + "..."


def _retry_after(error: Exception) -> float | None:
    """Seconds to wait as the endpoint's header says, a number or a date; None where it says nothing."""
    if not isinstance(error, openai.APIStatusError):
        return None
    value = error.response.headers.get("retry-after")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None
