"""A model repository of one small Python model that answers as `compressor` does."""

from pathlib import Path

import pytest

from tests.serving.repositories import write_repository


@pytest.fixture(scope="session")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_repository(tmp_path_factory.mktemp("repository"))


@pytest.fixture
def broken_repository(tmp_path: Path) -> Path:
    return write_repository(tmp_path / "broken", 'raise RuntimeError("the model file is broken")\n')
