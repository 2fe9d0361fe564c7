"""When a server is restarted, and when it is left alone."""

import threading

import pytest

from serving.errors import ProbeFailed, ServerBroken, ServerBusy, StartFailed
from serving.watcher import Policy, Watcher


class Script:
    """A server that answers probes and restarts as it is told, and ends the watch when its script is over."""

    def __init__(
        self, probes: list[Exception | None], restarts: list[Exception | None] | None = None
    ) -> None:
        self.stop = threading.Event()
        self.restarted_after: list[int] = []
        self._probes = probes
        self._restarts = restarts or []
        self._asked = 0

    def check_health(self) -> None:
        if self._asked == len(self._probes):
            self.stop.set()
            return
        answer = self._probes[self._asked]
        self._asked += 1
        if answer is not None:
            raise answer

    def restart(self) -> None:
        self.restarted_after.append(self._asked)
        answer = self._restarts.pop(0) if self._restarts else None
        if answer is not None:
            raise answer


def watch(script: Script, attempts: int = 4) -> list[int]:
    """Runs the watcher to the script's end; the number of probes before each restart."""
    policy = Policy(interval=0, failures=3, first_delay=0, longest_delay=0, attempts=attempts)
    Watcher(script, script.stop, policy).run()
    return script.restarted_after


FAILED = ProbeFailed("no answer")


def test_a_healthy_server_is_left_alone() -> None:
    assert watch(Script([None] * 10)) == []


def test_failures_in_a_row_lead_to_one_restart() -> None:
    assert watch(Script([None, FAILED, FAILED, FAILED, None])) == [4]


def test_single_failures_do_not_add_up() -> None:
    assert watch(Script([FAILED, FAILED, None, FAILED, FAILED, None])) == []


def test_a_broken_server_is_restarted_at_once() -> None:
    assert watch(Script([None, ServerBroken("a stub is gone"), None])) == [2]


def test_a_busy_server_is_never_restarted() -> None:
    assert watch(Script([ServerBusy("queue full")] * 20)) == []


def test_a_failed_restart_is_tried_again() -> None:
    script = Script([ServerBroken("gone"), None], restarts=[StartFailed("still no"), None])
    assert watch(script) == [1, 1]


def test_the_watcher_gives_up_when_restarts_do_not_help() -> None:
    script = Script([ServerBroken("gone")], restarts=[StartFailed("no")] * 9)
    with pytest.raises(StartFailed):
        watch(script, attempts=4)
    assert len(script.restarted_after) == 4


def test_delays_double_up_to_a_limit_and_the_first_restart_has_none() -> None:
    policy = Policy(first_delay=1, longest_delay=5)
    assert [policy.delay(restarts) for restarts in range(6)] == [0, 1, 2, 4, 5, 5]


def test_a_stop_ends_the_wait_between_restarts() -> None:
    script = Script([ServerBroken("gone")], restarts=[StartFailed("no")])
    policy = Policy(interval=0, first_delay=600, longest_delay=600)
    watch = threading.Thread(target=Watcher(script, script.stop, policy).run)
    watch.start()
    script.stop.set()
    watch.join(timeout=60)
    assert not watch.is_alive()
