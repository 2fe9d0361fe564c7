"""Which shapes a TensorRT engine takes: one optimisation profile for every row length that the server lays out.

Standard library only: the production image, which builds engines, has no training packages.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

INPUT = "input_ids"
# What a GPU fills itself with at each length is about so many tokens; TensorRT tunes its kernels for it.
OPTIMAL_TOKENS = 8192


class UncoveredBucket(ValueError):
    """Profiles that leave a row length of the server without a shape, with what to add."""


@dataclass(frozen=True)
class Profile:
    """Batches of `least` to `most` rows of `length` tokens; kernels are tuned for `best` rows."""

    length: int
    least: int
    best: int
    most: int

    def __post_init__(self) -> None:
        if self.length < 1 or not 1 <= self.least <= self.best <= self.most:
            raise ValueError(
                f"A profile needs a length above 0 and 1 <= least <= best <= most, not {asdict(self)}."
            )

    def shapes(self) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int]]:
        """Least, best and most shape of `input_ids`, [rows, tokens] each."""
        return (self.least, self.length), (self.best, self.length), (self.most, self.length)


def profiles_for(buckets: Sequence[int], most: int) -> tuple[Profile, ...]:
    """One profile a bucket, for 1 to `most` rows."""
    return tuple(Profile(length, 1, min(most, max(1, OPTIMAL_TOKENS // length)), most) for length in buckets)


def read_profiles(path: Path) -> tuple[Profile, ...]:
    """Read `{"profiles": [{"length", "least", "best", "most"}, ...]}`; ValueError says what is wrong with the file."""
    try:
        entries: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["profiles"]
        return tuple(Profile(**entry) for entry in entries)
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f'{path} does not hold profiles ({error}): it needs a list "profiles" of objects with '
            "length, least, "
            "best and most; docker/profiles.json is one."
        ) from error


def write_profiles(path: Path, profiles: Sequence[Profile]) -> None:
    """Write what `read_profiles` reads."""
    lines = ",\n    ".join(json.dumps(asdict(profile)) for profile in profiles)
    path.write_text(f'{{\n  "profiles": [\n    {lines}\n  ]\n}}\n', encoding="utf-8")


def read_buckets(windows: Path) -> tuple[int, ...]:
    """The row lengths of `windows.json`, ascending."""
    return tuple(json.loads(windows.read_text(encoding="utf-8"))["windows"]["buckets"])


def require_cover(profiles: Sequence[Profile], buckets: Sequence[int], most: int) -> None:
    """Raise `UncoveredBucket` unless every bucket has a profile for 1 to `most` rows."""
    for length in buckets:
        of_length = [profile for profile in profiles if profile.length == length]
        if not of_length:
            raise UncoveredBucket(
                f"No profile takes rows of {length} tokens, which the server lays out (windows.json): "
                "add one with "
                f'"length": {length}, "least": 1 and "most": {most}.'
            )
        if not any(profile.least == 1 and profile.most >= most for profile in of_length):
            found = ", ".join(f"{profile.least} to {profile.most}" for profile in of_length)
            raise UncoveredBucket(
                f"The profile for rows of {length} tokens takes {found} rows and the server sends 1 "
                f"to {most} "
                f'(max_batch_size): set "least" to 1 and "most" to {most}.'
            )
