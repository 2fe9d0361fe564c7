"""Which layers int8 hurts: products are told apart by layer, pairs go, and only as many layers as the limit asks."""

import pytest

onnx = pytest.importorskip("onnx", reason="onnx is only in the training environment (make test-training)")

from onnx import TensorProto, helper  # noqa: E402

from export.sensitivity import OUTSIDE, SCOPES, compute_in_float, keep_within, layers_of  # noqa: E402


def quantised(layers: int = 3) -> object:
    """A chain of `layers` quantised products that say whose they are, and one that says nothing."""
    nodes = []
    constants = [
        helper.make_tensor("scale", TensorProto.FLOAT, [], [0.1]),
        helper.make_tensor("zero", TensorProto.INT8, [], [0]),
        helper.make_tensor("weight", TensorProto.FLOAT, [2, 2], [1.0, 0.0, 0.0, 1.0]),
    ]
    at = "x"
    for n in range(layers + 1):
        product = helper.make_node("MatMul", [f"dq{n}", "weight"], [f"product{n}"])
        if n < layers:
            scopes = f"['', 'encoder', 'encoder.backbone', 'encoder.backbone.layers.{n}', 'linear_{n}']"
            product.metadata_props.add(key=SCOPES, value=scopes)
        nodes += [
            helper.make_node("QuantizeLinear", [at, "scale", "zero"], [f"q{n}"]),
            helper.make_node("DequantizeLinear", [f"q{n}", "scale", "zero"], [f"dq{n}"]),
            product,
        ]
        at = f"product{n}"
    graph = helper.make_graph(
        nodes,
        "chain",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["b", 2])],
        [helper.make_tensor_value_info(at, TensorProto.FLOAT, ["b", 2])],
        constants,
    )
    return helper.make_model(graph)


def pairs(model: object) -> list[str]:
    return [node.output[0] for node in model.graph.node if node.op_type == "QuantizeLinear"]  # type: ignore[attr-defined]


def test_products_belong_to_the_layer_that_they_were_exported_from_and_heads_to_none() -> None:
    assert layers_of(quantised()) == {"product0": 0, "product1": 1, "product2": 2, "product3": OUTSIDE}


def test_only_the_pairs_of_the_layers_asked_for_go() -> None:
    model = quantised()
    assert compute_in_float(model, [1, OUTSIDE]) == 2
    assert pairs(model) == ["q0", "q2"]
    onnx.checker.check_model(model)


def error(model: object) -> float:
    """Layer 1 costs most, then the heads."""
    costs = {"q0": 0.01, "q1": 0.5, "q2": 0.02, "q3": 0.1}
    return sum(costs[name] for name in pairs(model))


@pytest.mark.parametrize(
    ("limit", "taken"),
    [
        (1.0, []),
        (0.2, ["layer 1"]),
        (0.1, ["heads", "layer 1"]),
        (0.0, ["heads", "layer 0", "layer 1", "layer 2"]),
    ],
)
def test_layers_go_to_float_worst_first_until_the_limit_is_kept(limit: float, taken: list[str]) -> None:
    model = quantised()
    report = keep_within(model, error, limit)
    assert report["float_layers"] == taken
    assert report["kept"] == pytest.approx(error(model))
    assert report["kept"] <= limit
    assert report["saved"]["layer 1"] == pytest.approx(0.5)
