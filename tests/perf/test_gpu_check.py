"""The GPU check: its encoder, its FLOPs, its time limit and its report."""

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the GPU check needs torch, which only training installs")

from perf import gpu_check  # noqa: E402
from perf.gpu_check import Encoder, Job, Shape, Size  # noqa: E402

TINY = Shape(hidden=32, heads=4, kv_heads=2, head_dim=8, ffn=48, vocabulary=50)
REPORT = Path(__file__).parents[2] / "docs/reports/gpu_check_cpu.json"
KEYS = {
    "device", "cpu_vector_instructions", "cpu_threads", "torch", "cuda", "date", "command", "small", "dtype",
    "main_mode", "shape", "matrix_product", "matrix_tflops", "points", "left_out", "claims", "seconds", "plot",
}  # fmt: skip
POINT = {
    "mode", "layers", "batch", "length", "calls", "p50_ms", "p99_ms", "tokens_per_second", "rows_per_second",
    "gflops_per_call", "share_of_matrix_rate",
}  # fmt: skip


@pytest.fixture
def encoder() -> Any:
    torch.manual_seed(1)
    return Encoder(TINY, layers=2, longest=16).eval()


def run(encoder: Any, *arguments: Any) -> list[Any]:
    with torch.inference_mode():
        return [t.numpy() for t in encoder(*arguments)]


def test_the_first_token_sees_the_last(encoder: Any) -> None:
    ids = torch.arange(10)[None]
    changed = ids.clone()
    changed[0, -1] = 40
    (keep, relevance), (keep_changed, relevance_changed) = run(encoder, ids), run(encoder, changed)
    assert abs(keep[0, 0] - keep_changed[0, 0]) > 1e-5
    assert abs(relevance[0] - relevance_changed[0]) > 1e-5


def test_padding_changes_nothing(encoder: Any) -> None:
    ids = torch.arange(1, 11)[None]
    padded = torch.cat([ids, torch.full((1, 6), 49)], dim=1)
    mask = (torch.arange(16) < 10)[None]
    (keep, relevance), (keep_padded, relevance_padded) = run(encoder, ids), run(encoder, padded, mask)
    np.testing.assert_allclose(keep_padded[:, :10], keep, atol=1e-5)
    np.testing.assert_allclose(relevance_padded, relevance, atol=1e-5)


def test_depth_runs_the_lower_layers(encoder: Any) -> None:
    ids = torch.arange(8)[None]
    first = run(encoder, ids, None, 1)[0]
    del encoder.layers[1]
    np.testing.assert_array_equal(first, run(encoder, ids)[0])


@pytest.mark.parametrize(("layers", "batch", "length"), [(1, 1, 8), (2, 3, 16)])
def test_the_formula_counts_what_torch_counts(encoder: Any, layers: int, batch: int, length: int) -> None:
    from torch.nn.attention import SDPBackend, sdpa_kernel
    from torch.utils.flop_counter import FlopCounterMode

    ids = torch.zeros(batch, length, dtype=torch.long)
    # As plain matrix products, which the counter knows on every device.
    with torch.no_grad(), sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
        encoder(ids, None, layers)
    assert TINY.flops(layers, batch, length) == counter.get_total_flops()


def test_the_default_shape_has_the_weights_of_qwen3_0_6b() -> None:
    """440 million weights in 28 layers: Qwen3-0.6B without its embedding."""
    layer = (Shape().flops_per_token(1, 0) - Shape().flops_per_token(0, 0)) // 2
    assert layer * 28 == 440_401_920


@pytest.mark.parametrize("count", [1, 2, 7, 100])
def test_percentiles_are_those_of_numpy(count: int) -> None:
    values = np.random.default_rng(count).exponential(size=count).tolist()
    for percent in (0, 50, 99, 100):
        assert gpu_check.percentile(values, percent) == pytest.approx(np.percentile(values, percent))


def test_calls_end_with_their_seconds_but_not_before_the_least() -> None:
    now = [0.0]

    def call() -> None:
        now[0] += 1.0

    assert gpu_check.time_calls(call, 500, 0.0, lambda: now[0]) == [1.0] * gpu_check.LEAST_CALLS
    assert len(gpu_check.time_calls(call, 500, 50.0, lambda: now[0])) == 50
    assert len(gpu_check.time_calls(call, 30, 50.0, lambda: now[0])) == 30


