"""Post-training int8 quantisation: one QDQ ONNX file that OpenVINO runs and TensorRT builds from.

NNCF puts quantise/dequantise pairs around the matrix products, with ranges from real rows; the word embedding, which
is two thirds of the file, is stored as int8 with one scale a row. Weights of 1 GiB and more stay in a file of their
own beside the graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import nncf
import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from export.onnx_file import EXTERNAL_ABOVE, describe

# Tables of fewer rows are cheap, and those of positions and types are added to every token.
LEAST_ROWS = 1024


def quantise(
    source: Path, rows: Sequence[NDArray[np.int32]], *, smooth_quant_alpha: float = 0.5
) -> onnx.ModelProto:
    """The float file `source` quantised with calibration `rows` (int32 [L] each), the same for the same input."""
    dataset = nncf.Dataset([{"input_ids": row[None]} for row in rows])
    quantised: onnx.ModelProto = nncf.quantize(
        onnx.load(source),
        dataset,
        # Symmetric activations too: TensorRT takes no zero point but 0.
        preset=nncf.QuantizationPreset.PERFORMANCE,
        target_device=nncf.TargetDevice.CPU,
        model_type=nncf.ModelType.TRANSFORMER,
        subset_size=len(rows),
        advanced_parameters=nncf.AdvancedQuantizationParameters(
            smooth_quant_alphas=nncf.AdvancedSmoothQuantParameters(matmul=smooth_quant_alpha)
        ),
    )
    shrink_embedding(quantised)
    describe(quantised, precision="int8")
    return quantised


def save(model: onnx.ModelProto, out: Path) -> None:
    """Write the file, with its weights beside it in `<out>.data` when they have 1 GiB or more."""
    out.parent.mkdir(parents=True, exist_ok=True)
    if model.ByteSize() < EXTERNAL_ABOVE:
        onnx.checker.check_model(model)
        out.write_bytes(model.SerializeToString(deterministic=True))
        return
    onnx.save_model(model, out, save_as_external_data=True, location=f"{out.name}.data")


def shrink_embedding(model: onnx.ModelProto) -> None:
    """Store every large float table that a Gather reads as int8 rows with a scale each."""
    graph = model.graph
    tables = {tensor.name: tensor for tensor in graph.initializer}
    # In the order of the graph, so that the same model gives the same file.
    read = dict.fromkeys(node.input[0] for node in graph.node if node.op_type == "Gather")
    large = [
        name
        for name in read
        if name in tables
        and tables[name].data_type == onnx.TensorProto.FLOAT
        and len(tables[name].dims) == 2
        and tables[name].dims[0] > LEAST_ROWS
    ]
    for name in large:
        table = numpy_helper.to_array(tables[name])
        scale = np.maximum(np.abs(table).max(axis=1) / 127, 1e-12).astype(np.float32)
        rows = np.clip(np.rint(table / scale[:, None]), -127, 127).astype(np.int8)
        graph.initializer.remove(tables[name])
        graph.initializer.extend(
            [
                numpy_helper.from_array(rows, f"{name}_int8"),
                numpy_helper.from_array(scale, f"{name}_scale"),
                numpy_helper.from_array(np.zeros(len(scale), np.int8), f"{name}_zero"),
            ]
        )
        graph.node.insert(
            0,
            helper.make_node(
                "DequantizeLinear",
                [f"{name}_int8", f"{name}_scale", f"{name}_zero"],
                [name],
                name=f"{name}_dequantise",
                axis=0,
            ),
        )
