"""What a machine must have before the server can start, each lack said in one sentence with what to do."""

import importlib.util
import os
import platform
import shutil
import socket
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path

from serving.errors import PortInUse, RequirementMissing, ServingError
from serving.find import Installation, find_libpython, python_version
from serving.stub import STUB

MIN_GLIBC = (2, 35)
MIN_SHARED_MEMORY = 32 * 1024 * 1024
SHARED_MEMORY = Path("/dev/shm")
MODEL_PACKAGES = ("tokenizers", "openvino")


def problems(
    installation: Installation,
    repository: Path,
    *,
    host: str,
    ports: Mapping[str, int],
    config_name: str,
) -> Iterator[ServingError]:
    """Everything that stands in the way of a start, in the order in which to put it right.

    `ports` maps a port's name ("grpc", "http", "metrics") to its number, 0 meaning any free one.
    """
    checks = [repository_problem(repository, config_name), shared_memory_problem(SHARED_MEMORY)]
    if installation.bundled:
        checks += [platform_problem(), glibc_problem()]
        checks += [stub_problem(installation), numpy_problem(), libpython_problem()]
    if config_name == "cpu" and (repository / "encoder").is_dir():
        checks += [package_problem(name) for name in MODEL_PACKAGES]
    if config_name == "gpu":
        checks += [tensorrt_problem(installation)]
    checks += [port_problem(host, ports)]
    yield from (problem for problem in checks if problem is not None)


def platform_problem() -> ServingError | None:
    if sys.platform == "linux" and platform.machine() == "x86_64":
        return None
    return RequirementMissing(
        f"The local server runs on Linux x86_64 and this is {sys.platform} {platform.machine()}: "
        "run the server in the container image, or on another machine, and point the client at it."
    )


def glibc_problem() -> ServingError | None:
    glibc = glibc_version()
    if glibc is not None and glibc >= MIN_GLIBC:
        return None
    found = "another C library" if glibc is None else f"glibc {glibc[0]}.{glibc[1]}"
    return RequirementMissing(
        f"The local server needs glibc {MIN_GLIBC[0]}.{MIN_GLIBC[1]} or newer and this system has {found}: "
        "use Debian 12, Ubuntu 22.04 or newer, or run the server in the container image."
    )


def glibc_version() -> tuple[int, int] | None:
    """(major, minor) of the running glibc; None for any other C library."""
    try:
        text = os.confstr("CS_GNU_LIBC_VERSION")
    except (ValueError, OSError):
        return None
    if text is None or not text.startswith("glibc "):
        return None
    major, minor = text.removeprefix("glibc ").split(".")[:2]
    return int(major), int(minor)


def stub_problem(installation: Installation) -> ServingError | None:
    """There is one stub per Python version, fitted to numpy 2 by `make setup`."""
    assert installation.stubs is not None
    if (installation.stubs / python_version() / STUB).exists():
        return None
    return RequirementMissing(
        f"tritonserver's Python backend has no stub for Python {python_version()}: "
        "run `make clean`, then `make setup` with Python 3.11, 3.12 or 3.13."
    )


def numpy_problem() -> ServingError | None:
    """A stub that is fitted to numpy 2 reads arrays of numpy 1 wrongly, without an error."""
    installed = version("numpy")
    if int(installed.partition(".")[0]) >= 2:
        return None
    return RequirementMissing(
        f"The local server needs numpy 2 and {sys.executable} has numpy {installed}: "
        "run `make setup`, or pip install 'numpy>=2'."
    )


def libpython_problem() -> ServingError | None:
    if find_libpython() is not None:
        return None
    name = f"libpython{python_version()}"
    return RequirementMissing(
        f"This Python ({sys.executable}) has no shared library {name}.so.1.0, which the server's "
        f"Python backend loads: on Debian and Ubuntu install the package {name}; "
        "with pyenv, install Python anew with PYTHON_CONFIGURE_OPTS=--enable-shared."
    )


def shared_memory_problem(folder: Path) -> ServingError | None:
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        return RequirementMissing(
            f"{folder} is not there or cannot be written, and the server's Python backend passes tensors "
            f"through it: mount a tmpfs there (mount -t tmpfs tmpfs {folder})."
        )
    free = shutil.disk_usage(folder).free
    if free < MIN_SHARED_MEMORY:
        return RequirementMissing(
            f"{folder} has {free >> 20} MiB free and the server needs {MIN_SHARED_MEMORY >> 20} MiB: "
            "remove what fills it or make it larger (docker run --shm-size=256m)."
        )
    return None


def repository_problem(repository: Path, config_name: str) -> ServingError | None:
    compressor = repository / "compressor"
    if not (compressor / "config.pbtxt").is_file() and not (compressor / "configs").is_dir():
        return RequirementMissing(
            f"{repository} is not a model repository of Pith: it has no compressor/config.pbtxt. "
            "Name the right folder with --repository."
        )
    artifact = "model.onnx" if config_name == "cpu" else "model.plan"
    encoder = repository / "encoder"
    if encoder.is_dir() and not (encoder / "1" / artifact).is_file():
        how = "check out the repository whole" if artifact == "model.onnx" else "build the TensorRT engine"
        return RequirementMissing(
            f"{encoder / '1' / artifact} is missing: {how}, or make the model with `make model`."
        )
    return None


def tensorrt_problem(installation: Installation) -> ServingError | None:
    if (installation.backends / "tensorrt").is_dir():
        return None
    return RequirementMissing(
        f"This tritonserver ({installation.binary}) has no TensorRT backend: use the container image, "
        "or run on the CPU with --config-name cpu."
    )


def package_problem(name: str) -> ServingError | None:
    if importlib.util.find_spec(name) is not None:
        return None
    return RequirementMissing(
        f"The Python package {name}, which the models import, is not installed for {sys.executable}: "
        "run `make setup`, or pip install 'pith[serve]'."
    )


def port_problem(host: str, ports: Mapping[str, int]) -> ServingError | None:
    fixed = {name: port for name, port in ports.items() if port}
    for name, port in fixed.items():
        twin = next((other for other, number in fixed.items() if number == port and other != name), None)
        if twin is not None:
            return PortInUse(f"Port {port} was given for both {name} and {twin}: choose different ports.")
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((host, port))
        except OSError as error:
            return PortInUse(
                f"Port {port} on {host} cannot be opened ({error.strerror}): stop the program that holds it, "
                f"or choose another with --{name}-port (0 takes any free one)."
            )
    return None


def free_ports(host: str, count: int) -> list[int]:
    """`count` different ports that were free a moment ago."""
    holders = [socket.socket(socket.AF_INET, socket.SOCK_STREAM) for _ in range(count)]
    try:
        for holder in holders:
            holder.bind((host, 0))
        return [int(holder.getsockname()[1]) for holder in holders]
    finally:
        for holder in holders:
            holder.close()
