"""The real server under several callers, and after one of its processes dies."""

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tritonclient.grpc import InferenceServerClient

import pith
from serving.errors import ServingError
from serving.server import LocalServer
from serving.watcher import Policy, Watcher

TEXTS = [f"The library on floor {i} opens at nine. It closes at five." for i in range(12)]


def encoder_batches(url: str) -> dict[int, int]:
    """How often each batch size was computed."""
    with InferenceServerClient(url) as triton:
        statistics = triton.get_inference_statistics("encoder").model_stats[0]
    return {int(b.batch_size): int(b.compute_infer.count) for b in statistics.batch_stats}


def test_windows_of_two_callers_merge_in_one_batch(server: LocalServer) -> None:
    before = encoder_batches(server.grpc_url)
    # Each call is one window; whatever ran in a larger batch came from more than one caller.
    with (
        pith.Compressor(server.grpc_url, timeout=300.0) as one,
        pith.Compressor(server.grpc_url, timeout=300.0) as other,
        ThreadPoolExecutor(16) as pool,
    ):
        calls = [
            pool.submit(client.score, "When does it open?", [text])
            for text in TEXTS * 4
            for client in (one, other)
        ]
        assert all(call.result()[0].segments for call in calls)
    after = encoder_batches(server.grpc_url)
    merged = {size: n - before.get(size, 0) for size, n in after.items() if size > 1}
    assert sum(merged.values()) > 0, after


def stubs_of(server: LocalServer, model: str) -> list[int]:
    """Process ids of the Python processes that host `model`, of this server alone."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            group = os.getpgid(int(entry.name))
            command = (entry / "cmdline").read_bytes().decode(errors="replace")
        except (ValueError, OSError):
            continue
        if group == server.pid and "python_backend_stub" in command and f"/{model}/" in command:
            found.append(int(entry.name))
    return found


def test_a_killed_encoder_process_brings_a_restart_on_the_same_ports() -> None:
    with LocalServer(config_name="cpu") as server:
        stop = threading.Event()
        policy = Policy(interval=0.5, failures=2, first_delay=0.2)
        thread = threading.Thread(target=Watcher(server, stop, policy).run)
        thread.start()
        try:
            old, url = server.pid, server.grpc_url
            stubs = stubs_of(server, "encoder")
            assert stubs
            for pid in stubs:
                os.kill(pid, signal.SIGKILL)
            give_up = time.monotonic() + 180
            while time.monotonic() < give_up:
                try:
                    server.check_health()
                    if server.pid != old:
                        break
                except ServingError:
                    time.sleep(0.5)
            assert server.grpc_url == url
            with pith.Compressor(url, timeout=60.0) as compressor:
                assert compressor.score("When does it open?", TEXTS[:1])[0].segments
        finally:
            stop.set()
            thread.join()


def test_a_server_that_is_not_there_is_named() -> None:
    with (
        pith.Compressor("127.0.0.1:9", timeout=3.0) as compressor,
        pytest.raises(pith.errors.PithError, match="127"),
    ):
        compressor.score("Who is there?", ["Nobody."])
