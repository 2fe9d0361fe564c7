"""Triton model `tokenize`: raw text to encoder rows, by `preprocessing.request`."""

from pathlib import Path
from typing import Any

import numpy as np
import triton_python_backend_utils as pb_utils

from preprocessing.limits import RequestRefused
from preprocessing.request import Preprocessor


def strings(request: Any, name: str) -> list[bytes] | None:
    """The texts of one input; None where the caller left it out."""
    tensor = pb_utils.get_input_tensor_by_name(request, name)
    return None if tensor is None else tensor.as_numpy().tolist()


class TritonPythonModel:
    def initialize(self, args: dict[str, str]) -> None:
        self.preprocessor = Preprocessor.load(Path(args["model_repository"]) / args["model_version"])

    def execute(self, requests: list[Any]) -> list[Any]:
        return [self.respond(request) for request in requests]

    def respond(self, request: Any) -> Any:
        queries, documents = strings(request, "QUERY"), strings(request, "DOCUMENT")
        titles, sources = strings(request, "TITLE"), strings(request, "SOURCE")
        try:
            ready = self.preprocessor.prepare(queries or [], documents or [], titles, sources)
        except RequestRefused as refused:
            return pb_utils.InferenceResponse(
                error=pb_utils.TritonError(str(refused), pb_utils.TritonError.INVALID_ARG)
            )
        outputs = {
            "INPUT_IDS": ready.windows.input_ids,
            "TOKEN_SEGMENT": ready.windows.token_segment,
            "WINDOW": ready.windows.window,
            "UNSCORED": ready.windows.unscored,
            "SEGMENT": ready.segment,
            "SEGMENT_TOKENS": ready.segment_tokens,
            "STATUS": ready.status,
            "TITLE_TOKENS": ready.title_tokens,
            "SOURCE_TOKENS": ready.source_tokens,
            "QUERY_CUT": ready.query_cut,
            "LEXICAL": ready.lexical,
        }
        return pb_utils.InferenceResponse(
            [pb_utils.Tensor(name, np.ascontiguousarray(value)) for name, value in outputs.items()]
        )
