"""Train where a large GPU is lent for minutes: pack, run there, join here.

usage: python -m training.bundle pack --backbone DIR --rows rows.npz --out BUNDLE
       python -m training.bundle run  --bundle BUNDLE --out RESULT [--students 7,5] [--alphas 0,0.5] [--minutes 10]
       python -m training.bundle join --bundle BUNDLE --result RESULT --model student-7-0.5 --out DIR

`pack` writes at most 60 MiB: backbone, lexical tables and rows. `run` trains a teacher, then a student for every pair
of depth and alpha, and writes their weights in pieces of at most 16 MiB, their logits on held-out rows (what
calibration is fitted on) and `report.json`. It needs this package, torch and transformers. `join` makes a checkpoint
of the pieces, as training.train would have written it.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from training.backbones import empty_backbone, keep_layers, load_backbone
from training.batches import RowBatches
from training.loss import evidence_loss
from training.model import EvidenceEncoder
from training.packing import MIB, WAYS, read_pieces, restore, shrink, write_pieces
from training.prune import evenly_spaced, prune
from training.quick import answers, fit

MOST_BYTES = 60 * MIB
TEACHER = "teacher"


class TooLarge(ValueError):
    """Backbone and rows that do not fit the space of a bundle."""


def pack(backbone: Path, rows: Path, out: Path, *, layers: int, most: int = MOST_BYTES) -> str:
    """Write the bundle; returns the way of `WAYS` that fitted. Raises `TooLarge` where none does."""
    model = load_backbone(backbone)
    keep_layers(model, range(layers))
    words = next(
        name for name, value in model.named_parameters() if value is model.get_input_embeddings().weight
    )
    out.mkdir(parents=True, exist_ok=True)
    with np.load(rows) as file:
        np.savez_compressed(out / "rows.npz", **{name: file[name] for name in file.files})
    shutil.copy(backbone / "lexical.npz", out / "lexical.npz")
    settings = model.config.to_diff_dict() | {"model_type": model.config.model_type}
    (out / "config.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
    size = 0
    for way in WAYS:
        (out / "bundle.json").write_text(json.dumps({"way": way, "layers": layers}) + "\n", encoding="utf-8")
        np.savez_compressed(out / "weights.npz", **shrink(model.state_dict(), words, way))
        size = sum(path.stat().st_size for path in out.iterdir())
        if size <= most:
            return way
    held = (out / "rows.npz").stat().st_size
    shutil.rmtree(out)
    raise TooLarge(
        f"Backbone and rows take {size / MIB:.1f} MiB, {most / MIB:.1f} are allowed; the rows are {held / MIB:.1f} of "
        "them: draw fewer with training.dataset --tokens, or trim the vocabulary with --pieces."
    )


def unpack(bundle: Path) -> EvidenceEncoder:
    """The encoder of a bundle with fresh heads, as `EvidenceEncoder.from_backbone` gives it."""
    settings = json.loads((bundle / "config.json").read_text(encoding="utf-8"))
    backbone: Any = empty_backbone(settings)
    with np.load(bundle / "weights.npz") as file:
        backbone.load_state_dict(restore({name: file[name] for name in file.files}), strict=False)
    with np.load(bundle / "lexical.npz") as tables:
        classes, weights = torch.from_numpy(tables["classes"]), torch.from_numpy(tables["weights"])
    return EvidenceEncoder(backbone, classes, weights)


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Train the teacher and every student; returns the report."""
    torch.manual_seed(options.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    dataset = RowBatches(options.bundle / "rows.npz", options.seed)
    last = len(dataset) - options.held_out
    if last < 1:
        raise ValueError(
            f"The rows are {len(dataset)} batches, of which --held-out keeps {options.held_out} back."
        )
    students = [(depth, alpha) for depth in options.students for alpha in options.alphas]
    # A teacher of full depth needs about twice a student's time, and gets it.
    share = options.minutes * 60 / (len(students) + 2)
    shared = {"last": last, "group": options.group, "epochs": options.epochs, "device": device}
    shared |= {"learning_rate": options.learning_rate}
    report: dict[str, Any] = {"device": device, "batches": last, "held_out": options.held_out, "models": {}}

    teacher = unpack(options.bundle)
    facts = fit(teacher, dataset, seconds=2 * share, frozen=options.freeze, **shared)
    _finish(teacher, TEACHER, facts, dataset, last, device, options.out, report)
    with torch.no_grad():
        weights = {name: value.clone().cpu() for name, value in teacher.state_dict().items()}
    for depth, alpha in students:
        student = unpack(options.bundle)
        student.load_state_dict(weights)
        kept = evenly_spaced(len(student.layers), depth)
        prune(student, kept)
        facts = fit(student, dataset, seconds=share, teacher=teacher, alpha=alpha, **shared)
        facts |= {"alpha": alpha, "kept_layers": kept}
        _finish(student, f"student-{depth}-{alpha:g}", facts, dataset, last, device, options.out, report)
    return report


def _finish(
    model: EvidenceEncoder,
    name: str,
    facts: dict[str, Any],
    dataset: RowBatches,
    last: int,
    device: str,
    out: Path,
    report: dict[str, Any],
) -> None:
    """Measure on held-out batches, and write pieces, logits and the report at once: a lent machine may go."""
    arrays: dict[str, list[Any]] = {}
    total = 0.0
    for batch, keep, relevance in answers(model, dataset, range(last, len(dataset)), device):
        total += float(evidence_loss(keep, relevance, batch["labels"]))
        length = batch["input_ids"].shape[1]
        arrays.setdefault(f"keep_{length}", []).append(keep.cpu().numpy().astype(np.float16))
        arrays.setdefault(f"relevance_{length}", []).append(relevance.cpu().numpy())
        arrays.setdefault(f"labels_{length}", []).append(batch["labels"].cpu().numpy().astype(np.int8))
        arrays.setdefault(f"ids_{length}", []).append(batch["input_ids"].cpu().numpy().astype(np.int32))
    out.mkdir(parents=True, exist_ok=True)
    logits: dict[str, Any] = {key: np.concatenate(parts) for key, parts in arrays.items()}
    np.savez_compressed(out / f"{name}.held-out.npz", **logits)
    word_vectors = _words(model)
    fixed = {word_vectors, "classes", "weights"}
    trained = {key: value for key, value in model.state_dict().items() if key not in fixed}
    write_pieces(trained, out, name)
    (out / f"{name}.config.json").write_text(
        json.dumps(model.backbone.config.to_diff_dict(), indent=1) + "\n", encoding="utf-8"
    )
    held_out = len(dataset) - last
    report["models"][name] = facts | {"held_out_loss": round(total / held_out, 5) if held_out else None}
    (out / "report.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(name, json.dumps(report["models"][name]), flush=True)


def join(bundle: Path, result: Path, name: str, out: Path) -> None:
    """Write the checkpoint of one model of a result; raises `BadPieces` where its pieces are not whole."""
    trained = read_pieces(result, name)
    settings = json.loads((result / f"{name}.config.json").read_text(encoding="utf-8"))
    whole = unpack(bundle)
    model = EvidenceEncoder(empty_backbone(settings), whole.classes, whole.weights)
    fixed = {_words(model): whole.words.weight, "classes": whole.classes, "weights": whole.weights}
    model.load_state_dict(trained | {key: value.detach() for key, value in fixed.items()})
    model.save(out)


def _words(model: EvidenceEncoder) -> str:
    """Name of the word embedding among the model's tensors."""
    names: list[str] = [name for name, value in model.named_parameters() if value is model.words.weight]
    return names[0]


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = made.add_subparsers(dest="command", required=True)
    packing = commands.add_parser("pack", help="write a bundle")
    packing.add_argument("--backbone", type=Path, required=True)
    packing.add_argument("--rows", type=Path, required=True)
    packing.add_argument("--out", type=Path, required=True)
    packing.add_argument("--layers", type=int, default=12)
    running = commands.add_parser("run", help="train on this machine")
    running.add_argument("--bundle", type=Path, required=True)
    running.add_argument("--out", type=Path, required=True)
    running.add_argument("--students", type=_integers, default=[7, 5], help="depths, as 7,5")
    running.add_argument("--alphas", type=_floats, default=[0.0, 0.5], help="shares of the teacher, as 0,0.5")
    running.add_argument("--minutes", type=float, default=9.0, help="time for all trainings together")
    running.add_argument("--epochs", type=int, default=3)
    running.add_argument("--group", type=int, default=8, help="batches of 2,048 tokens in a step")
    running.add_argument(
        "--freeze", type=int, default=0, help="lowest layers of the teacher left as they are"
    )
    running.add_argument("--learning-rate", type=float, default=2e-4)
    running.add_argument("--held-out", type=int, default=32, help="batches that train nothing")
    running.add_argument("--seed", type=int, default=7)
    joining = commands.add_parser("join", help="make a checkpoint of what came back")
    joining.add_argument("--bundle", type=Path, required=True)
    joining.add_argument("--result", type=Path, required=True)
    joining.add_argument("--model", required=True)
    joining.add_argument("--out", type=Path, required=True)
    return made


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser().parse_args(arguments)
    if options.command == "pack":
        way = pack(options.backbone, options.rows, options.out, layers=options.layers)
        print(f"{options.out} holds the bundle, its weights as {way}.")
    elif options.command == "run":
        run(options)
    else:
        join(options.bundle, options.result, options.model, options.out)
        print(f"{options.out} holds the checkpoint.")


def _integers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def _floats(text: str) -> list[float]:
    return [float(part) for part in text.split(",")]


if __name__ == "__main__":
    main()
