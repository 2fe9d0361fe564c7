"""Weights made small enough to carry: matrices as float16 or as int8 with a scale a row, and files in pieces.

A bundle holds the tensors of a backbone in one `.npz`; the first of `WAYS` that fits the space is taken. What was
trained comes back in pieces with checksums, without the frozen word embedding, which the bundle holds already.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load, save
from torch import Tensor

MIB = 1 << 20
PIECE_BYTES = 16 * MIB
# Most exact first: everything in float16, the word embedding in int8, every matrix in int8.
WAYS = ("float16", "int8 embedding", "int8")
SCALE = ".scale"


class BadPieces(ValueError):
    """Pieces that are missing, or are not what was written."""


def shrink(state: Mapping[str, Tensor], words: str, way: str) -> dict[str, Any]:
    """Tensors as numpy arrays, `words` being the name of the word embedding; a row's scale has the suffix `.scale`."""
    out: dict[str, Any] = {}
    for name, tensor in state.items():
        value = tensor.detach().float().cpu().numpy()
        if value.ndim == 2 and (way == "int8" or (way == "int8 embedding" and name == words)):
            scale = np.maximum(np.abs(value).max(axis=1, keepdims=True), 1e-12) / 127
            out[name] = np.round(value / scale).astype(np.int8)
            out[name + SCALE] = scale.astype(np.float32)
        else:
            out[name] = value.astype(np.float16)
    return out


def restore(arrays: Mapping[str, Any]) -> dict[str, Tensor]:
    """The tensors of `shrink` in float32."""
    out = {}
    for name in arrays:
        if name.endswith(SCALE):
            continue
        value = arrays[name].astype(np.float32)
        if name + SCALE in arrays:
            value = value * arrays[name + SCALE]
        out[name] = torch.from_numpy(value)
    return out


def write_pieces(
    state: Mapping[str, Tensor], folder: Path, name: str, *, most: int = PIECE_BYTES
) -> list[Path]:
    """Write tensors in float16 as `name.000`, `name.001`, ... of at most `most` bytes, with `name.json` beside them."""
    halves = {
        key: (value.half() if value.is_floating_point() else value).cpu().contiguous()
        for key, value in state.items()
    }
    data = save(halves)
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    listed: list[dict[str, Any]] = []
    for at in range(0, len(data), most):
        part = data[at : at + most]
        path = folder / f"{name}.{len(written):03}"
        path.write_bytes(part)
        written.append(path)
        listed.append({"file": path.name, "bytes": len(part), "sha256": hashlib.sha256(part).hexdigest()})
    (folder / f"{name}.json").write_text(json.dumps({"pieces": listed}, indent=1) + "\n", encoding="utf-8")
    return written


def read_pieces(folder: Path, name: str) -> dict[str, Tensor]:
    """The tensors of `write_pieces` in float32; raises `BadPieces` where one is missing or altered."""
    listing = folder / f"{name}.json"
    if not listing.is_file():
        raise BadPieces(f"{folder} has no {name}.json; copy it along with the pieces.")
    data = b""
    for entry in json.loads(listing.read_text(encoding="utf-8"))["pieces"]:
        path = folder / entry["file"]
        if not path.is_file():
            raise BadPieces(f"{path} is missing; copy it again from where the bundle was run.")
        part = path.read_bytes()
        if hashlib.sha256(part).hexdigest() != entry["sha256"]:
            raise BadPieces(
                f"{path} is not what was written ({len(part)} bytes of {entry['bytes']}); copy it again."
            )
        data += part
    return {key: value.float() if value.is_floating_point() else value for key, value in load(data).items()}
