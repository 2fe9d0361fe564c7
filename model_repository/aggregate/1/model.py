"""Triton model `aggregate`: token logits to segment scores, by `preprocessing.scores`."""

from pathlib import Path
from typing import Any

import triton_python_backend_utils as pb_utils

from preprocessing.scores import Calibration, document_relevance, segment_logits, segment_scores

INPUTS = ("KEEP_LOGITS", "RELEVANCE_LOGIT", "TOKEN_SEGMENT", "WINDOW", "LEXICAL", "STATUS")


class TritonPythonModel:
    def initialize(self, args: dict[str, str]) -> None:
        folder = Path(args["model_repository"]) / args["model_version"]
        self.calibration = Calibration.load(folder / "calibration.json")

    def execute(self, requests: list[Any]) -> list[Any]:
        return [self.respond(request) for request in requests]

    def respond(self, request: Any) -> Any:
        keep, relevance, token_segment, window, lexical, status = (
            pb_utils.get_input_tensor_by_name(request, name).as_numpy() for name in INPUTS
        )
        logits = segment_logits(keep, relevance[:, 0], token_segment, window, *lexical.shape)
        scores = segment_scores(logits, lexical, self.calibration)
        documents = document_relevance(
            relevance[:, 0], window, status.size, lexical.shape[1], self.calibration
        )
        return pb_utils.InferenceResponse(
            [pb_utils.Tensor("SEGMENT_SCORE", scores), pb_utils.Tensor("RELEVANCE", documents)]
        )
