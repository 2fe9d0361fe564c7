"""Triton model `encoder` on a CPU; the dynamic batcher merges windows of many requests into one call."""

from pathlib import Path
from typing import Any

import numpy as np
import triton_python_backend_utils as pb_utils
from openvino_encoder import OpenVinoEncoder


class TritonPythonModel:
    def initialize(self, args: dict[str, str]) -> None:
        self.encoder = OpenVinoEncoder(Path(args["model_repository"]) / args["model_version"] / "model.onnx")

    def execute(self, requests: list[Any]) -> list[Any]:
        rows = [pb_utils.get_input_tensor_by_name(request, "input_ids").as_numpy() for request in requests]
        keep, relevance = self.encoder(np.concatenate(rows))
        ends = np.cumsum([len(part) for part in rows])[:-1]
        return [
            pb_utils.InferenceResponse(
                [pb_utils.Tensor("keep_logits", part), pb_utils.Tensor("relevance_logit", whole)]
            )
            for part, whole in zip(np.split(keep, ends), np.split(relevance, ends), strict=True)
        ]
