"""The capacity plan: its formulas, its errors, and the page that shows them."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from perf.capacity.__main__ import main
from perf.capacity.load import Load, Rows, Target
from perf.capacity.plan import next_bottleneck, plan
from perf.capacity.queue import erlang_c, wait_mean, wait_percentile
from perf.capacity.rows import windows_of
from perf.capacity.units import Measured, Unit, cpu_unit, gpu_unit
from preprocessing.windows import WindowSettings

ROOT = Path(__file__).parents[2]
SETTINGS = WindowSettings()
MEASURED = Measured(5e-6, 5e-8, 5.0, 2.0, 1.0, 15.0, "2 cores")
FAST = Unit("a unit", lambda rows: rows.tokens * 1e-6)


def test_erlang_c_is_the_known_one() -> None:
    assert erlang_c(1, 0.8) == pytest.approx(0.8)
    assert erlang_c(3, 2.0) == pytest.approx(4 / 9)
    assert erlang_c(5, 0.0) == 0.0
    assert 0 < erlang_c(3000, 2990.0) < 1
    with pytest.raises(ValueError, match="add units or lower the load"):
        erlang_c(3, 3.0)


def test_one_server_waits_as_pollaczek_and_khinchine_say() -> None:
    for variation in (0.0, 1.0):
        expected = 0.8 * 2.0 * (1 + variation) / 2 / (1 - 0.8)
        assert wait_mean(1, 0.4, 2.0, variation) == pytest.approx(expected)


@pytest.mark.parametrize(("servers", "used"), [(1, 0.7), (1, 0.9), (4, 0.9)])
def test_the_tail_is_near_that_of_a_simulated_queue(servers: int, used: float) -> None:
    rng = np.random.default_rng(3)
    free = [0.0] * servers
    waits = []
    for at in np.cumsum(rng.exponential(1 / (servers * used), 100_000)).tolist():
        first = min(range(servers), key=free.__getitem__)
        begin = max(at, free[first])
        waits.append(begin - at)
        free[first] = begin + 1.0
    simulated = float(np.percentile(waits, 99))
    assert wait_percentile(servers, servers * used, 1.0, 99) == pytest.approx(simulated, rel=0.25)


def test_nobody_waits_longer_than_a_percentile_that_does_not_wait() -> None:
    assert wait_percentile(100, 1.0, 1.0, 99) == 0.0


@pytest.mark.parametrize(("tokens", "rows"), [(20, Rows(64, 1)), (221, Rows(256, 1)), (1000, Rows(256, 5))])
def test_rows_of_a_document(tokens: int, rows: Rows) -> None:
    assert windows_of(tokens, 16, 15.0, SETTINGS) == rows


def test_units_keep_to_the_utilisation_and_cost_adds_up() -> None:
    made = plan(Load(100, 10, 1000), MEASURED, FAST, Target(unit_price=2.0), SETTINGS)
    assert made.rows == Rows(256, 50)
    assert made.units == math.ceil(100 * 50 * 256e-6 / 0.7) == 2
    assert made.utilisation == pytest.approx(100 * 50 * 256e-6 / 2)
    assert made.unit_hours_per_million == pytest.approx(2 / 3600 / 1000 * 1e6)
    assert made.cost_per_million == pytest.approx(2 * made.unit_hours_per_million)


def test_a_target_adds_units_and_random_balancing_more() -> None:
    load = Load(50, 10, 1000)
    fewest = plan(load, MEASURED, FAST, Target(0.95), SETTINGS)
    target = plan(load, MEASURED, FAST, Target(0.95, 0.09), SETTINGS)
    random = plan(load, MEASURED, FAST, Target(0.95, 0.09, random=True), SETTINGS)
    assert fewest.units < target.units < random.units
    assert target.p99 <= 0.09
    assert random.p99 <= 0.09


def test_the_next_bottleneck_is_the_fullest_step_beside_the_encoder() -> None:
    made = plan(Load(50, 10, 1000), MEASURED, FAST, Target(), SETTINGS)
    assert sorted(s.name for s in made.stages) == ["aggregate", "encoder", "network", "tokenize"]
    tokenize = made.stages[0]
    assert (tokenize.name, tokenize.servers) == ("tokenize", 2)
    assert tokenize.seconds == pytest.approx(0.05)
    assert tokenize.full == pytest.approx(40.0)
    assert next_bottleneck(made.stages).startswith("tokenize is full before the encoder")
    slow = Unit("slow", lambda rows: rows.tokens * 1e-4)
    made = plan(Load(50, 10, 1000), MEASURED, slow, Target(), SETTINGS)
    assert next_bottleneck(made.stages) == "tokenize, once an encoder is 51.2 times as fast"


@pytest.mark.parametrize(
    ("load", "target", "message"),
    [
        ({"tokens": 0}, {}, "tokens is 0; give a number above 0"),
        ({"split": 11}, {}, "give at most 10"),
        ({}, {"utilisation": 1.0}, "such as 0.7"),
        ({}, {"network_bytes": 0}, "give a rate above 0"),
        ({}, {"p99_seconds": 0.01}, "raise --split"),
        ({"documents": 100}, {}, "raise --split to at least 4"),
        ({"query_tokens": 600}, {}, "give a shorter query"),
    ],
)
def test_errors_say_what_to_do(load: dict[str, Any], target: dict[str, Any], message: str) -> None:
    base: dict[str, Any] = {"queries_per_second": 50, "documents": 10, "tokens": 1000}
    with pytest.raises(ValueError, match=message):
        plan(Load(**base | load), MEASURED, FAST, Target(**target), SETTINGS)


def gpu_report(**changes: Any) -> dict[str, Any]:
    point = {"mode": "cuda_graph", "layers": 17, "length": 256}
    points = [point | {"batch": 8, "p50_ms": 4.0}, point | {"batch": 64, "p50_ms": 20.0}]
    return {"device": "a GPU", "small": False, "main_mode": "cuda_graph", "points": points} | changes


def test_a_gpu_runs_rows_in_the_batch_that_ends_soonest() -> None:
    unit = gpu_unit(gpu_report(), 17)
    assert unit.service_seconds(Rows(256, 10)) == pytest.approx(0.008)
    assert unit.service_seconds(Rows(256, 60)) == pytest.approx(0.020)
    with pytest.raises(ValueError, match="rows of 512"):
        unit.service_seconds(Rows(512, 1))


def test_a_report_that_says_nothing_about_a_gpu_is_refused() -> None:
    for report, layers in ((gpu_report(device="cpu"), 17), (gpu_report(small=True), 17)):
        with pytest.raises(ValueError, match="on a machine with a GPU"):
            gpu_unit(report, layers)
    with pytest.raises(ValueError, match=r"one of \[17\]"):
        gpu_unit(gpu_report(), 28)


def test_reports_of_different_code_are_refused() -> None:
    bench = {"ten_pages": {"tokens": 5, "tokens_per_second": 1, "share_outside_encoder": 0.0}}
    with pytest.raises(ValueError, match="of different code"):
        cpu_unit(bench, {"ten_pages": {"document_tokens": 6, "row_tokens": 8}, "cpu": ""})


def test_the_page_shows_what_its_commands_print(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs/capacity.md").read_text()
    blocks = [b for b in page.split("```text\n")[1:] if b.startswith("$ python -m perf.capacity ")]
    assert len(blocks) == 2
    for block in blocks:
        command, expected = block.split("```")[0].split("\n", 1)
        assert main(command.split()[4:]) == 0
        assert capsys.readouterr().out == expected
