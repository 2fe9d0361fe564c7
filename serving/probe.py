"""Health as a caller sees it: one real inference.

Readiness calls are not enough: a server whose Python stub was killed goes on saying that it is ready.
"""

import math
from typing import Any

import grpc
import numpy as np
import tritonclient.grpc as triton
from tritonclient.utils import InferenceServerException

from serving.errors import ProbeFailed, ServerBroken, ServerBusy

MODEL = "compressor"
BUSY = ("maximum queue size", "timeout expired")
BROKEN = ("is not healthy",)


def probe(url: str, deadline: float = 5.0) -> None:
    """Asks the server at `url` ("host:port", gRPC) to score one short document, within `deadline` seconds.

    Raises ServerBusy when it is alive but too loaded to answer, ServerBroken when only a restart helps,
    ProbeFailed for anything else.
    """
    with triton.InferenceServerClient(url) as client:
        try:
            answer = client.infer(
                MODEL,
                [text_input("QUERY", "health"), text_input("DOCUMENT", "The server is in good health.")],
                outputs=[triton.InferRequestedOutput("RELEVANCE")],
                client_timeout=deadline,
            )
        except InferenceServerException as error:
            raise classify(str(error.status()), error.message(), busy=made_progress(client, deadline)) from None
        except grpc.RpcError as error:
            raise ProbeFailed(f"The server at {url} did not answer: {error}") from None
    check(answer.as_numpy("RELEVANCE"))


def text_input(name: str, text: str) -> Any:
    tensor = triton.InferInput(name, [1], "BYTES")
    tensor.set_data_from_numpy(np.array([text.encode()], dtype=np.object_))
    return tensor
