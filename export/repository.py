"""A model repository that serves a new encoder, made from one that serves another.

The repository holds both forms: `encoder/config.pbtxt` for a GPU and `configs/cpu.pbtxt`. A version is a folder of the
same number in `tokenize`, `encoder` and `aggregate`: tokenizer, encoder and calibration belong together, and the
ensemble always takes the newest. Deleting that folder is the way back.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np

from export.engine import Record, fingerprint, record_path
from export.onnx_file import facts_of, require_fit
from export.profiles import UncoveredBucket, read_buckets, require_cover
from export.triton_config import EncoderConfig, write_configs

PARTS = ("tokenize", "encoder", "aggregate")
TABLES = ("tokenizer.json", "lexical.npz")
ENGINE = ("model.plan", "model.plan.json")
_DERIVED = shutil.ignore_patterns("__pycache__", *ENGINE)


class UnfitRepository(ValueError):
    """Files that do not belong together, with what to do."""


def write_repository(
    base: Path,
    out: Path,
    onnx: Path,
    *,
    gpu: EncoderConfig,
    cpu: EncoderConfig,
    tables: Path | None = None,
    calibration: Path | None = None,
    plan: Path | None = None,
    version: int = 1,
    overwrite: bool = False,
) -> Path:
    """Write the encoder `onnx` as `version` of the repository `out`, and return the folder of that version.

    base: the repository that gives everything else; `out` may be the same. tables: folder of `tokenizer.json` and
    `lexical.npz` that the encoder was trained with, by default those of the newest version. calibration: by default
    that of the newest version, which another encoder does not fit: calibrate anew. plan: a TensorRT engine with its
    record. Raises `UnfitRepository`, `UnfitOnnx`, `EngineError` or `UncoveredBucket`.
    """
    newest = {part: _newest(base, part) for part in PARTS}
    windows = newest["tokenize"] / "windows.json"
    _require_whole(onnx, windows, tables or newest["tokenize"], gpu, cpu)
    if plan is not None:
        record = Record.read(plan)
        require_cover(record.profiles, gpu.buckets, gpu.max_batch)
        if record.onnx != fingerprint(onnx):
            raise UnfitRepository(
                f"{plan.name} was built of another file than {onnx.name}: build it with `pith-export "
                f"engine --onnx {onnx}`."
            )
    if version < 1:
        raise UnfitRepository(f"The version is {version}; Triton's versions are numbers from 1 on.")
    folders = {part: out / part / str(version) for part in PARTS}
    if not overwrite and any(folder.exists() for folder in folders.values()):
        raise UnfitRepository(
            f"Version {version} is in {out} already: give the next number with --version, or "
            "--overwrite to replace it."
        )
    if out.resolve() != base.resolve():
        shutil.copytree(base, out, dirs_exist_ok=True, ignore=_DERIVED)
    for part, folder in folders.items():
        if not folder.exists():
            shutil.copytree(newest[part], folder, ignore=_DERIVED)
    (out / "compressor" / "1").mkdir(parents=True, exist_ok=True)
    _place(onnx, folders["encoder"] / "model.onnx")
    if onnx.with_name(f"{onnx.name}.data").is_file():
        _place(onnx.with_name(f"{onnx.name}.data"), folders["encoder"] / f"{onnx.name}.data")
    if tables is not None:
        for name in TABLES:
            _place(tables / name, folders["tokenize"] / name)
    if calibration is not None:
        _place(calibration, folders["aggregate"] / "calibration.json")
    if plan is not None:
        _place(plan, folders["encoder"] / ENGINE[0])
        _place(record_path(plan), folders["encoder"] / ENGINE[1])
    write_configs(out, gpu, cpu)
    return folders["encoder"]


def _require_whole(onnx: Path, windows: Path, tables: Path, gpu: EncoderConfig, cpu: EncoderConfig) -> None:
    facts = facts_of(require_fit(onnx))
    settings = json.loads(windows.read_text(encoding="utf-8"))
    buckets = read_buckets(windows)
    for name in TABLES:
        if not (tables / name).is_file():
            raise UnfitRepository(
                f"{tables} has no {name}; training.backbone writes both tables into its folder."
            )
    with np.load(tables / "lexical.npz") as file:
        pieces = len(file["classes"])
    if "pieces" in facts and pieces != int(facts["pieces"]):
        raise UnfitRepository(
            f"{onnx.name} knows {facts['pieces']} pieces and the tokenizer in {tables} has {pieces}: "
            "give the folder of the "
            "backbone that this encoder was trained from with --backbone."
        )
    if "positions" in facts and max(buckets) > int(facts["positions"]):
        raise UnfitRepository(
            f"{onnx.name} reads rows of at most {facts['positions']} tokens and windows.json lays out "
            "rows of "
            f"{max(buckets)}: take the longer buckets out of windows.json."
        )
    for config in (gpu, cpu):
        missing = sorted(set(buckets) - set(config.buckets))
        if missing:
            raise UncoveredBucket(
                f"The configuration has no bucket for rows of {missing} tokens of windows.json: add them."
            )
        if settings["limits"]["windows"] > config.max_batch:
            raise UnfitRepository(
                f"A request may hold {settings['limits']['windows']} windows (windows.json) and "
                "max_batch_size is "
                f"{config.max_batch}: raise it, or lower the limit."
            )


def _newest(repository: Path, part: str) -> Path:
    versions = [folder for folder in (repository / part).glob("[0-9]*") if folder.name.isdecimal()]
    if not versions:
        raise UnfitRepository(
            f"{repository} has no version of {part}: --base must be a model repository of Pith, such "
            "as model_repository."
        )
    return max(versions, key=lambda folder: int(folder.name))


def _place(source: Path, target: Path) -> None:
    if source.resolve() != target.resolve():
        shutil.copyfile(source, target)
