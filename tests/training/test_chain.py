"""The chain: from another's checkpoint and labels of one's own to a student and its card, and on from any step."""

import importlib
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="torch is only in the training environment (make test-training)")
pytest.importorskip("accelerate", reason="accelerate is only in the training environment")

from tests.training.test_hub import TEXTS, saved  # noqa: E402
from training.__main__ import chain, parser  # noqa: E402
from training.model import EvidenceEncoder  # noqa: E402
from training.steps import OtherSettings, Step, carry_out  # noqa: E402


class Recorder:
    """Runs modules within this process and remembers which."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    def __call__(self, command: Sequence[str]) -> None:
        self.ran.append(command[0])
        importlib.import_module(command[0]).main(command[1:])


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    saved("word pieces", tmp_path / "theirs")
    labels = tmp_path / "mine.jsonl"
    with labels.open("w", encoding="utf-8") as file:
        for i in range(40):
            text = " ".join([TEXTS[i % 2], *TEXTS[:4], f"Lane {i} is closed."])
            row = {"query": "When did it open?", "document": text, "title": f"Bridge {i}", "spans": [[0, 12]]}
            file.write(json.dumps(row) + "\n")
    options: dict[str, object] = {
        "--data": labels,
        "--work": tmp_path / "build",
        "--backbone-from": tmp_path / "theirs",
    }
    options |= {"--reports": tmp_path / "reports", "--card": tmp_path / "card.md", "--tokens": 24_000}
    options |= {"--layers": 3, "--freeze": 1, "--keep": 2, "--held-out": 2, "--bf16": "off", "--rule": "even"}
    return [part for name, value in options.items() for part in (name, str(value))]


def test_the_chain_ends_with_a_student_and_a_card_and_is_not_run_twice(
    arguments: list[str], tmp_path: Path
) -> None:
    work, run = tmp_path / "build", Recorder()
    chain(parser().parse_args(arguments), run)
    assert run.ran == [
        *("training.hub", "training.dataset", "training.train", "training.choose"),
        *("training.teach", "training.train", "training.card"),
    ]
    choice = json.loads((work / "layers.json").read_text())
    assert choice["kept"] == choice["rules"]["even"]["layers"] == [0, 2]
    assert len(choice["rules"]["measured"]["layers"]) == 2
    assert choice["rules"]["measured"]["loss"] > 0
    student = json.loads((work / "model" / "training.json").read_text())
    assert (student["layers"], student["alpha"], student["kept_layers"]) == (2, 0.5, [0, 2])
    assert len(EvidenceEncoder.load(work / "model").layers) == 2
    card = (tmp_path / "card.md").read_text(encoding="utf-8")
    assert "| mine | " in card
    assert f"{student['tokens_seen']:,}" in card
    assert "Evidence kept: not measured." in card

    again = Recorder()
    chain(parser().parse_args(arguments), again)
    assert again.ran == ["training.card"]
    assert (tmp_path / "card.md").read_text(encoding="utf-8") == card

    with pytest.raises(OtherSettings, match=r"frozen 1, now it is frozen 0"):
        chain(parser().parse_args([*arguments, "--freeze", "0"]), again)
    for path in (work / "model").glob("*.safetensors"):
        path.unlink()
    chain(parser().parse_args(arguments), again)
    assert again.ran[-2:] == ["training.train", "training.card"]
    assert (work / "model" / "model.safetensors").is_file()


def test_a_step_that_was_begun_goes_on_and_one_that_writes_nothing_is_an_error(tmp_path: Path) -> None:
    result = tmp_path / "model" / "weights"
    step = Step("train", result, {"a": 1}, ("module", "--x"), ("--resume",), "checkpoints/checkpoint-*")
    calls: list[list[str]] = []

    def stopped(command: Sequence[str]) -> None:
        calls.append(list(command))
        (tmp_path / "model" / "checkpoints" / "checkpoint-5").mkdir(parents=True, exist_ok=True)

    with pytest.raises(FileNotFoundError, match="without writing"):
        carry_out(step, stopped)

    def finished(command: Sequence[str]) -> None:
        calls.append(list(command))
        result.write_text("")

    assert carry_out(step, finished)
    assert calls == [["module", "--x"], ["module", "--x", "--resume"]]
    assert not carry_out(step, finished)
    assert len(calls) == 2
