"""Each thing that a machine may lack is named, with what to do about it."""

import socket
from pathlib import Path

import pytest

from serving import checks
from serving.checks import problems
from serving.errors import PortInUse, RequirementMissing, ServingError
from serving.find import Installation, python_version


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    """The wheel's folders, complete but empty."""
    home = tmp_path / "server"
    stub = home / "stubs" / python_version() / "triton_python_backend_stub"
    stub.parent.mkdir(parents=True)
    stub.touch()
    return Installation(
        binary=home / "tritonserver",
        backends=home / "backends",
        libraries=home / "libs",
        stubs=home / "stubs",
    )


def found(
    installation: Installation,
    repository: Path,
    ports: dict[str, int] | None = None,
    config_name: str = "cpu",
) -> list[ServingError]:
    return list(
        problems(installation, repository, host="127.0.0.1", ports=ports or {}, config_name=config_name)
    )


def only(errors: list[ServingError]) -> str:
    assert len(errors) == 1, errors
    return str(errors[0])


def test_nothing_is_missing_on_a_good_machine(installation: Installation, repository: Path) -> None:
    assert found(installation, repository, {"grpc": 0, "http": 0}) == []


def test_a_folder_without_the_ensemble_is_not_a_repository(
    installation: Installation, tmp_path: Path
) -> None:
    assert "--repository" in only(found(installation, tmp_path))


def test_a_repository_without_its_model_file_says_how_to_make_it(
    installation: Installation, tmp_path: Path
) -> None:
    (tmp_path / "compressor" / "configs").mkdir(parents=True)
    (tmp_path / "encoder" / "1").mkdir(parents=True)
    message = str(found(installation, tmp_path)[0])
    assert "model.onnx" in message
    assert "make model" in message


def test_a_gpu_needs_the_tensorrt_backend(installation: Installation, repository: Path) -> None:
    assert "--config-name cpu" in only(found(installation, repository, config_name="gpu"))


def test_a_package_that_the_models_import_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    message = str(checks.package_problem("no_such_package"))
    assert "no_such_package" in message
    assert "make setup" in message


def test_a_python_without_shared_library_names_the_package(
    installation: Installation, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "find_libpython", lambda: None)
    assert f"install the package libpython{python_version()}" in only(found(installation, repository))


def test_a_python_that_the_wheel_has_no_stub_for(
    installation: Installation, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "python_version", lambda: "3.99")
    assert "no stub for Python 3.99" in only(found(installation, repository))


def test_a_numpy_that_the_stub_reads_wrongly_is_refused(
    installation: Installation, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "version", lambda name: "1.26.4")
    assert "has numpy 1.26.4" in only(found(installation, repository))


@pytest.mark.parametrize(("version", "said"), [((2, 31), "glibc 2.31"), (None, "another C library")])
def test_an_old_c_library_is_named(
    installation: Installation,
    repository: Path,
    monkeypatch: pytest.MonkeyPatch,
    version: tuple[int, int] | None,
    said: str,
) -> None:
    monkeypatch.setattr(checks, "glibc_version", lambda: version)
    assert said in only(found(installation, repository))


def test_another_platform_is_named(
    installation: Installation, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.machine", lambda: "arm64")
    assert "arm64" in only(found(installation, repository))


def test_an_installed_server_is_trusted_to_fit_its_machine(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "glibc_version", lambda: None)
    monkeypatch.setattr(checks, "find_libpython", lambda: None)
    whole = Installation(binary=tmp_path / "tritonserver", backends=tmp_path / "backends")
    assert found(whole, repository) == []


def test_missing_shared_memory_is_named(tmp_path: Path) -> None:
    problem = checks.shared_memory_problem(tmp_path / "shm")
    assert isinstance(problem, RequirementMissing)
    assert "mount" in str(problem)


def test_too_little_shared_memory_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MIN_SHARED_MEMORY", 1 << 60)
    assert "--shm-size" in str(checks.shared_memory_problem(tmp_path))


def test_a_port_in_use_is_named_with_its_option(installation: Installation, repository: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        errors = found(installation, repository, {"grpc": 0, "http": port})
    assert isinstance(errors[0], PortInUse)
    message = only(errors)
    assert str(port) in message
    assert "--http-port" in message


def test_one_port_for_two_services_is_refused(installation: Installation, repository: Path) -> None:
    message = only(found(installation, repository, {"grpc": 18123, "http": 18123}))
    assert "grpc" in message
    assert "http" in message


def test_free_ports_are_different() -> None:
    assert len(set(checks.free_ports("127.0.0.1", 20))) == 20
