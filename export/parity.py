"""How far an ONNX file is from the checkpoint that it was made of, on real text, and whether that is near enough.

The text is the bundled pages with their questions, laid out by the code that serving uses. Beside the difference of
logits it is counted which segments would be kept: that is what users see.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import openvino as ov
import torch
from numpy.typing import NDArray

from demo.pages import bundled_pages
from preprocessing.lexical import LexicalTables
from preprocessing.limits import Limits
from preprocessing.request import Prepared, Preprocessor
from preprocessing.scores import Calibration, segment_logits, segment_scores
from preprocessing.tokenizer import TextTokenizer
from preprocessing.windows import WindowSettings
from training.model import EvidenceEncoder

Floats = NDArray[np.float32]
Logits = tuple[Floats, Floats]
ROWS_AT_ONCE = 8


@dataclass(frozen=True)
class Tolerance:
    """Most mean and largest difference of token logits, in their standard deviations; least agreement of segments."""

    mean: float
    largest: float
    agreement: float


# Set from what the shipped model and random ones of every supported kind showed, with room for other machines.
TOLERANCES = {
    "float32": Tolerance(1e-4, 5e-3, 1.0),
    "float16": Tolerance(5e-3, 5e-2, 0.99),
    "bfloat16": Tolerance(5e-2, 0.5, 0.97),
    "int8": Tolerance(0.15, 3.0, 0.9),
}


class TooFar(ValueError):
    """An export whose logits are further from the checkpoint's than its precision explains."""


@dataclass(frozen=True)
class Text:
    """Requests on real text, laid out as serving lays them out."""

    requests: tuple[Prepared, ...]

    @classmethod
    def bundled(cls, tables: Path, windows: Path) -> Text:
        """The bundled pages, each with its own question and that of another.

        tables: folder of `tokenizer.json` and `lexical.npz`. windows: `windows.json` of the repository.
        """
        settings = json.loads(windows.read_text(encoding="utf-8"))
        shape = settings["windows"]
        preprocessor = Preprocessor(
            TextTokenizer.load(tables / "tokenizer.json"),
            LexicalTables.load(tables / "lexical.npz"),
            WindowSettings(**shape | {"buckets": tuple(shape["buckets"])}),
            Limits(**settings["limits"]),
        )
        pages = bundled_pages()
        asked = [(page, question) for i, page in enumerate(pages) for question in (page, pages[i - 1])]
        return cls(
            tuple(
                preprocessor.prepare([question.query.encode()], [page.text.encode()], [page.title.encode()])
                for page, question in asked
            )
        )

    @cached_property
    def rows(self) -> list[NDArray[np.int32]]:
        """The encoder rows of each request, int32 [W, L]."""
        return [request.windows.input_ids for request in self.requests]


def torch_logits(checkpoint: Path, text: Text) -> list[Logits]:
    """What the checkpoint says of every request: keep logits [W, L] and relevance logits [W]."""
    model = EvidenceEncoder.load(checkpoint, attention="eager")

    def run(ids: NDArray[np.int32]) -> Logits:
        with torch.inference_mode():
            keep, relevance = model(torch.from_numpy(ids.astype(np.int64)))
        return keep.numpy(), relevance.numpy()

    return [_in_parts(run, rows) for rows in text.rows]


def openvino_logits(path: Path, text: Text, change: Callable[[Any], object] | None = None) -> list[Logits]:
    """The same of an ONNX file, computed in float32 around its own rounding; `change` may alter the graph first."""
    core = ov.Core()
    model = core.read_model(path)
    if change is not None:
        change(model)
    compiled = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    return [_in_parts(lambda ids: tuple(compiled(ids).to_tuple()), rows) for rows in text.rows]


def _in_parts(run: Callable[[NDArray[np.int32]], Logits], rows: NDArray[np.int32]) -> Logits:
    parts = [run(rows[at : at + ROWS_AT_ONCE]) for at in range(0, len(rows), ROWS_AT_ONCE)]
    keep, relevance = (np.concatenate(side) for side in zip(*parts, strict=True))
    return keep, relevance


def compare(
    found: list[Logits], reference: list[Logits], text: Text, calibration: Calibration
) -> dict[str, float]:
    """Differences over the tokens of segments, of relevance, and the agreement of kept segments.

    A segment is kept when its score is above the middle of the reference's: half of the segments, whatever the
    calibration, so that the figure means something for an untrained model too.
    """
    pairs = list(zip(found, reference, text.requests, strict=True))
    body = [request.windows.token_segment >= 0 for request in text.requests]
    keep = np.concatenate([f[0][b] for (f, _, _), b in zip(pairs, body, strict=True)])
    wanted = np.concatenate([r[0][b] for (_, r, _), b in zip(pairs, body, strict=True)])
    gap = np.abs(keep - wanted)
    same = kept = 0
    for f, r, request in pairs:
        scores, expected = (_scores(logits, request, calibration) for logits in (f, r))
        # Between two scores, so that no segment lies on the limit itself.
        ordered = np.sort(expected, axis=None)
        limit = ordered[len(ordered) // 2 - 1 : len(ordered) // 2 + 1].mean()
        same += int(((scores > limit) == (expected > limit)).sum())
        kept += expected.size
    relevance = np.concatenate([np.abs(f[1].ravel() - r[1].ravel()) for f, r, _ in pairs])
    return {
        "tokens": int(keep.size),
        "standard_deviation": round(float(wanted.std()), 4),
        "max": round(float(gap.max()), 6),
        "mean": round(float(gap.mean()), 6),
        "correlation": round(float(np.corrcoef(keep, wanted)[0, 1]), 6),
        "relevance_max": round(float(relevance.max()), 6),
        "segments": kept,
        "agreement": round(same / kept, 5),
    }


def _scores(logits: Logits, request: Prepared, calibration: Calibration) -> Floats:
    windows, lexical = request.windows, request.lexical
    found = segment_logits(
        logits[0], logits[1].ravel(), windows.token_segment, windows.window, *lexical.shape
    )
    return segment_scores(found, lexical, calibration)


def require_near(figures: dict[str, float], precision: str, name: str) -> None:
    """Raise `TooFar` where the figures of `compare` are outside the tolerance of the precision."""
    limit, unit = TOLERANCES[precision], max(figures["standard_deviation"], 1e-6)
    mean, largest = figures["mean"] / unit, figures["max"] / unit
    if mean <= limit.mean and largest <= limit.largest and figures["agreement"] >= limit.agreement:
        return
    raise TooFar(
        f"{name} differs from its checkpoint by {mean:.4f} on average and {largest:.4f} at most (in "
        "standard deviations of "
        f"the logits; {precision} may by {limit.mean} and {limit.largest}), and "
        f"{figures['agreement']:.1%} of the segments "
        f"are kept by both (at least {limit.agreement:.0%}). Export it in a wider precision, or keep "
        "more layers in float "
        "(`pith-export int8 --limit`)."
    )
