"""`model.onnx` on a CPU, by OpenVINO.

The file holds int8 weights and quantise/dequantise pairs around every matrix product. A CPU with int8 dot products
(VNNI) runs the pairs as int8. One without them would emulate int8 more slowly than it computes in float, so there
the pairs on activations are taken out when the model is loaded, and only the weights stay rounded.
"""

from pathlib import Path
from typing import Any

import numpy as np
import openvino as ov
from numpy.typing import NDArray

# Larger batches gain nothing on a CPU, and attention's memory grows with them.
ROWS_AT_ONCE = 16
INT8_DOT_PRODUCTS = ("avx512_vnni", "avx_vnni", "amx_int8")


def has_int8_dot_products(cpuinfo: Path = Path("/proc/cpuinfo")) -> bool:
    """Whether this CPU multiplies int8 natively; True where that cannot be read."""
    if not cpuinfo.is_file():
        return True
    words = cpuinfo.read_text().split()
    return any(flag in words for flag in INT8_DOT_PRODUCTS)


def compute_activations_in_float(model: Any) -> int:
    """Route around every quantise/dequantise pair on an activation; returns how many there were.

    OpenVINO reads a pair as FakeQuantize → Convert → Convert → Subtract → Multiply.
    """
    pairs = 0
    for quantise in [node for node in model.get_ordered_ops() if node.get_type_name() == "FakeQuantize"]:
        last = quantise
        while last.get_type_name() != "Multiply":
            (follower,) = last.output(0).get_target_inputs()
            last = follower.get_node()
        for consumer in last.output(0).get_target_inputs():
            consumer.replace_source_output(quantise.input_value(0))
        pairs += 1
    model.validate_nodes_and_infer_types()
    return pairs


class OpenVinoEncoder:
    """Token ids int32 [B, L] to keep logits float32 [B, L] and relevance logits float32 [B]."""

    def __init__(self, path: Path, int8: bool | None = None) -> None:
        core = ov.Core()
        model = core.read_model(path)
        if not (has_int8_dot_products() if int8 is None else int8):
            compute_activations_in_float(model)
        self.compiled = core.compile_model(model, "CPU", {"PERFORMANCE_HINT": "LATENCY"})

    def __call__(self, input_ids: NDArray[np.int32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        parts = [input_ids[at : at + ROWS_AT_ONCE] for at in range(0, len(input_ids), ROWS_AT_ONCE)]
        results = [self.compiled(part).to_tuple() for part in parts]
        keep, relevance = (np.concatenate(output) for output in zip(*results, strict=True))
        return keep, relevance
