"""The bundle: small enough to carry, trained elsewhere, and whole again when it is back."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is only in the training environment (make test-training)")
pytest.importorskip("transformers", reason="transformers is only in the training environment")

from tests.export.tiny import backbone  # noqa: E402
from training import bundle as bundling  # noqa: E402
from training.batches import RowBatches  # noqa: E402
from training.bundle import TooLarge, main, pack, unpack  # noqa: E402
from training.model import EvidenceEncoder  # noqa: E402
from training.packing import WAYS, BadPieces, read_pieces, restore, shrink, write_pieces  # noqa: E402
from training.quick import groups  # noqa: E402

PIECES = 500


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A backbone folder, and rows of four batches of 128 tokens and two of 256."""
    torch.manual_seed(5)
    backbone("bert", PIECES, 4).save_pretrained(tmp_path / "backbone")
    np.savez(
        tmp_path / "backbone" / "lexical.npz", classes=np.arange(PIECES), weights=np.ones(PIECES, np.float32)
    )
    rng = np.random.default_rng(6)
    arrays: dict[str, Any] = {}
    for length, number in ((128, 64), (256, 16)):
        ids = rng.integers(3, PIECES, (number, length)).astype(np.uint16)
        ids[:, 0], ids[:, 6], ids[:, 9], ids[:, -1] = 0, 2, 2, 2
        labels = np.full((number, length), -1, np.int8)
        labels[:, 10:-1] = ids[:, 10:-1] % 2
        arrays |= {f"ids_{length}": ids, f"labels_{length}": labels}
    np.savez(tmp_path / "rows.npz", **arrays)
    return tmp_path


def test_what_is_trained_elsewhere_comes_back_whole(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    packed, result = folder / "bundle", folder / "result"
    shared = ["--backbone", str(folder / "backbone"), "--rows", str(folder / "rows.npz")]
    main(["pack", *shared, "--out", str(packed), "--layers", "4"])
    assert "its weights as float16" in capsys.readouterr().out
    trained: dict[str, EvidenceEncoder] = {}
    finish = bundling._finish

    def keeping(model: EvidenceEncoder, name: str, *rest: object) -> None:
        trained[name] = model
        finish(model, name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(bundling, "_finish", keeping)
    main(
        [
            *("run", "--bundle", str(packed), "--out", str(result), "--students", "2", "--alphas", "0,0.5"),
            *("--epochs", "2", "--group", "1", "--held-out", "2"),
        ]
    )
    report = json.loads((result / "report.json").read_text())
    assert set(report["models"]) == set(trained) == {"teacher", "student-2-0", "student-2-0.5"}
    row = torch.from_numpy(np.load(folder / "rows.npz")["ids_128"][:2].astype(np.int64))
    for name, model in trained.items():
        facts = report["models"][name]
        assert facts["tokens_seen"] == facts["steps"] * 2048 == 2 * 4 * 2048
        assert facts["held_out_loss"] > 0
        main(
            [
                "join",
                "--bundle",
                str(packed),
                "--result",
                str(result),
                "--model",
                name,
                "--out",
                str(folder / name),
            ]
        )
        again = EvidenceEncoder.load(folder / name)
        with torch.no_grad():
            assert torch.allclose(again(row)[0], model(row)[0], atol=0.02)
    assert len(EvidenceEncoder.load(folder / "student-2-0.5").layers) == 2
    before, after = unpack(packed), EvidenceEncoder.load(folder / "teacher")
    assert torch.equal(before.words.weight, after.words.weight)
    assert not torch.equal(before.layers[3].output.dense.weight, after.layers[3].output.dense.weight)
    with np.load(result / "student-2-0.held-out.npz") as logits:
        shapes = {name: logits[name].shape for name in logits.files}
    assert sum(shape[0] * shape[1] for name, shape in shapes.items() if name.startswith("keep_")) == 2 * 2048


def test_the_most_exact_form_that_fits_is_taken(folder: Path) -> None:
    most, ways = 10**9, []
    for _ in WAYS:
        out = folder / str(most)
        ways.append(pack(folder / "backbone", folder / "rows.npz", out, layers=4, most=most))
        size = sum(path.stat().st_size for path in out.iterdir())
        assert size <= most
        most = size - 1
    assert ways == list(WAYS)
    with pytest.raises(TooLarge, match=r"draw fewer with training\.dataset --tokens"):
        pack(folder / "backbone", folder / "rows.npz", folder / "none", layers=4, most=most)
    assert not (folder / "none").exists()


@pytest.mark.parametrize("way", WAYS)
def test_shrunken_weights_are_close_to_what_they_were(way: str) -> None:
    torch.manual_seed(8)
    state = {"words": torch.randn(50, 32), "layer": torch.randn(32, 64) * 0.02, "bias": torch.randn(32)}
    state["words"][7] = 0.0
    back = restore(shrink(state, "words", way))
    for name, value in state.items():
        assert torch.allclose(back[name], value, atol=float(value.abs().max()) / 200)
    assert set(back) == set(state)


def test_pieces_are_small_and_what_is_missing_or_altered_is_named(tmp_path: Path) -> None:
    state = {"weight": torch.randn(40, 40), "classes": torch.arange(9)}
    pieces = write_pieces(state, tmp_path, "model", most=1000)
    assert len(pieces) > 3
    assert all(path.stat().st_size <= 1000 for path in pieces)
    back = read_pieces(tmp_path, "model")
    assert torch.allclose(back["weight"], state["weight"], atol=1e-2)
    assert torch.equal(back["classes"], state["classes"])
    whole = pieces[1].read_bytes()
    pieces[1].write_bytes(whole[:-1])
    with pytest.raises(BadPieces, match=r"model\.001 is not what was written"):
        read_pieces(tmp_path, "model")
    pieces[1].unlink()
    with pytest.raises(BadPieces, match=r"model\.001 is missing"):
        read_pieces(tmp_path, "model")
    with pytest.raises(BadPieces, match=r"no other\.json"):
        read_pieces(tmp_path, "other")


def test_groups_hold_rows_of_one_length_and_no_batch_twice(folder: Path) -> None:
    dataset = RowBatches(folder / "rows.npz", 7)
    made = groups(dataset, 2, len(dataset))
    assert all(len({dataset.order[i][0] for i in group}) == 1 for group in made)
    flat = [i for group in made for i in group]
    assert sorted(flat) == list(range(len(dataset)))
    assert groups(dataset, 50, 3) == [[0], [1], [2]]
