"""Token logits to segment scores and document relevance."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Calibration:
    """Turns logits into probabilities that can be read as such: `sigmoid(scale * logit + shift)` (Platt, 1999).

    keep_*: for a segment, whose logit is the mean of its tokens' plus `lexical_weight` times its match with the
    query's words (preprocessing.lexical). relevance_*: for the largest relevance logit of a document.
    """

    keep_scale: float = 1.0
    keep_shift: float = 0.0
    lexical_weight: float = 0.0
    relevance_scale: float = 1.0
    relevance_shift: float = 0.0

    @classmethod
    def load(cls, path: Path) -> Calibration:
        """Read `calibration.json`; unknown names in it are refused by the constructor."""
        return cls(**json.loads(path.read_text(encoding="utf-8"))["calibration"])


def sigmoid(x: NDArray[np.floating]) -> Floats:
    """Logistic function that does not overflow, float32 of the same shape."""
    half: Floats = np.tanh(0.5 * x.astype(np.float32))
    return 0.5 * (1.0 + half)


def segment_scores(
    keep_logits: Floats,
    token_segment: NDArray[np.int32],
    window: NDArray[np.int32],
    lexical: Floats,
    calibration: Calibration,
) -> Floats:
    """Score of every segment for every query, float32 [S, Q].

    keep_logits: float32 [W, L]. token_segment: int32 [W, L], segment row of each position or -1. window: int32
    [W, 2], document and query of each row. lexical: float32 [S, Q], see `LexicalTables.match`. The encoder's part of
    a segment's logit is the mean over all of its tokens in all windows that saw them, so a token that two windows
    saw counts in both; a segment that no window saw scores 0.
    """
    segments, queries = lexical.shape
    cell = token_segment.astype(np.int64) * queries + window[:, 1:2]
    seen = token_segment >= 0
    cell = cell[seen]
    size = segments * queries
    count = np.bincount(cell, minlength=size)
    total = np.bincount(cell, weights=keep_logits[seen].astype(np.float64), minlength=size)
    logit = total / np.maximum(count, 1) + calibration.lexical_weight * lexical.ravel()
    score = sigmoid(calibration.keep_scale * logit + calibration.keep_shift)
    return np.where(count > 0, score, 0.0).astype(np.float32).reshape(segments, queries)


def document_relevance(
    relevance_logit: Floats, window: NDArray[np.int32], documents: int, queries: int, calibration: Calibration
) -> Floats:
    """Probability that each document holds evidence for each query, float32 [N, Q]: that of its best window.

    relevance_logit: float32 [W]. A document without windows has relevance 0.
    """
    best = np.full((documents, queries), -np.inf, np.float32)
    real = window[:, 0] >= 0
    np.maximum.at(best, (window[real, 0], window[real, 1]), relevance_logit[real])
    score = sigmoid(
        calibration.relevance_scale * np.nan_to_num(best, neginf=-1e4) + calibration.relevance_shift
    )
    return np.where(np.isneginf(best), 0.0, score).astype(np.float32)
