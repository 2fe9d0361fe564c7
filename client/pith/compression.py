"""The options of one compression, and the step from a finished scoring to the result."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Self

from pith.budget import Budget, read_budget
from pith.call import Call
from pith.chunks import join_chunks
from pith.errors import PithError
from pith.inputs import read_documents, read_queries, read_selection, read_threshold
from pith.parts import split_question
from pith.positions import renumbered
from pith.recall import RecallTarget
from pith.report import Result
from pith.select import choose
from pith.switches import Selection, Switches
from pith.types import Document


@dataclass(frozen=True, slots=True)
class Compression:
    """Checked options. ``threshold`` None means the server's default.

    ``documents`` are the caller's with their chunks joined; ``positions`` says of each where its chunks stand in the
    caller's list. ``texts`` are scored next to the query: the caller's needs (``asked``), or the parts of a question
    that asks several things.
    """

    query: str
    documents: list[Document]
    positions: list[tuple[int, ...]]
    texts: tuple[str, ...]
    asked: bool
    budget: Budget
    threshold: float | RecallTarget | None
    switches: Selection

    @classmethod
    def read(
        cls,
        query: object,
        documents: object,
        budget: object,
        threshold: object,
        needs: object,
        switches: Switches,
    ) -> Self:
        """Raises :class:`~pith.errors.InvalidInput`, before anything is sent."""
        checked_budget, checked_threshold = read_budget(budget), read_threshold(threshold)
        selection = read_selection(**switches)
        question, *texts = read_queries(query, needs)
        asked = bool(texts)
        if not asked and selection.split_question:
            texts = list(split_question(question))
        joined, positions = join_chunks(read_documents(documents))
        return cls(
            question, joined, positions, tuple(texts), asked, checked_budget, checked_threshold, selection
        )

    def result(self, call: Call) -> Result:
        """Select from what a finished ``call`` has scored, and add to the report what the call took."""
        scoring = call.scoring()
        config = scoring.config
        threshold = self.threshold
        if isinstance(threshold, RecallTarget):
            # Nothing was sent, so nothing was scored either: no threshold is needed.
            threshold = None if config is None else threshold.threshold(config.recall_thresholds)
        elif threshold is None and config is not None:
            threshold = config.default_threshold
        result = choose(
            scoring.documents,
            budget=self.budget,
            threshold=threshold,
            texts=self.texts,
            asked=self.asked,
            query=self.query,
            switches=self.switches,
        )
        report = replace(
            result.report,
            query_cut=scoring.query_cut[0],
            needs_cut=scoring.query_cut[1:] if self.asked else (),
            requests=scoring.requests,
            seconds=call.deadline.spent,
            model=None if config is None else config.model_name,
        )
        return renumbered(replace(result, report=report), self.positions)

    @contextmanager
    def callers_positions(self) -> Iterator[None]:
        """Errors from within name the documents by their places in the caller's list."""
        try:
            yield
        except PithError as error:
            places = (place for i in error.documents for place in self.positions[i])
            error.documents = tuple(sorted(places))
            raise
