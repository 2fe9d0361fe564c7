"""Outputs of an engine against those of its ONNX file, by NVIDIA's polygraphy."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from export.engine import EngineError
from export.profiles import INPUT, Profile

OUTPUTS = ("keep_logits", "relevance_logit")


def engine_difference(
    plan: Path, onnx: Path, profiles: Sequence[Profile], batches: Sequence[NDArray[np.int32]]
) -> dict[str, dict[str, float]]:
    """Largest and mean difference of each output over batches of rows, int32 [B, L], of lengths that have a profile.

    Needs polygraphy, onnxruntime and a GPU; `EngineError` says what is missing.
    """
    try:
        trt: Any = importlib.import_module("polygraphy.backend.trt")
        onnxrt: Any = importlib.import_module("polygraphy.backend.onnxrt")
        common: Any = importlib.import_module("polygraphy.backend.common")
        comparator: Any = importlib.import_module("polygraphy.comparator")
    except ImportError as error:
        raise EngineError(
            f"{error}: comparing an engine needs `pip install polygraphy onnxruntime` beside TensorRT."
        ) from error
    engine = trt.EngineFromBytes(common.BytesFromPath(str(plan)))
    gaps: dict[str, list[NDArray[np.float64]]] = {name: [] for name in OUTPUTS}
    # Each profile holds one row length, and a runner has one profile.
    for number, profile in enumerate(profiles):
        fitting = [batch for batch in batches if batch.shape[1] == profile.length]
        if not fitting:
            continue
        runners = [
            trt.TrtRunner(engine, optimization_profile=number),
            onnxrt.OnnxrtRunner(onnxrt.SessionFromOnnx(str(onnx))),
        ]
        results = comparator.Comparator.run(runners, data_loader=_feed(fitting))
        (_, found), (_, expected) = results.items()
        for ours, theirs in zip(found, expected, strict=True):
            for name in OUTPUTS:
                gaps[name].append(
                    np.abs(np.asarray(ours[name], np.float64) - np.asarray(theirs[name])).ravel()
                )
    return {
        name: {
            "max": round(float(np.concatenate(parts).max()), 6),
            "mean": round(float(np.concatenate(parts).mean()), 6),
        }
        for name, parts in gaps.items()
    }


def _feed(batches: Sequence[NDArray[np.int32]]) -> Iterator[dict[str, NDArray[np.int32]]]:
    for batch in batches:
        yield {INPUT: np.ascontiguousarray(batch, np.int32)}


def read_batches(rows: Path, profiles: Sequence[Profile], size: int = 16) -> list[NDArray[np.int32]]:
    """One batch of each length that rows and profiles share, int32 [B, L]; `EngineError` where they share none."""
    with np.load(rows) as file:
        found = [
            file[f"ids_{profile.length}"][: min(size, profile.most)].astype(np.int32)
            for profile in profiles
            if f"ids_{profile.length}" in file.files
        ]
    if not found:
        raise EngineError(
            f"{rows} holds no rows of a length that has a profile; training.dataset writes such a file."
        )
    return found
