"""Triton model `encoder` on a CPU: OpenVINO runs `model.onnx`; the dynamic batcher merges windows of many requests."""

from pathlib import Path

import numpy as np
import openvino as ov
import triton_python_backend_utils as pb_utils

# Larger batches gain nothing on a CPU and attention's memory grows with them.
ROWS_AT_ONCE = 16


class TritonPythonModel:
    def initialize(self, args):
        path = Path(args["model_repository"]) / args["model_version"] / "model.onnx"
        self.model = ov.Core().compile_model(path, "CPU", {"PERFORMANCE_HINT": "LATENCY"})

    def execute(self, requests):
        rows = [pb_utils.get_input_tensor_by_name(request, "input_ids").as_numpy() for request in requests]
        keep, relevance = self.encode(np.concatenate(rows))
        ends = np.cumsum([len(part) for part in rows])[:-1]
        return [
            pb_utils.InferenceResponse(
                [pb_utils.Tensor("keep_logits", part), pb_utils.Tensor("relevance_logit", whole)]
            )
            for part, whole in zip(np.split(keep, ends), np.split(relevance, ends), strict=True)
        ]

    def encode(self, input_ids):
        parts = [input_ids[at : at + ROWS_AT_ONCE] for at in range(0, len(input_ids), ROWS_AT_ONCE)]
        results = [self.model(part).to_tuple() for part in parts]
        keep, relevance = (np.concatenate(output) for output in zip(*results, strict=True))
        return keep, relevance
