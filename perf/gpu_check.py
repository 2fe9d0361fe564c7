"""Latency and throughput of a Qwen3-0.6B encoder with 28, 17 and 11 layers on one GPU; needs only torch.

usage: python perf/gpu_check.py --out DIR [--seconds 240] [--small]
       python perf/gpu_check.py --plot REPORT.json

The encoder has the shapes of Qwen3-0.6B without the causal mask, two linear heads and random weights, on which latency
does not depend. A call copies token ids in, runs, and copies the logits out: what a server waits for. Points are
measured in the order of their importance until the seconds are over; `left_out` of the report names the others. The
report is `gpu_check.json` in DIR. Without CUDA, `--small` runs the same path on a tiny encoder and writes
`gpu_check_cpu.json`; `--small` says nothing about the claims. matplotlib draws a plot where it is installed;
onnxruntime-gpu (with TensorRT where it has that) gives a column of its own.

FLOPs of a token in a row of L tokens, a multiply-add counted as two, lookups and element-wise work left out:

    layers x (2 hidden (2 heads + 2 kv_heads) head_dim     query, output, key and value projections
              + 6 hidden ffn                               gate, up and down projections
              + 4 L heads head_dim)                        scores and weighted values, no causal half
    + 2 hidden                                             keep head; a row adds 2 hidden for the relevance head
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import importlib.util
import json
import math
import shlex
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

SERVING_CALLS, OTHER_CALLS, LEAST_CALLS, WARM_UP = 2_000, 100, 20, 5
COMPILE_SECONDS = 45.0
Call = Callable[[], None]
Clock = Callable[[], float]


@dataclass(frozen=True)
class Shape:
    """Sizes of the encoder; the defaults are those of Qwen3-0.6B."""

    hidden: int = 1024
    heads: int = 16
    kv_heads: int = 8
    head_dim: int = 128
    ffn: int = 3072
    vocabulary: int = 151_936
    theta: float = 1e6
    epsilon: float = 1e-6

    def flops_per_token(self, layers: int, length: int) -> int:
        """FLOPs of one token of a row of `length` tokens; the formula stands at the top."""
        projections = 2 * self.hidden * (2 * self.heads + 2 * self.kv_heads) * self.head_dim
        attention = 4 * length * self.heads * self.head_dim
        return layers * (projections + 6 * self.hidden * self.ffn + attention) + 2 * self.hidden

    def flops(self, layers: int, batch: int, length: int) -> int:
        """FLOPs of one call with `batch` rows of `length` tokens."""
        return batch * (length * self.flops_per_token(layers, length) + 2 * self.hidden)


@dataclass(frozen=True)
class Size:
    """What a run measures: serving points get 2,000 calls, `compared` ones every mode."""

    shape: Shape
    depths: tuple[int, ...]
    batches: tuple[int, ...]
    lengths: tuple[int, ...]
    serving: tuple[tuple[int, int], ...]
    compared: tuple[tuple[int, int], ...]
    serving_calls: int = SERVING_CALLS
    matrix: int = 8192


FULL = Size(
    Shape(),
    (28, 17, 11),
    (1, 2, 4, 8, 16, 32, 64),
    (128, 256, 512),
    ((1, 128), (1, 256), (1, 512), (8, 256)),
    ((1, 256), (8, 256)),
)
SMALL = Size(Shape(64, 4, 2, 16, 192, 1000), (7, 4, 3), (1, 2, 4), (32, 64), ((1, 32),), ((1, 32),), 200, 512)


class Layer(nn.Module):  # type: ignore[misc]
    """Grouped-query attention with normed queries and keys, then SwiGLU; RMSNorm before each."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        wide = shape.heads * shape.head_dim
        self.before_attention = nn.RMSNorm(shape.hidden, eps=shape.epsilon)
        self.qkv = nn.Linear(shape.hidden, wide + 2 * shape.kv_heads * shape.head_dim, bias=False)
        self.query_norm = nn.RMSNorm(shape.head_dim, eps=shape.epsilon)
        self.key_norm = nn.RMSNorm(shape.head_dim, eps=shape.epsilon)
        self.output = nn.Linear(wide, shape.hidden, bias=False)
        self.before_ffn = nn.RMSNorm(shape.hidden, eps=shape.epsilon)
        self.gate_up = nn.Linear(shape.hidden, 2 * shape.ffn, bias=False)
        self.down = nn.Linear(shape.ffn, shape.hidden, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor | None) -> Tensor:
        """x: [B, L, hidden]. cos, sin: [L, head_dim]. mask: bool [B, 1, 1, L], False on padding, or None."""
        s = self.shape
        heads = self.qkv(self.before_attention(x)).unflatten(-1, (-1, s.head_dim)).transpose(1, 2)
        q, k, v = heads.split([s.heads, s.kv_heads, s.kv_heads], dim=1)
        q = _rotate(self.query_norm(q), cos, sin)
        k = _rotate(self.key_norm(k), cos, sin)
        if mask is not None:
            # Fused kernels take grouped heads or a mask, not both.
            k, v = (t.repeat_interleave(s.heads // s.kv_heads, dim=1) for t in (k, v))
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=mask is None)
        x = x + self.output(mixed.transpose(1, 2).flatten(2))
        gate, up = self.gate_up(self.before_ffn(x)).chunk(2, dim=-1)
        return x + self.down(F.silu(gate) * up)


def _rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    left, right = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-right, left), dim=-1) * sin


