"""What is in the context so far, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping

from pith.render import Place
from pith.select.groups import Additions
from pith.select.meter import Meter
from pith.types import SpanReason


class Ledger:
    """The places that are kept, with an estimate of their cost: prices add up, what is there already is free.

    ``limit`` is the budget, ``per_document`` that of one block, ``most_documents`` the number of blocks; None is
    no bound. ``fits`` and ``add`` go by the estimate; ``settles`` measures.
    """

    def __init__(
        self, meter: Meter, limit: int, per_document: int | None = None, most_documents: int | None = None
    ) -> None:
        self.meter = meter
        self.limit = limit
        self.kept: dict[Place, SpanReason] = {}
        self.size = meter.base
        self._per_document = per_document
        self._most_documents = most_documents
        self._blocks: dict[int, int] = {}

    def copy(self) -> Ledger:
        """An independent ledger of the same places."""
        other = Ledger(self.meter, self.limit, self._per_document, self._most_documents)
        other.kept = dict(self.kept)
        other.size = self.size
        other._blocks = dict(self._blocks)
        return other

    def opens(self, document: int) -> bool:
        """Whether a document may have a block: it has one, or there may be one more."""
        return (
            document in self._blocks
            or self._most_documents is None
            or len(self._blocks) < self._most_documents
        )

    def cost(self, additions: Additions) -> int:
        """The estimated tokens that the places would add, all of one document."""
        new = [place for place in additions if place not in self.kept]
        if not new:
            return 0
        document = new[0][0]
        cost = sum(map(self.meter.price, new))
        if document not in self._blocks:
            cost += self.meter.header(document) + (self.meter.between if self._blocks else 0)
        return cost

    def fits(self, additions: Additions, cost: int) -> bool:
        """Whether places of one document that cost ``cost`` may be added, by the estimate."""
        if self.size + cost > self.limit:
            return False
        document = next(iter(additions))[0]
        if not self.opens(document):
            return False
        cap = self._per_document
        return cap is None or cost == 0 or self._blocks.get(document, self.meter.base) + cost <= cap

    def add(self, additions: Mapping[Place, SpanReason], cost: int) -> None:
        """Keep the places. Evidence that was there as something else becomes evidence."""
        for place, reason in additions.items():
            if reason is SpanReason.EVIDENCE or place not in self.kept:
                self.kept[place] = reason
        self.size += cost
        document = next(iter(additions))[0]
        self._blocks[document] = self._blocks.get(document, self.meter.base) + cost

    def settles(self) -> bool:
        """Measure what is kept, which is ``size`` from now on; False when it or one of its blocks is too large."""
        self.size = self.meter.measure(self.kept)
        if self.size > self.limit:
            return False
        if self._per_document is None:
            return True
        blocks: dict[int, dict[Place, SpanReason]] = {}
        for place, reason in self.kept.items():
            blocks.setdefault(place[0], {})[place] = reason
        return all(self.meter.measure_block(part) <= self._per_document for part in blocks.values())
