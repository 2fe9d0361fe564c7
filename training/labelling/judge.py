"""One pair through the judge: intents, then spans of each part of the document, placed in its text."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from training.labelling.endpoint import CallFailed, Endpoint, Usage
from training.labelling.matching import Quote, Reason, match
from training.labelling.pairs import Pair
from training.labelling.prompts import Prompts
from training.labelling.schema import (
    Answer,
    BrokenAnswer,
    Category,
    Intents,
    IntentsAndSpans,
    Spans,
    json_schema,
    read_answer,
)
from training.labelling.settings import Settings
from training.labelling.skeleton import Form

# Called with a step's name and answer as soon as it is there, before the next step is asked for.
KeepAnswer = Callable[[str, dict[str, Any], Usage], None]
# A vital quote without a place is lost, unless the text it stands for is labelled already.
_LOST = {Reason.NOT_FOUND, Reason.AMBIGUOUS}
_PLACES_TO_CUT = (
    re.compile(r"\n\s*\n"),
    re.compile(r"\n"),
    re.compile(r"[.!?。！？।؟]\s*"),
    re.compile(r"\s"),
)


@dataclass(frozen=True)
class Span:
    """`[start, end)` in code points of the document, its category, and the form that it was found in."""

    start: int
    end: int
    category: str
    form: Form


@dataclass(frozen=True)
class Lost:
    """A quote without a place."""

    text: str
    category: str
    reason: Reason


@dataclass
class Labels:
    """What the judge said of one pair. `forms` counts its quotes by where they were found."""

    intents: tuple[str, ...] = ()
    spans: list[Span] = field(default_factory=list)
    lost: list[Lost] = field(default_factory=list)
    quotes: int = 0
    forms: dict[str, int] = field(default_factory=dict)


def parts(text: str, most: int) -> list[tuple[int, str]]:
    """A document as parts of at most `most` characters with their offsets: cut between paragraphs where that wastes
    no more than half a part, else between lines, sentences or words. The parts cover the text."""
    out: list[tuple[int, str]] = []
    first = 0
    while len(text) - first > most:
        last = first + most
        for pattern in _PLACES_TO_CUT:
            ends = [found.end() for found in pattern.finditer(text, first + most // 2, first + most)]
            if ends:
                last = ends[-1]
                break
        out.append((first, text[first:last]))
        first = last
    return [*out, (first, text[first:])]


class Judge:
    """Labels pairs with one configuration."""

    def __init__(self, settings: Settings, prompts: Prompts, endpoint: Endpoint) -> None:
        self._settings = settings
        self._prompts = prompts
        self._endpoint = endpoint

    async def label(
        self, pair: Pair, known: dict[str, dict[str, Any]], keep: KeepAnswer, usage: Usage
    ) -> Labels:
        """The labels of a pair. `known` holds answers of an earlier run by step. Raises :class:`CallFailed`."""
        labels = Labels()
        if self._settings.stages == 2:
            prompt = self._prompts.intents(pair)
            labels.intents = tuple((await self._step("intents", prompt, Intents, known, keep, usage)).intents)
        for number, (offset, text) in enumerate(parts(pair.document, self._settings.part_characters)):
            if not text.strip():
                continue
            step = f"spans {number}"
            answer: Spans | IntentsAndSpans
            if self._settings.stages == 2:
                prompt = self._prompts.spans(pair, text, labels.intents)
                answer = await self._step(step, prompt, Spans, known, keep, usage)
            else:
                prompt = self._prompts.both(pair, text)
                answer = await self._step(step, prompt, IntentsAndSpans, known, keep, usage)
                labels.intents = tuple(dict.fromkeys([*labels.intents, *answer.intents]))
            quotes = [Quote(span.quote, span.category.value) for span in answer.spans]
            _place(labels, text, offset, quotes)
        self._check(labels)
        return labels

    def _check(self, labels: Labels) -> None:
        vital = [lost for lost in labels.lost if lost.category == Category.VITAL and lost.reason in _LOST]
        placed = sum(span.category == Category.VITAL for span in labels.spans)
        if vital and placed < self._settings.least_matched * (placed + len(vital)):
            raise CallFailed(
                f"{len(vital)} vital quotes have no place in the document, the first: "
                f"{vital[0].reason}: {vital[0].text[:200]!r}"
            )

    async def _step(
        self,
        step: str,
        prompt: str,
        form: type[Answer],
        known: dict[str, dict[str, Any]],
        keep: KeepAnswer,
        usage: Usage,
    ) -> Answer:
        if step in known:
            return form.model_validate(known[step])
        schema = json_schema(form)
        limit = self._settings.max_output_tokens
        reason = ""
        for _ in range(self._settings.tries):
            spent = Usage()
            try:
                reply = await self._endpoint.ask(self._prompts.texts["system"], prompt, schema, limit, spent)
            finally:
                usage.add(spent)
            if reply.cut:
                if limit > self._settings.max_output_tokens:
                    raise CallFailed(f"the answer was cut off at {limit} tokens (--max-output-tokens)")
                limit *= 2
                reason = "the answer was cut off"
                continue
            try:
                answer = read_answer(reply.text, form)
            except BrokenAnswer as error:
                reason = str(error)
                continue
            keep(step, answer.model_dump(mode="json"), usage)
            return answer
        raise CallFailed(f"no usable answer in {self._settings.tries} tries: {reason}")


def _place(labels: Labels, text: str, offset: int, quotes: list[Quote]) -> None:
    matching = match(text, quotes)
    labels.quotes += len(quotes)
    for placed in matching.placed:
        labels.forms[placed.form.value] = labels.forms.get(placed.form.value, 0) + 1
        category = quotes[placed.quote].category
        labels.spans += [Span(offset + a, offset + b, category, placed.form) for a, b in placed.spans]
    for missed in matching.unmatched:
        quote = quotes[missed.quote]
        labels.lost.append(Lost(quote.text, quote.category, missed.reason))
    labels.spans.sort(key=lambda span: span.start)
