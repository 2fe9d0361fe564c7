"""What the container does before it becomes tritonserver, with small programs in the place of the real ones."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.docker.files import DOCKER

SERVER = 'echo "tritonserver $*"'
BUILDER = 'echo "build $*"; while [ $# -gt 0 ]; do [ "$1" = --out ] && echo plan >"$2"; shift; done; exit 0'


class Container:
    """A folder with what the image holds, and programs that say how they were called."""

    def __init__(self, folder: Path) -> None:
        self.home, self.models, self.bin = folder / "home", folder / "models", folder / "bin"
        encoder = self.home / "model_repository" / "encoder" / "1"
        for path in (encoder, self.models, self.bin):
            path.mkdir(parents=True)
        (encoder / "model.onnx").write_text("onnx")
        self.program("tritonserver", SERVER)
        self.program("python3", BUILDER)
        self.set_gpu(False)

    def program(self, name: str, body: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def set_gpu(self, seen: bool) -> None:
        self.program("nvidia-smi", 'echo "GPU 0: NVIDIA (UUID: GPU-0)"' if seen else "exit 9")

    def start(self, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PITH_")}
        places = {
            "PATH": f"{self.bin}:/usr/bin:/bin",
            "PITH_HOME": str(self.home),
            "PITH_MODELS": str(self.models),
        }
        return subprocess.Popen(
            ["bash", str(DOCKER / "entrypoint.sh"), *arguments],
            env=kept | places | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, **variables: str) -> tuple[int, list[str], str]:
        """Exit code, lines that the programs said, what was said of errors."""
        process = self.start(*arguments, **variables)
        said, errors = process.communicate(timeout=20)
        return process.returncode, said.splitlines(), errors


@pytest.fixture
def container(tmp_path: Path) -> Container:
    return Container(tmp_path)


def test_on_a_gpu_the_engine_is_built_before_the_server_starts(container: Container) -> None:
    container.set_gpu(True)
    code, (build, server), _ = container.run()
    encoder = container.models / "encoder" / "1"
    assert code == 0
    assert build == (
        f"build -m export engine --onnx {encoder}/model.onnx --out {encoder}/model.plan "
        f"--profiles {container.home}/profiles.json"
    )
    assert "--model-config-name" not in server


def test_without_a_gpu_the_cpu_configuration_is_served(container: Container) -> None:
    code, (server,), _ = container.run()
    assert code == 0
    assert "--model-config-name=cpu" in server.split()


def test_the_cpu_can_be_chosen_where_a_gpu_is(container: Container) -> None:
    container.set_gpu(True)
    _, (server,), _ = container.run(PITH_TARGET="cpu")
    assert "--model-config-name=cpu" in server.split()


def test_an_image_for_the_cpu_ignores_a_gpu(container: Container) -> None:
    container.set_gpu(True)
    _, (server,), _ = container.run(PITH_BUILT_FOR="cpu")
    assert "--model-config-name=cpu" in server.split()


def test_arguments_come_last_so_that_they_win(container: Container) -> None:
    _, (server,), _ = container.run("--log-verbose=1", "--id=a b")
    assert server.endswith(" --log-verbose=1 --id=a b")


def test_requests_in_flight_get_the_time_that_is_set(container: Container) -> None:
    _, (server,), _ = container.run(PITH_EXIT_TIMEOUT="7", PITH_LOG_FORMAT="default")
    assert {"--exit-timeout-secs=7", "--log-format=default"} <= set(server.split())


@pytest.mark.parametrize(
    ("gpu", "variables", "sentence"),
    [
        (False, {"PITH_TARGET": "gpu"}, "no GPU is seen"),
        (True, {"PITH_TARGET": "tpu"}, "PITH_TARGET is 'tpu' and must be gpu or cpu."),
        (True, {"PITH_TARGET": "gpu", "PITH_BUILT_FOR": "cpu"}, "This image was built for the CPU"),
        (True, {"PITH_TARGET": "cpu", "PITH_BUILT_FOR": "gpu"}, "This image was built for the GPU"),
        (False, {"PITH_BUILT_FOR": "gpu"}, "This image was built for the GPU"),
        (False, {"PITH_MODELS": "/nowhere"}, "/nowhere cannot be written by user"),
    ],
)
def test_what_cannot_work_is_said_in_one_sentence(
    container: Container, gpu: bool, variables: dict[str, str], sentence: str
) -> None:
    container.set_gpu(gpu)
    code, said, errors = container.run(**variables)
    assert code == 2
    assert said == []
    assert sentence in errors
    assert len(errors.splitlines()) == 1


def test_no_server_starts_without_its_engine(container: Container) -> None:
    container.set_gpu(True)
    container.program("python3", "exit 1")
    code, said, errors = container.run()
    assert (code, said) == (2, [])
    assert "engine could not be built" in errors


def test_a_stop_while_the_engine_is_built_is_heard(container: Container) -> None:
    container.set_gpu(True)
    container.program("python3", "echo started; exec sleep 60")
    process = container.start()
    assert process.stdout is not None
    assert process.stdout.readline() == "started\n"
    process.send_signal(signal.SIGTERM)
    said, _ = process.communicate(timeout=10)
    assert process.returncode == 143
    assert said == ""


def test_a_kept_volume_keeps_the_engine_and_drops_what_the_new_image_lacks(container: Container) -> None:
    container.set_gpu(True)
    old = container.home / "model_repository" / "encoder" / "1" / "old.py"
    old.write_text("")
    container.run()
    old.unlink()
    container.run(PITH_TARGET="cpu")
    names = {path.name for path in (container.models / "encoder" / "1").iterdir()}
    assert names == {"model.onnx", "model.plan"}


def test_the_image_is_linked_to_and_not_changed(container: Container) -> None:
    container.set_gpu(True)
    container.run()
    onnx = container.models / "encoder" / "1" / "model.onnx"
    assert onnx.resolve() == container.home / "model_repository" / "encoder" / "1" / "model.onnx"
    assert [path.name for path in onnx.resolve().parent.iterdir()] == ["model.onnx"]
