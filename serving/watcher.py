"""Keeps a server healthy: asks it for a real inference every few seconds and restarts it when it fails."""

import logging
import threading
from dataclasses import dataclass
from typing import Protocol

from serving.errors import ProbeFailed, ServerBroken, ServerBusy, ServingError, StartCancelled

logger = logging.getLogger("pith.serve")


class Watched(Protocol):
    """What the watcher needs of a server."""

    def check_health(self) -> None: ...

    def restart(self) -> None: ...


@dataclass(frozen=True)
class Policy:
    """When to restart, in seconds and counts.

    `failures` probes in a row must fail before a restart, but for a failure that is known to last. A probe
    that only finds the server busy counts neither way. Restarts that follow each other without a healthy
    probe between them wait `first_delay`, then twice as long each time, up to `longest_delay`; after
    `attempts` of them the watcher gives up.
    """

    interval: float = 5.0
    failures: int = 3
    first_delay: float = 1.0
    longest_delay: float = 60.0
    attempts: int = 8

    def delay(self, restarts: int) -> float:
        """Seconds to wait before the next restart, after `restarts` that did not bring the server back."""
        return 0.0 if restarts == 0 else min(self.longest_delay, self.first_delay * 2.0 ** (restarts - 1))


class Watcher:
    def __init__(self, server: Watched, stop: threading.Event, policy: Policy | None = None) -> None:
        self._server = server
        self._stop = stop
        self._policy = policy or Policy()
        self._failures = 0
        self._restarts = 0

    def run(self) -> None:
        """Watches until `stop` is set. Raises the last restart's error when restarts do not help."""
        while not self._stop.wait(self._policy.interval):
            if self._needs_restart():
                self._bring_back()

    def _needs_restart(self) -> bool:
        try:
            self._server.check_health()
        except ServerBusy as busy:
            logger.warning("%s", busy)
            return False
        except ServerBroken as broken:
            logger.error("%s", broken)
            return True
        except ProbeFailed as failed:
            self._failures += 1
            logger.warning("%s Failure %d of %d.", failed, self._failures, self._policy.failures)
            return self._failures >= self._policy.failures
        self._failures = self._restarts = 0
        return False

    def _bring_back(self) -> None:
        while not self._stop.wait(self._policy.delay(self._restarts)):
            self._restarts += 1
            logger.error("Restarting the server (attempt %d).", self._restarts)
            try:
                self._server.restart()
            except StartCancelled:
                return
            except ServingError as failed:
                if self._restarts >= self._policy.attempts:
                    raise
                logger.error("The restart failed: %s", failed)
                continue
            self._failures = 0
            logger.warning("The server is back.")
            return
