"""Scores result sets in this process, with the client's and the server's own code around any encoder.

`pith.call.Call` packs and joins as the client does, `preprocessing.request` makes rows as the model `tokenize` does;
only the way between them is shorter than a server's. So many checkpoints can be compared without serving each, and
what is measured is what is served.

A model is a path: an ONNX file, which OpenVINO runs as the server runs it, or a checkpoint folder of training.train
(needs torch).
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tritonclient.utils import InferenceServerException

from pith.call import Call
from pith.config import read_config
from pith.deadline import Deadline
from pith.text import code_points
from pith.types import Document, ScoredDocument
from preprocessing.limits import RequestRefused
from preprocessing.request import Prepared, Preprocessor
from preprocessing.scores import Calibration, document_relevance, segment_logits, segment_scores

Floats = NDArray[np.float32]
# int32 [B, L] to keep logits float32 [B, L] and relevance logits float32 [B].
Encoder = Callable[[NDArray[np.int32]], tuple[Floats, Floats]]

MODEL_REPOSITORY = Path(__file__).resolve().parent.parent / "model_repository"
# As the server's: larger batches gain nothing on a CPU.
ROWS_AT_ONCE = 16
_PARAMETER = re.compile(r'^parameters \{ key: "(\w+)" value \{ string_value: "([^"]*)" \} \}$', re.MULTILINE)
_HOUR = 3600.0


class UnknownModel(ValueError):
    """A path that is neither an ONNX file nor a checkpoint folder, with what to do."""


def load_encoder(path: Path) -> Encoder:
    """The encoder at a path; raises `UnknownModel`, or `training.model.BadCheckpoint` for a broken folder."""
    if path.suffix == ".onnx" and path.is_file():
        encoder: Encoder = _openvino_module().OpenVinoEncoder(path)
        return encoder
    if path.is_dir():
        return _torch_encoder(path)
    raise UnknownModel(
        f"{path} is no encoder: name an .onnx file (`pith-export onnx` writes one) or a folder of training.train."
    )


def backend_of(path: Path) -> str:
    """What runs the model at a path: `openvino` or `torch`."""
    return "openvino" if path.suffix == ".onnx" else "torch"


def weights_of(path: Path) -> Path:
    """The file that holds a model's weights."""
    return path / "model.safetensors" if path.is_dir() else path


def fingerprint(path: Path, repository: Path = MODEL_REPOSITORY) -> str:
    """SHA-256, 16 digits, of a model's weights and of all that makes rows and features of texts."""
    root = Path(__file__).resolve().parent.parent
    parts = [
        weights_of(path),
        *sorted((repository / "tokenize" / "1").glob("*.*")),
        repository / "compressor" / "config.pbtxt",
        *sorted((root / "preprocessing").glob("*.py")),
        *(root / "client" / "pith" / name for name in ("packing.py", "split.py", "call.py")),
    ]
    digest = hashlib.sha256()
    for part in parts:
        text = part.read_bytes()
        # Thresholds are no part of what is measured here, and calibration rewrites them.
        digest.update(b"" if part.name == "config.pbtxt" else hashlib.sha256(text).digest())
        if part.name == "config.pbtxt":
            limits = sorted(item for item in parameters(text.decode()).items() if item[0].startswith("max_"))
            digest.update(repr(limits).encode())
    return digest.hexdigest()[:16]


def parameters(config: str) -> dict[str, str]:
    """The string parameters of a `config.pbtxt`."""
    return dict(_PARAMETER.findall(config))


