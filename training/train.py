"""Train an encoder on labelled rows: a teacher, or a student of one.

usage: python -m training.train --rows rows.npz --out DIR --backbone DIR [--layers 12] [--freeze 4]
       python -m training.train --rows rows.npz --out DIR --teacher DIR --keep 0,2,4,6,7,9,11
                                [--teacher-logits FILE --alpha 0.5]

The loss is binary cross-entropy over body tokens plus that of "this row holds evidence" (training.loss). A student
begins as the layers `--keep` of its teacher; with `--alpha` its targets are mixed with what the teacher says of the
same rows (`training.teach`).

Embeddings are frozen: the vocabulary is far larger than what the rows touch. With `--freeze N` the lowest N layers
are too, and the lexical mark with them, so that nothing is computed backwards through them. Checkpoints are written
every few minutes, and `--resume` goes on from the last one. Several processes (`accelerate launch --num_processes 2
-m training.train ...`, CPUs or GPUs) take turns in the batches.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader
from transformers import Trainer, TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from training.batches import BATCH_TOKENS, InOrder, RowBatches
from training.loss import evidence_loss
from training.model import EvidenceEncoder
from training.prune import prune


class StopAfter(TrainerCallback):
    """Ends a training early, with a checkpoint: where time is limited, the schedule is still that of the whole."""

    def __init__(self, step: int) -> None:
        self._step = step

    def on_step_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: object
    ) -> TrainerControl:
        if state.global_step >= self._step:
            control.should_save = control.should_training_stop = True
        return control


class EvidenceTrainer(Trainer):
    """`Trainer` whose items are whole batches; `alpha` is the teacher's share of the targets."""

    alpha: float = 0.0

    def get_train_dataloader(self) -> DataLoader[dict[str, Tensor]]:
        dataset = self.train_dataset
        # An item is a batch already; resuming needs a loader that knows batches.
        loader = DataLoader(
            dataset, batch_size=1, collate_fn=lambda items: items[0], sampler=InOrder(len(dataset))
        )
        return self.accelerator.prepare(loader)

    def compute_loss(
        self, model: nn.Module, inputs: dict[str, Tensor], return_outputs: bool = False, **_: object
    ) -> Tensor | tuple[Tensor, dict[str, Tensor]]:
        keep_logits, relevance_logit = model(inputs["input_ids"])
        loss = evidence_loss(
            keep_logits,
            relevance_logit,
            inputs["labels"],
            alpha=self.alpha,
            teacher_keep=inputs.get("teacher_keep"),
            teacher_relevance=inputs.get("teacher_relevance"),
        )
        return (loss, {"keep_logits": keep_logits}) if return_outputs else loss


def train(options: argparse.Namespace) -> None:
    """Run the training that the command line asks for, and save the model to `--out`."""
    torch.manual_seed(options.seed)
    if options.teacher:
        model = EvidenceEncoder.load(options.teacher)
        if options.keep:
            prune(model, options.keep)
    else:
        model = EvidenceEncoder.from_backbone(options.backbone, options.layers)
    model.words.requires_grad_(False)
    embeddings = getattr(model.backbone, "embeddings", None)
    if embeddings is not None:
        embeddings.requires_grad_(False)
    if options.freeze:
        model.mark.requires_grad_(False)
        model.layers[: options.freeze].requires_grad_(False)
    dataset = RowBatches(options.rows, options.seed, teacher=options.teacher_logits, skip=options.skip)
    together = options.accumulate * int(os.environ.get("WORLD_SIZE", "1"))
    steps = max(1, (options.steps or len(dataset)) // together)
    arguments = TrainingArguments(
        output_dir=str(options.out / "checkpoints"),
        max_steps=steps,
        learning_rate=options.learning_rate,
        warmup_steps=max(1, steps // 16),
        lr_scheduler_type="linear",
        weight_decay=0.01,
        max_grad_norm=1.0,
        logging_steps=20,
        save_steps=options.save_steps,
        save_total_limit=2,
        report_to=["tensorboard"] if options.tensorboard else [],
        dataloader_pin_memory=False,
        remove_unused_columns=False,
        use_cpu=not torch.cuda.is_available(),
        bf16=options.bf16,
        gradient_accumulation_steps=options.accumulate,
        seed=options.seed,
    )
    trainer = EvidenceTrainer(model=model, args=arguments, train_dataset=dataset)
    trainer.alpha = options.alpha
    if options.stop_after:
        trainer.add_callback(StopAfter(options.stop_after))
    trainer.train(resume_from_checkpoint=options.resume or None)
    if trainer.state.global_step < steps:
        print(f"Stopped after {trainer.state.global_step} of {steps} steps; --resume goes on.")
    elif trainer.is_world_process_zero():
        record(options, steps, together, trainer.state.log_history, len(model.layers))
        model.save(options.out)


def record(
    options: argparse.Namespace, steps: int, together: int, log: Sequence[dict[str, float]], layers: int
) -> None:
    """Write beside the model what it was trained with, and the losses of the beginning and the end."""
    losses = [entry["loss"] for entry in log if "loss" in entry]
    facts = {
        "layers": layers,
        "steps": steps,
        "batches_a_step": together,
        "tokens_seen": steps * together * BATCH_TOKENS,
        "learning_rate": options.learning_rate,
        "alpha": options.alpha,
        "frozen_layers": options.freeze,
        "kept_layers": options.keep,
        "bf16": options.bf16,
        "seed": options.seed,
        "first_loss": losses[0] if losses else None,
        "last_loss": losses[-1] if losses else None,
    }
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "training.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    start = parser.add_mutually_exclusive_group(required=True)
    start.add_argument("--backbone", type=Path, help="folder of training.backbone or training.hub")
    start.add_argument("--teacher", type=Path, help="checkpoint whose weights the model begins with")
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--layers", type=int, default=12, help="lowest layers of the backbone to take")
    parser.add_argument(
        "--keep", type=_indices, help="layers of the teacher to take, as 0,2,5; by default all"
    )
    parser.add_argument("--teacher-logits", type=Path, help="file of training.teach; only its rows are used")
    parser.add_argument(
        "--alpha", type=float, default=0.0, help="share of the teacher in the targets, 0 to 1"
    )
    parser.add_argument("--freeze", type=int, default=0, help="lowest layers that keep their weights")
    parser.add_argument("--learning-rate", type=float, default=1.5e-4)
    parser.add_argument(
        "--skip", type=int, default=0, help="batches of the order to leave out, from the first"
    )
    parser.add_argument("--steps", type=int, help="batches to train on; by default all, once")
    parser.add_argument("--accumulate", type=int, default=1, help="batches before each step of the optimiser")
    parser.add_argument("--bf16", action="store_true", help="compute matrix products in bfloat16")
    parser.add_argument("--tensorboard", action="store_true", help="log the loss for TensorBoard as well")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint in --out")
    parser.add_argument("--save-steps", type=int, default=100, help="steps between checkpoints")
    parser.add_argument("--stop-after", type=int, help="end after so many steps, to go on with --resume")
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser().parse_args(arguments)
    if not 0 <= options.alpha <= 1 or (options.alpha and not options.teacher_logits):
        parser().error("--alpha is between 0 and 1, and above 0 only with --teacher-logits.")
    train(options)


def _indices(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


if __name__ == "__main__":
    main()
