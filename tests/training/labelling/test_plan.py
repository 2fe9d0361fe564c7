"""The plan is arithmetic over stated rates, and a sample's report replaces what was stated."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from training.labelling.__main__ import main
from training.labelling.errors import InvalidSettings
from training.labelling.plan import Load, Rates, Throughput, measured_load, plan, stated_load
from training.labelling.report import Prices

LOAD = Load(requests=2, prompt=3000, completion=500, journal=4000, labels=8000, parquet=3600)


def test_totals_times_cost_and_storage_follow_from_the_rates() -> None:
    made = plan(750_000, LOAD, Throughput(5000, 1_000_000, 100, 10), Prices(0.5, 2.0))
    assert (made.requests, made.prompt_tokens) == (1_500_000, 2_250_000_000)
    assert made.hours == pytest.approx(
        {"requests a minute": 5.0, "tokens a minute": 43.75, "calls in flight": 1_500_000 * 10 / 100 / 3600}
    )
    assert made.bound == "tokens a minute"
    assert made.cost == pytest.approx(2250 * 0.5 + 375 * 2)
    assert made.gigabytes == pytest.approx({"journal": 3.0, "labels": 6.0, "parquet": 2.7})


def test_two_stages_take_a_request_more_and_parts_one_each() -> None:
    rates = Rates(document=10_000, again=0.0)
    assert stated_load(rates, 1, "v1", 6000).requests == 2
    assert stated_load(rates, 2, "v1", 6000).requests == 3
    assert stated_load(Rates(again=0.5), 2, "v1", 6000).requests == 3.0


def test_a_report_gives_what_a_pair_took_dead_letters_included() -> None:
    usage = {"requests": 30, "prompt_tokens": 1000, "completion_tokens": 200}
    load = measured_load({"labelled": 8, "dead": 2, "usage": usage}, Rates())
    assert (load.requests, load.prompt, load.completion) == (3, 100, 20)
    with pytest.raises(InvalidSettings, match="label a sample first"):
        measured_load({"labelled": 0, "dead": 0, "usage": usage}, Rates())


def test_the_command_plans_from_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    usage = {"requests": 30, "prompt_tokens": 1000, "completion_tokens": 200}
    path = tmp_path / "report.json"
    path.write_text(json.dumps({"labelled": 10, "dead": 0, "usage": usage}))
    assert main(["plan", "--pairs", "1000", "--from", str(path), "--prompt-price", "10"]) == 0
    told = capsys.readouterr().out
    assert "requests   3,000" in told
    assert "tokens     100,000 in, 20,000 out" in told
    assert "cost       1.00" in told
    assert main(["plan", "--pairs", "0"]) == 2
