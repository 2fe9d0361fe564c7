"""Health as a caller sees it: one real inference.

Readiness calls are not enough: a server whose Python stub was killed goes on saying that it is ready.
"""

from typing import Any

import numpy as np
import tritonclient.grpc as triton
from tritonclient.utils import InferenceServerException

from serving.errors import ProbeFailed, ServerBroken, ServerBusy

MODEL = "compressor"
OUTPUT = "RELEVANCE"
BUSY = ("maximum queue size", "timeout expired")
BROKEN = ("is not healthy",)


def probe(url: str, deadline: float = 5.0) -> None:
    """Asks the server at `url` ("host:port", gRPC) to score one short document, within `deadline` seconds.

    Raises ServerBusy when it is alive but too loaded to answer, ServerBroken when only a restart helps,
    ProbeFailed for anything else.
    """
    with triton.InferenceServerClient(url) as client:
        try:
            before = finished(client, deadline)
            answer = client.infer(
                MODEL,
                [text_input("QUERY", "health"), text_input("DOCUMENT", "The server is in good health.")],
                outputs=[triton.InferRequestedOutput(OUTPUT)],
                client_timeout=deadline,
            )
        except InferenceServerException as error:
            failure = classify(error)
            if is_deadline(error) and has_progressed(client, deadline, before):
                failure = ServerBusy(f"No answer within {deadline:g} s, while other work is being done.")
            raise failure from None
    relevance = answer.as_numpy(OUTPUT)
    if relevance is None or relevance.size == 0 or not np.isfinite(relevance).all():
        raise ProbeFailed(f"The server answered the probe with {relevance}, not with a finite number.")


def classify(error: InferenceServerException) -> ProbeFailed:
    """What a failed inference says about the server."""
    status, message = str(error.status()), str(error.message())
    sentence = f"The probe failed: {message} ({status})."
    if any(sign in message for sign in BROKEN):
        return ServerBroken(sentence)
    if "UNAVAILABLE" in status and any(sign in message for sign in BUSY):
        return ServerBusy(sentence)
    return ProbeFailed(sentence)


def is_deadline(error: InferenceServerException) -> bool:
    return "DEADLINE_EXCEEDED" in str(error.status())


def finished(client: Any, deadline: float) -> int:
    """How many inferences, warm-up included, all models together have finished."""
    statistics = client.get_inference_statistics(client_timeout=deadline)
    return sum(int(model.inference_stats.success.count) for model in statistics.model_stats)


def has_progressed(client: Any, deadline: float, before: int) -> bool:
    try:
        return finished(client, deadline) > before
    except InferenceServerException:
        return False


def text_input(name: str, text: str) -> Any:
    tensor = triton.InferInput(name, [1], "BYTES")
    tensor.set_data_from_numpy(np.array([text.encode()], dtype=np.object_))
    return tensor
