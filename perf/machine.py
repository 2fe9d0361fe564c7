"""What a figure was measured on, in words that name no machine."""

from __future__ import annotations

import os
from pathlib import Path


def cpu_in_words(flags: str, cores: int) -> str:
    """Cores and vector instructions from the flags of /proc/cpuinfo, without the name of a machine."""
    known = set(flags.split())
    best = "AVX-512" if "avx512f" in known else "AVX2" if "avx2" in known else "no AVX2"
    vnni = "with VNNI" if known & {"avx512_vnni", "avx_vnni"} else "without VNNI"
    return f"{cores} cores, {best}, {vnni}"


def this_cpu(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """The CPU that this runs on, such as "2 cores, AVX-512, with VNNI"."""
    lines = cpuinfo.read_text().splitlines() if cpuinfo.is_file() else []
    flags = next((line for line in lines if line.startswith("flags")), "")
    return cpu_in_words(flags, os.cpu_count() or 1)
