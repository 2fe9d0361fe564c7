"""The wheel's stubs are fitted to numpy 2, and nothing else is ever touched."""

import os
from pathlib import Path

import pytest

from serving.errors import ServingError
from serving.find import SERVER_HOME, find_installation
from serving.stub import FITTED, LIBPYTHON, SHIPPED, STUB, STUBS, WHEELS_LIBPYTHON, fit, fit_all, main

TREE = SERVER_HOME / "pytriton" / "tritonserver"
VERSIONS = sorted(STUBS)


@pytest.fixture(autouse=True)
def _needs_the_wheel() -> None:
    if not find_installation().bundled:
        pytest.skip("tritonserver is installed as a whole on this machine")


@pytest.mark.parametrize("version", VERSIONS)
def test_only_the_places_of_the_element_size_and_the_library_name_change(version: str) -> None:
    shipped = STUBS[version]
    before = (TREE / SHIPPED / version / STUB).read_bytes()
    after = fit(before, shipped)
    assert len(after) == len(before)
    changed = {index for index, (old, new) in enumerate(zip(before, after, strict=True)) if old != new}
    name = shipped.library
    renamed = set() if name is None else set(range(name, name + len(WHEELS_LIBPYTHON)))
    assert set(shipped.places) <= changed <= set(shipped.places) | renamed
    assert WHEELS_LIBPYTHON not in after
    assert LIBPYTHON.replace(b"3.13", version.encode()) + b"\0" in after


@pytest.mark.parametrize("version", VERSIONS)
def test_fitted_stubs_can_be_run_and_lie_as_deep_as_the_shipped_ones(version: str, tmp_path: Path) -> None:
    for known in VERSIONS:
        folder = tmp_path / SHIPPED / known
        folder.mkdir(parents=True)
        (folder / STUB).write_bytes((TREE / SHIPPED / known / STUB).read_bytes())
    fit_all(tmp_path)
    fitted = tmp_path / FITTED / version / STUB
    assert os.access(fitted, os.X_OK)
    assert fitted.read_bytes() == (TREE / FITTED / version / STUB).read_bytes()


def test_an_unknown_stub_is_refused() -> None:
    content = (TREE / SHIPPED / "3.12" / STUB).read_bytes()
    with pytest.raises(ServingError, match="another Python backend"):
        fit(content, STUBS["3.13"])
    with pytest.raises(ServingError, match="another Python backend"):
        fit(fit(content, STUBS["3.12"]), STUBS["3.12"])


def test_an_unknown_wheel_fails_the_setup_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stub = tmp_path / "pytriton" / "tritonserver" / SHIPPED / VERSIONS[0] / STUB
    stub.parent.mkdir(parents=True)
    stub.write_bytes(b"another program")
    assert main([str(tmp_path)]) == 1
    assert "install the wheel" in capsys.readouterr().err
