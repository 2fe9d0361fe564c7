"""The ONNX file: one input, open dimensions, pinned versions, the checkpoint's logits; what is unfit is refused."""

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="torch is only in the training environment (make test-training)")
onnx = pytest.importorskip("onnx", reason="onnx is only in the training environment")

import numpy as np  # noqa: E402
import openvino as ov  # noqa: E402
from onnx import TensorProto, helper  # noqa: E402

from export.onnx_file import IR_VERSION, OPSET, UnfitOnnx, export, facts_of, require_fit  # noqa: E402
from tests.export.tiny import KINDS, checkpoint  # noqa: E402
from training.backbones import UnsupportedBackbone  # noqa: E402
from training.model import BadCheckpoint, EvidenceEncoder  # noqa: E402

PIECES = 300
TOLERANCES = {"float32": 1e-4, "float16": 0.05, "bfloat16": 0.3}


def batches() -> list[np.ndarray]:
    """Of several shapes, some rows padded."""
    rng = np.random.default_rng(1)
    out = []
    for size, length in ((1, 64), (3, 128), (2, 96)):
        ids = rng.integers(3, PIECES, (size, length)).astype(np.int32)
        ids[:, 0], ids[:, 7], ids[:, 9], ids[:, -1] = 0, 2, 2, 2
        ids[-1, length // 2 :] = 1
        out.append(ids)
    return out


@pytest.mark.parametrize("precision", TOLERANCES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_file_gives_the_logits_of_the_checkpoint_at_any_shape(
    tmp_path: Path, kind: str, precision: str
) -> None:
    folder = checkpoint(tmp_path / "model", kind, PIECES)
    export(folder, tmp_path / "model.onnx", precision)
    compiled = ov.Core().compile_model(tmp_path / "model.onnx", "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    encoder = EvidenceEncoder.load(folder)
    for ids in batches():
        with torch.inference_mode():
            keep, relevance = encoder(torch.from_numpy(ids).long())
        found_keep, found_relevance = compiled(ids).to_tuple()
        real = ids != 1
        assert np.abs(found_keep - keep.numpy())[real].max() < TOLERANCES[precision]
        assert np.abs(found_relevance - relevance.numpy()).max() < TOLERANCES[precision]


def test_versions_are_pinned_and_the_file_says_what_it_is(tmp_path: Path) -> None:
    export(checkpoint(tmp_path / "model", "qwen3", PIECES, layers=3), tmp_path / "model.onnx")
    model = require_fit(tmp_path / "model.onnx")
    assert (model.ir_version, model.opset_import[0].version) == (IR_VERSION, OPSET)
    facts = facts_of(model)
    assert (facts["backbone"], facts["layers"], facts["pieces"], facts["positions"]) == (
        "qwen3",
        "3",
        "300",
        "512",
    )


def test_the_same_checkpoint_gives_the_same_file(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "model", "bert", PIECES)
    for name in ("one.onnx", "two.onnx"):
        export(folder, tmp_path / name)
    assert (tmp_path / "one.onnx").read_bytes() == (tmp_path / "two.onnx").read_bytes()


def test_weights_may_lie_in_a_file_of_their_own(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "model", "bert", PIECES)
    export(folder, tmp_path / "model.onnx", external=True)
    assert (tmp_path / "model.onnx.data").is_file()
    (ids, *_) = batches()
    with torch.inference_mode():
        keep, _relevance = EvidenceEncoder.load(folder)(torch.from_numpy(ids).long())
    found = ov.Core().compile_model(tmp_path / "model.onnx", "CPU", {"INFERENCE_PRECISION_HINT": "f32"})(ids)
    assert np.abs(found.to_tuple()[0] - keep.numpy()).max() < 1e-4


def test_a_causal_checkpoint_is_refused(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "model", "qwen3", PIECES)
    config = folder / "config.json"
    config.write_text(config.read_text().replace('"is_causal": false', '"is_causal": true'))
    with pytest.raises(UnsupportedBackbone, match="has causal attention"):
        export(folder, tmp_path / "model.onnx")
    assert not (tmp_path / "model.onnx").exists()


def test_a_head_of_another_size_is_refused(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = checkpoint(tmp_path / "model", "bert", PIECES)
    weights = load_file(folder / "model.safetensors")
    weights["keep.weight"] = torch.zeros(2, 32)
    save_file(weights, folder / "model.safetensors")
    with pytest.raises(BadCheckpoint, match=r"keep\.weight \(2, 32\), expected \(1, 32\)"):
        export(folder, tmp_path / "model.onnx")


def test_an_unknown_precision_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'fp8' is not one of float32, float16, bfloat16"):
        export(tmp_path, tmp_path / "model.onnx", "fp8")


def graph(batch: object = "batch", opset: int = 18, name: str = "input_ids", ir: int = 10) -> object:
    shape = [batch, "length"]
    return helper.make_model(
        helper.make_graph(
            [
                helper.make_node("Cast", [name], ["keep_logits"], to=TensorProto.FLOAT),
                helper.make_node("ReduceMax", ["keep_logits", "axes"], ["relevance_logit"], keepdims=0),
            ],
            "encoder",
            [helper.make_tensor_value_info(name, TensorProto.INT32, shape)],
            [
                helper.make_tensor_value_info("keep_logits", TensorProto.FLOAT, shape),
                helper.make_tensor_value_info("relevance_logit", TensorProto.FLOAT, [batch]),
            ],
            [helper.make_tensor("axes", TensorProto.INT64, [1], [1])],
        ),
        opset_imports=[helper.make_opsetid("", opset)],
        ir_version=ir,
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"opset": 26}, "has opset 26 and IR version 10; TensorRT reads opsets 9 to 25"),
        ({"ir": 14}, "IR version 14"),
        ({"batch": 4}, r"input_ids in .* has the shape \[4, 'length'\]; it must have 2 dynamic"),
        ({"name": "tokens"}, r"reads \['tokens'\]"),
    ],
)
def test_what_the_server_could_not_run_is_refused(
    tmp_path: Path, changes: dict[str, object], message: str
) -> None:
    path = tmp_path / "model.onnx"
    onnx.save(graph(), path)
    require_fit(path)
    onnx.save(graph(**changes), path)  # type: ignore[arg-type]
    with pytest.raises(UnfitOnnx, match=message) as refused:
        require_fit(path)
    assert "pith-export onnx" in str(refused.value)


def test_quantisers_that_tensorrt_does_not_read_are_refused(tmp_path: Path) -> None:
    for zero, kind in ((3, TensorProto.INT8), (0, TensorProto.UINT8)):
        model = graph()
        model.graph.initializer.extend(  # type: ignore[attr-defined]
            [
                helper.make_tensor("scale", TensorProto.FLOAT, [], [0.1]),
                helper.make_tensor("zero", kind, [], [zero]),
            ]
        )
        model.graph.node.append(  # type: ignore[attr-defined]
            helper.make_node(
                "QuantizeLinear", ["keep_logits", "scale", "zero"], ["rounded"], name="quantiser"
            )
        )
        onnx.save(model, tmp_path / "model.onnx")
        with pytest.raises(UnfitOnnx, match=r"1 quantisers .*\(quantiser is the first\)"):
            require_fit(tmp_path / "model.onnx")


def test_a_missing_file_says_what_writes_it(tmp_path: Path) -> None:
    with pytest.raises(UnfitOnnx, match="`pith-export onnx` writes it"):
        require_fit(tmp_path / "model.onnx")
