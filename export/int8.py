"""Post-training int8 quantisation: one QDQ ONNX file that OpenVINO runs and TensorRT builds from.

NNCF puts quantise/dequantise pairs around the matrix products, with ranges from real rows; the word embedding, which
is two thirds of the file, is stored as int8 with one scale a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import nncf
import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper


def quantise(
    source: Path, out: Path, rows: Sequence[NDArray[np.int32]], *, smooth_quant_alpha: float = 0.5
) -> None:
    """Quantise the float file `source` with calibration `rows` (int32 [L] each) and write `out`."""
    model = onnx.load(source)
    dataset = nncf.Dataset([{"input_ids": row[None]} for row in rows])
    quantised = nncf.quantize(
        model,
        dataset,
        preset=nncf.QuantizationPreset.MIXED,
        target_device=nncf.TargetDevice.CPU,
        model_type=nncf.ModelType.TRANSFORMER,
        subset_size=len(rows),
        advanced_parameters=nncf.AdvancedQuantizationParameters(
            smooth_quant_alphas=nncf.AdvancedSmoothQuantParameters(matmul=smooth_quant_alpha)
        ),
    )
    shrink_embedding(quantised)
    onnx.checker.check_model(quantised)
    out.write_bytes(quantised.SerializeToString())


def shrink_embedding(model: onnx.ModelProto) -> None:
    """Store every large float table that a Gather reads as int8 rows with a scale each."""
    graph = model.graph
    tables = {tensor.name: tensor for tensor in graph.initializer}
    large = {
        node.input[0]
        for node in graph.node
        if node.op_type == "Gather"
        and node.input[0] in tables
        and tables[node.input[0]].data_type == onnx.TensorProto.FLOAT
        and len(tables[node.input[0]].dims) == 2
        and tables[node.input[0]].dims[0] > 1024
    }
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
