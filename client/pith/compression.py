"""The options of one compression, and the step from a finished scoring to the result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from pith.budget import Budget, read_budget
from pith.call import Call
from pith.inputs import read_threshold
from pith.report import Result
from pith.select import select_evidence


@dataclass(frozen=True, slots=True)
class Compression:
    """Checked options. ``threshold`` None means the server's default."""

    budget: Budget
    threshold: float | None

    @classmethod
    def read(cls, budget: object, threshold: object) -> Self:
        """Raises :class:`~pith.errors.InvalidInput`, before anything is sent."""
        return cls(read_budget(budget), read_threshold(threshold))

    def result(self, call: Call) -> Result:
        """Select from what a finished ``call`` has scored, and add to the report what the call took."""
        scoring = call.scoring()
        threshold = self.threshold
        if threshold is None and scoring.config is not None:
            threshold = scoring.config.default_threshold
        result = select_evidence(scoring.documents, budget=self.budget, threshold=threshold, needs=call.needs)
        report = replace(
            result.report,
            query_cut=scoring.query_cut[0],
            needs_cut=scoring.query_cut[1:],
            requests=scoring.requests,
            seconds=call.deadline.spent,
            model=None if scoring.config is None else scoring.config.model_name,
        )
        return replace(result, report=report)
