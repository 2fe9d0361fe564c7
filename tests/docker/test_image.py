"""The image can be built from the repository, holds what it needs and no more, and runs as an ordinary user."""

import re
import subprocess
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from docker.check_image import as_version, tensorrt_problem, wanted
from tests.docker.files import DOCKER, PORTS, ROOT, instructions, tool

DOCKERFILE = DOCKER / "Dockerfile"
STEPS = instructions(DOCKERFILE)
FINAL = STEPS[max(at for at, (name, _) in enumerate(STEPS) if name == "FROM") :]
ENTRYPOINT = (DOCKER / "entrypoint.sh").read_text(encoding="utf-8")


def copied() -> list[str]:
    """Every path of the repository that the Dockerfile copies."""
    return [
        source
        for name, rest in STEPS
        if name == "COPY" and not rest.startswith("--from")
        for source in rest.split()[:-1]
    ]


def is_sent(path: str) -> bool:
    """Whether Dockerfile.dockerignore lets `path` through to the build: the last pattern that matches decides."""
    sent = True
    for line in (DOCKER / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines():
        pattern = line.removeprefix("!").strip()
        if not pattern or pattern.startswith("#"):
            continue
        parts = Path(path).parts
        above = ["/".join(parts[: n + 1]) for n in range(len(parts))]
        if any(fnmatch(part, pattern) or fnmatch(f"/{part}", pattern.replace("**", "*")) for part in above):
            sent = line.startswith("!")
    return sent


def setting(name: str) -> str:
    (value,) = (rest for step, rest in FINAL if step == name)
    return value


@pytest.mark.parametrize("path", copied())
def test_what_the_dockerfile_copies_is_there_and_is_sent_to_the_build(path: str) -> None:
    assert (ROOT / path).exists()
    assert is_sent(path)


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        ".git/config",
        ".venv/bin/python",
        "serving/server.py",
        "tests/conftest.py",
        "preprocessing/__pycache__/kinds.cpython-312.pyc",
        "model_repository/encoder/1/model.plan",
        "model_repository/encoder/1/model.plan.json",
    ],
)
def test_nothing_else_is_sent_to_the_build(path: str) -> None:
    assert not is_sent(path)


def test_both_stages_start_from_one_pinned_image() -> None:
    bases = {rest.split()[0] for name, rest in STEPS if name == "FROM"}
    assert bases == {"nvcr.io/nvidia/tritonserver:26.07-py3"}
    assert f'base.name="{bases.pop()}"' in setting("LABEL")


def test_the_server_runs_as_an_ordinary_user() -> None:
    assert setting("USER") == "1000:1000"
    names = [name for name, _ in FINAL]
    assert "RUN" not in names[names.index("USER") :]


def test_the_final_image_installs_nothing() -> None:
    runs = " ".join(rest for name, rest in FINAL if name == "RUN")
    assert not re.search(r"\b(apt|apt-get|pip|curl|wget|gcc|make)\b", runs)


def test_the_server_stops_at_sigterm_and_hears_it_itself() -> None:
    assert setting("STOPSIGNAL") == "SIGTERM"
    assert setting("ENTRYPOINT") == '["bash", "/opt/pith/entrypoint.sh"]'
    assert "exec tritonserver" in ENTRYPOINT


def test_an_interpreter_that_ignores_pythonpath_finds_the_packages_too() -> None:
    (folders,) = re.findall(r"PYTHONPATH=(\S+)", setting("ENV"))
    line = (DOCKER / "pith.pth").read_text(encoding="utf-8")
    assert re.findall(r'"(.*?)"', line) == folders.split(":")


def test_health_is_an_inference() -> None:
    assert setting("HEALTHCHECK").endswith('CMD ["python3", "/opt/pith/health.py"]')


def test_ports_are_those_that_the_server_opens() -> None:
    assert [int(port) for port in setting("EXPOSE").split()] == list(PORTS.values())
    for name, port in PORTS.items():
        assert f"--{name}-port={port}" in ENTRYPOINT


def test_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"VERSION={project['version']}" in [rest for name, rest in STEPS if name == "ARG"]


def test_every_installed_package_is_pinned() -> None:
    pinned = {
        line.partition("==")[0].lower()
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
        if "==" in line
    }
    script = (DOCKER / "packages.sh").read_text(encoding="utf-8")
    names = [
        name.strip('"').partition("[")[0]
        for group in re.findall(r"wanted\+?=\((.*?)\)", script)
        for name in group.split()
    ]
    assert names
    assert set(names) <= pinned
    assert '"tensorrt-cu13-bindings==$tensorrt"' in script


def test_each_target_imports_its_own_runtime() -> None:
    assert "openvino" in wanted("cpu")
    assert "openvino" not in wanted("gpu")
    assert "tensorrt" in wanted("gpu")
    assert "tensorrt" not in wanted("cpu")
    assert {"openvino", "tensorrt"} <= set(wanted("both"))


@pytest.mark.parametrize(("number", "version"), [(110100, "11.1.0"), (101601, "10.16.1")])
def test_tensorrt_numbers_are_read_as_versions(number: int, version: str) -> None:
    assert as_version(number) == version


def test_bindings_of_another_tensorrt_fail_the_build() -> None:
    assert tensorrt_problem("11.1.0.106", "11.1.0") is None
    assert "11.2.0" in str(tensorrt_problem("11.1.0.106", "11.2.0"))
    assert tensorrt_problem("11.10.0.106", "11.1.0") is not None


def test_an_unknown_target_is_refused_before_anything_is_installed(tmp_path: Path) -> None:
    done = subprocess.run(
        ["bash", str(DOCKER / "packages.sh"), "tpu", "1", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "must be gpu, cpu or both" in done.stderr
    assert not list(tmp_path.iterdir())


def test_dockerfile_lint() -> None:
    done = subprocess.run(
        [tool("hadolint"), str(DOCKERFILE)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("script", sorted(DOCKER.glob("*.sh")), ids=lambda path: path.name)
def test_shell_lint(script: Path) -> None:
    done = subprocess.run(
        [tool("shellcheck"), str(script)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stdout
