"""The choice of a student's layers, recorded with what either rule costs."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is only in the training environment (make test-training)")

from tests.export.tiny import checkpoint  # noqa: E402
from training.choose import choose  # noqa: E402
from training.precision import has_bfloat16  # noqa: E402

PIECES = 60


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    rng = np.random.default_rng(4)
    ids = rng.integers(3, PIECES, (48, 128)).astype(np.uint16)
    ids[:, 0], ids[:, 6], ids[:, 9], ids[:, -1] = 0, 2, 2, 2
    np.savez(tmp_path / "rows.npz", ids_128=ids, labels_128=(ids % 2).astype(np.int8))
    return tmp_path / "rows.npz"


def test_both_rules_are_measured_and_the_better_one_is_taken(rows: Path, tmp_path: Path) -> None:
    teacher = checkpoint(tmp_path / "teacher", "bert", PIECES)
    report = choose(teacher, rows, 2, rule=None, seed=7, skip=1, batches=2)
    assert report["rules"]["even"]["layers"] == [0, 3]
    losses = {name: rule["loss"] for name, rule in report["rules"].items()}
    assert report["rule"] == min(losses, key=lambda name: losses[name])
    assert report["kept"] == report["rules"][report["rule"]]["layers"]
    assert len(report["rounds"]) == 2
    asked = choose(teacher, rows, 2, rule="even", seed=7, skip=1, batches=2)
    assert asked["kept"] == [0, 3]


def test_rows_that_the_teacher_has_all_seen_are_refused(rows: Path, tmp_path: Path) -> None:
    teacher = checkpoint(tmp_path / "teacher", "bert", PIECES)
    with pytest.raises(ValueError, match="no batch beyond the first 9"):
        choose(teacher, rows, 2, rule=None, seed=7, skip=9, batches=2)


@pytest.mark.skipif(torch.cuda.is_available(), reason="a GPU decides by itself")
def test_bfloat16_is_used_only_where_the_cpu_has_it(tmp_path: Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("flags : fpu avx2\n")
    assert not has_bfloat16(cpuinfo)
    cpuinfo.write_text("flags : fpu avx512_bf16\n")
    assert has_bfloat16(cpuinfo)
    assert not has_bfloat16(tmp_path / "none")
