"""Finds tritonserver: one installed on this machine, or the one that `make setup` put into `.server`."""

import os
import shutil
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from serving.errors import RequirementMissing
from serving.stub import FITTED

ROOT = Path(__file__).resolve().parent.parent
SERVER_HOME = ROOT / ".server"
MODEL_REPOSITORY = ROOT / "model_repository"


@dataclass(frozen=True)
class Installation:
    """Where the parts of one tritonserver lie.

    `stubs` (one folder per Python version) is None for a tritonserver that was installed as a whole: it
    brings its own stub and sets up its own paths.
    """

    binary: Path
    backends: Path
    libraries: Path | None = None
    stubs: Path | None = None

    @property
    def bundled(self) -> bool:
        """Whether this is the wheel in `.server`, which needs an environment made for it."""
        return self.stubs is not None


def find_installation(home: Path = SERVER_HOME) -> Installation:
    """The tritonserver to run: the one on PATH, else the one in `home`.

    Raises RequirementMissing where neither is there.
    """
    on_path = shutil.which("tritonserver")
    if on_path is not None:
        binary = Path(on_path).resolve()
        return Installation(binary=binary, backends=binary.parent.parent / "backends")
    tree = home / "pytriton" / "tritonserver"
    binary = tree / "bin" / "tritonserver"
    if not os.access(binary, os.X_OK):
        raise RequirementMissing(
            f"tritonserver is neither on PATH nor in {home}: run `make setup`, which puts it there."
        )
    return Installation(
        binary=binary,
        backends=tree / "backends",
        libraries=home / "nvidia_pytriton.libs",
        stubs=tree / FITTED,
    )


def python_version() -> str:
    """The running Python's version as the stub folders are named, for example "3.11"."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def libpython_folders() -> list[Path]:
    """Where the running Python's shared library may lie, the likeliest first."""
    folders = [Path(sys.base_prefix) / "lib"]
    configured = sysconfig.get_config_var("LIBDIR")
    multiarch = sysconfig.get_config_var("MULTIARCH")
    if configured:
        folders.insert(0, Path(configured))
    if multiarch:
        folders += [Path(sys.base_prefix) / "lib" / multiarch, Path("/usr/lib") / multiarch]
    return folders


def find_libpython() -> Path | None:
    """The shared library of the running Python, which the Python backend's stub loads, if there is one."""
    name = f"libpython{python_version()}.so.1.0"
    return next((folder / name for folder in libpython_folders() if (folder / name).exists()), None)


def find_python() -> Path:
    """The interpreter itself, outside any virtual environment."""
    base = Path(sys.base_prefix) / "bin" / f"python{python_version()}"
    return base if base.exists() else Path(sys.executable).resolve()
