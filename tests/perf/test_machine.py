"""A machine in words: what decides the encoder's speed, and nothing that names the machine."""

from pathlib import Path

import pytest

from perf.machine import cpu_in_words, this_cpu


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ("fpu sse2", "2 cores, no AVX2, without VNNI"),
        ("avx avx2", "2 cores, AVX2, without VNNI"),
        ("avx2 avx_vnni", "2 cores, AVX2, with VNNI"),
        ("avx2 avx512f avx512_vnni", "2 cores, AVX-512, with VNNI"),
    ],
)
def test_vector_instructions_are_named(flags: str, words: str) -> None:
    assert cpu_in_words(flags, 2) == words


def test_where_the_cpu_cannot_be_read_nothing_is_claimed(tmp_path: Path) -> None:
    assert this_cpu(tmp_path / "none").endswith("cores, no AVX2, without VNNI")
