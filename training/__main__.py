"""Everything from a backbone to a distilled student and its model card; steps whose result exists are skipped.

usage: python -m training --data PATH [PATH ...] [--work build] [--backbone-from NAME]

PATH is a folder of sets (corpora.sets), or a file or folder of labels of your own (docs/training.md). In order:

backbone  multilingual-e5-small with a trimmed vocabulary, or what --backbone-from names (training.hub)
rows      tokenised training rows, the same for every model                         (training.dataset)
teacher   all 12 layers, the lowest 4 frozen                                        (training.train)
layers    which layers the student keeps: two rules, compared on held-out batches   (training.choose)
logits    what the teacher says of the rows                                         (training.teach)
student   7 layers, trained on labels and the teacher's probabilities               (training.train)
card      the model card, from what the steps recorded and docs/reports             (training.card)

Every step writes its settings beside its result and refuses a result of other settings. A step that was interrupted
goes on where it stopped. The last `--held-out` batches of the order train nothing; they measure the layers.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from training.steps import OtherSettings, Run, Step, carry_out, run_module


def chain(options: argparse.Namespace, run: Run = run_module) -> None:
    """Carry out all steps in order; `run` starts a module (other in tests that only read the commands)."""
    work: Path = options.work
    work.mkdir(parents=True, exist_ok=True)
    backbone, rows, teacher = work / "backbone", work / "rows.npz", work / "teacher"
    layers, logits, model = work / "layers.json", work / "teacher-logits.npz", work / "model"
    data = [str(path) for path in options.data]

    carry_out(_backbone(options, backbone, data), run)
    settings = {"data": data, "tokens": options.tokens, "seed": options.seed, "own_share": options.own_share}
    extra = ["--skip-bad"] if options.skip_bad else []
    command = ["training.dataset", "--data", *data, "--backbone", str(backbone), "--out", str(rows)]
    command += ["--tokens", str(options.tokens), "--seed", str(options.seed)]
    command += ["--own-share", str(options.own_share), *extra]
    carry_out(Step("rows", rows, settings, tuple(command)), run)

    batches = number_of_batches(rows, options.seed)
    train_on = batches - options.held_out
    if train_on < 1:
        raise SystemExit(f"The rows are {batches} batches; raise --tokens, or lower --held-out.")
    teacher_steps, student_steps = (
        min(steps or train_on, train_on) for steps in (options.steps, options.student_steps)
    )
    shared = ["--rows", str(rows), "--seed", str(options.seed), "--save-steps", str(options.save_steps)]
    settings = {
        "layers": options.layers,
        "frozen": options.freeze,
        "batches": teacher_steps,
        "seed": options.seed,
    }
    command = ["--backbone", str(backbone), "--out", str(teacher), "--layers", str(options.layers)]
    command += ["--freeze", str(options.freeze), "--steps", str(teacher_steps)]
    carry_out(_training("teacher", teacher, settings, [*command, *shared], options), run)

    settings = {"rule": options.rule, "keep": options.keep, "batches": options.held_out, "skip": train_on}
    command = [
        "training.choose",
        "--teacher",
        str(teacher),
        "--rows",
        str(rows),
        "--layers",
        str(options.keep),
    ]
    command += ["--out", str(layers), "--rule", options.rule, "--seed", str(options.seed)]
    command += ["--skip", str(train_on), "--batches", str(options.held_out)]
    carry_out(Step("layers", layers, settings, tuple(command)), run)

    if options.alpha:
        settings = {"batches": student_steps, "seed": options.seed}
        command = ["training.teach", "--teacher", str(teacher), "--rows", str(rows), "--out", str(logits)]
        command += ["--seed", str(options.seed), "--batches", str(student_steps)]
        carry_out(Step("logits", logits, settings, tuple(command)), run)

    kept = ",".join(map(str, json.loads(layers.read_text(encoding="utf-8"))["kept"]))
    settings = {"kept": kept, "alpha": options.alpha, "batches": student_steps, "seed": options.seed}
    command = ["--teacher", str(teacher), "--out", str(model), "--keep", kept, "--steps", str(student_steps)]
    if options.alpha:
        command += ["--teacher-logits", str(logits), "--alpha", str(options.alpha)]
    carry_out(_training("student", model, settings, [*command, *shared], options), run)

    run(["training.card", "--work", str(work), "--reports", str(options.reports), "--out", str(options.card)])
    print(f"The student is in {model}, its card in {options.card}; `make model` exports it.")


def number_of_batches(rows: Path, seed: int) -> int:
    """How many batches the rows are in all."""
    from training.batches import RowBatches

    return len(RowBatches(rows, seed))


def _backbone(options: argparse.Namespace, folder: Path, data: list[str]) -> Step:
    settings = {
        "from": options.backbone_from or "multilingual-e5-small",
        "pieces": options.pieces,
        "data": data,
    }
    shared = ("--data", *data, "--out", str(folder), "--pieces", str(options.pieces))
    if options.backbone_from:
        command = ("training.hub", "--from", options.backbone_from, *shared)
    else:
        command = ("training.backbone", "--wheel", str(options.work), *shared)
    return Step("backbone", folder / "lexical.npz", settings, command)


def _training(
    name: str, folder: Path, settings: dict[str, object], command: list[str], options: argparse.Namespace
) -> Step:
    from training.precision import has_bfloat16

    bf16 = has_bfloat16() if options.bf16 == "auto" else options.bf16 == "on"
    settings = settings | {
        "bf16": bf16,
        "accumulate": options.accumulate,
        "processes": options.processes,
        "learning_rate": options.learning_rate,
    }
    start = ["training.train"]
    if options.processes > 1:
        start = [
            "accelerate.commands.launch",
            "--num_processes",
            str(options.processes),
            "--num_machines",
            "1",
        ]
        start += ["--mixed_precision", "no", "--dynamo_backend", "no", *(["--cpu"] if options.cpu else [])]
        start += ["-m", "training.train"]
    command = [*start, *command, "--accumulate", str(options.accumulate)]
    command += ["--learning-rate", str(options.learning_rate)]
    command += ["--bf16"] if bf16 else []
    command += ["--tensorboard"] if options.tensorboard else []
    return Step(
        name,
        folder / "model.safetensors",
        settings,
        tuple(command),
        ("--resume",),
        "checkpoints/checkpoint-*",
    )


def parser() -> argparse.ArgumentParser:
    """The command line; docs/training.md explains each option."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = made.add_argument
    add("--data", type=Path, nargs="+", required=True, help="folders of sets, files or folders of labels")
    add("--work", type=Path, default=Path("build"), help="folder of all results")
    add("--backbone-from", help="folder or hub name of another backbone, or a wheel of all-MiniLM-L6-v2")
    add("--pieces", type=int, default=64_000, help="pieces of the trimmed vocabulary")
    add("--tokens", type=int, default=3_200_000, help="tokens of training rows")
    add("--own-share", type=float, default=24.0, help="relative rows of each path of your own labels")
    add("--skip-bad", action="store_true", help="leave out lines of labels that cannot be read")
    add("--layers", type=int, default=12, help="layers of the teacher")
    add("--freeze", type=int, default=4, help="lowest layers of the teacher that keep their weights")
    add("--keep", type=int, default=7, help="layers of the student")
    add(
        "--rule", choices=("even", "measured"), default="measured", help="how the student's layers are chosen"
    )
    add("--alpha", type=float, default=0.5, help="share of the teacher in the student's targets")
    add("--steps", type=int, help="batches that the teacher is trained on; by default all, once")
    add("--student-steps", type=int, help="batches that the student is trained on; by default all, once")
    add("--held-out", type=int, default=16, help="batches kept for measuring the layers")
    add("--learning-rate", type=float, default=1.5e-4)
    add("--accumulate", type=int, default=1, help="batches before each step of the optimiser")
    add("--processes", type=int, default=1, help="processes that train together, one a GPU")
    add("--cpu", action="store_true", help="with --processes: CPUs where there are GPUs as well")
    add("--bf16", choices=("auto", "on", "off"), default="auto", help="matrix products in bfloat16")
    add("--tensorboard", action="store_true", help="log the loss for TensorBoard as well")
    add("--save-steps", type=int, default=100, help="steps between checkpoints")
    add("--seed", type=int, default=7)
    add("--reports", type=Path, default=Path("docs/reports"), help="where measured figures are")
    add("--card", type=Path, default=Path("docs/model-card.md"))
    return made


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser().parse_args(arguments)
    try:
        chain(options)
    except OtherSettings as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
