"""Which layers int8 hurts, and an int8 file in which those compute in float.

The weights stay int8 everywhere; what is taken out of a layer are the quantise/dequantise pairs on its activations,
which cost the accuracy. One quantised file is enough to measure every layer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any

import onnx

# The exporter says of every node in which modules it was: "['', 'encoder', ..., 'encoder.backbone.layers.3.mlp', ...]".
SCOPES = "pkg.torch.onnx.name_scopes"
LAYER = re.compile(r"\blayers?\.(\d+)\b")
OUTSIDE = -1

Error = Callable[[onnx.ModelProto], float]


def layers_of(model: onnx.ModelProto) -> dict[str, int]:
    """The layer of the backbone that each matrix product belongs to, by its output; `OUTSIDE` for heads and others."""
    products: dict[str, int] = {}
    for node in model.graph.node:
        if node.op_type in ("MatMul", "Gemm"):
            scopes = next((entry.value for entry in node.metadata_props if entry.key == SCOPES), "")
            found = LAYER.search(scopes)
            products[node.output[0]] = int(found.group(1)) if found else OUTSIDE
    return products


def compute_in_float(model: onnx.ModelProto, layers: Collection[int]) -> int:
    """Take the pairs on the activations of these layers' products out, in place; returns how many went."""
    graph = model.graph
    writers = {name: node for node in graph.node for name in node.output}
    constants = {tensor.name for tensor in graph.initializer}
    products = layers_of(model)
    gone = 0
    for node in graph.node:
        if node.op_type not in ("MatMul", "Gemm") or products[node.output[0]] not in layers:
            continue
        for i, name in enumerate(node.input):
            dequantise = writers.get(name)
            quantise = writers.get(dequantise.input[0]) if dequantise is not None else None
            if (
                dequantise is not None
                and quantise is not None
                and (dequantise.op_type, quantise.op_type) == ("DequantizeLinear", "QuantizeLinear")
                and quantise.input[0] not in constants
            ):
                node.input[i] = quantise.input[0]
                gone += 1
    _drop_unread(graph)
    return gone


def _drop_unread(graph: Any) -> None:
    while True:
        read = {name for node in graph.node for name in node.input} | {value.name for value in graph.output}
        unread = [node for node in graph.node if not any(name in read for name in node.output)]
        if not unread:
            break
        for node in unread:
            graph.node.remove(node)
    for tensor in [tensor for tensor in graph.initializer if tensor.name not in read]:
        graph.initializer.remove(tensor)


def keep_within(model: onnx.ModelProto, error: Error, limit: float) -> dict[str, Any]:
    """Put layers into float, in place, the one that helps most first, until `error` is at most `limit`.

    `error` measures a file against its checkpoint. The report says what each layer alone would save, and which were
    taken: {"int8": error of all int8, "saved": {layer: error less}, "float_layers": [...], "kept": error at the end}.
    """
    base = now = error(model)
    candidates = sorted(set(layers_of(model).values()))
    saved = {layer: base - error(_changed(model, [layer])) for layer in candidates}
    taken: list[int] = []
    for layer in sorted(saved, key=lambda layer: (-saved[layer], layer)):
        if now <= limit:
            break
        taken.append(layer)
        now = error(_changed(model, taken))
    compute_in_float(model, taken)
    return {
        "int8": round(base, 6),
        "saved": {_name(layer): round(value, 6) for layer, value in saved.items()},
        "float_layers": [_name(layer) for layer in sorted(taken)],
        "kept": round(now, 6),
    }


def _changed(model: onnx.ModelProto, layers: Collection[int]) -> onnx.ModelProto:
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    compute_in_float(copy, layers)
    return copy


def _name(layer: int) -> str:
    return "heads" if layer == OUTSIDE else f"layer {layer}"
