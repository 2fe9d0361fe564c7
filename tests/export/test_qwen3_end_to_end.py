"""A Qwen3 encoder from its checkpoint to a caller: ONNX, int8, a CPU repository, tritonserver, the client."""

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="torch is only in the training environment (make test-training)")
pytest.importorskip("nncf", reason="nncf is only in the training environment")

import numpy as np  # noqa: E402

import pith  # noqa: E402
from demo.pages import bundled_pages  # noqa: E402
from export.__main__ import main  # noqa: E402
from export.parity import Text, openvino_logits  # noqa: E402
from preprocessing.scores import Calibration, segment_logits, segment_scores  # noqa: E402
from serving.find import MODEL_REPOSITORY  # noqa: E402
from serving.server import LocalServer  # noqa: E402
from tests.export.tiny import checkpoint, rows  # noqa: E402

TOKENIZE = MODEL_REPOSITORY / "tokenize/1"


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the shipped model as version 1 and a pruned random Qwen3 as version 2."""
    folder = tmp_path_factory.mktemp("qwen3")
    model = checkpoint(folder / "model", "qwen3")
    common = ["--checkpoint", str(model), "--backbone", str(TOKENIZE)]
    assert main(["onnx", *common, "--out", str(folder / "half.onnx"), "--precision", "float16"]) == 0
    report = folder / "report.json"
    command = ["int8", *common, "--rows", str(rows(folder / "rows.npz")), "--out", str(folder / "int8.onnx")]
    assert main([*command, "--report", str(report), "--calibration-rows", "8"]) == 0
    figures = json.loads(report.read_text())
    assert set(figures["layers"]["saved"]) == {"heads", *(f"layer {n}" for n in range(4))}
    assert main([*command, "--calibration-rows", "8"]) == 0
    assert json.loads(report.read_text())["sha256"] == figures["sha256"]
    out = folder / "models"
    calibration = folder / "calibration.json"
    calibration.write_text(json.dumps({"calibration": {"relevance_weight": 0.5, "lexical_weight": 2.0}}))
    assert (
        main(
            [
                *["repository", "--onnx", str(folder / "int8.onnx"), "--out", str(out), "--version", "2"],
                *["--calibration", str(calibration), "--backbone", str(TOKENIZE)],
            ]
        )
        == 0
    )
    return out


def test_the_caller_gets_what_the_file_says(repository: Path) -> None:
    page = bundled_pages()[0]
    with (
        LocalServer(repository, config_name="cpu") as server,
        pith.Compressor(server.grpc_url, timeout=120) as compressor,
    ):
        (scored,) = compressor.score(page.query, [page.document()])
        context = compressor.compress(page.query, [page.document()], budget=200, threshold=0.0).context
    assert context
    assert all(page.text[s.start : s.end].strip() for s in scored.segments)

    text = Text.bundled(repository / "tokenize/2", repository / "tokenize/2/windows.json")
    request = text.requests[0]
    keep, relevance = openvino_logits(repository / "encoder/2/model.onnx", Text((request,)))[0]
    windows = request.windows
    logits = segment_logits(
        keep, relevance.ravel(), windows.token_segment, windows.window, *request.lexical.shape
    )
    expected = segment_scores(logits, request.lexical, Calibration(relevance_weight=0.5, lexical_weight=2.0))
    found = np.array([segment.score for segment in scored.segments])
    # The server computes in whatever its CPU does fastest, here in float32.
    assert np.abs(found - expected[:, 0]).max() < 0.1
    assert np.corrcoef(found, expected[:, 0])[0, 1] > 0.99


def test_the_older_version_is_there_to_go_back_to(repository: Path) -> None:
    assert {folder.name for folder in (repository / "encoder").iterdir() if folder.is_dir()} == {
        "1",
        "2",
        "configs",
    }
    assert (repository / "encoder/1/model.onnx").read_bytes() == (
        MODEL_REPOSITORY / "encoder/1/model.onnx"
    ).read_bytes()


def test_a_version_is_not_replaced_unasked(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    onnx = str(repository / "encoder/2/model.onnx")
    assert main(["repository", "--onnx", onnx, "--out", str(repository), "--version", "2"]) == 2
    assert "Version 2 is in" in capsys.readouterr().err


def test_an_encoder_is_not_put_beside_the_tokenizer_of_another(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.savez(tmp_path / "lexical.npz", classes=np.arange(10), weights=np.ones(10))
    (tmp_path / "tokenizer.json").write_bytes((TOKENIZE / "tokenizer.json").read_bytes())
    onnx = str(repository / "encoder/2/model.onnx")
    command = ["repository", "--onnx", onnx, "--out", str(tmp_path / "out"), "--backbone", str(tmp_path)]
    assert main(command) == 2
    assert "knows 64000 pieces and the tokenizer" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
