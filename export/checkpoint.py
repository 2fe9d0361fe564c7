"""The two ways of a checkpoint to an ONNX file, each measured against the checkpoint on real text."""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray

from export.engine import fingerprint, sha256
from export.int8 import quantise, save
from export.onnx_file import UnfitOnnx, export, require_fit
from export.parity import Text, compare, openvino_logits, require_near, torch_logits
from export.sensitivity import compute_in_float, keep_within, layers_of
from preprocessing.scores import Calibration

SEED = 3
# Segments are compared by the encoder alone: any calibration only spreads its scores.
PLAIN = Calibration()


def export_float(options: argparse.Namespace) -> dict[str, Any]:
    """`pith-export onnx`: write the file, compare it, and refuse it when it is too far from the checkpoint."""
    export(options.checkpoint, options.out, options.precision, external=options.external)
    text = Text.bundled(options.backbone, options.windows)
    reference = torch_logits(options.checkpoint, text)
    figures = compare(openvino_logits(options.out, text), reference, text, PLAIN)
    require_near(figures, options.precision, options.out.name)
    return _report(options, {"precision": options.precision, "difference": figures})


def export_int8(options: argparse.Namespace) -> dict[str, Any]:
    """`pith-export int8`: quantise, put layers that hurt into float, compare; too far or too large is refused."""
    text = Text.bundled(options.backbone, options.windows)
    reference = torch_logits(options.checkpoint, text)
    unit = max(compare(reference, reference, text, PLAIN)["standard_deviation"], 1e-6)
    with tempfile.TemporaryDirectory() as folder:
        plain, tried = Path(folder) / "float.onnx", Path(folder) / "tried.onnx"
        export(options.checkpoint, plain)
        model = quantise(plain, draw(options.rows, options.calibration_rows))

        def measured(changed: onnx.ModelProto) -> dict[str, float]:
            save(changed, tried)
            return compare(openvino_logits(tried, text), reference, text, PLAIN)

        layers = keep_within(model, lambda changed: measured(changed)["mean"] / unit, options.limit)
        figures = measured(model)
        weights_only = onnx.ModelProto()
        weights_only.CopyFrom(model)
        compute_in_float(weights_only, set(layers_of(weights_only).values()))
        report = {
            "precision": "int8",
            "float32": compare(openvino_logits(plain, text), reference, text, PLAIN),
            "difference": figures,
            "int8_weights_float_activations": measured(weights_only),
            "layers": {"limit": options.limit} | layers,
        }
    require_near(figures, "int8", options.out.name)
    megabytes = model.ByteSize() / 1e6
    if megabytes > options.most_megabytes:
        raise UnfitOnnx(
            f"{options.out.name} would have {megabytes:.1f} MB, the limit is "
            f"{options.most_megabytes:g}: trim the vocabulary "
            "(training.backbone --pieces), or raise --most-megabytes."
        )
    save(model, options.out)
    require_fit(options.out)
    return _report(options, report)


def draw(rows: Path, wanted: int) -> list[NDArray[np.int32]]:
    """Rows to calibrate on, int32 [L] each, as many of every length; the same each time."""
    rng = np.random.default_rng(SEED)
    with np.load(rows) as file:
        by_length = [file[name].astype(np.int32) for name in sorted(file.files) if name.startswith("ids_")]
    if not by_length:
        raise ValueError(f"{rows} holds no rows; training.dataset writes arrays ids_128, ids_256 and so on.")
    each = max(1, wanted // len(by_length))
    return [row for ids in by_length for row in ids[rng.permutation(len(ids))[:each]]]


def _report(options: argparse.Namespace, report: dict[str, Any]) -> dict[str, Any]:
    report = {
        "file": options.out.name,
        "megabytes": round(options.out.stat().st_size / 1e6, 2),
        "sha256": fingerprint(options.out),
        "checkpoint_sha256": sha256(options.checkpoint / "model.safetensors"),
    } | report
    if options.report:
        options.report.parent.mkdir(parents=True, exist_ok=True)
        options.report.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return report
