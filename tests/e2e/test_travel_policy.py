"""The worked example of docs/selection.md against the real server and model."""

from __future__ import annotations

import pytest

import pith
from serving.server import LocalServer
from tests.client.travel_policy import POLICIES


@pytest.mark.parametrize("language", POLICIES)
def test_both_periods_come_with_their_conditions_and_each_is_said_once(
    server: LocalServer, language: str
) -> None:
    policy = POLICIES[language]
    with pith.Compressor(server.grpc_url, timeout=120.0) as compressor:
        # Clear evidence alone: the default threshold would fill the room that is left with the likeliest of the rest.
        result = compressor.compress(
            policy.question, policy.documents(), budget=200, threshold=0.2, order="need"
        )
    first, second = result.snippets
    assert (first.label, first.document.id, first.text) == ("E1", "A", policy.due)
    assert (second.label, second.document.id, second.text) == ("E2", "C", policy.paid)
    assert [address.id for address in first.also_in if address.document == 1] == ["B"]
    assert result.context.count(policy.due) == result.context.count(policy.paid) == 1
    assert all(need.covered for need in result.report.needs)
    assert len(result.report.needs) == 2
    for label, document in (("E1", "A"), ("E2", "C")):
        source = result.source_of(label)
        assert (source.id, source.version) == (document, "2026-03")
        assert source.content_hash == next(
            s.document.content_hash for s in result.snippets if s.label == label
        )
