"""The rates hold however the calls come, and a pause holds up all of them."""

from __future__ import annotations

import asyncio
from bisect import bisect_left

from hypothesis import given
from hypothesis import strategies as st

from training.labelling.limits import RateLimiter


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


def begin(limits: RateLimiter, clock: Clock, sizes: list[int]) -> list[float]:
    async def run() -> list[float]:
        out = []
        for size in sizes:
            await limits.wait(size)
            out.append(clock.now)
        return out

    return asyncio.run(run())


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=60), st.integers(1, 600), st.integers(100, 50_000))
def test_no_minute_holds_more_than_the_rates(sizes: list[int], requests: int, tokens: int) -> None:
    clock = Clock()
    times = begin(RateLimiter(requests, tokens, clock, clock.sleep), clock, sizes)
    for first, start in enumerate(times):
        last = bisect_left(times, start + 60 - 1e-6)
        assert last - first <= requests + 1
        # The call that reaches the limit may exceed it; none begins after it.
        assert sum(sizes[first : last - 1]) <= tokens + 1e-3


def test_without_limits_nothing_waits() -> None:
    clock = Clock()
    assert begin(RateLimiter(0, 0, clock, clock.sleep), clock, [10**6] * 5) == [1000.0] * 5


def test_a_pause_holds_up_the_next_call() -> None:
    clock = Clock()
    limits = RateLimiter(0, 0, clock, clock.sleep)
    limits.pause(12)
    assert begin(limits, clock, [1, 1]) == [1012.0, 1012.0]


def test_tokens_that_were_not_reserved_are_waited_for_afterwards() -> None:
    clock = Clock()
    limits = RateLimiter(0, 60, clock, clock.sleep)
    begin(limits, clock, [1])
    limits.settle(1, 31)
    assert begin(limits, clock, [1]) == [1031.0]
