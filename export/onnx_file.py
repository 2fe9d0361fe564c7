"""A checkpoint as an ONNX file with dynamic batch and length.

The graph has one input, `input_ids` int32 [B, L]; mask and lexical mark are derived inside it. Opset and IR version
are pinned: older than what the newest exporter writes, and read by TensorRT 10 and 11, OpenVINO and onnxruntime alike.
"""

from __future__ import annotations

import hashlib
import warnings
from pathlib import Path

import onnx
import torch
from onnx import helper, numpy_helper

from export.typed import ATTENTION, PRECISIONS, Served
from training.model import EvidenceEncoder

OPSET = 18
IR_VERSION = 10
# What TensorRT 11's parser reads; https://docs.nvidia.com/deeplearning/tensorrt/latest/reference/onnx-opset-guide.html
OLDEST_OPSET, NEWEST_OPSET, NEWEST_IR = 9, 25, 13
# A protobuf message ends at 2 GiB; weights move into a file of their own well before.
EXTERNAL_ABOVE = 1 << 30
INPUT, OUTPUTS = "input_ids", ("keep_logits", "relevance_logit")


class UnfitOnnx(ValueError):
    """An ONNX file that the server could not run, with what to do."""


def export(checkpoint: Path, out: Path, precision: str = "float32", *, external: bool | None = None) -> None:
    """Write the ONNX file of a checkpoint in `float32`, `float16` or `bfloat16`.

    `external` puts the weights beside it into `<out>.data`; by default when they have more than 1 GiB. Raises
    `BadCheckpoint` or `UnsupportedBackbone` for what cannot be exported, `UnfitOnnx` when a dimension came out fixed.
    """
    if precision not in PRECISIONS:
        raise ValueError(f"The precision {precision!r} is not one of {', '.join(PRECISIONS)}.")
    encoder = EvidenceEncoder.load(checkpoint, attention=ATTENTION)
    config = encoder.backbone.config
    size = sum(p.numel() for p in encoder.parameters()) * PRECISIONS[precision].itemsize
    model = Served(encoder, precision).eval()
    example = torch.full((2, 128), 5, dtype=torch.int32)
    example[:, 10] = example[:, 11] = example[:, 100] = 2
    example[1, 101:] = 1
    shapes = {INPUT: {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}}
    out.parent.mkdir(parents=True, exist_ok=True)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.onnx.export(
            model,
            (example,),
            input_names=[INPUT],
            output_names=list(OUTPUTS),
            dynamic_shapes=shapes,
            opset_version=OPSET,
            dynamo=True,
            verbose=False,
        )
    assert program is not None
    program.save(str(out), external_data=size > EXTERNAL_ABOVE if external is None else external)
    graph = onnx.load(out, load_external_data=False)
    graph.ir_version = IR_VERSION
    describe(
        graph,
        backbone=config.model_type,
        layers=config.num_hidden_layers,
        pieces=config.vocab_size,
        positions=config.max_position_embeddings,
        precision=precision,
        checkpoint=fingerprint(checkpoint / "model.safetensors"),
    )
    out.write_bytes(graph.SerializeToString())
    require_fit(out)


def describe(model: onnx.ModelProto, **facts: str | int) -> None:
    """State facts about the encoder in the file itself, each under `pith.<name>`."""
    kept = {p.key: p.value for p in model.metadata_props if p.key.startswith("pith.")}
    kept |= {f"pith.{name}": str(value) for name, value in facts.items()}
    del model.metadata_props[:]
    helper.set_model_props(model, kept)


def facts_of(model: onnx.ModelProto) -> dict[str, str]:
    """What `describe` stated, without the prefix."""
    return {p.key[5:]: p.value for p in model.metadata_props if p.key.startswith("pith.")}


def fingerprint(path: Path) -> str:
    """SHA-256 of a file, hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def require_fit(path: Path) -> onnx.ModelProto:
    """The file without its external weights, or `UnfitOnnx` with what is wrong: inputs and outputs other than the
    server's, a fixed batch or length, an opset, IR version or quantiser that TensorRT's parser does not read."""
    if not path.is_file():
        raise UnfitOnnx(f"No ONNX file at {path}; `pith-export onnx` writes it.")
    model = onnx.load(path, load_external_data=False)
    graph = model.graph
    names = [value.name for value in graph.input], [value.name for value in graph.output]
    if names != ([INPUT], list(OUTPUTS)):
        raise UnfitOnnx(
            f"{path.name} reads {names[0]} and gives {names[1]}; the encoder reads ['{INPUT}'] and gives "
            f"{list(OUTPUTS)}. Export it from a checkpoint of training.train with `pith-export onnx`."
        )
    for value, rank in ((graph.input[0], 2), (graph.output[0], 2), (graph.output[1], 1)):
        dims = value.type.tensor_type.shape.dim
        found = [dim.dim_value if dim.HasField("dim_value") else dim.dim_param for dim in dims]
        if len(dims) != rank or any(isinstance(dim, int) for dim in found):
            raise UnfitOnnx(
                f"{value.name} in {path.name} has the shape {found}; it must have {rank} dynamic "
                "dimension(s). "
                "Export it with `pith-export onnx`, which leaves batch and length open."
            )
    opset = next((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), 0)
    if not OLDEST_OPSET <= opset <= NEWEST_OPSET or model.ir_version > NEWEST_IR:
        raise UnfitOnnx(
            f"{path.name} has opset {opset} and IR version {model.ir_version}; TensorRT reads opsets "
            f"{OLDEST_OPSET} "
            f"to {NEWEST_OPSET} and IR versions up to {NEWEST_IR}. Export it with `pith-export onnx` "
            f"(opset {OPSET})."
        )
    odd = _asymmetric(graph)
    if odd:
        raise UnfitOnnx(
            f"{path.name} has {len(odd)} quantisers with a zero point other than 0 or a type other than int8 "
            f"({odd[0]} is the first), which TensorRT does not read. Quantise it with `pith-export int8`."
        )
    return model


def _asymmetric(graph: onnx.GraphProto) -> list[str]:
    """Names of the quantisers that are not symmetric int8."""
    constants = {tensor.name: tensor for tensor in graph.initializer}
    odd = []
    for node in graph.node:
        if node.op_type in ("QuantizeLinear", "DequantizeLinear") and len(node.input) > 2:
            zero = constants.get(node.input[2])
            if zero is None or zero.data_type != onnx.TensorProto.INT8 or numpy_helper.to_array(zero).any():
                odd.append(node.name)
    return odd
