"""The same run over Ray Data: one machine by default, a cluster by its address.

Ray Data moves chunks, which are positions in the input, and their counts; texts are read and journals written by the
workers themselves. On a cluster the input, the output folder and this package must therefore be reachable under the
same path on every node. A worker that dies is started anew, and its chunk goes on from its journal.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from training.labelling.errors import LabellingError, MissingPackage
from training.labelling.run import Progress
from training.labelling.select import Chunk
from training.labelling.worker import Job, Worker


class RayWorker:
    """An actor of Ray Data: labels the chunks of each batch in an event loop of its own."""

    def __init__(self, job: Job) -> None:
        self._loop = asyncio.new_event_loop()
        self._worker = self._loop.run_until_complete(_made(job))

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[Any]]:
        out: dict[str, list[Any]] = {"labelled": [], "dead": [], "stop": []}
        columns = zip(batch["number"], batch["file"], batch["positions"], strict=True)
        for number, file, positions in columns:
            chunk = Chunk(int(number), str(file), tuple(int(p) for p in positions))
            counts, stop = {}, ""
            try:
                counts = self._loop.run_until_complete(self._worker.label(chunk))
            # An error that would meet every chunk is told as a value: raised, Ray would try it again.
            except LabellingError as error:
                stop = str(error)
            out["labelled"].append(counts.get("labelled", 0))
            out["dead"].append(counts.get("dead", 0))
            out["stop"].append(stop)
        return out


async def _made(job: Job) -> Worker:
    return Worker(job)


def label_with_ray(job: Job, chunks: Sequence[Chunk], progress: Progress, address: str | None) -> None:
    """Label the chunks with `job.workers` actors. Raises :class:`LabellingError`."""
    # Ray reports its use to its makers unless it is told not to.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray: Any = importlib.import_module("ray")
        importlib.import_module("ray.data")
    except ImportError as error:
        raise MissingPackage("Several workers need Ray: pip install 'pith[label]'.") from error
    if not chunks:
        return
    # Workers find this package as this process does.
    environment = {"env_vars": {"PYTHONPATH": ":".join(path for path in sys.path if path)}}
    try:
        # Without "local" Ray would join a cluster that was last seen on this machine.
        own = {"num_cpus": job.workers + 1, "include_dashboard": False} if address is None else {}
        ray.init(address=address or "local", runtime_env=environment, log_to_driver=False, **own)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise LabellingError(f"Ray could not be started or reached: {error}") from error
    try:
        ray.data.DataContext.get_current().enable_progress_bars = False
        rows = [{**asdict(chunk), "positions": list(chunk.positions)} for chunk in chunks]
        counted = ray.data.from_items(rows, override_num_blocks=len(rows)).map_batches(
            RayWorker,
            fn_constructor_kwargs={"job": job},
            batch_size=1,
            compute=ray.data.ActorPoolStrategy(size=job.workers),
            num_cpus=1,
        )
        for row in counted.iter_rows():
            if row["stop"]:
                raise LabellingError(row["stop"])
            progress.add({"labelled": int(row["labelled"]), "dead": int(row["dead"])})
    finally:
        ray.shutdown()
