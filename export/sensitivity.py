"""Which layers int8 hurts, and an int8 file in which those compute in float.

The weights stay int8 everywhere; what is taken out of a layer are the quantise/dequantise pairs on its activations,
which cost the accuracy. One quantised file is enough to measure every layer.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection
from typing import Any

import onnx

# "encoder.backbone.encoder.layer.3.output.dense.bias", "encoder.backbone.layers.3.mlp.norm.weight"
LAYER_NAME = re.compile(r"\blayers?\.(\d+)\.")
OUTSIDE = -1

Error = Callable[[onnx.ModelProto], float]


def layers_of(model: onnx.ModelProto) -> dict[str, int]:
    """The layer of the backbone that each matrix product belongs to, by its output; `OUTSIDE` for heads and others.

    Told from the names of biases and norms: weights lose theirs when they are quantised. A product belongs to the layer
    of what reads it, where that is a later one: its bias.
    """
    graph = model.graph
    own = {
        tensor.name: int(found.group(1))
        for tensor in graph.initializer
        if (found := LAYER_NAME.search(tensor.name))
    }
    reached = dict(own)
    readers: dict[str, list[Any]] = defaultdict(list)
    for node in _in_order(graph):
        layer = max((reached.get(name, OUTSIDE) for name in node.input), default=OUTSIDE)
        for name in node.output:
            reached[name] = layer
        for name in node.input:
            readers[name].append(node)
    products: dict[str, int] = {}
    last = max(own.values(), default=OUTSIDE)
    for node in graph.node:
        if node.op_type in ("MatMul", "Gemm"):
            (output,) = node.output
            after = [reached[name] for reader in readers[output] for name in reader.output]
            products[output] = max([reached[output], *after])
            # What reads the last layer and leads to an output of the graph is a head.
            if products[output] == last and not any(n.op_type == "MatMul" for n in _below(node, readers)):
                products[output] = last if _has_layer_below(node, readers, own) else OUTSIDE
    return products


def _below(node: Any, readers: dict[str, list[Any]]) -> list[Any]:
    found, todo = [], [node]
    seen: set[int] = set()
    while todo:
        at = todo.pop()
        for name in at.output:
            for reader in readers[name]:
                if id(reader) not in seen:
                    seen.add(id(reader))
                    found.append(reader)
                    todo.append(reader)
    return found


def _has_layer_below(node: Any, readers: dict[str, list[Any]], own: dict[str, int]) -> bool:
    return any(name in own for below in _below(node, readers) for name in below.input)


def _in_order(graph: Any) -> list[Any]:
    """The nodes so that each comes after what it reads; the quantiser appends some out of order."""
    known = {tensor.name for tensor in graph.initializer} | {value.name for value in graph.input} | {""}
    left, out = list(graph.node), []
    while left:
        ready = [node for node in left if all(name in known for name in node.input)]
        if not ready:
            raise ValueError("The graph has a cycle, or reads a tensor that nothing writes.")
        for node in ready:
            known.update(node.output)
        out += ready
        left = [node for node in left if not all(name in known for name in node.output)]
    return out


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
