"""One call of an OpenAI-compatible endpoint, which never raises for what the endpoint does and ends in time."""

from __future__ import annotations

import importlib
import threading
from dataclasses import dataclass
from typing import Any

from pith.errors import InvalidInput

# Ways in which an answer ends before it is whole.
_CUT = {"length": "the answer was cut off", "content_filter": "the answer was cut by the endpoint's filter"}


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: ``text``, or "" and in ``failure`` why there is none. Token counts are the endpoint's, 0 where
    it told none."""

    text: str = ""
    failure: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Endpoint:
    """Asks ``model`` at ``base_url``. A try takes ``timeout`` seconds at most, all tries together that for each."""

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str | None,
        timeout: float,
        retries: int,
        temperature: float,
        max_output_tokens: int,
    ) -> None:
        try:
            openai: Any = importlib.import_module("openai")
        except ImportError as error:
            raise InvalidInput(
                "pith.summarize needs the package openai: pip install 'pith-client[llm]'",
                code="missing_package",
            ) from error
        # Endpoints without keys still want the header to hold something.
        self._client: Any = openai.OpenAI(
            base_url=base_url, api_key=api_key or "none", timeout=timeout, max_retries=retries
        )
        self._options = {"model": model, "temperature": temperature, "max_tokens": max_output_tokens}
        self._limit = timeout * (retries + 1)

    def ask(self, prompt: str) -> Reply:
        """The answer to one prompt."""
        replies: list[Reply] = []
        # The package's timeout begins anew with each byte, and it waits as long as a "Retry-After" says. A call
        # that is given up ends by itself, in a thread that holds up nobody.
        thread = threading.Thread(target=lambda: replies.append(self._call(prompt)), daemon=True)
        thread.start()
        thread.join(self._limit)
        if replies:
            return replies[0]
        return Reply(failure=f"the endpoint failed: no whole answer within {self._limit:g} seconds")

    def _call(self, prompt: str) -> Reply:
        try:
            answer = self._client.chat.completions.create(
                messages=[{"role": "user", "content": prompt}], **self._options
            )
            return _read(answer)
        # The package lets through what its parsers raise on an answer that is none; nothing of it may cost a result.
        except Exception as error:
            return Reply(failure=f"the endpoint failed: {type(error).__name__}: {error}")


def _read(answer: Any) -> Reply:
    usage = getattr(answer, "usage", None)
    used = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    if not answer.choices:
        return Reply("", "the endpoint gave no answer", *used)
    choice = answer.choices[0]
    if choice.finish_reason in _CUT:
        return Reply("", _CUT[choice.finish_reason], *used)
    text = choice.message.content
    if getattr(choice.message, "refusal", None) or not isinstance(text, str) or not text:
        return Reply("", "the endpoint refused or gave an empty answer", *used)
    return Reply(text, "", *used)


def _count(usage: Any, name: str) -> int:
    """A count as it was told; the package does not check that it is one."""
    value = getattr(usage, name, 0)
    return value if type(value) is int and value > 0 else 0
