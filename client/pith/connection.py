"""What both transports share: how to reach the server and what the calls carry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import grpc

from pith.call import Call
from pith.deadline import Deadline
from pith.errors import InvalidInput
from pith.inputs import read_documents, read_queries, read_timeout

_NOT_GRPC = ("http://", "https://", "grpc://", "grpcs://")

# Without keepalive a connection that a firewall or balancer dropped hangs until the deadline. A ping after
# 30 s within a call, at most two without data in between, is what Triton's default of two strikes permits;
# pings on idle channels are not permitted by it. The keepalive timeout also becomes TCP_USER_TIMEOUT, which
# finds a dead idle connection at the next request. The short reconnect back-off lets the one retry succeed.
# A name with several addresses is a fleet of servers: without the policy all requests go to the first that answers.
_CHANNEL_OPTIONS: tuple[tuple[str, int | str], ...] = (
    ("grpc.max_send_message_length", -1),
    ("grpc.max_receive_message_length", -1),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 0),
    ("grpc.http2.max_pings_without_data", 2),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 5_000),
    ("grpc.lb_policy_name", "round_robin"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """Checked settings of a compressor. Raises :class:`InvalidInput` for a setting that cannot work."""

    url: str
    model: str = "compressor"
    timeout: float = 60.0
    max_in_flight: int = 4
    ssl: bool = False
    credentials: grpc.ChannelCredentials | None = None
    headers: Mapping[str, str] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.url, str) or not self.url.strip():
            raise InvalidInput(f"url must be 'host:port' of the server's gRPC port, not {self.url!r}")
        if self.url.startswith(_NOT_GRPC):
            raise InvalidInput(
                f"url {self.url!r} has a scheme: give 'host:port' of the gRPC port (8001 by default) and "
                "ssl=True for TLS",
                code="invalid_url",
            )
        read_timeout(self.timeout)
        if (
            isinstance(self.max_in_flight, bool)
            or not isinstance(self.max_in_flight, int)
            or self.max_in_flight < 1
        ):
            raise InvalidInput(
                f"max_in_flight must be a whole number of at least 1, not {self.max_in_flight!r}",
                code="invalid_max_in_flight",
            )

    def client_arguments(self) -> dict[str, Any]:
        """Keyword arguments for tritonclient's InferenceServerClient, sync or aio."""
        return {
            "url": self.url,
            "ssl": self.ssl,
            "creds": self.credentials,
            "channel_args": list(_CHANNEL_OPTIONS),
        }

    def infer_arguments(self, deadline: Deadline) -> dict[str, Any]:
        """Keyword arguments for one inference: what is left of the time, and the headers."""
        return {
            "model_name": self.model,
            "timeout": deadline.server_microseconds,
            "client_timeout": deadline.left,
            "headers": self.header_arguments(),
        }

    def header_arguments(self) -> dict[str, str] | None:
        return dict(self.headers) if self.headers else None

    def ask(self, query: object, documents: object, needs: object, timeout: object) -> Call:
        """Check what the caller passed and start the clock. Raises :class:`InvalidInput`."""
        allowed = self.timeout if timeout is None else read_timeout(timeout)
        queries = read_queries(query, needs)
        return Call(
            read_documents(documents),
            queries,
            url=self.url,
            model=self.model,
            deadline=Deadline(allowed),
        )


def string_parameters(response: Any) -> dict[str, str]:
    """The string parameters in a GetModelConfig response."""
    return {name: value.string_value for name, value in response.config.parameters.items()}
