"""The fewest units that carry a load, what they cost, and which step is full next."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from perf.capacity.load import Load, Rows, Target
from perf.capacity.queue import wait_mean, wait_percentile
from perf.capacity.rows import rows_of
from perf.capacity.units import Measured, Unit
from preprocessing.windows import WindowSettings

TOKENIZE_PROCESSES, AGGREGATE_PROCESSES = 2, 1


@dataclass(frozen=True)
class Stage:
    """One step of a unit. seconds: time of it for a question. servers: how many work side by side in a unit.

    full: questions a second of one unit at which the step is full. used: share of that at the planned load. needed:
    servers a unit needs to keep to the utilisation.
    """

    name: str
    seconds: float
    servers: int
    full: float
    used: float
    needed: int


@dataclass(frozen=True)
class Plan:
    """units: encoders needed. Times in seconds. utilisation: share of the units' time in use. wait_p99: 99th
    percentile (of `split` requests: of the slowest) of waiting for an encoder. stages: the fullest first.
    unit_hours_per_million: unit hours for a million documents; cost_per_million: the same in money, or None.
    """

    load: Load
    unit: str
    rows: Rows
    units: int
    utilisation: float
    service: float
    wait_mean: float
    wait_p99: float
    p99: float
    unit_hours_per_million: float
    cost_per_million: float | None
    stages: tuple[Stage, ...]


def plan(
    load: Load,
    measured: Measured,
    unit: Unit,
    target: Target,
    settings: WindowSettings,
    most_windows: int = 128,
) -> Plan:
    """The fewest units that keep to the utilisation and, where one is given, to the p99.

    most_windows: most rows that the server takes in a request.
    """
    rows = rows_of(load, measured, settings)
    request = Rows(rows.length, math.ceil(rows.count / load.split))
    if request.count > most_windows:
        raise ValueError(
            f"A request would hold {request.count} rows and a server takes {most_windows}: raise --split to at least "
            f"{math.ceil(rows.count / most_windows)}, or plan for fewer documents a question."
        )
    service = unit.service_seconds(request)
    arrivals = load.queries_per_second * load.split
    around = (
        load.tokens_per_question * measured.tokenize_seconds + rows.tokens * measured.aggregate_seconds
    ) / load.split
    moved = load.tokens_per_question * (measured.request_bytes + measured.response_bytes)
    fixed = service + around + moved / target.network_bytes
    if target.p99_seconds is not None and target.p99_seconds <= fixed:
        raise ValueError(
            f"One request takes {fixed:.3f} s without any waiting, and the target p99 is {target.p99_seconds:.3f} s: "
            "no number of units helps. Raise --p99-ms, raise --split so that a question is shared by units, or take a "
            "faster unit."
        )
    # A question waits for the slowest of its requests: each may be late in 1 % / split of the cases.
    percent = 100 - 1 / load.split
    units = max(1, math.ceil(arrivals * service / target.utilisation - 1e-9))

    def queue(units: int) -> tuple[int, float, float]:
        return (1, arrivals / units, service) if target.random else (units, arrivals, service)

    while target.p99_seconds and fixed + wait_percentile(*queue(units), percent) > target.p99_seconds:
        units += 1
    waited = wait_percentile(*queue(units), percent)
    hours = units / (load.queries_per_second * load.documents * 3600) * 1e6
    return Plan(
        load,
        unit.name,
        rows,
        units,
        arrivals * service / units,
        service,
        wait_mean(*queue(units)),
        waited,
        fixed + waited,
        hours,
        None if target.unit_price is None else hours * target.unit_price,
        stages(load, rows, service, moved, measured, target, units),
    )


def stages(
    load: Load, rows: Rows, service: float, moved: float, measured: Measured, target: Target, units: int
) -> tuple[Stage, ...]:
    """The steps of one unit, the fullest first: a step of s seconds with n servers is full at n / s questions/s."""
    each = load.queries_per_second / units
    steps = (
        ("tokenize", load.tokens_per_question * measured.tokenize_seconds, TOKENIZE_PROCESSES),
        ("encoder", service * load.split, 1),
        ("aggregate", rows.tokens * measured.aggregate_seconds, AGGREGATE_PROCESSES),
        ("network", moved / target.network_bytes, 1),
    )
    found = [
        Stage(
            name,
            seconds,
            servers,
            servers / seconds,
            each * seconds / servers,
            math.ceil(each * seconds / target.utilisation - 1e-9),
        )
        for name, seconds, servers in steps
    ]
    return tuple(sorted(found, key=lambda stage: -stage.used))


def next_bottleneck(stages: Sequence[Stage]) -> str:
    """What would be full first if the encoder cost nothing, in a sentence."""
    encoder = next(stage for stage in stages if stage.name == "encoder")
    other = max((stage for stage in stages if stage is not encoder), key=lambda stage: stage.used)
    ratio = other.full / encoder.full
    if ratio <= 1:
        return f"{other.name} is full before the encoder: a unit needs {other.needed} of it, it has {other.servers}"
    return f"{other.name}, once an encoder is {ratio:.1f} times as fast"


def render(made: Plan) -> str:
    """The plan as text of at most 110 columns."""
    load = made.load
    lines = [
        f"load         {load.queries_per_second:g} questions/s x {load.documents} documents x {load.tokens} tokens = "
        f"{load.queries_per_second * load.tokens_per_question:,.0f} document tokens/s",
        f"rows         {made.rows.count} of {made.rows.length} tokens a question: "
        f"{made.rows.tokens / load.tokens_per_question / load.passes:.2f} encoder tokens a document token",
        f"unit         {made.unit}",
        f"units        {made.units:,}, {100 * made.utilisation:.0f} % in use",
        f"question     {made.service:.3f} s in the encoder, waiting {made.wait_mean:.4f} s on average, "
        f"p99 {made.wait_p99:.4f} s; in all p99 {made.p99:.3f} s",
        f"cost         {made.unit_hours_per_million:.3g} unit hours for a million documents"
        + ("" if made.cost_per_million is None else f", {made.cost_per_million:.2f} in money"),
        f"next full    {next_bottleneck(made.stages)}",
        "",
        "step        seconds a question   side by side   full at questions/s   in use   needed",
    ]
    lines += [
        f"{s.name:<11} {s.seconds:>18.4f} {s.servers:>14} {s.full:>21.2f} {100 * s.used:>6.1f} % {s.needed:>8}"
        for s in made.stages
    ]
    return "\n".join(lines)
