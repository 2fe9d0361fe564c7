"""Checkpoint to the model that the server runs, with its parity measured.

usage: python -m export --checkpoint DIR --backbone DIR --rows rows.npz [--repository model_repository]

Writes `encoder/1/model.onnx` (QDQ int8) into the repository, with `tokenizer.json` and `lexical.npz` of `tokenize/1`,
and the differences to torch on rows that were not used for calibration to `--report`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from export.int8 import quantise
from export.onnx_file import export, openvino_logits, torch_logits

CALIBRATION_ROWS = 64
PARITY_ROWS = 32
MOST_MEGABYTES = 45


def draw(rows: Path, seed: int = 3) -> tuple[list[NDArray[np.int32]], NDArray[np.int32]]:
    """Rows to calibrate on, of every length, and others of the longest length to compare on, int32 [n, L]."""
    rng = np.random.default_rng(seed)
    with np.load(rows) as file:
        by_length = {n: file[n].astype(np.int32) for n in file.files if n.startswith("ids_")}
    calibration: list[NDArray[np.int32]] = []
    for ids in by_length.values():
        calibration += list(ids[rng.permutation(len(ids))[: CALIBRATION_ROWS // len(by_length)]])
    longest = max(by_length.values(), key=lambda ids: ids.shape[1])
    used = {row.tobytes() for row in calibration}
    others = [row for row in longest[rng.permutation(len(longest))] if row.tobytes() not in used]
    return calibration, np.stack(others[:PARITY_ROWS])


def difference(
    found: NDArray[np.float32], reference: NDArray[np.float32], real: NDArray[np.bool_]
) -> dict[str, float]:
    """Differences of logits, and how often both sides fall on the same side of 0, over real tokens."""
    gap = np.abs(found - reference)[real]
    return {
        "max": round(float(gap.max()), 5),
        "mean": round(float(gap.mean()), 5),
        "same_side": round(float(((found > 0) == (reference > 0))[real].mean()), 5),
        "correlation": round(float(np.corrcoef(found[real], reference[real])[0, 1]), 5),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--backbone", type=Path, required=True)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--repository", type=Path, default=Path("model_repository"))
    parser.add_argument("--report", type=Path, default=Path("docs/reports/export.json"))
    options = parser.parse_args()
    target = options.repository / "encoder" / "1" / "model.onnx"
    calibration, rows = draw(options.rows)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "float.onnx"
        export(options.checkpoint, plain)
        quantise(plain, target, calibration)
        reference = torch_logits(options.checkpoint, rows)
        real = rows != 1
        report = {
            "megabytes": round(target.stat().st_size / 1e6, 2),
            "rows": list(rows.shape),
            "logits_standard_deviation": round(float(reference[real].std()), 4),
            "float_onnx": difference(openvino_logits(plain, rows, True), reference, real),
            "int8": difference(openvino_logits(target, rows, True), reference, real),
            "int8_weights_float_activations": difference(
                openvino_logits(target, rows, False), reference, real
            ),
        }
    if report["megabytes"] > MOST_MEGABYTES:
        raise SystemExit(
            f"{target} has {report['megabytes']} MB, the limit is {MOST_MEGABYTES}: trim the vocabulary."
        )
    for name in ("tokenizer.json", "lexical.npz"):
        shutil.copyfile(options.backbone / name, options.repository / "tokenize" / "1" / name)
    options.report.parent.mkdir(parents=True, exist_ok=True)
    options.report.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report))


if __name__ == "__main__":
    main()
