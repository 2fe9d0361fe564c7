"""Time, cost and storage of labelling so many pairs, from stated rates; nothing is called.

usage: pith-label plan --pairs 750000 [--from report.json] [--document-tokens 1500] [--tokens-per-minute 2000000]

A pair takes `stages` requests for the first part of its document and one for every further part. With `--from`, the
report of a sample run gives requests and tokens a pair, and the share of dead letters, as they were measured.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.labelling.errors import InvalidSettings
from training.labelling.prompts import Prompts
from training.labelling.report import MILLION, Prices

# UTF-8 bytes: of a token of running text; around each span and each pair in a journal, and in JSON lines. A journal
# escapes what is not ASCII, so that text in other scripts takes about twice as much there.
TOKEN_BYTES = 4
JOURNAL_SPAN, JOURNAL_PAIR = 115, 600
LABEL_SPAN, LABEL_PAIR = 50, 100
# What zstd leaves of running text with repeated column values.
PARQUET_SHARE = 0.45


@dataclass(frozen=True)
class Rates:
    """What a pair takes. Tokens are those of a document, of query, title, address and summary together, of the
    intents, and of one quoted span; `quoted` is the number of spans; `again` is the share of requests that is sent
    twice."""

    document: int = 1500
    context: int = 120
    intents: int = 80
    span: int = 45
    quoted: int = 12
    again: float = 0.05


@dataclass(frozen=True)
class Throughput:
    """requests, tokens: allowed a minute, 0 for no limit. calls: in flight. seconds: of one call."""

    requests: float = 5000
    tokens: float = 2_000_000
    calls: int = 256
    seconds: float = 12.0


@dataclass(frozen=True)
class Load:
    """Requests and tokens of a pair, repeats counted in, and the bytes that it leaves."""

    requests: float
    prompt: float
    completion: float
    journal: float
    labels: float
    parquet: float


@dataclass(frozen=True)
class Plan:
    """Totals. hours: the longest of the three; bound: which one that is."""

    pairs: int
    requests: int
    prompt_tokens: int
    completion_tokens: int
    hours: dict[str, float]
    bound: str
    cost: float
    gigabytes: dict[str, float]


def stated_load(rates: Rates, stages: int, version: str, part_tokens: int) -> Load:
    """What a pair takes by the rates and by the length of our prompts."""
    texts = Prompts.load(version).texts
    own = {name: len(text.encode()) / TOKEN_BYTES for name, text in texts.items()}
    parts = max(1, math.ceil(rates.document / part_tokens))
    name = "spans" if stages == 2 else "both"
    prompt = parts * (own["system"] + own[name] + own["rules"] + rates.context) + rates.document
    completion = float(rates.quoted * rates.span)
    if stages == 2:
        prompt += own["system"] + own["intents"] + rates.context + parts * rates.intents
        completion += rates.intents
    else:
        completion += parts * rates.intents
    requests = parts + stages - 1
    more = 1 + rates.again
    return _with_storage(requests * more, prompt * more, completion * more, rates)


def measured_load(report: Mapping[str, Any], rates: Rates) -> Load:
    """What a pair took in a sample run. Raises :class:`InvalidSettings` for a report of none."""
    pairs = report["labelled"] + report["dead"]
    usage = report["usage"]
    if not pairs or not usage["requests"]:
        raise InvalidSettings(
            "The report is of a run that asked nothing; label a sample first (--sample 500)."
        )
    return _with_storage(
        usage["requests"] / pairs, usage["prompt_tokens"] / pairs, usage["completion_tokens"] / pairs, rates
    )


def _with_storage(requests: float, prompt: float, completion: float, rates: Rates) -> Load:
    answers = rates.quoted * rates.span * TOKEN_BYTES + rates.intents * TOKEN_BYTES
    # A journal holds the answers and the spans, JSON lines the text and the spans.
    journal = answers + rates.quoted * JOURNAL_SPAN + JOURNAL_PAIR
    text = (rates.document + rates.context + rates.intents) * TOKEN_BYTES
    labels = text + rates.quoted * LABEL_SPAN + LABEL_PAIR
    return Load(requests, prompt, completion, journal, labels, labels * PARQUET_SHARE)


def plan(pairs: int, load: Load, speed: Throughput, prices: Prices) -> Plan:
    """The plan for `pairs` pairs."""
    if pairs < 1:
        raise InvalidSettings(f"--pairs must be at least 1, not {pairs}.")
    if speed.calls < 1 or speed.seconds <= 0:
        raise InvalidSettings("--calls and --seconds must be positive.")
    requests, prompt, completion = (pairs * one for one in (load.requests, load.prompt, load.completion))
    hours = {
        "requests a minute": requests / speed.requests / 60 if speed.requests else 0.0,
        "tokens a minute": (prompt + completion) / speed.tokens / 60 if speed.tokens else 0.0,
        "calls in flight": requests * speed.seconds / speed.calls / 3600,
    }
    cost = (prompt * prices.prompt + completion * prices.completion) / MILLION
    gigabytes = {
        name: pairs * size / 1e9
        for name, size in (("journal", load.journal), ("labels", load.labels), ("parquet", load.parquet))
    }
    bound = max(hours, key=lambda name: hours[name])
    return Plan(pairs, round(requests), round(prompt), round(completion), hours, bound, cost, gigabytes)


def render(made: Plan) -> str:
    """The plan for reading."""
    times = ", ".join(f"{hours:.1f} h by {name}" for name, hours in made.hours.items())
    sizes = ", ".join(f"{name} {size:.1f}" for name, size in made.gigabytes.items())
    return "\n".join(
        [
            f"pairs      {made.pairs:,}",
            f"requests   {made.requests:,}",
            f"tokens     {made.prompt_tokens:,} in, {made.completion_tokens:,} out",
            f"time       {made.hours[made.bound]:.1f} h ({times})",
            f"cost       {made.cost:,.2f}" if made.cost else "cost       unknown without prices",
            f"storage    {sum(made.gigabytes.values()):.1f} GB ({sizes})",
        ]
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of `pith-label plan`."""
    rates, speed = Rates(), Throughput()
    parser.add_argument("--pairs", type=int, default=750_000)
    parser.add_argument(
        "--from", dest="report", type=Path, metavar="REPORT", help="report.json of a sample run"
    )
    parser.add_argument("--stages", type=int, choices=(1, 2), default=2)
    parser.add_argument("--prompts", default="v1", help="version of the prompts")
    parser.add_argument(
        "--part-tokens", type=int, default=6000, help="longer documents are labelled in parts"
    )
    parser.add_argument("--document-tokens", type=int, default=rates.document)
    parser.add_argument(
        "--context-tokens", type=int, default=rates.context, help="query, title, address, summary"
    )
    parser.add_argument("--intent-tokens", type=int, default=rates.intents, help="of all intents of a query")
    parser.add_argument("--span-tokens", type=int, default=rates.span, help="of one quoted span")
    parser.add_argument("--spans", type=int, default=rates.quoted, help="quoted of a document")
    parser.add_argument(
        "--again", type=float, default=rates.again, help="share of requests that is sent twice"
    )
    parser.add_argument("--requests-per-minute", type=float, default=speed.requests, help="0 for no limit")
    parser.add_argument("--tokens-per-minute", type=float, default=speed.tokens, help="0 for no limit")
    parser.add_argument("--calls", type=int, default=speed.calls, help="in flight over all workers")
    parser.add_argument("--seconds", type=float, default=speed.seconds, help="that one call takes")
    parser.add_argument("--prompt-price", type=float, default=0.0, help="per million tokens")
    parser.add_argument("--completion-price", type=float, default=0.0, help="per million tokens")


def main(options: argparse.Namespace) -> None:
    """`pith-label plan`."""
    rates = Rates(
        options.document_tokens,
        options.context_tokens,
        options.intent_tokens,
        options.span_tokens,
        options.spans,
        options.again,
    )
    if options.report:
        load = measured_load(json.loads(options.report.read_text(encoding="utf-8")), rates)
    else:
        load = stated_load(rates, options.stages, options.prompts, options.part_tokens)
    speed = Throughput(options.requests_per_minute, options.tokens_per_minute, options.calls, options.seconds)
    print(render(plan(options.pairs, load, speed, Prices(options.prompt_price, options.completion_price))))
