"""The GPU form of the repository in a real tritonserver, up to the TensorRT backend, which only the image has."""

import shutil
from pathlib import Path

import pytest

from export.triton_config import EncoderConfig, default_configs, read_config, write_configs
from serving.errors import ServingError, StartFailed
from serving.find import MODEL_REPOSITORY, Installation
from serving.server import LocalServer

MISSING = "unable to find backend library for backend 'tensorrt'"
BUCKETS = (64, 128, 256, 512)
DEFAULT, _ = default_configs(BUCKETS)


class Unchecked(LocalServer):
    """Starts tritonserver although this machine lacks what the GPU form needs."""

    def _problems(self, installation: Installation) -> list[ServingError]:
        return []


def refusal(repository: Path) -> str:
    """What tritonserver says when it cannot load a repository in its GPU form."""
    with pytest.raises(StartFailed) as failed:
        Unchecked(repository, config_name="gpu").start()
    return str(failed.value)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """The committed repository without the files that a CPU serves from."""
    shutil.copytree(
        MODEL_REPOSITORY, tmp_path / "models", ignore=shutil.ignore_patterns("model.onnx", "*.plan*")
    )
    return tmp_path / "models"


def test_the_committed_gpu_form_loads_up_to_the_missing_backend(repository: Path) -> None:
    assert MISSING in refusal(repository)


@pytest.mark.parametrize(
    "config",
    [
        EncoderConfig("gpu", BUCKETS),
        EncoderConfig("gpu", (64,), max_batch=8, instances=2, preferred=(4, 8), graphs=(1, 2, 8), versions=2),
    ],
    ids=["plain", "everything"],
)
def test_every_generated_gpu_configuration_loads_up_to_the_missing_backend(
    repository: Path, config: EncoderConfig
) -> None:
    _, cpu = default_configs(config.buckets)
    write_configs(repository, config, cpu)
    assert MISSING in refusal(repository)


def test_a_configuration_that_triton_does_not_take_stops_before_that(repository: Path) -> None:
    path = repository / "encoder" / "config.pbtxt"
    path.write_text(
        path.read_text()
        .replace("dims: 64\n", "dims: 64\n      dims: 64\n", 1)
        .replace("TYPE_FP32", "TYPE_FP23")
    )
    with pytest.raises(ValueError, match="not a configuration that Triton reads"):
        read_config(path.read_text())
    assert MISSING not in refusal(repository)