def test_what_the_time_does_not_allow_is_named() -> None:
    left = [2.5]

    def measure(job: Job) -> dict[str, Any]:
        left[0] -= 1.0
        if job.batch == 2:
            raise RuntimeError("no kernel\nand a long trace")
        return {"batch": job.batch}

    todo = [Job("eager", 3, batch, 64, 10, 1.0) for batch in (1, 2, 4, 8)]
    entries = list(gpu_check.measure_all(todo, measure, lambda: left[0]))
    named = {"mode": "eager", "layers": 3, "length": 64}
    assert entries == [
        ("points", {"batch": 1}),
        ("left_out", named | {"batch": 2, "why": "RuntimeError: no kernel"}),
        ("points", {"batch": 4}),
        ("left_out", named | {"batch": 8, "why": "the time was over"}),
    ]


def test_the_limit_ends_what_takes_too_long() -> None:
    with pytest.raises(TimeoutError, match="not done within"), gpu_check.limit(0.1):
        time.sleep(10)


def test_serving_points_come_first_with_2000_calls_and_every_point_is_there() -> None:
    jobs = gpu_check.jobs(gpu_check.FULL, cuda=True)
    first = jobs[: 3 * len(gpu_check.FULL.serving)]
    assert {(j.batch, j.length) for j in first} == set(gpu_check.FULL.serving)
    assert {j.calls for j in first} == {2_000}
    graphs = {(j.layers, j.batch, j.length) for j in jobs if j.mode == "cuda_graph"}
    assert len(graphs) == 3 * 7 * 3
    assert len(jobs) == len(set(jobs))


def claim_points(latency: float, p99: float) -> list[dict[str, Any]]:
    base = {"mode": "cuda_graph", "batch": 1, "length": 128}
    return [
        base | {"layers": 28, "p50_ms": 10.0, "p99_ms": 30.0, "gflops_per_call": 100.0},
        base | {"layers": 17, "p50_ms": latency, "p99_ms": p99, "gflops_per_call": 60.7},
    ]


@pytest.mark.parametrize(
    ("latency", "p99", "passed"),
    [(6.5, 19.9, [True, False, True]), (6.6, 20.0, [False, False, False])],
)
def test_claims_are_judged_by_the_measurement(latency: float, p99: float, passed: list[bool]) -> None:
    judged = gpu_check.claims(claim_points(latency, p99), gpu_check.FULL, judged=True)
    assert [claim["passed"] for claim in judged] == passed
    assert judged[1]["measured"] == {"1x128": 39.3}


def test_no_verdict_without_a_gpu_or_without_points() -> None:
    size = gpu_check.FULL
    for judged in (
        gpu_check.claims(claim_points(6.0, 1.0), size, judged=False),
        gpu_check.claims([], size, judged=True),
    ):
        assert [claim["passed"] for claim in judged] == [None] * 3


def check(report: dict[str, Any]) -> None:
    assert set(report) == KEYS
    for entry in report["points"]:
        assert set(entry) >= POINT
        assert 0 < entry["p50_ms"] <= entry["p99_ms"]
        assert entry["calls"] >= gpu_check.LEAST_CALLS
    for entry in report["left_out"]:
        assert set(entry) == {"mode", "layers", "batch", "length", "why"}
    assert [set(claim) for claim in report["claims"]] == [{"claim", "layers", "measured", "passed"}] * 3


def test_a_run_on_the_cpu_writes_a_whole_report_without_verdicts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = Size(TINY, (3, 2), (1, 2), (8,), ((1, 8),), ((1, 8),), serving_calls=20, matrix=64)
    monkeypatch.setattr(gpu_check, "SMALL", size)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    # Compilers and exports take a minute here and are no part of what is tested.
    quick = [job for job in gpu_check.jobs(size, False) if job.mode in ("eager", "mask")]
    monkeypatch.setattr(gpu_check, "jobs", lambda *_: quick)
    assert gpu_check.main(["--small", "--seconds", "60", "--out", str(tmp_path)]) == 0
    report = json.loads((tmp_path / "gpu_check_cpu.json").read_text())
    check(report)
    assert report["device"] == "cpu"
    assert report["main_mode"] == "eager"
    assert len(report["points"]) == len(quick)
    assert report["left_out"] == []
    assert [claim["passed"] for claim in report["claims"]] == [None] * 3


def test_without_cuda_full_size_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(SystemExit):
        gpu_check.main(["--out", str(tmp_path)])
    assert "--small" in capsys.readouterr().err


def test_the_committed_report_is_one_of_this_script() -> None:
    report = json.loads(REPORT.read_text())
    check(report)
    assert report["device"] == "cpu"
    assert report["command"].startswith("python perf/gpu_check.py --small")


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
def test_a_small_run_on_a_gpu_uses_graphs(tmp_path: Path) -> None:
    assert gpu_check.main(["--small", "--seconds", "60", "--out", str(tmp_path)]) == 0
    report = json.loads((tmp_path / "gpu_check.json").read_text())
    check(report)
    assert report["main_mode"] == "cuda_graph"
    assert any(entry["mode"] == "cuda_graph" for entry in report["points"])
