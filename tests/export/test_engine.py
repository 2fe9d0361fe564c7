"""Engines: what the builder is told, the record beside the plan, and which plans are refused."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from export import engine
from export.__main__ import main
from export.engine import EngineError, Gpu, Record, build, build_or_keep, gpu_at_hand, require_match, trtexec
from export.profiles import profiles_for
from tests.export.tensorrt_double import Double

GPU = Gpu("NVIDIA H100 80GB HBM3", "9.0")
PROFILES = profiles_for((64, 256), 128)


@pytest.fixture
def onnx(tmp_path: Path) -> Path:
    path = tmp_path / "model.onnx"
    path.write_bytes(b"an ONNX file")
    return path


@pytest.fixture
def trt(monkeypatch: pytest.MonkeyPatch) -> Double:
    double = Double()
    monkeypatch.setitem(sys.modules, "tensorrt", double)
    monkeypatch.setattr(engine, "gpu_at_hand", lambda: GPU)
    return double


def test_an_engine_has_one_profile_a_bucket_and_a_strongly_typed_network(
    trt: Double, onnx: Path, tmp_path: Path
) -> None:
    plan = tmp_path / "engines" / "model.plan"
    record = build(onnx, plan, PROFILES)
    assert ("network", 1 << 1) in trt.calls
    (shapes,) = trt.built()
    assert shapes == [
        {"input_ids": ((1, 64), (128, 64), (128, 64))},
        {"input_ids": ((1, 256), (32, 256), (128, 256))},
    ]
    assert plan.read_bytes().startswith(b"plan of ")
    assert Record.read(plan) == record
    assert (record.tensorrt, record.gpu, record.compute_capability) == ("11.1.0.106", GPU.name, "9.0")


def test_the_timing_cache_is_read_and_written(trt: Double, onnx: Path, tmp_path: Path) -> None:
    cache = tmp_path / "timing.cache"
    cache.write_bytes(b"old ")
    build(onnx, tmp_path / "model.plan", PROFILES, cache=cache)
    assert cache.read_bytes() == b"old timed"


def test_an_engine_that_fits_is_kept_and_any_other_is_built_anew(
    trt: Double, onnx: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = tmp_path / "model.plan"
    assert build_or_keep(onnx, plan, PROFILES)[1].startswith("Built")
    assert build_or_keep(onnx, plan, PROFILES)[1].startswith("Kept")
    assert len(trt.built()) == 1
    monkeypatch.setattr(engine, "gpu_at_hand", lambda: Gpu("NVIDIA L4", "8.9"))
    _, why = build_or_keep(onnx, plan, PROFILES)
    assert "the GPU is NVIDIA L4 here and was NVIDIA H100" in why
    assert len(trt.built()) == 2
    onnx.write_bytes(b"another model")
    assert "model.onnx is another file" in build_or_keep(onnx, plan, PROFILES)[1]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tensorrt": "10.16.0"}, "TensorRT is 11.1.0.106 here and was 10.16.0"),
        ({"gpu": "NVIDIA A100"}, "the GPU is NVIDIA H100 80GB HBM3 here and was NVIDIA A100"),
        ({"compute_capability": "8.0"}, "its compute capability is 9.0 here and was 8.0"),
        ({"onnx": "0" * 64}, "another file than the one that it was built of"),
        ({"profiles": []}, "the profiles are others"),
        ({"plan": "0" * 64}, "changed or cut short"),
        ({"odd": 1}, "no record that can be read"),
    ],
)
def test_a_plan_that_does_not_fit_must_not_be_loaded(
    trt: Double, onnx: Path, tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    plan = tmp_path / "model.plan"
    build(onnx, plan, PROFILES)
    path = tmp_path / "model.plan.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    with pytest.raises(EngineError, match=message) as refused:
        require_match(plan, onnx, PROFILES, "11.1.0.106", GPU)
    assert "pith-export engine" in str(refused.value)


def test_what_the_parser_cannot_read_is_told(
    onnx: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tensorrt", Double(problems=("opset 99 is not known",)))
    monkeypatch.setattr(engine, "gpu_at_hand", lambda: GPU)
    with pytest.raises(EngineError, match=r"cannot read model\.onnx: opset 99 is not known"):
        build(onnx, tmp_path / "model.plan", PROFILES)


def test_an_engine_that_cannot_be_built_leaves_no_plan(
    onnx: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tensorrt", Double(fails=True))
    monkeypatch.setattr(engine, "gpu_at_hand", lambda: GPU)
    with pytest.raises(EngineError, match="could not build an engine"):
        build(onnx, tmp_path / "model.plan", PROFILES)
    assert not (tmp_path / "model.plan").exists()


def test_an_old_tensorrt_is_refused(trt: Double, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorrt", Double(version="8.6.1"))
    with pytest.raises(EngineError, match=r"8\.6\.1 is too old"):
        engine.import_tensorrt()


def test_without_tensorrt_the_command_says_where_to_build(
    onnx: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "tensorrt", None)
    assert main(["engine", "--onnx", str(onnx), "--out", str(tmp_path / "model.plan")]) == 2
    assert "build engines in the production image" in capsys.readouterr().err


def test_the_command_prints_what_trtexec_would_do(
    trt: Double, onnx: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / "model.plan"
    assert main(["engine", "--onnx", str(onnx), "--out", str(plan)]) == 0
    printed = capsys.readouterr().out
    assert "trtexec" in printed
    assert (
        "--profile=3 --minShapes=input_ids:1x512 --optShapes=input_ids:16x512 --maxShapes=input_ids:128x512"
        in printed
    )
    assert plan.is_file()
    assert main(["engine", "--onnx", str(onnx), "--out", str(plan), "--check"]) == 0
    onnx.write_bytes(b"another")
    assert main(["engine", "--onnx", str(onnx), "--out", str(plan), "--check"]) == 2
    assert "must not be loaded" in capsys.readouterr().err
    assert len(trt.built()) == 1


def test_profiles_that_leave_a_bucket_out_are_refused_before_anything_is_built(
    trt: Double, onnx: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = tmp_path / "profiles.json"
    few.write_text('{"profiles": [{"length": 64, "least": 1, "best": 8, "most": 128}]}')
    command = ["engine", "--onnx", str(onnx), "--out", str(tmp_path / "model.plan"), "--profiles", str(few)]
    assert main(command) == 2
    assert "No profile takes rows of 128 tokens" in capsys.readouterr().err
    assert not trt.built()


def test_a_gpu_is_named_as_nvidia_smi_names_it() -> None:
    answer = SimpleNamespace(stdout="NVIDIA H100 80GB HBM3, 9.0\n")
    assert gpu_at_hand(lambda *_, **__: answer) == GPU


def test_without_a_gpu_it_is_said_where_to_build() -> None:
    def missing(*_: Any, **__: Any) -> Any:
        raise FileNotFoundError("nvidia-smi")

    def broken(*_: Any, **__: Any) -> Any:
        raise subprocess.CalledProcessError(9, "nvidia-smi")

    for run in (missing, broken, lambda *_, **__: SimpleNamespace(stdout="")):
        with pytest.raises(EngineError, match="on a machine with the GPU that will serve them"):
            gpu_at_hand(run)


def test_the_building_path_needs_no_training_package(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "for name in ('torch', 'onnx', 'nncf', 'openvino', 'transformers'): sys.modules[name] = None\n"
        "from export.__main__ import main\n"
        "sys.exit(main(['engine', '--onnx', 'none.onnx', '--out', 'none.plan']))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "There is no ONNX file" in done.stderr


def test_trtexec_gets_a_timing_cache_where_one_is_given() -> None:
    assert "--timingCacheFile=t.cache" in trtexec(Path("a.onnx"), Path("b.plan"), PROFILES, Path("t.cache"))
