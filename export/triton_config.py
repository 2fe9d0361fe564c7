"""The encoder's `config.pbtxt` from one small description, as Triton's own protobuf message."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from google.protobuf import text_format
from tritonclient.grpc import model_config_pb2 as pb

from export.profiles import INPUT

Target = Literal["gpu", "cpu"]
HEADS = {
    "gpu": ("The encoder on a GPU: a TensorRT plan built from the same ONNX file that the CPU form runs.",),
    "cpu": (
        "The encoder on a CPU (`--model-config-name=cpu`): a Python model that hosts OpenVINO.",
        "A large request keeps a CPU busy for seconds, so waiting is bounded by what callers allow (their request",
        "timeout), and the queue's own timeout only ends what nobody waits for.",
    ),
}


@dataclass(frozen=True)
class EncoderConfig:
    """How Triton serves the encoder.

    buckets: row lengths, each with a warm-up. max_batch: most rows of a call. instances: copies side by side.
    queue_delay_us: how long rows wait for others to share a call. queue_timeout_us, queue_size: the longest wait, and
    how many requests may. preferred: batch sizes that are sent at once. graphs: batch sizes of each bucket that are
    captured as CUDA graphs, for which smaller batches are padded. versions: how many of the newest versions are loaded.
    """

    target: Target
    buckets: tuple[int, ...]
    max_batch: int = 128
    instances: int = 1
    queue_delay_us: int = 500
    queue_timeout_us: int = 30_000_000
    queue_size: int = 128
    preferred: tuple[int, ...] = ()
    graphs: tuple[int, ...] = ()
    versions: int = 1

    def __post_init__(self) -> None:
        if self.target not in HEADS:
            raise ValueError(f"The target {self.target!r} is not gpu or cpu.")
        if self.graphs and self.target == "cpu":
            raise ValueError("CUDA graphs need the target gpu.")
        for name in ("preferred", "graphs"):
            odd = [size for size in getattr(self, name) if not 1 <= size <= self.max_batch]
            if odd:
                raise ValueError(f"{name} holds {odd}; a batch has 1 to {self.max_batch} rows (max_batch).")

    def message(self) -> Any:
        """The `inference.ModelConfig`."""
        config = pb.ModelConfig(name="encoder", max_batch_size=self.max_batch)
        if self.target == "gpu":
            config.platform = "tensorrt_plan"
            config.default_model_filename = "model.plan"
        else:
            config.backend = "python"
        config.input.add(name=INPUT, data_type=pb.TYPE_INT32, dims=[-1])
        config.output.add(name="keep_logits", data_type=pb.TYPE_FP32, dims=[-1])
        relevance = config.output.add(name="relevance_logit", data_type=pb.TYPE_FP32, dims=[1])
        relevance.reshape.SetInParent()
        config.version_policy.latest.num_versions = self.versions
        self._instances(config)
        self._queue(config)
        self._graphs(config)
        for length in self.buckets:
            warmup = config.model_warmup.add(name=f"bucket {length}", batch_size=1)
            sample = warmup.inputs[INPUT]
            sample.data_type, sample.zero_data = pb.TYPE_INT32, True
            sample.dims.append(length)
        return config

    def _instances(self, config: Any) -> None:
        kind = pb.ModelInstanceGroup.KIND_GPU if self.target == "gpu" else pb.ModelInstanceGroup.KIND_CPU
        group = config.instance_group.add(kind=kind, count=self.instances)
        if self.target == "gpu":
            # Triton gives an instance the first profile alone unless it is told of the others.
            group.profile.extend(str(number) for number in range(len(self.buckets)))

    def _queue(self, config: Any) -> None:
        batching = config.dynamic_batching
        batching.preferred_batch_size.extend(self.preferred)
        batching.max_queue_delay_microseconds = self.queue_delay_us
        policy = batching.default_queue_policy
        policy.timeout_action = pb.ModelQueuePolicy.REJECT
        policy.default_timeout_microseconds = self.queue_timeout_us
        policy.allow_timeout_override = True
        policy.max_queue_size = self.queue_size

    def _graphs(self, config: Any) -> None:
        if not self.graphs:
            return
        cuda = config.optimization.cuda
        cuda.graphs = True
        for length in self.buckets:
            below = 0
            for size in self.graphs:
                spec = cuda.graph_spec.add(batch_size=size)
                spec.input[INPUT].dim.append(length)
                if below + 1 < size:
                    # A smaller batch of the same length runs in this graph rather than in none.
                    spec.graph_lower_bound.batch_size = below + 1
                    spec.graph_lower_bound.input[INPUT].dim.append(length)
                below = size

    def text(self) -> str:
        """The contents of `config.pbtxt`."""
        head = "".join(f"# {line}\n" for line in HEADS[self.target])
        return f"{head}# Written by `pith-export repository`.\n{text_format.MessageToString(self.message())}"


def write_configs(repository: Path, gpu: EncoderConfig, cpu: EncoderConfig) -> None:
    """Write both configurations of the encoder."""
    encoder = repository / "encoder"
    (encoder / "configs").mkdir(parents=True, exist_ok=True)
    (encoder / "config.pbtxt").write_text(gpu.text(), encoding="utf-8")
    (encoder / "configs" / "cpu.pbtxt").write_text(cpu.text(), encoding="utf-8")


def default_configs(buckets: tuple[int, ...], **changes: object) -> tuple[EncoderConfig, EncoderConfig]:
    """The GPU and the CPU configuration that ship; `changes` apply to both where both have them."""
    gpu = EncoderConfig("gpu", buckets, preferred=(16, 32, 64, 128), graphs=(1, 4, 16, 32))
    cpu = EncoderConfig("cpu", buckets, queue_timeout_us=600_000_000)
    shared = {name: value for name, value in changes.items() if name not in ("preferred", "graphs")}
    return replace(gpu, **changes), replace(cpu, **shared)  # type: ignore[arg-type]


def read_config(text: str) -> Any:
    """A `config.pbtxt` as `inference.ModelConfig`; ValueError says where it is not one."""
    try:
        return text_format.Parse(text, pb.ModelConfig())
    except text_format.ParseError as error:
        raise ValueError(f"This is not a configuration that Triton reads: {error}") from error
