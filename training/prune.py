"""Which layers of the teacher a student keeps.

Two rules. `evenly_spaced` takes layers at equal distances, the first and the last among them. `by_measured_drop`
takes out, one after the other, the layer whose absence raises the loss on held-out batches least (the greedy form of
layer importance in Peer et al., 2022, "Greedy-layer pruning"). Both start the student from the teacher's own weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from training.backbones import keep_layers
from training.model import EvidenceEncoder

Loss = Callable[[EvidenceEncoder], float]


def evenly_spaced(depth: int, keep: int) -> list[int]:
    """`keep` of `depth` layers at equal distances, first and last included; ties go to the even index."""
    if not 1 <= keep <= depth:
        raise ValueError(f"A student of a teacher with {depth} layers has 1 to {depth} layers, not {keep}.")
    if keep == 1:
        return [0]
    return [round(i * (depth - 1) / (keep - 1)) for i in range(keep)]


def by_measured_drop(
    model: EvidenceEncoder, keep: int, loss: Loss, *, fixed: Sequence[int] = ()
) -> tuple[list[int], list[dict[str, Any]]]:
    """The layers that are left when the least missed one goes until `keep` are, and what each round measured.

    `loss` gives the mean loss of a model on the same held-out batches each time; layers of `fixed` always stay.
    """
    left = list(range(len(model.layers)))
    if not max(1, len(set(fixed))) <= keep <= len(left):
        raise ValueError(f"Of {len(left)} layers, {len(set(fixed))} of them fixed, {keep} cannot be kept.")
    rounds: list[dict[str, Any]] = []
    while len(left) > keep:
        losses = {}
        for layer in left:
            if layer not in fixed:
                with without(
                    model,
                    [other for other in range(len(model.layers)) if other not in left or other == layer],
                ):
                    losses[layer] = loss(model)
        gone = min(losses, key=lambda layer: (losses[layer], layer))
        left.remove(gone)
        rounds.append({"dropped": gone, "losses": {k: round(v, 5) for k, v in losses.items()}})
    return left, rounds


class without:  # noqa: N801 - reads as a statement, `with without(...)`
    """A context in which some layers of a model hand their input on unchanged."""

    def __init__(self, model: EvidenceEncoder, layers: Sequence[int]) -> None:
        self._layers = [model.layers[i] for i in layers]
        self._hooks: list[Any] = []

    def __enter__(self) -> None:
        for layer in self._layers:
            self._hooks.append(layer.register_forward_hook(_identity))

    def __exit__(self, *_: object) -> None:
        for hook in self._hooks:
            hook.remove()
        self._hooks.clear()


def _identity(_: nn.Module, arguments: tuple[Tensor, ...], output: Any) -> Any:
    (hidden, *_rest) = arguments
    return (hidden, *output[1:]) if isinstance(output, tuple) else hidden


def prune(model: EvidenceEncoder, kept: Sequence[int]) -> EvidenceEncoder:
    """Keep the layers `kept`, in place, with embeddings, mark and heads as they are."""
    with torch.no_grad():
        keep_layers(model.backbone, kept)
    return model
