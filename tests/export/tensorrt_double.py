"""A stand-in for the `tensorrt` module and `nvidia-smi`, which only a machine with a GPU has: it records its calls.

It takes what TensorRT's Python API takes, in the order in which that wants it, and refuses what that refuses.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any


class Double(SimpleNamespace):
    """`version` is its `__version__`, `problems` are what the parser finds, `fails` makes building fail."""

    def __init__(
        self, version: str = "11.1.0.106", problems: tuple[str, ...] = (), fails: bool = False
    ) -> None:
        calls: list[tuple[Any, ...]] = []
        self.calls = calls

        class Logger:
            WARNING = 2

            def __init__(self, severity: int) -> None:
                calls.append(("logger", severity))

        class Profile:
            def __init__(self) -> None:
                self.shapes: dict[str, tuple[Any, ...]] = {}

            def set_shape(self, name: str, least: Any, best: Any, most: Any) -> None:
                assert all(a <= b <= c for a, b, c in zip(least, best, most, strict=True))
                self.shapes[name] = (least, best, most)

        class Cache:
            def __init__(self, content: bytes) -> None:
                self.content = content

            def serialize(self) -> bytes:
                return self.content + b"timed"

        class Config:
            def __init__(self) -> None:
                self.profiles: list[Profile] = []
                self.cache: Cache | None = None

            def create_timing_cache(self, content: bytes) -> Cache:
                return Cache(content)

            def set_timing_cache(self, cache: Cache, ignore_mismatch: bool) -> bool:
                assert not ignore_mismatch
                self.cache = cache
                return True

            def get_timing_cache(self) -> Cache:
                assert self.cache is not None
                return self.cache

            def add_optimization_profile(self, profile: Profile) -> int:
                assert profile.shapes
                self.profiles.append(profile)
                return len(self.profiles) - 1

        class Builder:
            def __init__(self, logger: Logger) -> None:
                pass

            def create_network(self, flags: int) -> SimpleNamespace:
                calls.append(("network", flags))
                return SimpleNamespace(parsed=None)

            def create_builder_config(self) -> Config:
                return Config()

            def create_optimization_profile(self) -> Profile:
                return Profile()

            def build_serialized_network(self, network: SimpleNamespace, config: Config) -> memoryview | None:
                assert network.parsed
                calls.append(("build", [profile.shapes for profile in config.profiles]))
                return None if fails else memoryview(b"plan of " + network.parsed.encode())

        class OnnxParser:
            num_errors = len(problems)

            def __init__(self, network: SimpleNamespace, logger: Logger) -> None:
                self.network = network

            def parse_from_file(self, path: str) -> bool:
                self.network.parsed = path
                return not problems

            def get_error(self, i: int) -> SimpleNamespace:
                return SimpleNamespace(desc=lambda: problems[i])

        super().__init__(
            __version__=version,
            Logger=Logger,
            Builder=Builder,
            OnnxParser=OnnxParser,
            NetworkDefinitionCreationFlag=SimpleNamespace(STRONGLY_TYPED=1),
        )
        self.calls = calls

    def built(self) -> list[list[dict[str, tuple[Any, ...]]]]:
        """The profiles of every engine that was built."""
        return [call[1] for call in self.calls if call[0] == "build"]
