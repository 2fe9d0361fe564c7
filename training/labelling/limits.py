"""At most so many requests and tokens a minute, spread evenly; a "Retry-After" holds up every call."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

_MINUTE = 60.0


class RateLimiter:
    """Gives each call the first moment at which both rates allow it. 0 means no limit.

    A call's tokens are not known before it, so it reserves an estimate and settles the difference afterwards.
    """

    def __init__(
        self,
        requests: float,
        tokens: float,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._per_request = _MINUTE / requests if requests else 0.0
        self._per_token = _MINUTE / tokens if tokens else 0.0
        self._clock = clock
        self._sleep = sleep
        self._next_request = self._next_token = self._paused_until = clock()

    async def wait(self, tokens: int) -> None:
        """Return when a call of about `tokens` may begin."""
        now = self._clock()
        at = max(now, self._next_request, self._next_token, self._paused_until)
        self._next_request = at + self._per_request
        self._next_token = at + tokens * self._per_token
        while (left := max(at, self._paused_until) - self._clock()) > 0:
            await self._sleep(left)

    def settle(self, reserved: int, used: int) -> None:
        """Correct the estimate of a call that is over."""
        self._next_token += (used - reserved) * self._per_token

    def pause(self, seconds: float) -> None:
        """Let no call begin for `seconds`."""
        self._paused_until = max(self._paused_until, self._clock() + seconds)
