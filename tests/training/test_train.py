"""Training and teaching: what is stopped goes on as if it had not been, and students see their teacher's rows."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is only in the training environment (make test-training)")
pytest.importorskip("accelerate", reason="accelerate is only in the training environment")

from safetensors.torch import load_file  # noqa: E402

from tests.export.tiny import checkpoint  # noqa: E402
from training import teach as teaching  # noqa: E402
from training.batches import RowBatches  # noqa: E402
from training.model import EvidenceEncoder  # noqa: E402
from training.teach import teach  # noqa: E402
from training.train import main, parser, train  # noqa: E402

PIECES = 60


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three batches of 128 tokens and two of 256."""
    rng = np.random.default_rng(4)
    path = tmp_path_factory.mktemp("rows") / "rows.npz"
    arrays: dict[str, Any] = {}
    for length, number in ((128, 48), (256, 16)):
        ids = rng.integers(3, PIECES, (number, length)).astype(np.uint16)
        ids[:, 0], ids[:, 6], ids[:, 9], ids[:, -1] = 0, 2, 2, 2
        labels = np.full((number, length), -1, np.int8)
        labels[:, 10:-1] = ids[:, 10:-1] % 2
        arrays |= {f"ids_{length}": ids, f"labels_{length}": labels}
    np.savez(path, **arrays)
    return path


@pytest.fixture(scope="module")
def teacher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return checkpoint(tmp_path_factory.mktemp("teacher"), "bert", PIECES)


def command(rows: Path, teacher: Path, out: Path, *more: str) -> list[str]:
    return ["--rows", str(rows), "--teacher", str(teacher), "--out", str(out), "--save-steps", "2", *more]


def run(*arguments: str) -> None:
    train(parser().parse_args(arguments))


def test_a_training_that_was_stopped_ends_with_the_same_weights(
    rows: Path, teacher: Path, tmp_path: Path
) -> None:
    run(*command(rows, teacher, tmp_path / "whole"))
    run(*command(rows, teacher, tmp_path / "stopped", "--stop-after", "2"))
    assert not (tmp_path / "stopped" / "model.safetensors").exists()
    run(*command(rows, teacher, tmp_path / "stopped", "--resume"))
    whole, resumed = (load_file(tmp_path / name / "model.safetensors") for name in ("whole", "stopped"))
    assert all(torch.allclose(whole[name], resumed[name], atol=1e-6) for name in whole)
    before = load_file(teacher / "model.safetensors")
    assert not torch.equal(before["keep.weight"], whole["keep.weight"])


def test_embeddings_and_frozen_layers_keep_their_weights(rows: Path, teacher: Path, tmp_path: Path) -> None:
    run(*command(rows, teacher, tmp_path / "model", "--freeze", "2", "--steps", "2"))
    before, after = (load_file(folder / "model.safetensors") for folder in (teacher, tmp_path / "model"))
    moved = {name for name in before if not torch.equal(before[name], after[name])}
    assert not any("embeddings" in name or ".layer.0." in name or ".layer.1." in name for name in moved)
    assert any(".layer.3." in name for name in moved)


def test_a_student_begins_with_the_layers_of_its_teacher(rows: Path, teacher: Path, tmp_path: Path) -> None:
    run(*command(rows, teacher, tmp_path / "model", "--keep", "0,3", "--steps", "1", "--learning-rate", "0"))
    student = EvidenceEncoder.load(tmp_path / "model")
    wanted = EvidenceEncoder.load(teacher).layers
    assert len(student.layers) == 2
    for layer, source in zip(student.layers, (wanted[0], wanted[3]), strict=True):
        assert all(torch.equal(a, b) for a, b in zip(layer.parameters(), source.parameters(), strict=True))


def test_teaching_goes_on_where_it_stopped(
    rows: Path, teacher: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, parts = tmp_path / "whole.npz", tmp_path / "parts.npz"
    assert teach(teacher, rows, whole, seed=7, skip=0, batches=None) == 5
    assert teach(teacher, rows, parts, seed=7, skip=0, batches=2) == 2
    assert teach(teacher, rows, parts, seed=7, skip=0, batches=None) == 3
    with np.load(whole) as one, np.load(parts) as other:
        assert set(one.files) == set(other.files)
        assert all(np.array_equal(one[name], other[name]) for name in one.files)

    def stopped(*_: object, **__: object) -> bool:
        raise KeyboardInterrupt

    # Stopped after the first batch of three: what was saved by then is not asked again.
    cut = tmp_path / "cut.npz"
    calls = iter(range(3))
    monkeypatch.setattr(teaching, "SAVE_EVERY", 1)
    monkeypatch.setattr(
        teaching, "tqdm", lambda items, **_: (i for i in items if next(calls) < 1 or stopped())
    )
    with pytest.raises(KeyboardInterrupt):
        teach(teacher, rows, cut, seed=7, skip=0, batches=None)
    assert not cut.exists()
    assert cut.with_suffix(".part.npz").exists()
    monkeypatch.setattr(teaching, "tqdm", lambda items, **_: items)
    assert teach(teacher, rows, cut, seed=7, skip=0, batches=None) == 4
    assert not cut.with_suffix(".part.npz").exists()
    with np.load(whole) as one, np.load(cut) as other:
        assert all(np.array_equal(one[name], other[name]) for name in one.files)

    before = whole.read_bytes()
    monkeypatch.setattr(np, "savez", stopped)
    with pytest.raises(KeyboardInterrupt):
        teaching._save(whole, {})
    assert whole.read_bytes() == before


def test_a_student_sees_only_what_its_teacher_was_asked_and_its_logits(
    rows: Path, teacher: Path, tmp_path: Path
) -> None:
    answers = tmp_path / "logits.npz"
    teach(teacher, rows, answers, seed=7, skip=1, batches=2)
    batches = RowBatches(rows, 7, teacher=answers)
    assert len(batches) == 2
    every = RowBatches(rows, 7)
    assert all(torch.equal(batches[i]["input_ids"], every[i + 1]["input_ids"]) for i in range(2))
    model = EvidenceEncoder.load(teacher)
    with torch.no_grad():
        keep, relevance = model(batches[0]["input_ids"])
    assert torch.allclose(batches[0]["teacher_keep"], keep, atol=0.1)
    assert torch.allclose(batches[0]["teacher_relevance"], relevance, atol=0.1)
    with pytest.raises(ValueError, match="holds no logits for any batch"):
        RowBatches(rows, 7, teacher=answers, skip=3)
    run(
        *command(rows, teacher, tmp_path / "student", "--keep", "0,3"),
        *("--teacher-logits", str(answers), "--alpha", "0.5"),
    )
    assert (tmp_path / "student" / "model.safetensors").is_file()


def test_alpha_needs_logits(
    rows: Path, teacher: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(command(rows, teacher, tmp_path, "--alpha", "0.5"))
    assert "only with --teacher-logits" in capsys.readouterr().err


def test_two_processes_train_one_model(rows: Path, teacher: Path, tmp_path: Path) -> None:
    launch = [
        *(
            sys.executable,
            "-m",
            "accelerate.commands.launch",
            "--cpu",
            "--num_processes",
            "2",
            "--num_machines",
            "1",
        ),
        *("--mixed_precision", "no", "--dynamo_backend", "no", "-m", "training.train"),
    ]
    done = subprocess.run(
        [*launch, *command(rows, teacher, tmp_path / "model", "--steps", "2")],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert (tmp_path / "model" / "model.safetensors").is_file()
