"""Profiles cover what the server sends, and say what to add where they do not."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from export.profiles import (
    Profile,
    UncoveredBucket,
    profiles_for,
    read_profiles,
    require_cover,
    write_profiles,
)
from export.triton_config import read_config
from serving.find import MODEL_REPOSITORY

ROOT = MODEL_REPOSITORY.parent


def test_the_profiles_of_the_image_cover_what_the_server_sends() -> None:
    windows = json.loads((MODEL_REPOSITORY / "tokenize/1/windows.json").read_text())
    config = read_config((MODEL_REPOSITORY / "encoder/config.pbtxt").read_text())
    profiles = read_profiles(ROOT / "docker/profiles.json")
    require_cover(profiles, windows["windows"]["buckets"], config.max_batch_size)
    # Triton is told the number of each profile in this order.
    assert [profile.length for profile in profiles] == windows["windows"]["buckets"]


@given(st.lists(st.integers(1, 2048), min_size=1, max_size=6, unique=True), st.integers(1, 256))
def test_default_profiles_cover_any_buckets_and_survive_their_file(
    tmp_path_factory: pytest.TempPathFactory, buckets: list[int], most: int
) -> None:
    profiles = profiles_for(buckets, most)
    require_cover(profiles, buckets, most)
    path = tmp_path_factory.mktemp("profiles") / "profiles.json"
    write_profiles(path, profiles)
    assert read_profiles(path) == profiles


def test_a_bucket_without_a_profile_is_refused_with_what_to_add() -> None:
    with pytest.raises(UncoveredBucket, match=r'rows of 512 tokens.*add one with "length": 512'):
        require_cover(profiles_for((64, 128), 128), (64, 128, 512), 128)


@pytest.mark.parametrize("profile", [Profile(64, 2, 2, 128), Profile(64, 1, 2, 64)])
def test_a_profile_for_fewer_rows_than_the_server_sends_is_refused(profile: Profile) -> None:
    with pytest.raises(UncoveredBucket, match='set "least" to 1 and "most" to 128'):
        require_cover([profile], (64,), 128)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '{"profiles": [{"length": 64}]}',
        '{"profiles": [{"length": 64, "least": 2, "best": 1, "most": 3}]}',
    ],
)
def test_a_file_without_profiles_is_refused_with_the_form(tmp_path: Path, text: str) -> None:
    path = tmp_path / "profiles.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"docker/profiles\.json is one"):
        read_profiles(path)
