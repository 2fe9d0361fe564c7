"""What the server's processes see of the machine."""

import os
import sys
from pathlib import Path

import pytest

from serving.environment import make_backend_folder, make_variables
from serving.find import ROOT, Installation, find_installation, python_version


@pytest.fixture
def installation() -> Installation:
    return find_installation()


@pytest.fixture
def whole(tmp_path: Path) -> Installation:
    return Installation(binary=tmp_path / "tritonserver", backends=tmp_path / "backends")


def test_the_stub_lies_beside_its_backend(installation: Installation, tmp_path: Path) -> None:
    if not installation.bundled:
        pytest.skip("tritonserver is installed as a whole on this machine")
    backends = make_backend_folder(installation, tmp_path)
    stub = backends / "python" / "triton_python_backend_stub"
    assert os.access(stub, os.X_OK)
    assert python_version() in str(stub.resolve())
    assert (backends / "python" / "libtriton_python.so").exists()


def test_models_import_what_this_python_and_the_repository_hold(
    installation: Installation, tmp_path: Path
) -> None:
    if not installation.bundled:
        pytest.skip("tritonserver is installed as a whole on this machine")
    variables = make_variables(installation, tmp_path)
    first_on_path = Path(variables["PATH"].split(os.pathsep)[0])
    lists = list((first_on_path.parent / "lib").glob("python*/site-packages/*.pth"))
    entries = lists[0].read_text().splitlines()
    assert len(lists) == 1
    assert entries[-1] == str(ROOT)
    assert any(entry in sys.path for entry in entries[:-1])


def test_library_folders_come_before_the_callers_own(
    installation: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not installation.bundled:
        pytest.skip("tritonserver is installed as a whole on this machine")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/somewhere/else")
    folders = make_variables(installation, tmp_path)["LD_LIBRARY_PATH"].split(os.pathsep)
    assert folders[0] == str(installation.libraries)
    assert (Path(folders[1]) / f"libpython{python_version()}.so.1.0").exists()
    assert folders[-1] == "/somewhere/else"


def test_an_installed_server_keeps_its_own_folders(
    whole: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", "/somewhere/else")
    monkeypatch.setenv("PATH", "/usr/bin")
    variables = make_variables(whole, tmp_path)
    assert variables["PATH"] == "/usr/bin"
    assert str(ROOT) in variables["PYTHONPATH"].split(os.pathsep)
    assert variables["PYTHONPATH"].endswith("/somewhere/else")
    assert make_backend_folder(whole, tmp_path) == whole.backends
