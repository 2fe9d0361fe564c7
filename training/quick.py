"""A plain training loop for one large GPU and a few minutes.

`training.train` is the loop for everything else. Here steps are larger, the teacher answers while its student trains,
so that no logits are written, and the learning rate falls with the time used where that ends sooner than the rows.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

from training.batches import RowBatches
from training.loss import evidence_loss
from training.model import EvidenceEncoder

WARMUP = 1 / 16


def groups(dataset: RowBatches, size: int, last: int) -> list[list[int]]:
    """The first `last` batches in groups of `size` with rows of one length; remainders are left out.

    With fewer batches than a group of each length takes, single batches.
    """
    waiting: dict[int, list[int]] = {}
    out: list[list[int]] = []
    for index in range(last):
        length = dataset.order[index][0]
        waiting.setdefault(length, []).append(index)
        if len(waiting[length]) == size:
            out.append(waiting.pop(length))
    return out or [[index] for index in range(last)]


def joined(dataset: RowBatches, indices: list[int], device: str) -> dict[str, Tensor]:
    """Several batches of one row length as one, on the device."""
    batches = [dataset[i] for i in indices]
    return {name: torch.cat([batch[name] for batch in batches]).to(device) for name in batches[0]}


def fit(
    model: EvidenceEncoder,
    dataset: RowBatches,
    *,
    last: int,
    group: int,
    epochs: int,
    seconds: float,
    learning_rate: float,
    device: str,
    frozen: int = 0,
    teacher: EvidenceEncoder | None = None,
    alpha: float = 0.0,
) -> dict[str, Any]:
    """Train in place on the first `last` batches until `epochs` or `seconds` are over; returns what happened."""
    model.to(device).train()
    model.requires_grad_(True)
    embeddings = getattr(model.backbone, "embeddings", model.words)
    for part in (embeddings, *model.layers[:frozen]):
        part.requires_grad_(False)
    # The mark is added below the frozen layers; moving it would mean computing backwards through them.
    model.mark.requires_grad_(not frozen)
    moving = [value for value in model.parameters() if value.requires_grad]
    optimiser = torch.optim.AdamW(moving, lr=learning_rate, weight_decay=0.01)
    order = [indices for _ in range(epochs) for indices in groups(dataset, group, last)]
    began, losses, rows, progress, steps = time.monotonic(), [], 0, 0.0, 0
    for step, indices in enumerate(order):
        progress = max(step / len(order), (time.monotonic() - began) / seconds)
        if progress >= 1 and step:
            break
        for slot in optimiser.param_groups:
            slot["lr"] = learning_rate * min(progress / WARMUP + 1e-2, (1 - progress) / (1 - WARMUP), 1.0)
        batch = joined(dataset, indices, device)
        loss = _loss(model, batch, teacher, alpha, device)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(moving, 1.0)
        optimiser.step()
        rows += batch["input_ids"].numel()
        losses.append(loss.detach())
        steps += 1
    model.eval()
    spent = time.monotonic() - began
    curve = torch.stack(losses).float().cpu()
    tenth = max(1, steps // 10)
    return {
        "steps": steps,
        "steps_planned": len(order),
        "tokens_seen": rows,
        "seconds": round(spent, 1),
        "first_loss": round(float(curve[:tenth].mean()), 5),
        "last_loss": round(float(curve[-tenth:].mean()), 5),
    }


def answers(
    model: EvidenceEncoder, dataset: RowBatches, indices: range, device: str
) -> Iterator[tuple[dict[str, Tensor], Tensor, Tensor]]:
    """Batch, keep logits and relevance logits of each batch, without gradients."""
    model.to(device).eval()
    for index in indices:
        batch = joined(dataset, [index], device)
        with torch.no_grad(), _autocast(device):
            keep, relevance = model(batch["input_ids"])
        yield batch, keep.float(), relevance.float()


def _loss(
    model: EvidenceEncoder,
    batch: dict[str, Tensor],
    teacher: EvidenceEncoder | None,
    alpha: float,
    device: str,
) -> Tensor:
    taught: dict[str, Tensor] = {}
    with _autocast(device):
        if teacher is not None and alpha:
            with torch.no_grad():
                keep, relevance = teacher(batch["input_ids"])
            taught = {"teacher_keep": keep.float(), "teacher_relevance": relevance.float()}
        keep, relevance = model(batch["input_ids"])
    return evidence_loss(keep.float(), relevance.float(), batch["labels"], alpha=alpha, **taught)


def _autocast(device: str) -> torch.autocast:
    return torch.autocast(device.split(":")[0], dtype=torch.bfloat16, enabled=device.startswith("cuda"))
