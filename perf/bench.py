"""Speed of one server under one caller, as one JSON line.

usage: python -m perf.bench [--url HOST:PORT] [--seconds 60] [--out docs/reports/bench.json]

Without `--url` a local server is started. Two jobs are timed, each for half of the seconds after a warm-up: a result
set of ten pages (the bundled pages, cut and repeated) and one passage. Reported are the tokens of the documents that
are scored in a second, p50 and p99 of each job in milliseconds with the number of calls behind them, and the share
of the caller's time that was not spent in the encoder, from Triton's own statistics.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tritonclient.grpc import InferenceServerClient

import pith
from demo.pages import bundled_pages
from perf.machine import this_cpu
from serving.server import LocalServer

PAGES = 10
PAGE_CHARACTERS = 6_000
LEAST_CALLS = 5


@dataclass(frozen=True)
class Job:
    """A call that is timed: one query and its documents."""

    name: str
    query: str
    documents: Sequence[pith.Document]


@dataclass(frozen=True)
class Timing:
    """What was measured of a job: seconds of each call, tokens of its documents, seconds in the encoder."""

    seconds: Sequence[float]
    tokens: int
    encoder_seconds: float

    def report(self) -> dict[str, float]:
        """Percentiles in milliseconds and the rate."""
        total = sum(self.seconds)
        return {
            "calls": len(self.seconds),
            "p50_ms": round(1000 * float(np.percentile(self.seconds, 50)), 1),
            "p99_ms": round(1000 * float(np.percentile(self.seconds, 99)), 1),
            "tokens": self.tokens,
            "tokens_per_second": round(self.tokens * len(self.seconds) / total),
            "share_outside_encoder": round(1 - self.encoder_seconds / total, 4),
        }


def jobs() -> list[Job]:
    """The two jobs, from the bundled English, Italian and Chinese pages."""
    pages = bundled_pages()
    documents = []
    for i in range(PAGES):
        page = pages[i % len(pages)]
        start = (i // len(pages)) * PAGE_CHARACTERS % max(len(page.text) - PAGE_CHARACTERS, 1)
        documents.append(pith.Document(page.text[start : start + PAGE_CHARACTERS], title=page.title))
    passage = next(page for page in pages if page.language == "en")
    middle = len(passage.text) // 2
    return [
        Job("ten_pages", passage.query, documents),
        Job("one_passage", passage.query, [pith.Document(passage.text[middle : middle + 600])]),
    ]


def encoder_nanoseconds(triton: InferenceServerClient) -> int:
    """Time that the encoder has computed for since the server started."""
    statistics = triton.get_inference_statistics("encoder").model_stats[0]
    return sum(batch.compute_infer.ns for batch in statistics.batch_stats)


def time_job(compressor: pith.Compressor, triton: InferenceServerClient, job: Job, seconds: float) -> Timing:
    """Call again and again for `seconds`, one call at a time, after one call that is not counted."""
    scored = compressor.score(job.query, job.documents)
    tokens = sum(segment.tokens for document in scored for segment in document.segments)
    before = encoder_nanoseconds(triton)
    taken: list[float] = []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until or len(taken) < LEAST_CALLS:
        began = time.perf_counter()
        compressor.score(job.query, job.documents)
        taken.append(time.perf_counter() - began)
    return Timing(taken, tokens, (encoder_nanoseconds(triton) - before) / 1e9)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--url", help="gRPC address of a running server; without it one is started")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--out", type=Path, help="also write the report to this file")
    options = parser.parse_args()
    with ExitStack() as stack:
        url = options.url or stack.enter_context(LocalServer()).grpc_url
        compressor = stack.enter_context(pith.Compressor(url, timeout=600.0))
        triton = InferenceServerClient(url)
        stack.callback(triton.close)
        report: dict[str, Any] = {"cpu": this_cpu()}
        report |= {
            job.name: time_job(compressor, triton, job, options.seconds / 2).report() for job in jobs()
        }
    print(json.dumps(report))
    if options.out:
        options.out.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
