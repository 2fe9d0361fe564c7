"""What a failed RPC means, and whether it is tried once more."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from tritonclient.utils import InferenceServerException

from pith.deadline import Deadline
from pith.errors import (
    DeadlineExceeded,
    IncompatibleServer,
    InvalidInput,
    Overloaded,
    PithError,
    ServerUnavailable,
)

# Triton puts words around an error of ours and, for Python models, a traceback after it.
_OWN_ERROR = re.compile(r"PITH:([a-z_]+): ([^\n]*)")
_TOO_MUCH = frozenset({"too_many_windows", "too_many_documents"})
_WORTH_A_RETRY = frozenset({"unavailable", "draining", "queue_full"})
_MOST_TRIES = 2
_BACKOFF_SECONDS = (0.1, 0.4)


def asks_for_less(error: InferenceServerException) -> bool:
    """Whether the server refused the request for its size, so that smaller ones can pass."""
    found = _OWN_ERROR.search(_message(error))
    return found is not None and found[1] in _TOO_MUCH


def typed(
    error: InferenceServerException,
    *,
    url: str,
    model: str,
    deadline: Deadline,
    model_was_there: bool,
    documents: Sequence[int] = (),
) -> PithError:
    """The typed error that a caller gets. ``model_was_there``: its configuration has been read before."""
    status = (error.status() or "").removeprefix("StatusCode.")
    message = _message(error)
    lowered = message.lower()
    if own := _OWN_ERROR.search(message):
        return InvalidInput(own[2].strip(), code=own[1], documents=documents)
    if status == "DEADLINE_EXCEEDED":
        return out_of_time(deadline, documents)
    if "exceeds maximum queue size" in lowered:
        return Overloaded(
            f"the server at {url} has a full queue: try again later or send less at once",
            code="queue_full",
            documents=documents,
        )
    if "timeout expired" in lowered:
        return Overloaded(
            f"the server at {url} has too much work to start on the request in time: try again later, send "
            f"less at once, or allow more than {deadline.timeout:g} s with timeout=",
            code="queue_timeout",
            documents=documents,
        )
    if status == "RESOURCE_EXHAUSTED":
        return Overloaded(
            f"the server at {url} or a proxy before it is out of resources: {message}",
            code="resource_exhausted",
            documents=documents,
        )
    if status == "NOT_FOUND" or ("unknown model" in lowered and "is not found" in lowered):
        if model_was_there:
            return ServerUnavailable(
                f"the server at {url} no longer has the model `{model}`: it is shutting down or reloading",
                code="draining",
                documents=documents,
            )
        return IncompatibleServer(
            f"the server at {url} has no model `{model}`: start it with `pith-serve` or with a repository "
            "that holds Pith's models",
            code="no_model",
        )
    if status == "UNAVAILABLE":
        return ServerUnavailable(
            f"no server answers at {url}: {message}. Is it running, and is this its gRPC port (8001 by "
            "default, not the HTTP port)?",
            code="unavailable",
            documents=documents,
        )
    if status in ("UNIMPLEMENTED", "INVALID_ARGUMENT"):
        return IncompatibleServer(
            f"the server at {url} does not take the request: {message}", code="refused", documents=documents
        )
    if status in ("UNAUTHENTICATED", "PERMISSION_DENIED"):
        return ServerUnavailable(
            f"the server at {url} refuses access: {message}", code="access_denied", documents=documents
        )
    return ServerUnavailable(
        f"the server at {url} failed: {message}", code="server_error", documents=documents
    )


def out_of_time(deadline: Deadline, documents: Sequence[int] = ()) -> DeadlineExceeded:
    return DeadlineExceeded(
        f"the call was not done within its {deadline.timeout:g} s: allow more with timeout=, or send less",
        code="deadline",
        documents=documents,
    )


def closed() -> PithError:
    return PithError("this compressor is closed: make a new one", code="closed")


def retry_delay(error: PithError, tries: int, deadline: Deadline) -> float | None:
    """Seconds to wait before the one further try, or None when the error is final.

    The wait is drawn at random, so that many clients do not come back at the same moment.
    """
    if tries >= _MOST_TRIES or error.code not in _WORTH_A_RETRY:
        return None
    delay = random.uniform(*_BACKOFF_SECONDS)
    return delay if deadline.left > 2 * delay else None


def _message(error: InferenceServerException) -> str:
    return error.message() or ""
