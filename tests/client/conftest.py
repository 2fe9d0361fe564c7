"""Fixtures: a running double, and both clients behind one way of calling them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, Protocol

import pytest
from hypothesis import HealthCheck, settings

import pith
from tests.client.double import Double

# How long an example takes says nothing about the client, but much about what else the machine does.
settings.register_profile("client", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("client")


class Client(Protocol):
    """What both clients can do, called the blocking way."""

    def score(self, query: Any, documents: Any, **options: Any) -> list[pith.ScoredDocument]: ...

    def compress(self, query: Any, documents: Any, **options: Any) -> pith.Result: ...


class MakeClient(Protocol):
    def __call__(self, url: str, **settings: Any) -> Client: ...


class Blocking:
    """Runs an AsyncCompressor in an event loop of its own."""

    def __init__(self, url: str, **settings: Any) -> None:
        self._loop = asyncio.new_event_loop()
        self._compressor = pith.AsyncCompressor(url, **settings)

    def score(self, query: Any, documents: Any, **options: Any) -> list[pith.ScoredDocument]:
        return self._loop.run_until_complete(self._compressor.score(query, documents, **options))

    def compress(self, query: Any, documents: Any, **options: Any) -> pith.Result:
        return self._loop.run_until_complete(self._compressor.compress(query, documents, **options))

    def close(self) -> None:
        self._loop.run_until_complete(self._compressor.close())
        self._loop.close()


@pytest.fixture
def double() -> Iterator[Double]:
    server = Double()
    yield server
    server.stop()


@pytest.fixture(params=["sync", "async"])
def make_client(request: pytest.FixtureRequest) -> Iterator[MakeClient]:
    """Each test that uses it runs with both clients."""
    made: list[Any] = []

    def make(url: str, **settings: Any) -> Client:
        made.append((pith.Compressor if request.param == "sync" else Blocking)(url, **settings))
        client: Client = made[-1]
        return client

    yield make
    for client in made:
        client.close()
