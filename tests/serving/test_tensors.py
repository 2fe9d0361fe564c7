"""Tensors of every type and shape pass through a real server's Python backend unchanged, both ways."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import tritonclient.grpc as triton
from tritonclient.utils import triton_to_np_dtype

from serving.errors import ProbeFailed
from serving.server import LocalServer
from tests.serving.repositories import write_repository

TYPES = ("BOOL", "UINT8", "INT16", "INT32", "INT64", "FP16", "FP32", "FP64", "BYTES")
SHAPES = ((1,), (7,), (0,), (1, 1), (5, 3), (0, 3), (3, 0), (129, 513), (2, 3, 4), (4, 1, 2), (2, 0, 5))
LONGEST_RANK = 3

# Every input comes back under its own name as it was read, as a view that is not contiguous, and as an array
# that must not be written to.
MODEL = """
import numpy as np
import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def execute(self, requests):
        return [pb_utils.InferenceResponse(self.echo(request)) for request in requests]

    def echo(self, request):
        outputs = []
        for tensor in request.inputs():
            array, name = tensor.as_numpy(), tensor.name()
            frozen = array.copy()
            frozen.flags.writeable = False
            turned = np.ascontiguousarray(array.T).T
            for kind, value in (("SAME", array), ("TURNED", turned), ("FROZEN", frozen)):
                outputs.append(pb_utils.Tensor(f"{name}_{kind}", value))
        return outputs
"""
KINDS = ("SAME", "TURNED", "FROZEN")


def config() -> str:
    inputs, outputs = [], []
    for kind in TYPES:
        for rank in range(1, LONGEST_RANK + 1):
            stated = "TYPE_STRING" if kind == "BYTES" else f"TYPE_{kind}"
            rest = f"data_type: {stated} dims: [ {', '.join(['-1'] * rank)} ]"
            inputs.append(f'{{ name: "{kind}{rank}" {rest} optional: true }}')
            outputs += [f'{{ name: "{kind}{rank}_{way}" {rest} }}' for way in KINDS]
    return (
        'backend: "python"\nmax_batch_size: 0\n'
        f"input [ {', '.join(inputs)} ]\noutput [ {', '.join(outputs)} ]\n"
        "instance_group [ { kind: KIND_CPU count: 1 } ]\n"
    )


def is_ready(url: str) -> None:
    with triton.InferenceServerClient(url) as client:
        try:
            ready = client.is_server_ready()
        except triton.InferenceServerException as error:
            raise ProbeFailed(str(error)) from None
    if not ready:
        raise ProbeFailed("The server is not ready.")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[triton.InferenceServerClient]:
    repository = write_repository(tmp_path_factory.mktemp("echo"), MODEL, config())
    with (
        LocalServer(repository, health=is_ready) as server,
        triton.InferenceServerClient(server.grpc_url) as it,
    ):
        yield it


def echo(client: triton.InferenceServerClient, kind: str, array: np.ndarray[Any, Any]) -> list[Any]:
    name = f"{kind}{array.ndim}"
    tensor = triton.InferInput(name, list(array.shape), kind)
    tensor.set_data_from_numpy(array)
    wanted = [triton.InferRequestedOutput(f"{name}_{way}") for way in KINDS]
    answer = client.infer("compressor", [tensor], outputs=wanted)
    return [answer.as_numpy(output.name()) for output in wanted]


def values(kind: str, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Values that differ from place to place, so that a repeated or shifted one is seen."""
    count = int(np.prod(shape))
    if kind == "BYTES":
        texts = [b"" if index % 3 == 1 else b"%d\xff\x00" % index for index in range(count)]
        return np.array(texts, dtype=np.object_).reshape(shape)
    return (
        (np.arange(count) * 7 % 251 % (2 if kind == "BOOL" else 251))
        .astype(triton_to_np_dtype(kind))
        .reshape(shape)
    )


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_tensor_arrives_and_returns_unchanged(
    client: triton.InferenceServerClient, kind: str, shape: tuple[int, ...]
) -> None:
    sent = values(kind, shape)
    for received in echo(client, kind, sent):
        assert received.dtype == sent.dtype
        assert received.shape == sent.shape
        np.testing.assert_array_equal(received, sent)


def test_extreme_numbers_keep_every_bit(client: triton.InferenceServerClient) -> None:
    for kind, given in (
        ("INT32", [-(2**31), 2**31 - 1, 0, -1]),
        ("INT64", [-(2**63), 2**63 - 1, 0, -1]),
        ("FP32", [np.nan, np.inf, -np.inf, -0.0, 1e-45, 3.4028235e38]),
        ("FP64", [np.nan, np.inf, -np.inf, -0.0, 5e-324, 1.7976931348623157e308]),
    ):
        sent = np.array(given, dtype=triton_to_np_dtype(kind))
        assert all(received.tobytes() == sent.tobytes() for received in echo(client, kind, sent))


@pytest.mark.parametrize("length", [1, 1023, 1 << 20])
def test_long_texts_pass_whole_between_short_ones(client: triton.InferenceServerClient, length: int) -> None:
    long = (bytes(range(256)) * (length // 256 + 1))[:length]
    sent = np.array([b"", long, b"\x00", "größe 東京".encode(), b""], dtype=np.object_)
    for received in echo(client, "BYTES", sent):
        assert received.tolist() == sent.tolist()
