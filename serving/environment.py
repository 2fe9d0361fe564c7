"""The folders and variables that tritonserver runs in.

The Python backend starts one stub process per model instance. The wheel's stub ignores PYTHONPATH and takes
its packages from the first `python3` on PATH, as a virtual environment would: so each start gets a small
folder in the form of a virtual environment, whose only content is a list of places to import from.
"""

import os
import sys
from pathlib import Path

from serving.errors import RequirementMissing
from serving.find import ROOT, Installation, find_libpython, find_python, python_version
from serving.stub import STUB

STUB_FILES = ("libtriton_python.so", "triton_python_backend_utils.py")
PACKAGE_FOLDERS = ("site-packages", "dist-packages")


def import_folders() -> list[Path]:
    """Where models import from: this Python's packages, this repository."""
    installed = [Path(entry) for entry in sys.path if Path(entry).name in PACKAGE_FOLDERS]
    return [*installed, ROOT]


def make_backend_folder(installation: Installation, folder: Path) -> Path:
    """Puts the Python backend and the stub of the running Python side by side, as tritonserver wants them."""
    if installation.stubs is None:
        return installation.backends
    target = folder / "backends" / "python"
    target.mkdir(parents=True)
    for name in STUB_FILES:
        (target / name).symlink_to(installation.backends / "python" / name)
    (target / STUB).symlink_to(installation.stubs / python_version() / STUB)
    return target.parent


def make_python_folder(folder: Path) -> Path:
    """Makes the folder that the stub takes for its virtual environment; returns its `bin`."""
    home = folder / "python"
    packages = home / "lib" / f"python{python_version()}" / "site-packages"
    packages.mkdir(parents=True)
    (home / "bin").mkdir()
    interpreter = find_python()
    (home / "bin" / "python3").symlink_to(interpreter)
    (home / "pyvenv.cfg").write_text(f"home = {interpreter.parent}\ninclude-system-site-packages = false\n")
    lines = [str(entry) for entry in import_folders()]
    (packages / "pith.pth").write_text("\n".join(lines) + "\n")
    return home / "bin"


def make_variables(installation: Installation, folder: Path) -> dict[str, str]:
    """The environment variables of the server process. Makes what they point at inside `folder`."""
    variables = dict(os.environ)
    if not installation.bundled:
        entries = [str(entry) for entry in import_folders()]
        variables["PYTHONPATH"] = joined(*entries, variables.get("PYTHONPATH"))
        return variables
    libpython = find_libpython()
    if libpython is None:
        raise RequirementMissing(
            f"Python {python_version()} has no shared library: see `pith-serve --check`."
        )
    variables["PATH"] = joined(str(make_python_folder(folder)), variables.get("PATH"))
    variables["LD_LIBRARY_PATH"] = joined(
        str(installation.libraries), str(libpython.parent), variables.get("LD_LIBRARY_PATH")
    )
    return variables


def joined(*entries: str | None) -> str:
    return os.pathsep.join(entry for entry in entries if entry)
