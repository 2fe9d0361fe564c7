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

    keep_*: for a segment, whose logit is the mean keep logit of its tokens, plus `relevance_weight` times the mean
    relevance logit of the windows that saw them, plus `lexical_weight` times its match with the query's words
    (preprocessing.lexical). relevance_*: for the largest relevance logit of a document.
    """

    keep_scale: float = 1.0
    keep_shift: float = 0.0
    lexical_weight: float = 0.0
    relevance_weight: float = 0.0
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


@dataclass(frozen=True)
class SegmentLogits:
    """What the encoder says of every segment for every query, each float32 [S, Q].

    keep: mean keep logit of its tokens. relevance: mean relevance logit of the windows that they are in. seen: bool
    [S, Q], whether a window saw the segment at all.
    """

    keep: Floats
    relevance: Floats
    seen: NDArray[np.bool_]


def segment_logits(
    keep_logits: Floats,
    relevance_logit: Floats,
    token_segment: NDArray[np.int32],
    window: NDArray[np.int32],
    segments: int,
    queries: int,
) -> SegmentLogits:
    """Means over all tokens of a segment in all windows that saw them: a token that two windows saw counts in both.

    keep_logits: float32 [W, L]. relevance_logit: float32 [W]. token_segment: int32 [W, L], segment row of each position
    or -1. window: int32 [W, 2], document and query of each row.
    """
    inside = token_segment >= 0
    cell = (token_segment.astype(np.int64) * queries + window[:, 1:2])[inside]
    size = segments * queries
    count = np.bincount(cell, minlength=size)
    of_window = np.broadcast_to(relevance_logit[:, None], keep_logits.shape)
    keep, relevance = (
        (np.bincount(cell, logits[inside].astype(np.float64), size) / np.maximum(count, 1))
        .astype(np.float32)
        .reshape(segments, queries)
        for logits in (keep_logits, of_window)
    )
    return SegmentLogits(keep, relevance, (count > 0).reshape(segments, queries))


def segment_scores(logits: SegmentLogits, lexical: Floats, calibration: Calibration) -> Floats:
    """Score of every segment for every query, float32 [S, Q]; 0 where no window saw the segment.

    lexical: float32 [S, Q], see `LexicalTables.match`. That a window looks like evidence says that one of its segments
    is, and the keep logits say which: where an answer shares no word with the question, its neighbours do.
    """
    logit = (
        logits.keep + calibration.relevance_weight * logits.relevance + calibration.lexical_weight * lexical
    )
    score = sigmoid(calibration.keep_scale * logit + calibration.keep_shift)
    return np.where(logits.seen, score, np.float32(0.0))


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
