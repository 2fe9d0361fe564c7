"""Where matrix products are computed in bfloat16: where the hardware has them, which is several times as fast."""

from __future__ import annotations

from pathlib import Path

import torch

_CPU_FLAGS = ("avx512_bf16", "amx_bf16")


def has_bfloat16(cpuinfo: Path = Path("/proc/cpuinfo")) -> bool:
    """Whether this machine's GPU, or without one its CPU, multiplies bfloat16 natively."""
    if torch.cuda.is_available():
        return bool(torch.cuda.is_bf16_supported())
    words = cpuinfo.read_text().split() if cpuinfo.is_file() else []
    return any(flag in words for flag in _CPU_FLAGS)


def autocast(device: str) -> torch.autocast:
    """Inference in bfloat16 where that is native, as a context."""
    return torch.autocast(device, torch.bfloat16, enabled=has_bfloat16())