class Encoder(nn.Module):  # type: ignore[misc]
    """Keep logit of every token [B, L] and relevance logit of every row [B]."""

    def __init__(self, shape: Shape, layers: int, longest: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(shape.vocabulary, shape.hidden)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(layers))
        self.norm = nn.RMSNorm(shape.hidden, eps=shape.epsilon)
        self.keep = nn.Linear(shape.hidden, 1)
        self.relevance = nn.Linear(shape.hidden, 1)
        frequency = shape.theta ** (-torch.arange(0, shape.head_dim, 2) / shape.head_dim)
        angle = torch.outer(torch.arange(longest), frequency).repeat(1, 2)
        self.register_buffer("cos", angle.cos())
        self.register_buffer("sin", angle.sin())

    def forward(
        self, ids: Tensor, mask: Tensor | None = None, depth: int | None = None, step: Any = Layer.forward
    ) -> tuple[Tensor, Tensor]:
        """ids: [B, L]. mask: bool [B, L], True on tokens, or None. depth: lower layers to run, all by default."""
        x = self.embedding(ids)
        cos, sin = self.cos[: ids.shape[1]], self.sin[: ids.shape[1]]
        wide = None if mask is None else mask[:, None, None, :]
        for layer in self.layers[:depth]:
            x = step(layer, x, cos, sin, wide)
        x = self.norm(x)
        return self.keep(x).squeeze(-1), self.relevance(x[:, 0]).squeeze(-1)


@dataclass(frozen=True)
class Job:
    """One point: a mode of running `layers` layers on `batch` rows of `length` tokens."""

    mode: str
    layers: int
    batch: int
    length: int
    calls: int
    most_seconds: float


def percentile(values: Sequence[float], percent: float) -> float:
    """Percentile with linear interpolation between the two nearest values."""
    ordered = sorted(values)
    at = (len(ordered) - 1) * percent / 100
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def time_calls(call: Call, calls: int, most_seconds: float, clock: Clock = time.perf_counter) -> list[float]:
    """Seconds of each call; fewer than `calls`, but at least `LEAST_CALLS`, where `most_seconds` are over."""
    for _ in range(WARM_UP):
        call()
    taken: list[float] = []
    until = clock() + most_seconds
    while len(taken) < calls and (len(taken) < LEAST_CALLS or clock() < until):
        began = clock()
        call()
        taken.append(clock() - began)
    return taken


def point(job: Job, taken: Sequence[float], shape: Shape, matrix_rate: float) -> dict[str, Any]:
    """One entry of `points`. matrix_rate: FLOPs a second of the large matrix product."""
    p50, mean = percentile(taken, 50), sum(taken) / len(taken)
    flops = shape.flops(job.layers, job.batch, job.length)
    return {
        "mode": job.mode,
        "layers": job.layers,
        "batch": job.batch,
        "length": job.length,
        "calls": len(taken),
        "p50_ms": round(1000 * p50, 4),
        "p99_ms": round(1000 * percentile(taken, 99), 4),
        "tokens_per_second": round(job.batch * job.length / mean),
        "rows_per_second": round(job.batch / mean, 1),
        "gflops_per_call": round(flops / 1e9, 4),
        "share_of_matrix_rate": round(flops / p50 / matrix_rate, 4),
    }


