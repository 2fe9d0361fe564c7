"""A TensorRT engine from an ONNX file, for the GPU at hand, with a record that says what it fits.

Runs in the production image: TensorRT's Python bindings and the standard library, no torch. The graph states every type
(export.typed, or the quantise/dequantise pairs of export.int8), so the network is strongly typed and the builder gets
no precision flags: TensorRT 11 knows no others, and 10 does the same.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import shlex
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from export.profiles import INPUT, Profile

OLDEST_TENSORRT = 10


class EngineError(RuntimeError):
    """An engine that could not be built, or that must not be loaded, with what to do."""


@dataclass(frozen=True)
class Gpu:
    """Name and compute capability of a GPU, as `nvidia-smi` gives them."""

    name: str
    compute_capability: str


@dataclass(frozen=True)
class Record:
    """What an engine was built with and for; `model.plan.json` beside `model.plan`."""

    tensorrt: str
    gpu: str
    compute_capability: str
    onnx: str
    profiles: tuple[Profile, ...]
    plan: str

    @classmethod
    def read(cls, plan: Path) -> Record:
        """The record of a plan; `EngineError` where there is none, or it cannot be read."""
        path = record_path(plan)
        try:
            fields: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return cls(**fields | {"profiles": tuple(Profile(**entry) for entry in fields["profiles"])})
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise EngineError(
                f"{plan.name} has no record that can be read ({error}), so nothing says which GPU it "
                "is for: build it again "
                "with `pith-export engine`."
            ) from error

    def write(self, plan: Path) -> None:
        """Write it beside the plan."""
        record_path(plan).write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")


def record_path(plan: Path) -> Path:
    """`model.plan` to `model.plan.json`."""
    return plan.with_name(f"{plan.name}.json")


def sha256(path: Path) -> str:
    """Of a file, hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fingerprint(onnx: Path) -> str:
    """SHA-256 over the ONNX file and, where its weights lie beside it, over those."""
    beside = onnx.with_name(f"{onnx.name}.data")
    if not beside.is_file():
        return sha256(onnx)
    return hashlib.sha256((sha256(onnx) + sha256(beside)).encode()).hexdigest()


def gpu_at_hand(run: Callable[..., Any] = subprocess.run) -> Gpu:
    """The first visible GPU; `EngineError` where there is none."""
    command = ["nvidia-smi", "--query-gpu=name,compute_cap", "--format=csv,noheader", "--id=0"]
    try:
        answer = run(command, capture_output=True, text=True, check=True, timeout=60).stdout
        name, capability = (part.strip() for part in answer.strip().splitlines()[0].rsplit(",", 1))
    except (OSError, subprocess.SubprocessError, IndexError, ValueError) as error:
        raise EngineError(
            f"No GPU is seen ({type(error).__name__} from nvidia-smi): build engines on a machine "
            "with the GPU that will "
            "serve them, in the production image."
        ) from error
    return Gpu(name, capability)


def import_tensorrt() -> Any:
    """The `tensorrt` module, 10 or newer."""
    try:
        module: Any = importlib.import_module("tensorrt")
    except ImportError as error:
        raise EngineError(
            "TensorRT's Python bindings are not installed: build engines in the production image "
            "(docker/Dockerfile), "
            "or `pip install tensorrt` in the release of the server's image."
        ) from error
    if int(str(module.__version__).split(".")[0]) < OLDEST_TENSORRT:
        raise EngineError(
            f"TensorRT {module.__version__} is too old: strongly typed networks with several profiles need "
            f"{OLDEST_TENSORRT} or newer."
        )
    return module


