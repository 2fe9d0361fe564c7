"""Encoder time of several models on the same rows, in turns within one run, so that a busy machine slows all alike."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluation.encoder import backend_of, load_encoder

ROWS, LENGTH, ROUNDS = 8, 256, 9


def form_of(path: Path) -> str:
    """What a model is run as: only times of one form can be compared."""
    if backend_of(path) == "torch":
        return "torch, bfloat16"
    return "OpenVINO, int8" if b"QuantizeLinear" in path.read_bytes() else "OpenVINO, float"


def rows_of(seed: int = 3) -> NDArray[np.int32]:
    """Full rows of `LENGTH` tokens with a query of twelve, int32 [ROWS, LENGTH]; what the tokens are costs nothing."""
    rows = np.random.default_rng(seed).integers(4, 60_000, (ROWS, LENGTH), np.int32)
    rows[:, 0] = 0
    rows[:, [13, 14, LENGTH - 1]] = 2
    return rows


def encoder_times(models: Mapping[str, Path], rounds: int = ROUNDS) -> dict[str, float]:
    """Median milliseconds of one row of each model."""
    rows = rows_of()
    encoders = {name: load_encoder(path) for name, path in models.items()}
    for encoder in encoders.values():
        encoder(rows)
    taken: dict[str, list[float]] = {name: [] for name in encoders}
    for _ in range(rounds):
        for name, encoder in encoders.items():
            began = time.perf_counter()
            encoder(rows)
            taken[name].append(time.perf_counter() - began)
    return {name: round(1000 * float(np.median(values)) / ROWS, 2) for name, values in taken.items()}