def jobs(size: Size, cuda: bool) -> list[Job]:
    """All points, the most important first."""
    main = "cuda_graph" if cuda else "eager"
    others = ["mask", "compile"] + (["eager", "compile_cuda_graph"] if cuda else [])
    grid = [(b, n) for n in size.lengths for b in size.batches if (b, n) not in size.serving]
    return (
        [Job(main, d, b, n, size.serving_calls, 14.0) for b, n in size.serving for d in size.depths]
        + [Job(m, d, b, n, 200, 4.0) for m in others for b, n in size.compared for d in size.depths[:2]]
        + [Job(main, d, b, n, OTHER_CALLS, 4.0) for b, n in grid for d in size.depths]
        + [Job("onnxruntime", size.depths[1], b, n, 200, 4.0) for b, n in size.compared]
    )


def measure_all(
    todo: Iterable[Job], measure: Callable[[Job], dict[str, Any]], left: Callable[[], float]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """`points` entries of what was measured, `left_out` entries of what was not, with the reason."""
    for job in todo:
        named = {"mode": job.mode, "layers": job.layers, "batch": job.batch, "length": job.length}
        if left() <= 0:
            yield "left_out", named | {"why": "the time was over"}
            continue
        try:
            yield "points", measure(job)
        except Exception as error:
            # One mode that this machine cannot run must not cost the figures of the others.
            yield "left_out", named | {"why": _first_line(error)}


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".strip().splitlines()[0][:200]


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in the main thread after so many seconds: torch.compile has no limit of its own."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"not done within {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.1))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Bench:
    """The encoder on its device, and the calls that are timed on it."""

    def __init__(self, size: Size, device: str, left: Callable[[], float]) -> None:
        self.size, self.cuda, self.left = size, device == "cuda", left
        torch.manual_seed(0)
        with torch.device(device):
            self.encoder = Encoder(size.shape, max(size.depths), max(size.lengths)).eval()
        self.dtype = torch.bfloat16 if self.cuda else torch.float32
        self.encoder.to(self.dtype)
        self.matrix_rate = self._matrix_rate()
        self._compiled: Any = None
        self._compile_failed = ""
        self._notes: dict[str, str] = {}

    def _matrix_rate(self) -> float:
        """FLOPs a second of a large matrix product, the best of 5 rounds."""
        n, rounds = self.size.matrix, 20
        # Random values: the chip clocks higher on zeros, which no model computes with.
        a, b = (torch.randn(n, n, dtype=self.dtype, device="cuda" if self.cuda else "cpu") for _ in "ab")
        seconds = []
        for _ in range(6):
            began = time.perf_counter()
            for _ in range(rounds):
                torch.mm(a, b)
            self._wait()
            seconds.append(time.perf_counter() - began)
        return 2 * n**3 * rounds / min(seconds[1:])

    def _wait(self) -> None:
        if self.cuda:
            torch.cuda.synchronize()

    def measure(self, job: Job) -> dict[str, Any]:
        """Time one point."""
        self._notes = {}
        with torch.inference_mode():
            call = self._call(job)
            taken = time_calls(call, job.calls, min(job.most_seconds, max(self.left(), 0.5)))
        return point(job, taken, self.size.shape, self.matrix_rate) | self._notes

    def _call(self, job: Job) -> Call:
        host = torch.randint(self.size.shape.vocabulary, (job.batch, job.length))
        if job.mode == "onnxruntime":
            return self._onnxruntime(job, host)
        ids = host.to("cuda" if self.cuda else "cpu")
        mask = torch.ones_like(ids, dtype=torch.bool) if job.mode == "mask" else None
        compiled = job.mode.startswith("compile")
        # One layer is compiled and run for all: they differ in weights alone, and 28 copies would take minutes.
        if compiled and self._compiled is None:
            self._compiled = torch.compile(Layer.forward, dynamic=False)
        step = self._compiled if compiled else Layer.forward

        def forward() -> Any:
            return self.encoder(ids, mask, job.layers, step)

        if compiled:
            # What failed once would take its whole limit at every other point too.
            if self._compile_failed:
                raise RuntimeError(self._compile_failed)
            try:
                with limit(min(COMPILE_SECONDS, self.left())):
                    forward()
            except Exception as error:
                self._compile_failed = f"torch.compile failed: {_first_line(error)}"
                raise
        if not self.cuda:
            return lambda: _none(forward())
        host = host.pin_memory()
        run = self._graph(forward) if job.mode not in ("eager", "compile") else forward
        landing = [torch.empty_like(t, device="cpu").pin_memory() for t in run()]

        def call() -> None:
            ids.copy_(host, non_blocking=True)
            for to, tensor in zip(landing, run(), strict=True):
                to.copy_(tensor, non_blocking=True)
            torch.cuda.synchronize()

        return call

    def _graph(self, forward: Callable[[], Any]) -> Callable[[], Any]:
        """Capture `forward` once; each call replays it without launching kernels one by one."""
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                forward()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            outputs = forward()

        def replay() -> Any:
            graph.replay()
            return outputs

        return replay

    def _onnxruntime(self, job: Job, host: Tensor) -> Call:
        onnxruntime: Any = importlib.import_module("onnxruntime")

        wanted = (
            ["TensorrtExecutionProvider", "CUDAExecutionProvider"] if self.cuda else ["CPUExecutionProvider"]
        )
        providers = [p for p in wanted if p in onnxruntime.get_available_providers()]
        if not providers:
            raise RuntimeError("this onnxruntime has no provider for the GPU; onnxruntime-gpu has")
        with tempfile.TemporaryDirectory() as folder, limit(self.left()):
            file = Path(folder) / "encoder.onnx"
            ids = host
            if self.cuda:
                # Its CUDA provider lacks operators in bf16. This is the last mode, so the encoder need not go back.
                ids = host.cuda()
                self.encoder.half()
            torch.onnx.export(self.encoder, (ids, None, job.layers), str(file), dynamo=True, verbose=False)
            session = onnxruntime.InferenceSession(str(file), providers=providers)
        used = session.get_providers()[0].removesuffix("ExecutionProvider")
        self._notes = {"provider": used, "dtype": "float16" if self.cuda else "float32"}
        feed = {session.get_inputs()[0].name: host.numpy()}
        return lambda: _none(session.run(None, feed))


