"""Writes model repositories of one small Python model, named as `compressor` is."""

from pathlib import Path

CONFIG = """
backend: "python"
max_batch_size: 0
input [
  { name: "QUERY" data_type: TYPE_STRING dims: [ -1 ] },
  { name: "DOCUMENT" data_type: TYPE_STRING dims: [ -1 ] }
]
output [ { name: "RELEVANCE" data_type: TYPE_FP32 dims: [ -1, -1 ] } ]
instance_group [ { kind: KIND_CPU count: 1 } ]
"""

# The score is the share of the query's words that the document holds, so that an answer proves that the
# texts arrived whole; the query "sleep N" keeps the model busy for N seconds.
MODEL = """
import time

import numpy as np
import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def execute(self, requests):
        return [self.answer(request) for request in requests]

    def answer(self, request):
        queries, documents = (
            [text.decode().split() for text in pb_utils.get_input_tensor_by_name(request, name).as_numpy()]
            for name in ("QUERY", "DOCUMENT")
        )
        if queries[0][0] == "sleep":
            time.sleep(float(queries[0][1]))
        rows = [[sum(word in text for word in query) / len(query) for query in queries] for text in documents]
        tensor = pb_utils.Tensor("RELEVANCE", np.array(rows, np.float32))
        return pb_utils.InferenceResponse(output_tensors=[tensor])
"""


def write_repository(folder: Path, model: str = MODEL, config: str = CONFIG) -> Path:
    version = folder / "compressor" / "1"
    version.mkdir(parents=True)
    (version.parent / "config.pbtxt").write_text(config)
    (version / "model.py").write_text(model)
    return folder