def _openvino_module() -> Any:
    """The server's own encoder; its folder is named for a model version and is no package."""
    spec = importlib.util.spec_from_file_location(
        "openvino_encoder", MODEL_REPOSITORY / "encoder" / "1" / "openvino_encoder.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _torch_encoder(folder: Path) -> Encoder:
    import torch

    from training.model import EvidenceEncoder

    model = EvidenceEncoder.load(folder)

    def encode(input_ids: NDArray[np.int32]) -> tuple[Floats, Floats]:
        parts = []
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
            for at in range(0, len(input_ids), ROWS_AT_ONCE):
                out = model(torch.from_numpy(input_ids[at : at + ROWS_AT_ONCE].astype(np.int64)))
                parts.append([part.float().numpy() for part in out])
        keep, relevance = (np.concatenate(column) for column in zip(*parts, strict=True))
        return keep, relevance

    return encode


@dataclass(frozen=True)
class Raw:
    """What the encoder says of the segments of a result set before calibration, in the order of the scored documents.

    keep, relevance, lexical: float32 [S], the terms of a segment's logit (`preprocessing.scores`). seen: bool [S].
    best: float32 [N], the largest relevance logit of each document's windows, -inf where it has none.
    """

    keep: Floats
    relevance: Floats
    lexical: Floats
    seen: NDArray[np.bool_]
    best: Floats


@dataclass(frozen=True)
class _Answer:
    """The outputs of one request, read as an InferResult is."""

    tensors: Mapping[str, NDArray[Any]]

    def as_numpy(self, name: str) -> NDArray[Any] | None:
        return self.tensors.get(name)


class InProcess:
    """The compressor without a server: tokenize, encoder and aggregate in one call. One query at a time."""

    def __init__(
        self,
        encoder: Encoder,
        calibration: Calibration | None = None,
        repository: Path = MODEL_REPOSITORY,
    ) -> None:
        self._encode = encoder
        self.calibration = calibration or Calibration()
        self._preprocessor = Preprocessor.load(repository / "tokenize" / "1")
        config = (repository / "compressor" / "config.pbtxt").read_text(encoding="utf-8")
        self.config = read_config(parameters(config), model="compressor")

    def score(self, query: str, documents: Sequence[Document]) -> tuple[list[ScoredDocument], Raw]:
        """Scored documents as `pith.Compressor.score` gives them, and what they were made from."""
        call = Call(documents, [query], url="in process", model="compressor", deadline=Deadline(_HOUR))
        if call.needs_server:
            call.start(self.config)
        terms: dict[tuple[int, int], tuple[float, float, float, bool]] = {}
        best = np.full(len(documents), -np.inf, np.float32)
        while (request := call.next()) is not None:
            titles = [unit.title for unit in request.units]
            sources = [unit.source or b"" for unit in request.units]
            try:
                ready = self._preprocessor.prepare(
                    call.queries,
                    [unit.data for unit in request.units],
                    titles if any(titles) else None,
                    sources if any(sources) else None,
                )
            except RequestRefused as refused:
                call.failed(request, InferenceServerException(str(refused)))
                continue
            keep, relevance = self._encode(ready.windows.input_ids)
            answer, own, largest = self._aggregate(ready, keep, relevance)
            # A unit of which the server reads only a part is sent again in halves; the later answer replaces this one.
            for n, unit in enumerate(request.units):
                rows = np.flatnonzero(ready.segment[:, 0] == n)
                starts = code_points(unit.data, ready.segment[rows, 1].astype(np.int64)) + unit.start
                for row, start in zip(rows.tolist(), starts.tolist(), strict=True):
                    terms[unit.document, start] = own[row]
                best[unit.document] = max(best[unit.document], largest[n])
            call.succeeded(request, answer)
        scored = call.scoring().documents
        table = [terms[n, s.start] for n, document in enumerate(scored) for s in document.segments]
        columns = list(zip(*table, strict=True)) or [(), (), (), ()]
        keep, relevance, lexical = (np.array(column, np.float32) for column in columns[:3])
        return scored, Raw(keep, relevance, lexical, np.array(columns[3], np.bool_), best)

    def _aggregate(
        self, ready: Prepared, keep: Floats, relevance: Floats
    ) -> tuple[_Answer, list[tuple[float, float, float, bool]], Floats]:
        """What the model `aggregate` answers, and the terms of each segment and document behind it."""
        windows = ready.windows
        logits = segment_logits(keep, relevance, windows.token_segment, windows.window, *ready.lexical.shape)
        documents = ready.status.size
        tensors = {
            "SEGMENT": ready.segment,
            "SEGMENT_TOKENS": ready.segment_tokens,
            "SEGMENT_SCORE": segment_scores(logits, ready.lexical, self.calibration),
            "RELEVANCE": document_relevance(relevance, windows.window, documents, 1, self.calibration),
            "UNSCORED": windows.unscored,
            "STATUS": ready.status,
            "TITLE_TOKENS": ready.title_tokens,
            "SOURCE_TOKENS": ready.source_tokens,
            "QUERY_CUT": ready.query_cut,
        }
        largest = np.full(documents, -np.inf, np.float32)
        real = windows.window[:, 0] >= 0
        np.maximum.at(largest, windows.window[real, 0], relevance[real])
        columns = (
            part[:, 0].tolist() for part in (logits.keep, logits.relevance, ready.lexical, logits.seen)
        )
        return _Answer(tensors), list(zip(*columns, strict=True)), largest
