"""`pith-serve`, run as a person or a service manager runs it."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from serving.__main__ import main
from serving.find import ROOT
from serving.probe import probe
from serving.process import group_members

FREE_PORTS = ["--grpc-port", "0", "--http-port", "0", "--metrics-port", "0"]


@pytest.fixture
def started(repository: Path) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "serving", "--repository", str(repository), *FREE_PORTS],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    yield process
    process.terminate()
    process.communicate()


def wait_for_grpc_url(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if line.strip().startswith("gRPC"):
            return line.split()[-1]
    raise AssertionError(f"the server ended: {process.communicate()[1]}")


def children_of(pid: int) -> list[int]:
    return [int(text) for text in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_cleanly(started: subprocess.Popen[str], number: signal.Signals) -> None:
    probe(wait_for_grpc_url(started))
    groups = children_of(started.pid)
    assert groups
    started.send_signal(number)
    _, errors = started.communicate()
    assert started.returncode == 0, errors
    assert [member for group in groups for member in group_members(group)] == []


def test_a_signal_while_starting_ends_it_cleanly(started: subprocess.Popen[str]) -> None:
    assert started.stdout is not None
    assert started.stdout.readline().startswith("Starting")
    started.send_signal(signal.SIGTERM)
    _, errors = started.communicate()
    assert started.returncode == 0, errors
    assert "Traceback" not in errors


def test_a_missing_repository_is_one_sentence_and_exit_code_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--repository", str(tmp_path), *FREE_PORTS]) == 3
    errors = capsys.readouterr().err
    assert "not a model repository" in errors
    assert "Traceback" not in errors


def test_a_broken_model_is_exit_code_1_with_the_log(
    broken_repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--repository", str(broken_repository), *FREE_PORTS]) == 1
    assert "the model file is broken" in capsys.readouterr().err


def test_check_starts_nothing_and_lists_all_that_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = str(holder.getsockname()[1])
        code = main(["--check", "--repository", str(tmp_path), *FREE_PORTS, "--grpc-port", port])
    output = capsys.readouterr().out
    assert code == 3
    assert "not a model repository" in output
    assert f"Port {port}" in output


def test_check_on_a_good_machine(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check", "--repository", str(repository), *FREE_PORTS]) == 0
    assert "Nothing is missing" in capsys.readouterr().out


@pytest.mark.parametrize("number", ["-1", "65536", "eight"])
def test_a_wrong_port_is_a_usage_error(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--grpc-port", number])
    assert stopped.value.code == 2