def _none(_: object) -> None:
    """Drop a result."""


def claims(points: Sequence[dict[str, Any]], size: Size, judged: bool) -> list[dict[str, Any]]:
    """The article's claims beside what was measured at the serving points. A range holds from its lower end on.

    Without `judged` (a CPU, or tiny shapes) the figures are given and no verdict.
    """
    deep, cut = size.depths[:2]
    # Where there are CUDA graphs they are the main mode; without CUDA there is eager alone.
    main = "cuda_graph" if any(p["mode"] == "cuda_graph" for p in points) else "eager"
    at = {(p["layers"], p["batch"], p["length"]): p for p in points if p["mode"] == main}
    pairs = {
        f"{b}x{n}": (at[deep, b, n], at[cut, b, n])
        for b, n in size.serving
        if (deep, b, n) in at and (cut, b, n) in at
    }
    sides = (
        ("35-40 % lower latency from 28 to 17 layers, p50", "p50_ms", 35.0),
        ("40-45 % less compute from 28 to 17 layers, FLOPs", "gflops_per_call", 40.0),
    )
    rows: list[tuple[str, dict[str, float], Callable[[float], bool]]] = [
        (claim, {k: round(100 * (1 - b[key] / a[key]), 1) for k, (a, b) in pairs.items()}, least.__le__)
        for claim, key, least in sides
    ]
    rows.append(
        ("p99 below 20 ms with 17 layers", {k: b["p99_ms"] for k, (_, b) in pairs.items()}, (20.0).__gt__)
    )
    return [
        {
            "claim": claim,
            "layers": [deep, cut],
            "measured": measured,
            "passed": all(holds(value) for value in measured.values()) if judged and measured else None,
        }
        for claim, measured, holds in rows
    ]


