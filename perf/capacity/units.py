"""The rates of one encoder and of the steps around it, from the reports that measured them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perf.capacity.load import Rows


@dataclass(frozen=True)
class Measured:
    """Figures of the Python steps and of the wire.

    tokenize_seconds: CPU seconds of text to rows for a document token. aggregate_seconds: CPU seconds of logits to
    scores for a row token. request_bytes, response_bytes: bytes on the wire for a document token. rows_over_formula:
    rows that real pages take for each row of the formula, which knows no ends of sentences. context_tokens: mean
    tokens of title and headings in a row. cpu: what the figures were measured on, in words.
    """

    tokenize_seconds: float
    aggregate_seconds: float
    request_bytes: float
    response_bytes: float
    rows_over_formula: float
    context_tokens: float
    cpu: str


@dataclass(frozen=True)
class Unit:
    """One encoder. name: in words. service_seconds: seconds that it computes for a request's rows."""

    name: str
    service_seconds: Callable[[Rows], float]


def cpu_unit(bench: dict[str, Any], measured: dict[str, Any]) -> Unit:
    """The CPU machine of bench.json: its rate on ten pages, of row tokens, without the steps around the encoder."""
    job = bench["ten_pages"]
    if job["tokens"] != measured["ten_pages"]["document_tokens"]:
        raise ValueError(
            f"bench.json scored {job['tokens']} tokens and capacity.json laid out "
            f"{measured['ten_pages']['document_tokens']}: they are of different code. Run `make bench` and "
            "`python -m perf.capacity --measure docs/reports/capacity.json` on the same machine."
        )
    seconds = job["tokens"] / job["tokens_per_second"] * (1 - job["share_outside_encoder"])
    per_token = seconds / measured["ten_pages"]["row_tokens"]
    return Unit(
        f"CPU machine of docs/reports/bench.json ({measured['cpu']})", lambda rows: rows.tokens * per_token
    )


def gpu_unit(report: dict[str, Any], layers: int) -> Unit:
    """A GPU of a report of perf/gpu_check.py: rows are run in the measured batch that ends soonest."""
    if report["device"] == "cpu" or report["small"]:
        raise ValueError(
            "This report was written without a GPU or with --small and says nothing about one; run "
            "`python perf/gpu_check.py --out DIR` on a machine with a GPU."
        )
    points = [p for p in report["points"] if p["mode"] == report["main_mode"] and p["layers"] == layers]
    if not points:
        known = sorted({p["layers"] for p in report["points"]})
        raise ValueError(f"The report has no point with {layers} layers; --layers may be one of {known}.")

    def seconds(rows: Rows) -> float:
        fitting = [p for p in points if p["length"] == rows.length]
        if not fitting:
            lengths = sorted({p["length"] for p in points})
            raise ValueError(
                f"The load needs rows of {rows.length} tokens and the report has {lengths} with {layers} layers; "
                "measure with more --seconds, or plan for documents of another length."
            )
        return min(float(math.ceil(rows.count / p["batch"]) * p["p50_ms"] / 1000) for p in fitting)

    return Unit(f"{report['device']}, Qwen3-0.6B shapes with {layers} layers", seconds)


def load_measured(report: dict[str, Any], tokens: int) -> Measured:
    """The figures of capacity.json, those by length for the measured length nearest to `tokens`."""
    nearest = min(report["by_tokens"], key=lambda row: abs(math.log(row["tokens"] / tokens)))
    return Measured(
        nearest["tokenize_microseconds"] / 1e6,
        nearest["aggregate_microseconds"] / 1e6,
        nearest["request_bytes"],
        nearest["response_bytes"],
        report["rows_over_formula"],
        report["context_tokens"],
        report["cpu"],
    )


def read(path: Path, how: str) -> dict[str, Any]:
    """A JSON report; where it is missing, the error says how it is made."""
    if not path.is_file():
        raise ValueError(f"{path} is missing; {how}.")
    found = json.loads(path.read_text())
    assert isinstance(found, dict)
    return found
