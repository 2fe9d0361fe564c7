"""Choose the layers that a student keeps: both rules of training.prune on the same held-out batches.

usage: python -m training.choose --teacher DIR --rows rows.npz --layers 7 --out layers.json [--rule measured]
                                 [--skip N] [--batches 8]

`layers.json` holds the layers of either rule with the loss that the teacher has when it runs on those alone, before any
training, and the loss of the whole teacher. `kept` are the layers of the rule that was asked for, by default of the one
with the smaller loss.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from training.batches import RowBatches
from training.loss import evidence_loss
from training.model import EvidenceEncoder
from training.precision import autocast
from training.prune import by_measured_drop, evenly_spaced, without

RULES = ("even", "measured")


def choose(
    teacher: Path, rows: Path, keep: int, *, rule: str | None, seed: int, skip: int, batches: int
) -> dict[str, Any]:
    """The contents of `layers.json`. `skip` leaves out the batches that the teacher was trained on."""
    dataset = RowBatches(rows, seed, skip=skip)
    held_out = [dataset[i] for i in range(min(batches, len(dataset)))]
    if not held_out:
        raise ValueError(
            f"{rows} holds no batch beyond the first {skip}: write more rows, or train on fewer."
        )
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = EvidenceEncoder.load(teacher).to(device)

    def loss(changed: EvidenceEncoder) -> float:
        total = 0.0
        with torch.inference_mode(), autocast(device):
            for batch in held_out:
                keep_logits, relevance_logit = changed(batch["input_ids"].to(device))
                labels = batch["labels"].to(device)
                total += float(evidence_loss(keep_logits.float(), relevance_logit.float(), labels))
        return total / len(held_out)

    def alone(kept: Sequence[int]) -> float:
        with without(model, [layer for layer in range(len(model.layers)) if layer not in kept]):
            return round(loss(model), 5)

    found: dict[str, list[int]] = {"even": evenly_spaced(len(model.layers), keep)}
    found["measured"], rounds = by_measured_drop(model, keep, loss)
    report: dict[str, Any] = {
        "teacher_loss": round(loss(model), 5),
        "batches": len(held_out),
        "rules": {name: {"layers": kept, "loss": alone(kept)} for name, kept in found.items()},
        "rounds": rounds,
    }
    report["rule"] = rule or min(RULES, key=lambda name: report["rules"][name]["loss"])
    report["kept"] = found[report["rule"]]
    return report


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--teacher", type=Path, required=True)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--layers", type=int, required=True, help="layers of the student")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rule", choices=RULES)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--skip", type=int, default=0, help="batches that the teacher was trained on")
    parser.add_argument("--batches", type=int, default=8, help="held-out batches to measure on")
    options = parser.parse_args(arguments)
    report = choose(
        options.teacher,
        options.rows,
        options.layers,
        rule=options.rule,
        seed=options.seed,
        skip=options.skip,
        batches=options.batches,
    )
    options.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(json.dumps({name: report[name] for name in ("teacher_loss", "rules", "rule", "kept")}))


if __name__ == "__main__":
    main()
