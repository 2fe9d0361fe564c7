"""Train the encoder on labelled rows with binary cross-entropy.

usage: python -m training.train --backbone DIR --rows rows.npz --out DIR [--layers 7] [--steps N] [--resume]

The loss is BCE over body tokens plus `RELEVANCE_WEIGHT` times BCE of "this row holds evidence". Embeddings are
frozen: the vocabulary is far larger than what the rows touch. With `--freeze N` the lowest N layers are too, and the
lexical mark with them, so that nothing is computed backwards through them. Checkpoints are written every few minutes,
and `--resume` goes on from the last one.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, Dataset, Sampler
from transformers import Trainer, TrainingArguments

from training.model import EvidenceEncoder

RELEVANCE_WEIGHT = 0.3
BATCH_TOKENS = 2048


class RowBatches(Dataset[dict[str, Tensor]]):
    """Whole batches of rows of one length, so that no row is padded to the length of another."""

    def __init__(self, path: Path, seed: int) -> None:
        self._batches: list[tuple[np.ndarray, np.ndarray]] = []
        rng = np.random.default_rng(seed)
        with np.load(path) as file:
            for length in sorted(
                int(name.removeprefix("ids_")) for name in file.files if name.startswith("ids_")
            ):
                ids, labels = file[f"ids_{length}"], file[f"labels_{length}"]
                size = BATCH_TOKENS // length
                order = rng.permutation(len(ids))
                for at in range(0, len(ids) - size + 1, size):
                    pick = order[at : at + size]
                    self._batches.append((ids[pick], labels[pick]))
        rng.shuffle(self._batches)

    def __len__(self) -> int:
        return len(self._batches)

    def __getitem__(self, index: int) -> dict[str, Tensor]:
        ids, labels = self._batches[index]
        return {
            "input_ids": torch.from_numpy(ids.astype(np.int64)),
            "labels": torch.from_numpy(labels.astype(np.int64)),
        }


class InOrder(Sampler[int]):
    """The dataset is shuffled when it is read, so that a resumed run sees the same order."""

    def __init__(self, size: int) -> None:
        self._size = size

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[int]:
        return iter(range(self._size))


def evidence_loss(keep_logits: Tensor, relevance_logit: Tensor, labels: Tensor) -> Tensor:
    """BCE over body tokens (labels 0 and 1; -1 is ignored) and over rows."""
    body = labels >= 0
    keep = functional.binary_cross_entropy_with_logits(keep_logits[body], labels[body].to(keep_logits.dtype))
    holds = (labels == 1).any(dim=1).to(relevance_logit.dtype)
    return keep + RELEVANCE_WEIGHT * functional.binary_cross_entropy_with_logits(relevance_logit, holds)


class EvidenceTrainer(Trainer):
    """`Trainer` whose items are whole batches."""

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
        loss = evidence_loss(keep_logits, relevance_logit, inputs["labels"])
        return (loss, {"keep_logits": keep_logits}) if return_outputs else loss


def train(options: argparse.Namespace) -> None:
    """Run the training that the command line asks for, and save the model to `--out`."""
    torch.manual_seed(options.seed)
    model = EvidenceEncoder.from_backbone(options.backbone, options.layers)
    model.backbone.embeddings.requires_grad_(False)
    if options.freeze:
        model.mark.requires_grad_(False)
        model.backbone.encoder.layer[: options.freeze].requires_grad_(False)
    dataset = RowBatches(options.rows, options.seed)
    arguments = TrainingArguments(
        output_dir=str(options.out / "checkpoints"),
        max_steps=min(options.steps or len(dataset), len(dataset)),
        learning_rate=options.learning_rate,
        warmup_steps=max(1, len(dataset) // 16),
        lr_scheduler_type="linear",
        weight_decay=0.01,
        max_grad_norm=1.0,
        logging_steps=20,
        save_steps=100,
        save_total_limit=2,
        report_to=[],
        dataloader_pin_memory=False,
        remove_unused_columns=False,
        use_cpu=not torch.cuda.is_available(),
        seed=options.seed,
    )
    trainer = EvidenceTrainer(model=model, args=arguments, train_dataset=dataset)
    trainer.train(resume_from_checkpoint=options.resume or None)
    model.save(options.out)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--backbone", type=Path, required=True)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--layers", type=int, default=7)
    parser.add_argument("--freeze", type=int, default=0, help="lowest layers that keep their weights")
    parser.add_argument("--learning-rate", type=float, default=1.5e-4)
    parser.add_argument("--steps", type=int, help="batches to train on; by default all, once")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint in --out")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
