"""A real tritonserver: it starts, answers, is brought back when it breaks, and leaves nothing behind."""

import os
import signal
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import tritonclient.grpc as triton

from serving.checks import SHARED_MEMORY
from serving.errors import (
    PortInUse,
    ProbeFailed,
    ServerBroken,
    ServerBusy,
    ServingError,
    StartCancelled,
    StartFailed,
)
from serving.probe import finished, probe, text_input
from serving.process import group_members
from serving.server import LocalServer
from serving.watcher import Policy, Watcher


@pytest.fixture(scope="module")
def server(repository: Path) -> Iterator[LocalServer]:
    """A server for tests that only ask it."""
    with LocalServer(repository) as running:
        yield running


def stubs_of(server: LocalServer) -> list[int]:
    return [pid for pid in group_members(server.pid) if pid != server.pid]


def shared_memory() -> list[str]:
    return [path.name for path in SHARED_MEMORY.glob(f"pith_{os.getpid()}_*")]


def wait_for(condition: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < give_up, "waited in vain"
        time.sleep(0.1)


def test_texts_reach_the_model_whole(server: LocalServer) -> None:
    with triton.InferenceServerClient(server.grpc_url) as client:
        answer = client.infer(
            "compressor", [text_input("QUERY", "größe 東京 \U0001f600"), text_input("DOCUMENT", "東京 größe")]
        )
        assert answer.as_numpy("RELEVANCE").tolist() == [[np.float32(2 / 3)]]


def test_http_and_metrics_answer_on_their_ports(server: LocalServer) -> None:
    with urllib.request.urlopen(f"{server.http_url}/v2/health/ready", timeout=30) as answer:
        assert answer.status == 200
    with urllib.request.urlopen(server.metrics_url, timeout=30) as answer:
        assert b"nv_inference_request_success" in answer.read()


def test_a_second_start_is_refused(server: LocalServer) -> None:
    with pytest.raises(ServingError, match="running already"):
        server.start()


def test_a_port_in_use_is_refused_before_anything_starts(server: LocalServer, repository: Path) -> None:
    taken = int(server.grpc_url.rpartition(":")[2])
    with pytest.raises(PortInUse, match="--grpc-port"):
        LocalServer(repository, grpc_port=taken).start()


def test_two_servers_run_side_by_side_and_each_leaves_nothing_behind(
    server: LocalServer, repository: Path
) -> None:
    before = shared_memory()
    second = LocalServer(repository)
    second.start()
    group = second.pid
    assert stubs_of(second)
    second.stop()
    assert group_members(group) == []
    assert shared_memory() == before
    server.check_health()


def test_a_model_that_does_not_load_shows_the_log(broken_repository: Path) -> None:
    before = shared_memory()
    with pytest.raises(StartFailed, match="the model file is broken"):
        LocalServer(broken_repository).start()
    assert shared_memory() == before


def test_a_server_that_never_gets_healthy_is_stopped(repository: Path) -> None:
    def never(url: str) -> None:
        raise ProbeFailed("The probe says no.")

    before = shared_memory()
    server = LocalServer(repository, health=never, start_timeout=0)
    with pytest.raises(StartFailed, match="The probe says no"):
        server.start()
    with pytest.raises(ServingError, match="not running"):
        _ = server.pid
    assert shared_memory() == before


def test_a_start_can_be_cancelled(repository: Path) -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(StartCancelled):
        LocalServer(repository, cancel=cancel).start()


def test_a_killed_stub_is_seen_and_the_watcher_brings_the_server_back(
    repository: Path, tmp_path: Path
) -> None:
    stop = threading.Event()
    with LocalServer(repository, log=tmp_path / "server.log") as server:
        first, url = server.pid, server.grpc_url
        for stub in stubs_of(server):
            os.kill(stub, signal.SIGKILL)
        with pytest.raises(ServerBroken):
            server.check_health()

        watcher = threading.Thread(target=Watcher(server, stop, Policy(interval=0.1)).run)
        watcher.start()
        try:
            wait_for(lambda: answers(url))
        finally:
            stop.set()
            watcher.join()
        assert server.pid != first
        assert group_members(first) == []
    assert (tmp_path / "server.log").read_text().count("Started GRPCInferenceService") == 2


def answers(url: str) -> bool:
    try:
        probe(url)
    except ProbeFailed:
        return False
    return True


def send(client: triton.InferenceServerClient, query: str) -> None:
    """Sends a request and does not wait for its answer."""
    inputs = [text_input("QUERY", query), text_input("DOCUMENT", "text")]
    client.async_infer("compressor", inputs, callback=lambda result, error: None)


def test_a_server_that_works_off_a_queue_is_busy_and_not_broken(repository: Path) -> None:
    with (
        LocalServer(repository, stop_grace=0.5) as server,
        triton.InferenceServerClient(server.grpc_url) as client,
    ):
        before = finished(client, 30.0)
        for _ in range(40):
            send(client, "sleep 0.2")
        wait_for(lambda: finished(client, 30.0) > before)
        with pytest.raises(ServerBusy):
            probe(server.grpc_url, deadline=2.0)
        server.stop()


def test_a_hanging_model_is_ended_with_the_server(repository: Path) -> None:
    with LocalServer(repository, stop_grace=0.5) as server:
        group = server.pid
        with triton.InferenceServerClient(server.grpc_url) as client:
            send(client, "sleep 600")
            with pytest.raises(ProbeFailed):
                probe(server.grpc_url, deadline=1.0)
            server.stop()
    assert group_members(group) == []
