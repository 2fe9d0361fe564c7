"""The encoder in a stated precision: half where it is safe, float32 where it is not.

TensorRT from version 11 takes every type from the graph, so the graph says them all: matrix products in float16 or
bfloat16, norms, softmax, heads and outputs in float32. Attention is plain matrix products and a softmax, which every
runtime reads and whose softmax can be kept in float32.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.masking_utils import eager_mask

from training.model import EvidenceEncoder

PRECISIONS = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}
ATTENTION = "pith_plain"


def plain_attention(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    **_: Any,
) -> tuple[Tensor, None]:
    """Softmax(q·kᵀ · scaling + mask)·v with the softmax in float32.

    query [B, H, L, D], key and value [B, G, L, D] with G dividing H, mask additive, broadcast over [B, H, L, L];
    returns [B, L, H, D].
    """
    groups = query.shape[1] // key.shape[1]
    if groups > 1:
        key, value = key.repeat_interleave(groups, dim=1), value.repeat_interleave(groups, dim=1)
    scores = torch.matmul(query, key.transpose(2, 3)) * (
        query.shape[-1] ** -0.5 if scaling is None else scaling
    )
    scores = scores.float()
    if attention_mask is not None:
        scores = scores + attention_mask.float()
    weights = functional.softmax(scores, dim=-1).to(query.dtype)
    return torch.matmul(weights, value).transpose(1, 2).contiguous(), None


AttentionInterface.register(ATTENTION, plain_attention)
AttentionMaskInterface.register(ATTENTION, eager_mask)


class Float32Norm(nn.Module):
    """A norm that computes in float32 whatever comes in, and hands on the type that came in."""

    def __init__(self, norm: nn.Module) -> None:
        super().__init__()
        self.norm = norm.float()

    def forward(self, hidden: Tensor) -> Tensor:
        """[..., H] to [..., H] of the same type."""
        normed: Tensor = self.norm(hidden.float())
        return normed.to(hidden.dtype)


class Served(nn.Module):
    """The encoder as the server calls it: int32 ids in, float32 logits out, the inside in `precision`."""

    def __init__(self, encoder: EvidenceEncoder, precision: str = "float32") -> None:
        super().__init__()
        self.encoder = encoder
        self.half = precision != "float32"
        if self.half:
            weights = encoder.weights.clone()
            encoder.to(PRECISIONS[precision])
            encoder.weights = weights
            _wrap_norms(encoder.backbone)

    def forward(self, input_ids: Tensor) -> tuple[Tensor, Tensor]:
        """`input_ids` int32 [B, L] to keep logits float32 [B, L] and relevance logits float32 [B]."""
        keep, relevance = self.encoder(input_ids.long())
        return keep.float(), relevance.float()


def _wrap_norms(module: nn.Module) -> None:
    for name, child in module.named_children():
        if type(child).__name__.endswith(("LayerNorm", "RMSNorm")):
            setattr(module, name, Float32Norm(child))
        else:
            _wrap_norms(child)
