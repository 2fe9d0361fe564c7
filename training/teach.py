"""What a teacher says of training rows: its logits, written once for all its students.

usage: python -m training.teach --teacher DIR --rows rows.npz --out logits.npz [--skip N] [--batches N]

The batches are those of training.train with the same seed. `keep_L` float16 [n, L] and `relevance_L` float32 [n]
belong to the rows `ids_L` of the rows file; rows that the teacher was not asked about are NaN. Until all are answered
they are in a file whose name ends in .part.npz; an interrupted run goes on with the first batch that is missing.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tqdm import tqdm

from training.batches import RowBatches
from training.model import EvidenceEncoder
from training.precision import autocast

SAVE_EVERY = 100


def teach(teacher: Path, rows: Path, out: Path, *, seed: int, skip: int, batches: int | None) -> int:
    """Write the logits of a teacher; returns how many batches were computed now."""
    dataset = RowBatches(rows, seed, skip=skip)
    part = out.with_suffix(".part.npz")
    answers = _answers(rows, part if part.exists() else out)
    wanted = min(batches or len(dataset), len(dataset))
    missing = []
    for i in range(wanted):
        length, picked = dataset.order[i]
        if not np.isfinite(answers[f"relevance_{length}"][picked]).all():
            missing.append(i)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = EvidenceEncoder.load(teacher).to(device)
    with torch.no_grad(), autocast(device):
        for done, i in enumerate(tqdm(missing, unit="batch"), start=1):
            length, picked = dataset.order[i]
            keep, relevance = model(dataset[i]["input_ids"].to(device))
            answers[f"keep_{length}"][picked] = keep.float().cpu().numpy()
            answers[f"relevance_{length}"][picked] = relevance.float().cpu().numpy()
            if done % SAVE_EVERY == 0:
                _save(part, answers)
    if missing or not out.exists():
        _save(out, answers)
    part.unlink(missing_ok=True)
    return len(missing)


def _answers(rows: Path, begun: Path) -> dict[str, Any]:
    if begun.exists():
        with np.load(begun) as file:
            return {name: file[name] for name in file.files}
    answers: dict[str, Any] = {}
    with np.load(rows) as file:
        for name in file.files:
            if name.startswith("ids_"):
                number, length = file[name].shape
                answers[f"keep_{length}"] = np.full((number, length), np.nan, np.float16)
                answers[f"relevance_{length}"] = np.full(number, np.nan, np.float32)
    return answers


def _save(out: Path, answers: dict[str, Any]) -> None:
    """Write beside the file and move into its place, so that a stop in between loses nothing."""
    fresh = out.with_suffix(".new.npz")
    np.savez(fresh, **answers)
    fresh.replace(out)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--teacher", type=Path, required=True)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--skip", type=int, default=0, help="batches to leave out, that the teacher was trained on"
    )
    parser.add_argument("--batches", type=int, help="batches to answer after those; by default all")
    options = parser.parse_args(arguments)
    number = teach(
        options.teacher,
        options.rows,
        options.out,
        seed=options.seed,
        skip=options.skip,
        batches=options.batches,
    )
    print(f"{number} batches answered; {options.out} holds them.")


if __name__ == "__main__":
    main()
