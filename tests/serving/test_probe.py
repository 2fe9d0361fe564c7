"""What a failed probe says about the server."""

import socket

import pytest
from tritonclient.utils import InferenceServerException

from serving.errors import ProbeFailed, ServerBroken, ServerBusy
from serving.probe import classify, probe


@pytest.mark.parametrize(
    ("status", "message", "kind"),
    [
        ("INTERNAL", "in ensemble 'compressor', Stub process 'tokenize_0_1' is not healthy.", ServerBroken),
        ("UNAVAILABLE", "in ensemble 'compressor', Exceeds maximum queue size", ServerBusy),
        ("UNAVAILABLE", "in ensemble 'compressor', Request timeout expired", ServerBusy),
        ("UNAVAILABLE", "failed to connect to all addresses", ProbeFailed),
        ("NOT_FOUND", "Request for unknown model: 'compressor' is not found", ProbeFailed),
    ],
)
def test_failures_are_told_apart(status: str, message: str, kind: type[ProbeFailed]) -> None:
    failure = classify(InferenceServerException(message, status=f"StatusCode.{status}"))
    assert type(failure) is kind
    assert message in str(failure)


def test_a_port_where_nobody_listens_is_a_failure() -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        url = f"127.0.0.1:{holder.getsockname()[1]}"
        with pytest.raises(ProbeFailed):
            probe(url, deadline=2.0)