def build(onnx: Path, plan: Path, profiles: Sequence[Profile], *, cache: Path | None = None) -> Record:
    """Build the engine of an ONNX file, write `plan` and its record, and return the record.

    cache: file of TensorRT's timing cache, read where it exists and written back, so that a second building on the same
    kind of GPU takes seconds. Raises `EngineError`.
    """
    if not onnx.is_file():
        raise EngineError(f"There is no ONNX file {onnx}: `pith-export onnx` or `int8` writes one.")
    trt, gpu = import_tensorrt(), gpu_at_hand()
    logger = trt.Logger(trt.Logger.WARNING)
    builder = trt.Builder(logger)
    flags = getattr(trt.NetworkDefinitionCreationFlag, "STRONGLY_TYPED", None)
    network = builder.create_network(0 if flags is None else 1 << int(flags))
    parser = trt.OnnxParser(network, logger)
    if not parser.parse_from_file(str(onnx)):
        problems = "; ".join(str(parser.get_error(i).desc()) for i in range(parser.num_errors))
        raise EngineError(
            f"TensorRT {trt.__version__} cannot read {onnx.name}: {problems}. Export it again with "
            "`pith-export onnx`."
        )
    config = builder.create_builder_config()
    timing = config.create_timing_cache(cache.read_bytes() if cache is not None and cache.is_file() else b"")
    config.set_timing_cache(timing, False)
    for profile in profiles:
        shapes = builder.create_optimization_profile()
        shapes.set_shape(INPUT, *profile.shapes())
        config.add_optimization_profile(shapes)
    serialised = builder.build_serialized_network(network, config)
    if serialised is None:
        raise EngineError(
            f"TensorRT {trt.__version__} could not build an engine of {onnx.name} on {gpu.name}; its "
            "log above says why. "
            'Where memory is short, lower "most" of the profiles and max_batch_size of the encoder together.'
        )
    plan.parent.mkdir(parents=True, exist_ok=True)
    plan.write_bytes(bytes(serialised))
    if cache is not None:
        cache.write_bytes(bytes(config.get_timing_cache().serialize()))
    record = Record(
        str(trt.__version__),
        gpu.name,
        gpu.compute_capability,
        fingerprint(onnx),
        tuple(profiles),
        sha256(plan),
    )
    record.write(plan)
    return record


def require_match(plan: Path, onnx: Path, profiles: Sequence[Profile], tensorrt: str, gpu: Gpu) -> Record:
    """The record of a plan that this machine may load; `EngineError` says why it may not and what to do."""
    if not plan.is_file():
        raise EngineError(f"There is no engine {plan}: build it with `pith-export engine`.")
    record = Record.read(plan)
    differences = [
        f"{what} is {here} here and was {there}"
        for what, here, there in (
            ("TensorRT", tensorrt, record.tensorrt),
            ("the GPU", gpu.name, record.gpu),
            ("its compute capability", gpu.compute_capability, record.compute_capability),
        )
        if here != there
    ]
    if fingerprint(onnx) != record.onnx:
        differences.append(f"{onnx.name} is another file than the one that it was built of")
    if tuple(profiles) != record.profiles:
        differences.append("the profiles are others")
    if sha256(plan) != record.plan:
        differences.append("the plan itself was changed or cut short")
    if differences:
        raise EngineError(
            f"{plan.name} must not be loaded: {'; '.join(differences)}. Build it again on this machine with "
            "`pith-export engine`."
        )
    return record


def build_or_keep(
    onnx: Path, plan: Path, profiles: Sequence[Profile], *, cache: Path | None = None
) -> tuple[Record, str]:
    """The engine that fits this machine: the one that is there, or a new one; and a sentence on which and why."""
    if not plan.exists():
        return build(onnx, plan, profiles, cache=cache), f"Built {plan}."
    try:
        record = require_match(plan, onnx, profiles, str(import_tensorrt().__version__), gpu_at_hand())
    except EngineError as mismatch:
        return build(onnx, plan, profiles, cache=cache), f"Built {plan} anew. {mismatch}"
    return record, f"Kept {plan}: it was built on this kind of GPU, by this TensorRT, of this model."


def trtexec(onnx: Path, plan: Path, profiles: Sequence[Profile], cache: Path | None = None) -> str:
    """The command of NVIDIA's own tool that builds the same engine."""
    words = ["trtexec", f"--onnx={onnx}", f"--saveEngine={plan}", "--stronglyTyped"]
    if cache is not None:
        words.append(f"--timingCacheFile={cache}")
    for number, profile in enumerate(profiles):
        words.append(f"--profile={number}")
        words += [
            f"--{name}Shapes={INPUT}:{rows}x{tokens}"
            for name, (rows, tokens) in zip(("min", "opt", "max"), profile.shapes(), strict=True)
        ]
    return shlex.join(words)
