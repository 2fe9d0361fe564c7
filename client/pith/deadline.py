"""The time allowed for one call, shared by everything that is done for it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

# The server gives up first, so that it does not work on what nobody waits for.
_SERVER_SHARE = 0.9


@dataclass(frozen=True, slots=True)
class Deadline:
    """``timeout`` seconds from now on."""

    timeout: float
    started: float = field(default_factory=time.monotonic)

    @property
    def spent(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started

    @property
    def left(self) -> float:
        """Seconds that are left; never negative."""
        return max(0.0, self.timeout - self.spent)

    @property
    def server_microseconds(self) -> int:
        """The timeout to tell the server, in the unit that Triton takes."""
        return max(1, int(self.left * _SERVER_SHARE * 1e6))
