"""Labels chunks: many pairs at a time in one event loop, each outcome written down as it comes."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from training.labelling.endpoint import CallFailed, Endpoint, Usage
from training.labelling.errors import InvalidInput
from training.labelling.journal import DEAD, LABELLED, Journal
from training.labelling.judge import Judge
from training.labelling.pairs import Pair, read_at
from training.labelling.prompts import Prompts
from training.labelling.select import Chunk
from training.labelling.settings import Settings


@dataclass(frozen=True)
class Job:
    """What every worker of a run is given. `out` must be the same folder for all of them."""

    settings: Settings
    out: Path
    workers: int
    retry_dead: bool = False


class Worker:
    """One event loop's share of a run; made inside that loop."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._endpoint = Endpoint(job.settings, 1 / job.workers)
        self._judge = Judge(job.settings, Prompts.load(job.settings.prompts), self._endpoint)

    async def close(self) -> None:
        await self._endpoint.close()

    async def label(self, chunk: Chunk) -> dict[str, int]:
        """Label what of a chunk is not done yet; returns how many pairs it now has of each outcome.

        Raises :class:`~training.labelling.errors.EndpointRefused`; what was in flight then is not done, and not dead.
        """
        journal = Journal(self._job.out, chunk.number, retry_dead=self._job.retry_dead)
        counts = Counter({LABELLED: 0, DEAD: 0})
        try:
            todo = []
            for row in read_at(Path(chunk.file), chunk.positions):
                if not isinstance(row.content, Pair):
                    raise InvalidInput(f"{chunk.file} has changed while it was being labelled.")
                outcome = journal.done.outcomes.get(row.content.id)
                if outcome is None:
                    todo.append(row.content)
                else:
                    counts[outcome["status"]] += 1
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._one(pair, journal)) for pair in todo]
            counts.update(task.result() for task in tasks)
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None
        finally:
            journal.close()
        return dict(counts)

    async def _one(self, pair: Pair, journal: Journal) -> str:
        known = journal.done.answers.get(pair.id, {})
        usage = journal.done.usage.get(pair.id, Usage())

        def keep(step: str, answer: dict[str, object], spent: Usage) -> None:
            journal.answer(pair.id, step, answer, spent)

        try:
            labels = await self._judge.label(pair, known, keep, usage)
        except CallFailed as error:
            journal.dead(pair.id, str(error), usage)
            return DEAD
        journal.labelled(pair.id, labels, usage)
        return LABELLED
