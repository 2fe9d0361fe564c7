"""Calls of an OpenAI-compatible endpoint: rate limits, timeouts, retries with backoff, and what they cost.

Three ends of a call: a :class:`Reply`; :class:`CallFailed`, which concerns one pair; :class:`EndpointRefused`, which
would meet every call and stops the run.
"""

from __future__ import annotations

import asyncio
import email.utils
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import openai

from training.labelling.errors import EndpointRefused
from training.labelling.limits import RateLimiter
from training.labelling.settings import Settings

# UTF-8 bytes a token, for what a call reserves of the token rate before the endpoint says what it took.
_BYTES_A_TOKEN = 4
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
    """Requests sent and the tokens that the endpoint told, summed over calls, failed ones too."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def add(self, other: Usage) -> None:
        self.requests += other.requests
        self.prompt_tokens += other.prompt_tokens
        self.completion_tokens += other.completion_tokens

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
        self._unreachable = 0

    async def close(self) -> None:
        await self._client.close()

    async def ask(
        self, system: str, prompt: str, schema: Mapping[str, Any], limit: int, usage: Usage
    ) -> Reply:
        """The answer to a prompt, of at most `limit` tokens; what it took is added to `usage`."""
        reason = ""
        for attempt in range(self._settings.tries):
            try:
                async with self._slots:
                    return await self._once(system, prompt, schema, limit, usage)
            except (openai.APIError, TimeoutError, _Unreadable) as error:
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
        self, system: str, prompt: str, schema: Mapping[str, Any], limit: int, usage: Usage
    ) -> Reply:
        reserved = (len(system) + len(prompt.encode())) // _BYTES_A_TOKEN
        await self._limits.wait(reserved)
        usage.requests += 1
        # The client's timeout begins anew with each byte that comes; this one holds for the whole answer.
        async with asyncio.timeout(self._settings.timeout):
            try:
                answer = await self._client.chat.completions.create(
                    model=self._settings.model,
                    temperature=self._settings.temperature,
                    max_tokens=limit,
                    messages=[{"role": "system", "content": system}, {"role": "user", "content": prompt}],
                    **self._form(schema),
                )
            # The package lets through what its parsers raise on a body that is no answer.
            except (ValueError, TypeError, AttributeError, KeyError) as error:
                raise _Unreadable(f"the endpoint's reply cannot be read: {error}") from error
        self._unreachable = 0
        used = getattr(answer, "usage", None)
        told = Usage(0, _count(used, "prompt_tokens"), _count(used, "completion_tokens"))
        usage.add(told)
        self._limits.settle(reserved, (told.prompt_tokens + told.completion_tokens) or reserved)
        return _read(answer)

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
            raise CallFailed(f"the endpoint refused the request ({status}): {said}") from error
        if status == 429:
            return "the endpoint's rate limit was hit (429)"
        if status < 500 and status not in (408, 409):
            raise CallFailed(f"the endpoint refused the request ({status}): {said}") from error
        return f"the endpoint failed ({status}): {said}"


class _Unreadable(Exception):
    """A reply with status 200 that is no completion."""


def _read(answer: Any) -> Reply:
    choices = getattr(answer, "choices", None)
    if not choices:
        raise _Unreadable("the endpoint gave no answer")
    choice = choices[0]
    if choice.finish_reason == "content_filter":
        raise CallFailed("the endpoint's filter cut the answer")
    if getattr(choice.message, "refusal", None):
        raise CallFailed(f"the model refused: {_brief(choice.message.refusal)}")
    text = choice.message.content
    if not isinstance(text, str):
        raise _Unreadable("the endpoint gave an empty answer")
    return Reply(text, choice.finish_reason == "length")


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
