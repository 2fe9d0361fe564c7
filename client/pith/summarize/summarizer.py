"""Shortens what is background in a result, by any OpenAI-compatible endpoint; what cannot be shortened safely stays."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.resources import files

from pith.errors import InvalidInput
from pith.render import BETWEEN_BLOCKS, BETWEEN_SPANS, block, joined
from pith.report import Result
from pith.summarize.checks import Cited, Unusable, check, read_reply
from pith.summarize.endpoint import Endpoint
from pith.types import Snippet, Span, SpanReason

PROMPT = "summarize_v1.txt"
MARK = "(summary) "
_COUNT = "a whole number of at least 1"
# Whatever could be read as the beginning or the end of a passage, in any case and spacing.
_PASSAGE_MARK = re.compile(r"<(?=\s*/?\s*passage)", re.IGNORECASE)
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
    """What stands in the context for one snippet: spans as they are, then sentences for its background.
    Every span of the snippet is either ``kept`` or cited by a sentence."""

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

    Background is what points back or scores below ``share`` of its snippet's best evidence and below the best evidence
    for every need that the snippet covers; headers, lead-ins, parts of cut sentences and exceptions never are. A
    snippet with less than ``least_characters`` of it is left alone.
    Each snippet is one call, of which ``max_in_flight`` run side by side; ``timeout`` is in seconds and holds for each
    of a call's tries, ``retries`` more than one. Raises :class:`~pith.errors.InvalidInput` for senseless settings.
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
        _check_settings(
            {
                "base_url": (_is_url(base_url), base_url, "a url that begins with http:// or https://"),
                "model": (isinstance(model, str) and bool(model.strip()), model, "the name of a model"),
                "timeout": (_is_number(timeout) and timeout > 0, timeout, "a positive number of seconds"),
                "retries": (_is_whole(retries, 0), retries, "a whole number of at least 0"),
                "temperature": (_is_number(temperature), temperature, "a number of at least 0"),
                "max_output_tokens": (_is_whole(max_output_tokens, 1), max_output_tokens, _COUNT),
                "share": (_is_number(share) and share <= 1, share, "a number from 0 to 1"),
                "least_characters": (_is_whole(least_characters, 1), least_characters, _COUNT),
                "max_in_flight": (_is_whole(max_in_flight, 1), max_in_flight, _COUNT),
            }
        )
        self._endpoint = Endpoint(
            base_url,
            model,
            api_key=api_key,
            timeout=timeout,
            retries=retries,
            temperature=temperature,
            max_output_tokens=max_output_tokens,
        )
        self._share = share
        self._least_characters = least_characters
        self._max_in_flight = max_in_flight
        self._prompt = files("pith.summarize").joinpath("prompts", PROMPT).read_text(encoding="utf-8")

    def shorten(self, query: str, result: Result) -> SummarizedResult:
        """The result with its long background shortened. Never raises for what the endpoint does, and loses nothing:
        where a summary fails a check, is no shorter or does not come, the snippet stands as it was."""
        work = [(snippet, self._background(result, snippet)) for snippet in result.snippets]
        work = [item for item in work if sum(s.end - s.start for s in item[1]) >= self._least_characters]
        with ThreadPoolExecutor(self._max_in_flight) as pool:
            attempts = list(pool.map(lambda item: self._attempt(query, result, *item), work))
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

    def _background(self, result: Result, snippet: Snippet) -> tuple[Span, ...]:
        best = max((s.score for s in snippet.spans if s.reason is SpanReason.EVIDENCE), default=0.0)
        # A span scores as its best question does, so that no span below this can be the best evidence for a need.
        least = min((n.score for n in result.report.needs if n.label == snippet.label), default=math.inf)
        low = min(self._share * best, least)
        return tuple(
            span
            for span in snippet.spans
            if span.reason not in _NEVER and (span.reason is SpanReason.ANTECEDENT or span.score < low)
        )

    def _attempt(self, query: str, result: Result, snippet: Snippet, background: Sequence[Span]) -> _Attempt:
        text = snippet.document.text
        passages = [text[span.start : span.end] for span in background]
        shown = "\n".join(
            f"<passage {n}>\n{_harmless(p)}\n</passage {n}>" for n, p in enumerate(passages, start=1)
        )
        reply = self._endpoint.ask(self._prompt.format(query=query, passages=shown))
        used = reply.prompt_tokens, reply.completion_tokens
        if reply.failure:
            return _Attempt(None, reply.failure, *used)
        try:
            sentences = read_reply(reply.text, len(passages))
            check(sentences, passages)
            summary = _summary(snippet, background, sentences)
            if len(_summarized_block(result, summary)) >= len(_own_block(result, snippet)):
                raise Unusable("the summary is no shorter than its sources")
        except Unusable as reason:
            return _Attempt(None, str(reason), *used)
        return _Attempt(summary, "", *used)


def _check_settings(settings: dict[str, tuple[bool, object, str]]) -> None:
    """Takes, by name, whether a setting is right, what it is and what it should be."""
    for name, (right, value, wanted) in settings.items():
        if not right:
            raise InvalidInput(f"{name} must be {wanted}, not {value!r}", code=f"invalid_{name}")


def _is_url(value: object) -> bool:
    return isinstance(value, str) and value.startswith(("http://", "https://"))


def _is_number(value: object) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and value >= 0  # type: ignore[arg-type, operator]


def _is_whole(value: object, least: int) -> bool:
    return type(value) is int and value >= least


def _harmless(passage: str) -> str:
    """No passage can close its own marks and speak outside of them, or open those of another."""
    return _PASSAGE_MARK.sub("(", passage)


def _summary(snippet: Snippet, background: Sequence[Span], sentences: Sequence[Cited]) -> Summary:
    # A passage that no sentence speaks of is not lost: it stands as it was.
    cited = {background[i] for sentence in sentences for i in sentence.passages}
    kept = tuple(span for span in snippet.spans if span not in cited)
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
