"""How long requests wait for one of several equal servers."""

from __future__ import annotations

import math


def erlang_c(servers: int, offered: float) -> float:
    """Probability that a request waits (Erlang, 1917); `offered` is arrivals times service time, below `servers`."""
    if not 0 <= offered < servers:
        raise ValueError(
            f"{offered:.2f} units of work for {servers} units: the queue never ends; add units or lower the load."
        )
    # Erlang B by its recursion, which neither overflows nor cancels for thousands of servers, and C from B.
    blocked = 1.0
    for n in range(1, servers + 1):
        blocked = offered * blocked / (n + offered * blocked)
    return servers * blocked / (servers - offered * (1 - blocked))


def wait_mean(servers: int, arrivals: float, service: float, variation: float = 0.0) -> float:
    """Mean seconds in the queue of M/G/c (Allen-Cunneen): Erlang C's, times (1 + variation) / 2.

    arrivals: requests a second. service: mean seconds of one. variation: squared coefficient of variation of the
    service time, 0 for M/D/c.
    """
    waits = erlang_c(servers, arrivals * service)
    return waits * (1 + variation) / 2 / (servers / service - arrivals)


def wait_percentile(
    servers: int, arrivals: float, service: float, percent: float, variation: float = 0.0
) -> float:
    """Seconds in the queue that `percent` of requests do not exceed: the exponential tail with the mean above."""
    waits = erlang_c(servers, arrivals * service)
    over = 1 - percent / 100
    if waits <= over:
        return 0.0
    return math.log(waits / over) * (1 + variation) / 2 / (servers / service - arrivals)
