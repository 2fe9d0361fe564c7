"""A run: what it was begun with, its workers on this machine, and going on after it stopped."""

from __future__ import annotations

import asyncio
import fcntl
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.labelling.errors import InvalidSettings
from training.labelling.journal import DEAD, LABELLED
from training.labelling.prompts import Prompts
from training.labelling.select import Chunk, Selection
from training.labelling.worker import Job, Worker

# Chunks that one worker has open at a time: the second fills the slots that the last pairs of the first leave idle.
_OPEN_CHUNKS = 2


@dataclass(frozen=True)
class Manifest:
    """What a folder's labels come from; a later run into the same folder must agree with it."""

    content: dict[str, Any]

    @classmethod
    def of(cls, job: Job, selection: Selection, seed: int, sample: int | None, chunk: int) -> Manifest:
        prompts = Prompts.load(job.settings.prompts)
        return cls(
            {
                **job.settings.deciding,
                "prompts_digest": prompts.digest,
                "sample": sample,
                "seed": seed,
                "chunk": chunk,
                "pairs": selection.pairs,
                "pairs_digest": selection.digest,
            }
        )

    def claim(self, out: Path) -> None:
        """Write it into a new folder, or check it against that of a folder that was begun before.

        Raises :class:`InvalidSettings` where they differ.
        """
        path = out / "run.json"
        if path.exists():
            before = json.loads(path.read_text(encoding="utf-8"))
            differ = [name for name in self.content if before.get(name) != self.content[name]]
            if differ:
                told = ", ".join(f"{n}: {before.get(n)!r}, now {self.content[n]!r}" for n in differ)
                raise InvalidSettings(f"{out} was begun with other settings ({told}); use another --out.")
            return
        new = path.with_suffix(".new")
        new.write_text(json.dumps(self.content, indent=1) + "\n", encoding="utf-8")
        new.replace(path)


@contextmanager
def locked(out: Path) -> Iterator[None]:
    """Hold a folder for this process alone. Raises :class:`InvalidSettings` when another has it."""
    out.mkdir(parents=True, exist_ok=True)
    with (out / ".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InvalidSettings(f"Another process is labelling into {out}.") from None
        yield


class Progress:
    """Tells on standard error how far a run is, chunk by chunk."""

    def __init__(self, pairs: int) -> None:
        self._pairs = pairs
        self.counts: Counter[str] = Counter()

    def add(self, counts: dict[str, int]) -> None:
        self.counts.update(counts)
        done = self.counts[LABELLED] + self.counts[DEAD]
        print(f"{done} of {self._pairs} pairs, {self.counts[DEAD]} dead letters", file=sys.stderr, flush=True)


def label_here(job: Job, chunks: Sequence[Chunk], progress: Progress) -> None:
    """Label the chunks in this process."""
    asyncio.run(_label(job, chunks, progress))


async def _label(job: Job, chunks: Sequence[Chunk], progress: Progress) -> None:
    worker = Worker(job)
    waiting = iter(chunks)

    async def drain() -> None:
        for chunk in waiting:
            progress.add(await worker.label(chunk))

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(_OPEN_CHUNKS):
                group.create_task(drain())
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    finally:
        await worker.close()
