"""One real server on the project's own models, shared by all end-to-end tests."""

from collections.abc import Iterator

import pytest

from serving.find import MODEL_REPOSITORY
from serving.server import LocalServer


@pytest.fixture(scope="session")
def server() -> Iterator[LocalServer]:
    model = MODEL_REPOSITORY / "encoder" / "1" / "model.onnx"
    if not model.is_file():
        pytest.skip(f"{model.relative_to(MODEL_REPOSITORY.parent)} is missing: `make model` makes it")
    with LocalServer(config_name="cpu") as running:
        yield running
