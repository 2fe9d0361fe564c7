"""What training minimises."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

RELEVANCE_WEIGHT = 0.3


def evidence_loss(
    keep_logits: Tensor,
    relevance_logit: Tensor,
    labels: Tensor,
    *,
    alpha: float = 0.0,
    teacher_keep: Tensor | None = None,
    teacher_relevance: Tensor | None = None,
) -> Tensor:
    """`(1 - alpha) · BCE(labels) + alpha · CE(teacher probabilities)` over body tokens, and over rows.

    Labels int64 [B, L] are 1 for evidence, 0 for other body tokens, and -1 for tokens that do not count. The rows'
    part, "this row holds evidence", weighs `RELEVANCE_WEIGHT`. Cross-entropy is linear in its target, so the two
    terms are one with the mixed target `(1 - alpha) · label + alpha · sigmoid(teacher logit)` (Hinton et al., 2015,
    "Distilling the Knowledge in a Neural Network", at temperature 1, for each token by itself).
    """
    body = labels >= 0
    tokens = labels[body].to(keep_logits.dtype)
    rows = (labels == 1).any(dim=1).to(relevance_logit.dtype)
    if alpha:
        if teacher_keep is None or teacher_relevance is None:
            raise ValueError(
                "alpha is above 0 and there are no teacher's logits; training.teach writes them."
            )
        tokens = torch.lerp(tokens, teacher_keep[body].sigmoid(), alpha)
        rows = torch.lerp(rows, teacher_relevance.sigmoid(), alpha)
    keep = functional.binary_cross_entropy_with_logits(keep_logits[body], tokens)
    return keep + RELEVANCE_WEIGHT * functional.binary_cross_entropy_with_logits(relevance_logit, rows)
