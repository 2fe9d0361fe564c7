"""From a checkpoint to what the server runs.

usage: pith-export onnx --checkpoint DIR --backbone DIR --out FILE [--precision float16]
       pith-export int8 --checkpoint DIR --backbone DIR --rows rows.npz --out FILE
       pith-export engine --onnx FILE --out model.plan [--profiles FILE] [--cache FILE] [--compare rows.npz]
       pith-export repository --onnx FILE --out DIR [--backbone DIR] [--plan FILE] [--version 2]

`onnx` and `int8` need the extras `train` and `export`; `engine` runs in the production image. Exit code 2 means that
what was given cannot be exported; the sentence printed says why and what to do.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from export import engine
from export.engine import EngineError, build_or_keep, import_tensorrt, require_match, trtexec
from export.profiles import profiles_for, read_buckets, read_profiles, require_cover

ROOT = Path(__file__).parents[1]
REPOSITORY = ROOT / "model_repository"
WINDOWS = REPOSITORY / "tokenize/1/windows.json"
MAX_BATCH = 128


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], dict[str, Any]] = options.run
    try:
        print(json.dumps(run(options), indent=1))
    except (ValueError, EngineError) as error:
        print(f"pith-export: {error}", file=sys.stderr)
        return 2
    return 0


def _onnx(options: argparse.Namespace) -> dict[str, Any]:
    # torch and its friends are imported where they are needed: the production image, which builds engines, has none.
    return dict(importlib.import_module("export.checkpoint").export_float(options))


def _int8(options: argparse.Namespace) -> dict[str, Any]:
    return dict(importlib.import_module("export.checkpoint").export_int8(options))


def _engine(options: argparse.Namespace) -> dict[str, Any]:
    buckets = read_buckets(options.windows)
    profiles = read_profiles(options.profiles) if options.profiles else profiles_for(buckets, MAX_BATCH)
    require_cover(profiles, buckets, MAX_BATCH)
    print(
        f"The same with NVIDIA's tool: {trtexec(options.onnx, options.out, profiles, options.cache)}",
        flush=True,
    )
    if options.check:
        tensorrt = str(import_tensorrt().__version__)
        record = require_match(options.out, options.onnx, profiles, tensorrt, engine.gpu_at_hand())
    else:
        record, sentence = build_or_keep(options.onnx, options.out, profiles, cache=options.cache)
        print(sentence, flush=True)
    report: dict[str, Any] = {
        "tensorrt": record.tensorrt,
        "gpu": record.gpu,
        "compute_capability": record.compute_capability,
        "onnx": record.onnx,
        "plan": record.plan,
    }
    if options.compare:
        parity: Any = importlib.import_module("export.engine_parity")
        batches = parity.read_batches(options.compare, profiles)
        report["difference"] = parity.engine_difference(options.out, options.onnx, profiles, batches)
    return report


def _repository(options: argparse.Namespace) -> dict[str, Any]:
    repository: Any = importlib.import_module("export.repository")
    configs: Any = importlib.import_module("export.triton_config")
    gpu, cpu = configs.default_configs(
        read_buckets(options.base / "tokenize/1/windows.json"),
        instances=options.instances,
        versions=options.versions,
        preferred=options.preferred,
        graphs=options.graphs,
    )
    folder = repository.write_repository(
        options.base,
        options.out,
        options.onnx,
        gpu=gpu,
        cpu=cpu,
        tables=options.backbone,
        calibration=options.calibration,
        plan=options.plan,
        version=options.version,
        overwrite=options.overwrite,
    )
    return {"encoder": str(folder), "files": sorted(path.name for path in folder.iterdir() if path.is_file())}


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(",") if part)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pith-export", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)

    def command(
        name: str, run: Callable[[argparse.Namespace], dict[str, Any]], text: str
    ) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=text, description=text)
        made.set_defaults(run=run)
        return made

    onnx = command("onnx", _onnx, "a checkpoint as a float ONNX file, compared with torch")
    int8 = command("int8", _int8, "a checkpoint as an int8 ONNX file, compared with torch")
    for made in (onnx, int8):
        made.add_argument("--checkpoint", type=Path, required=True, help="folder that training.train wrote")
        made.add_argument(
            "--backbone", type=Path, required=True, help="folder of tokenizer.json and lexical.npz"
        )
        made.add_argument("--out", type=Path, required=True)
        made.add_argument(
            "--windows", type=Path, default=WINDOWS, help="windows.json that rows are laid out by"
        )
        made.add_argument("--report", type=Path, help="where to write the figures that are printed")
    onnx.add_argument("--precision", default="float32", choices=("float32", "float16", "bfloat16"))
    onnx.add_argument("--external", action="store_true", default=None, help="weights in a file beside it")
    int8.add_argument("--rows", type=Path, required=True, help="rows of training.dataset to calibrate on")
    int8.add_argument("--calibration-rows", type=int, default=64)
    int8.add_argument(
        "--limit",
        type=float,
        default=0.1,
        help="most mean difference of logits, in standard deviations, before layers compute in float",
    )
    int8.add_argument("--most-megabytes", type=float, default=45.0)

    made = command("engine", _engine, "a TensorRT engine for the GPU at hand")
    made.add_argument("--onnx", type=Path, required=True)
    made.add_argument("--out", type=Path, required=True)
    made.add_argument(
        "--profiles", type=Path, help="docker/profiles.json or the like; by default one a bucket"
    )
    made.add_argument("--windows", type=Path, default=WINDOWS)
    made.add_argument("--cache", type=Path, help="TensorRT's timing cache, read and written")
    made.add_argument("--check", action="store_true", help="only say whether the engine that is there fits")
    made.add_argument("--compare", type=Path, help="rows of training.dataset to compare engine and ONNX on")

    repository = command(
        "repository", _repository, "a model repository that serves an ONNX file or an engine"
    )
    repository.add_argument("--onnx", type=Path, required=True)
    repository.add_argument("--out", type=Path, required=True)
    repository.add_argument("--base", type=Path, default=REPOSITORY, help="repository to take the rest from")
    repository.add_argument("--backbone", type=Path, help="folder of tokenizer.json and lexical.npz")
    repository.add_argument("--calibration", type=Path, help="calibration.json of this encoder")
    repository.add_argument("--plan", type=Path, help="engine of the ONNX file, with its record beside it")
    repository.add_argument("--version", type=int, default=1)
    repository.add_argument("--overwrite", action="store_true", help="replace a version that is there")
    repository.add_argument("--versions", type=int, default=1, help="newest versions that Triton loads")
    repository.add_argument("--instances", type=int, default=1, help="encoders side by side")
    repository.add_argument(
        "--preferred", type=_sizes, default=(16, 32, 64, 128), help="batch sizes sent at once"
    )
    repository.add_argument(
        "--graphs", type=_sizes, default=(1, 4, 16, 32), help="batch sizes with CUDA graphs"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
