"""What an answer model is given of a question's documents: compressed by Pith, or as they are, at the same budgets."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import pith
from evaluation.answers.errors import InvalidInput, ServerUnusable
from evaluation.answers.rankers import in_order, ordered, sent_on
from pith.errors import PithError
from preprocessing.tokenizer import TextTokenizer

WHOLE = "whole"
_PLAIN = "none-"
BUDGETS = {"low": 1_000, "medium": 4_000, "high": 10_000}
SETTINGS = (*BUDGETS, *(f"{_PLAIN}{name}" for name in BUDGETS), WHOLE)
TIMEOUT = 600.0


@dataclass(frozen=True)
class Setting:
    """A way of making the context. budget: tokens of the encoder, a hard cap on all of it."""

    name: str
    budget: int
    compressed: bool

    @property
    def counterpart(self) -> str | None:
        """The setting without compression at the same budget."""
        return f"{_PLAIN}{self.name}" if self.compressed else None


def settings_of(names: Sequence[str], window: int) -> list[Setting]:
    """The settings by name; `whole` is cut at `window` tokens. Raises :class:`InvalidInput` for an unknown name."""
    out = []
    for name in dict.fromkeys(names):
        if name not in SETTINGS:
            raise InvalidInput(f"There is no setting {name!r}; there are {', '.join(SETTINGS)}.")
        budget = window if name == WHOLE else BUDGETS[name.removeprefix(_PLAIN)]
        out.append(Setting(name, budget, name in BUDGETS))
    return out


@dataclass(frozen=True)
class Context:
    """text: the labelled passages. tokens, of: of the context, and of the documents it was made of (encoder's)."""

    text: str
    tokens: int
    of: int


class Contexts:
    """Makes contexts. A server is asked for the compressed ones alone; one scoring serves all budgets of a question."""

    def __init__(self, url: str | None, tokenizer: TextTokenizer, at_once: int = 4) -> None:
        self._compressor = pith.Compressor(url, timeout=TIMEOUT) if url else None
        self._tokenizer = tokenizer
        self._slots = asyncio.Semaphore(at_once)

    def close(self) -> None:
        if self._compressor is not None:
            self._compressor.close()

    async def of(
        self, setting: Setting, query: str, documents: Sequence[pith.Document], needs: Sequence[str] = ()
    ) -> Context:
        """The context of a setting. Raises :class:`ServerUnusable` when no server answers."""
        if not documents:
            return Context("", 0, 0)
        async with self._slots:
            return await asyncio.to_thread(self._make, setting, query, documents, needs)

    def _make(
        self, setting: Setting, query: str, documents: Sequence[pith.Document], needs: Sequence[str]
    ) -> Context:
        if setting.compressed:
            if self._compressor is None:
                raise ServerUnusable("Settings that compress need a server: --url HOST:PORT.")
            try:
                result = self._compressor.compress(query, documents, setting.budget, needs=needs or None)
            except PithError as error:
                raise ServerUnusable(f"The Pith server did not compress: {error}") from error
        else:
            texts = [document.text for document in documents]
            result = sent_on(ordered(documents, in_order(query, texts), self._tokenizer), setting.budget)
        return Context(result.context, result.report.context_tokens, self._total(documents))

    def _total(self, documents: Sequence[pith.Document]) -> int:
        return int(self._tokenizer.encode([document.text for document in documents]).lengths.sum())
