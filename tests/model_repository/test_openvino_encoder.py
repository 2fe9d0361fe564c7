"""The CPU encoder: both arithmetics agree, padding and batching change nothing, any bucket runs."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from preprocessing.request import Preprocessor

REPOSITORY = Path(__file__).parents[2] / "model_repository"
FOLDER = REPOSITORY / "encoder" / "1"
TEXT = "Refunds are paid within ten working days. The shop is closed in August. Newsletter: subscribe now!"


@pytest.fixture(scope="module")
def module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("openvino_encoder", FOLDER / "openvino_encoder.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.fixture(scope="module")
def encoder(module: ModuleType) -> Any:
    return module.OpenVinoEncoder(FOLDER / "model.onnx")


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    ready = Preprocessor.load(REPOSITORY / "tokenize" / "1").prepare(
        [b"How long does a refund take?"], [TEXT.encode(), b"Nothing of the sort."]
    )
    return ready.windows.input_ids


def test_float_and_int8_arithmetic_agree_on_what_is_evidence(module: ModuleType, rows: np.ndarray) -> None:
    one, other = (module.OpenVinoEncoder(FOLDER / "model.onnx", int8=int8)(rows)[0] for int8 in (True, False))
    real = rows != 1
    assert np.corrcoef(one[real], other[real])[0, 1] > 0.97


def test_padding_to_a_longer_bucket_changes_no_logit(encoder: Any, rows: np.ndarray) -> None:
    padded = np.pad(rows, ((0, 0), (0, 256 - rows.shape[1])), constant_values=1)
    one, other = encoder(rows), encoder(padded)
    assert other[0][:, : rows.shape[1]][rows != 1] == pytest.approx(one[0][rows != 1], abs=0.05)
    assert other[1] == pytest.approx(one[1], abs=0.05)


def test_a_large_batch_gives_what_its_rows_give(encoder: Any, rows: np.ndarray) -> None:
    many = np.tile(rows, (20, 1))
    keep, relevance = encoder(many)
    assert keep.shape == many.shape
    assert relevance.shape == (len(many),)
    alone = encoder(rows)[0]
    assert keep[-2:][rows != 1] == pytest.approx(alone[rows != 1], abs=0.05)


def test_a_cpu_is_known_by_its_flags(module: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "cpuinfo"
    path.write_text("flags : fpu avx2 fma\n")
    assert not module.has_int8_dot_products(path)
    path.write_text("flags : fpu avx2 avx512_vnni\n")
    assert module.has_int8_dot_products(path)
    assert module.has_int8_dot_products(tmp_path / "none")
