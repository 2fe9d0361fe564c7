"""Thresholds by the share of the evidence that they keep: ``threshold="recall=0.9"``."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from pith.errors import InvalidInput

_FORM = re.compile(r"\s*recall\s*=\s*(?P<number>\d+(?:\.\d+)?)\s*(?P<percent>%?)\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class RecallTarget:
    """The share of the evidence that is to be found, in (0, 1)."""

    recall: float

    def threshold(self, table: Mapping[float, float]) -> float:
        """The threshold that finds this share, by what the server states: recall → threshold.

        Between two stated recalls the logarithm of the threshold is taken as linear in the recall. Raises
        :class:`InvalidInput` outside of the stated range, and where the server states none.
        """
        if not table:
            raise InvalidInput(
                "the server does not state thresholds for recall: give threshold as a number from 0 to 1",
                code="no_recall_thresholds",
            )
        stated = sorted(table)
        if not stated[0] <= self.recall <= stated[-1]:
            raise InvalidInput(
                f"the server states thresholds for recall from {stated[0]:g} to {stated[-1]:g}, "
                f"not for {self.recall:g}",
                code="recall_out_of_range",
            )
        if self.recall in table:
            return table[self.recall]
        above = next(recall for recall in stated if recall > self.recall)
        below = stated[stated.index(above) - 1]
        share = (self.recall - below) / (above - below)
        low, high = max(table[below], 1e-9), max(table[above], 1e-9)
        return math.exp((1 - share) * math.log(low) + share * math.log(high))


def read_recall(value: str) -> RecallTarget:
    """``"recall=0.9"`` or ``"recall=90%"``. Raises :class:`InvalidInput` for anything else."""
    match = _FORM.fullmatch(value)
    recall = float(match["number"]) / (100 if match["percent"] else 1) if match else math.nan
    if not 0.0 < recall < 1.0:
        raise InvalidInput(
            f"threshold {value!r} is unknown: give a number from 0 to 1 or a share of the evidence to find, "
            "as in 'recall=0.9'",
            code="invalid_threshold",
        )
    return RecallTarget(recall)