def draw(report: dict[str, Any], file: Path) -> str:
    """Draw p50 and throughput by batch; a sentence says what became of it."""
    if importlib.util.find_spec("matplotlib") is None:
        return "matplotlib is not installed; draw later with --plot"
    importlib.import_module("matplotlib").use("Agg")
    pyplot: Any = importlib.import_module("matplotlib.pyplot")

    main = report["main_mode"]
    figure, axes = pyplot.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    length = sorted({p["length"] for p in report["points"]})[
        len({p["length"] for p in report["points"]}) // 2
    ]
    for axis, key, label in zip(axes, ("p50_ms", "tokens_per_second"), ("p50, ms", "tokens/s"), strict=True):
        for layers in sorted({p["layers"] for p in report["points"]}, reverse=True):
            line = sorted(
                (p["batch"], p[key])
                for p in report["points"]
                if (p["mode"], p["layers"], p["length"]) == (main, layers, length)
            )
            if line:
                axis.plot(*zip(*line, strict=True), marker="o", label=f"{layers} layers")
        axis.set(xscale="log", yscale="log", xlabel=f"rows of {length} tokens in a batch", ylabel=label)
        axis.set_xticks(sorted({p["batch"] for p in report["points"]}))
        axis.xaxis.set_major_formatter("{x:.0f}")
        axis.xaxis.set_minor_formatter("")
        axis.grid(alpha=0.3)
    axes[0].legend()
    small = ", tiny shapes: shows that the check runs, no more" if report["small"] else ""
    figure.suptitle(f"{report['device']}, {main}, {report['dtype']}{small}")
    figure.savefig(file, dpi=110, metadata={"Software": None})
    return file.name


def main(arguments: Sequence[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, help="folder of the report")
    parser.add_argument("--seconds", type=float, default=240.0, help="end after about so many")
    parser.add_argument("--small", action="store_true", help="tiny shapes, also on a CPU")
    parser.add_argument("--plot", type=Path, metavar="REPORT", help="only draw the plot of a report")
    options = parser.parse_args(arguments)
    if options.plot:
        print(draw(json.loads(options.plot.read_text()), options.plot.with_suffix(".png")))
        return 0
    if options.out is None:
        parser.error("--out DIR says where the report goes")
    cuda = torch.cuda.is_available()
    if not cuda and not options.small:
        parser.error("there is no CUDA device here; --small runs the same path on the CPU")
    end = time.perf_counter() + options.seconds
    size = SMALL if options.small else FULL
    bench = Bench(size, "cuda" if cuda else "cpu", lambda: end - time.perf_counter())
    report: dict[str, Any] = {
        "device": torch.cuda.get_device_name() if cuda else "cpu",
        "cpu_vector_instructions": torch.backends.cpu.get_cpu_capability(),
        "torch": torch.__version__,
        "cpu_threads": torch.get_num_threads(),
        "cuda": torch.version.cuda,
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "command": shlex.join(["python", "perf/gpu_check.py", *arguments]),
        "small": options.small,
        "dtype": str(bench.dtype).removeprefix("torch."),
        "main_mode": "cuda_graph" if cuda else "eager",
        "shape": asdict(size.shape),
        "matrix_product": size.matrix,
        "matrix_tflops": round(bench.matrix_rate / 1e12, 3),
        "points": [],
        "left_out": [],
        "plot": "the run ended before it was drawn",
    }
    options.out.mkdir(parents=True, exist_ok=True)
    file = options.out / ("gpu_check.json" if cuda else "gpu_check_cpu.json")
    for where, entry in measure_all(jobs(size, cuda), bench.measure, bench.left):
        report[where].append(entry)
        report["claims"] = claims(report["points"], size, cuda and not options.small)
        report["seconds"] = {"given": options.seconds, "used": round(options.seconds - bench.left(), 1)}
        # After every point, so that a run that is ended leaves what it has.
        file.write_text(json.dumps(report, indent=1) + "\n")
    report["plot"] = draw(report, file.with_suffix(".png"))
    file.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps({key: report[key] for key in ("device", "matrix_tflops", "claims", "seconds", "plot")}))
    print(f"{len(report['points'])} points measured, {len(report['left_out'])} left out: {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
