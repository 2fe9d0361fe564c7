"""Shortens what is background in a result, by any OpenAI-compatible endpoint; what cannot be shortened safely stays."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from pith.errors import InvalidInput
from pith.render import BETWEEN_BLOCKS, BETWEEN_SPANS, block, joined
from pith.report import Result
from pith.summarize.checks import Cited, Unusable, check, read_reply
from pith.types import Snippet, Span, SpanReason

PROMPT = "summarize_v1.txt"
MARK = "(summary) "
_NEVER = frozenset(
    {
        SpanReason.TABLE_HEADER,
        SpanReason.LEAD_IN,
        SpanReason.CONTINUATION,
        SpanReason.EXCEPTION,
        SpanReason.HEADING,
    }
)


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """One sentence of a summary and the spans of the document that it is made from."""

    text: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """What stands in the context for one snippet: spans as they are, then sentences for its background."""

    snippet: Snippet
    kept: tuple[Span, ...]
    sentences: tuple[SummarySentence, ...]


@dataclass(frozen=True, slots=True)
class SummarizedResult:
    """A shorter context. ``summaries`` has the snippets that were shortened, by label; ``fallbacks`` says of the others
    that were tried why they stand as they were. Token counts are those that the endpoint told."""

    context: str = field(repr=False)
    result: Result = field(repr=False)
    summaries: dict[str, Summary]
    fallbacks: dict[str, str]
    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class _Attempt:
    summary: Summary | None
    fallback: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Summarizer:
    """Shortens background with the model ``model`` at ``base_url``; needs ``pip install 'pith-client[llm]'``.

    Background is what points back or scores below ``share`` of its snippet's best evidence; headers, lead-ins, parts of
    cut sentences and exceptions never are. A snippet with less than ``least_characters`` of it is left alone.
    ``timeout`` (seconds) and ``retries`` hold for each of the calls, of which ``max_in_flight`` run side by side.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str | None = None,
        timeout: float = 30.0,
        retries: int = 1,
        temperature: float = 0.0,
        max_output_tokens: int = 512,
        share: float = 0.5,
        least_characters: int = 800,
        max_in_flight: int = 4,
    ) -> None:
        try:
            self._openai = importlib.import_module("openai")
        except ImportError as error:
            raise InvalidInput(
                "pith.summarize needs the package openai: pip install 'pith-client[llm]'",
                code="missing_package",
            ) from error
        # Endpoints without keys still want the header to hold something.
        self._client: Any = self._openai.OpenAI(
            base_url=base_url, api_key=api_key or "none", timeout=timeout, max_retries=retries
        )
        self._options = {"model": model, "temperature": temperature, "max_tokens": max_output_tokens}
        self._share = share
        self._least_characters = least_characters
        self._max_in_flight = max_in_flight
        self._prompt = files("pith.summarize").joinpath("prompts", PROMPT).read_text(encoding="utf-8")

    def shorten(self, query: str, result: Result) -> SummarizedResult:
        """The result with its long background shortened. Never raises for what the endpoint does, and loses nothing:
        where a summary fails a check, is no shorter or does not come, the snippet stands as it was."""
        work = [(snippet, self._background(snippet)) for snippet in result.snippets]
        work = [item for item in work if sum(s.end - s.start for s in item[1]) >= self._least_characters]
        with ThreadPoolExecutor(self._max_in_flight) as pool:
            attempts = list(pool.map(lambda item: self._attempt(query, *item), work))
        tried = {snippet.label: attempt for (snippet, _), attempt in zip(work, attempts, strict=True)}
        summaries = {label: attempt.summary for label, attempt in tried.items() if attempt.summary}
        blocks = [
            _summarized_block(result, summaries[snippet.label])
            if snippet.label in summaries
            else _own_block(result, snippet)
            for snippet in result.snippets
        ]
        return SummarizedResult(
            context=BETWEEN_BLOCKS.join(blocks),
            result=result,
            summaries=summaries,
            fallbacks={label: attempt.fallback for label, attempt in tried.items() if not attempt.summary},
            prompt_tokens=sum(attempt.prompt_tokens for attempt in attempts),
            completion_tokens=sum(attempt.completion_tokens for attempt in attempts),
        )

    def _background(self, snippet: Snippet) -> tuple[Span, ...]:
        best = max((s.score for s in snippet.spans if s.reason is SpanReason.EVIDENCE), default=0.0)
        return tuple(
            span
            for span in snippet.spans
            if span.reason not in _NEVER
            and (span.reason is SpanReason.ANTECEDENT or span.score < self._share * best)
        )

    def _attempt(self, query: str, snippet: Snippet, background: Sequence[Span]) -> _Attempt:
        text = snippet.document.text
        passages = [text[span.start : span.end] for span in background]
        shown = "\n".join(
            f"<passage {n}>\n{_harmless(p)}\n</passage {n}>" for n, p in enumerate(passages, start=1)
        )
        prompt = self._prompt.format(query=query, passages=shown)
        used = (0, 0)
        try:
            answer = self._client.chat.completions.create(
                messages=[{"role": "user", "content": prompt}], **self._options
            )
            if answer.usage is not None:
                used = answer.usage.prompt_tokens or 0, answer.usage.completion_tokens or 0
            sentences = read_reply(_content(answer), len(passages))
            check(sentences, passages)
            if sum(len(s.text) + 1 for s in sentences) + len(MARK) >= sum(map(len, passages)):
                raise Unusable("the summary is no shorter than its sources")
        except Unusable as reason:
            return _Attempt(None, str(reason), *used)
        # The package lets through what its parsers raise on an answer that is none; nothing of it may cost a result.
        except Exception as error:
            return _Attempt(None, f"the endpoint failed: {type(error).__name__}: {error}", *used)
        return _Attempt(_summary(snippet, background, sentences), "", *used)


def _harmless(passage: str) -> str:
    """No passage can close its own marks and speak outside of them."""
    return passage.replace("</passage", "< /passage")


def _content(answer: Any) -> str:
    if not answer.choices:
        raise Unusable("the endpoint gave no answer")
    choice = answer.choices[0]
    if choice.finish_reason == "length":
        raise Unusable("the answer was cut off")
    if not choice.message.content:
        raise Unusable("the endpoint refused or gave an empty answer")
    return str(choice.message.content)


def _summary(snippet: Snippet, background: Sequence[Span], sentences: Sequence[Cited]) -> Summary:
    kept = tuple(span for span in snippet.spans if span not in background)
    return Summary(
        snippet,
        kept,
        tuple(SummarySentence(s.text, tuple(background[i] for i in s.passages)) for s in sentences),
    )


def _own_block(result: Result, snippet: Snippet) -> str:
    with_title = block(snippet)
    return with_title if with_title in result.context else block(snippet, titles=False)


def _summarized_block(result: Result, summary: Summary) -> str:
    first, _, _ = _own_block(result, summary.snippet).partition("\n")
    parts = [joined(summary.snippet.document.text, summary.kept)] if summary.kept else []
    parts.append(MARK + " ".join(sentence.text for sentence in summary.sentences))
    return f"{first}\n{BETWEEN_SPANS.join(parts)}"
