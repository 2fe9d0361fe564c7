"""How many machines a load needs, what that costs, and what would be full next.

usage: python -m perf.capacity --queries 50 --documents 10 --tokens 1000 [--p99-ms 10000] [--split 4]
                               [--gpu-report gpu_check.json --layers 17] [--unit-price 2.5]
       python -m perf.capacity --measure docs/reports/capacity.json

All rates come from reports: docs/reports/bench.json (the shipped model on a CPU), docs/reports/capacity.json (the
Python steps around it, written by `--measure`) and, with `--gpu-report`, one of perf/gpu_check.py from a GPU. A unit is
what runs one encoder with its own server: a GPU, or the CPU machine of bench.json. docs/capacity.md explains the
formulas.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from perf.capacity.load import Load, Target
from perf.capacity.measure import measure
from perf.capacity.plan import Plan, plan, render
from perf.capacity.rows import window_settings
from perf.capacity.units import cpu_unit, gpu_unit, load_measured, read

REPORTS = Path(__file__).parents[2] / "docs/reports"


def made_from(options: argparse.Namespace) -> Plan:
    """The plan for the options of the command line."""
    load = Load(
        options.queries,
        options.documents,
        options.tokens,
        options.passes,
        options.query_tokens,
        options.split,
    )
    target = Target(
        options.utilisation,
        None if options.p99_ms is None else options.p99_ms / 1000,
        options.unit_price,
        options.network_gbit * 1e9 / 8,
        options.random,
    )
    figures = read(REPORTS / "capacity.json", "python -m perf.capacity --measure docs/reports/capacity.json")
    if options.gpu_report:
        unit = gpu_unit(read(options.gpu_report, "python perf/gpu_check.py --out DIR"), options.layers)
    else:
        unit = cpu_unit(read(REPORTS / "bench.json", "make bench"), figures)
    return plan(load, load_measured(figures, load.tokens), unit, target, window_settings())


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--queries", type=float, default=50.0, help="questions a second")
    made.add_argument("--documents", type=int, default=10, help="documents a question")
    made.add_argument("--tokens", type=int, default=1000, help="tokens of a document")
    made.add_argument("--passes", type=int, default=1, help="queries that a question is scored as")
    made.add_argument("--query-tokens", type=int, default=16)
    made.add_argument("--split", type=int, default=1, help="requests that a question is sent in")
    made.add_argument("--utilisation", type=float, default=0.7, help="most of a unit's time in use")
    made.add_argument("--p99-ms", type=float, help="target for the slowest hundredth of questions")
    made.add_argument("--unit-price", type=float, help="price of a unit's hour")
    made.add_argument("--network-gbit", type=float, default=10.0, help="link of a unit")
    made.add_argument("--random", action="store_true", help="units are chosen at random, not the least busy")
    made.add_argument("--gpu-report", type=Path, help="report of perf/gpu_check.py from a GPU")
    made.add_argument("--layers", type=int, default=17, help="layers of the encoder on the GPU")
    made.add_argument("--measure", type=Path, metavar="FILE", help="measure the Python steps, write FILE")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    if options.measure:
        report = measure()
        options.measure.write_text(json.dumps(report, indent=1) + "\n")
        print(json.dumps(report))
        return 0
    try:
        print(render(made_from(options)))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())


if __name__ == "__main__":
    sys.exit(main())
