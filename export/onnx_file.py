"""A checkpoint as an ONNX file with dynamic batch and length, and its parity with torch.

The graph has one input, `input_ids` int32 [B, L]; mask and lexical mark are derived inside it. Attention is exported
in its plain form, which every runtime reads.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.model import EvidenceEncoder

OPSET = 18
ENCODER_MODULE = Path(__file__).parents[1] / "model_repository" / "encoder" / "1" / "openvino_encoder.py"
OUTPUTS = ("keep_logits", "relevance_logit")


class Served(nn.Module):
    """The encoder with the input type of the wire."""

    def __init__(self, encoder: EvidenceEncoder) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, input_ids: Tensor) -> tuple[Tensor, Tensor]:
        """`input_ids` int32 [B, L] to keep logits [B, L] and relevance logits [B]."""
        keep, relevance = self.encoder(input_ids.long())
        return keep, relevance


def export(checkpoint: Path, out: Path) -> None:
    """Write the float32 ONNX file of a checkpoint; raises `ValueError` when a dimension came out fixed."""
    model = Served(EvidenceEncoder.load(checkpoint, attention="eager")).eval()
    example = torch.full((2, 128), 5, dtype=torch.int32)
    example[:, 10] = example[:, 11] = example[:, 100] = 2
    example[1, 101:] = 1
    shapes = {"input_ids": {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}}
    with torch.no_grad():
        torch.onnx.export(
            model,
            (example,),
            str(out),
            input_names=["input_ids"],
            output_names=list(OUTPUTS),
            dynamic_shapes=shapes,
            opset_version=OPSET,
            dynamo=True,
            external_data=False,
            verbose=False,
        )
    require_dynamic(out)


def require_dynamic(path: Path) -> None:
    """Refuse a file whose input or first output has a fixed batch or length."""
    graph = onnx.load(path, load_external_data=False).graph
    for value in (graph.input[0], graph.output[0]):
        dims = value.type.tensor_type.shape.dim
        if len(dims) != 2 or any(dim.HasField("dim_value") for dim in dims):
            found = [dim.dim_value or dim.dim_param for dim in dims]
            raise ValueError(
                f"{value.name} in {path.name} has the shape {found}; batch and length must be dynamic."
            )


def torch_logits(checkpoint: Path, input_ids: NDArray[np.int32]) -> NDArray[np.float32]:
    """Keep logits of the checkpoint in torch, float32 [B, L]."""
    model = EvidenceEncoder.load(checkpoint)
    with torch.no_grad():
        parts = [
            model(torch.from_numpy(part).long())[0]
            for part in np.array_split(input_ids, len(input_ids) // 8 + 1)
        ]
    keep: NDArray[np.float32] = torch.cat(parts).numpy()
    return keep


def openvino_logits(path: Path, input_ids: NDArray[np.int32], int8: bool | None) -> NDArray[np.float32]:
    """Keep logits of an ONNX file as the server computes them, float32 [B, L]; see the encoder's own module."""
    spec = importlib.util.spec_from_file_location("openvino_encoder", ENCODER_MODULE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    keep: NDArray[np.float32] = module.OpenVinoEncoder(path, int8=int8)(input_ids)[0]
    return keep
