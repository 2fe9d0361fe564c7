"""Which tritonserver is run."""

from pathlib import Path

import pytest

from serving.errors import RequirementMissing
from serving.find import find_installation, find_libpython


def make_binary(path: Path) -> Path:
    path.parent.mkdir(parents=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_an_installed_server_is_preferred_and_brings_its_own_backends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    binary = make_binary(tmp_path / "opt" / "bin" / "tritonserver")
    make_binary(tmp_path / "home" / "pytriton" / "tritonserver" / "bin" / "tritonserver")
    monkeypatch.setenv("PATH", str(binary.parent))

    found = find_installation(tmp_path / "home")

    assert found.binary == binary
    assert found.backends == tmp_path / "opt" / "backends"
    assert not found.bundled


def test_the_wheel_is_used_where_none_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    binary = make_binary(tmp_path / "pytriton" / "tritonserver" / "bin" / "tritonserver")
    monkeypatch.setenv("PATH", "")

    found = find_installation(tmp_path)

    assert found.binary == binary
    assert found.bundled


def test_without_any_server_the_error_says_how_to_get_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RequirementMissing, match="make setup"):
        find_installation(tmp_path)


def test_libpython_of_a_relocated_python_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serving.find.python_version", lambda: "3.99")
    monkeypatch.setattr("sys.base_prefix", str(tmp_path))
    library = tmp_path / "lib" / "libpython3.99.so.1.0"
    library.parent.mkdir()
    library.touch()

    assert find_libpython() == library


def test_a_python_without_a_shared_library_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serving.find.python_version", lambda: "3.99")
    assert find_libpython() is None
