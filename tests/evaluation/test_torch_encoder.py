"""A checkpoint of training.train scores result sets as an exported model does."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip(
    "torch", reason="checkpoints are loaded with torch, which the training environment has"
)
pytest.importorskip("transformers", reason="checkpoints are loaded with transformers")

import pith  # noqa: E402
from evaluation.encoder import MODEL_REPOSITORY, InProcess, backend_of, fingerprint, load_encoder  # noqa: E402
from training.model import BadCheckpoint, EvidenceEncoder  # noqa: E402


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from transformers import BertConfig, BertModel

    with np.load(MODEL_REPOSITORY / "tokenize" / "1" / "lexical.npz") as tables:
        classes, weights = torch.from_numpy(tables["classes"]), torch.from_numpy(tables["weights"])
    torch.manual_seed(3)
    config = BertConfig(
        vocab_size=classes.numel(),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=512,
        pad_token_id=1,
        attn_implementation="sdpa",
    )
    folder = tmp_path_factory.mktemp("checkpoint")
    EvidenceEncoder(BertModel(config, add_pooling_layer=False), classes, weights).save(folder)
    return folder


def test_a_checkpoint_gives_the_logits_of_its_model(checkpoint: Path) -> None:
    rows = np.random.default_rng(1).integers(4, 60_000, (20, 64), np.int32)
    rows[:, 0], rows[:, [9, 10, 63]] = 0, 2
    keep, relevance = load_encoder(checkpoint)(rows)
    with torch.inference_mode():
        own, whole = EvidenceEncoder.load(checkpoint)(torch.from_numpy(rows.astype(np.int64)))
    assert keep.dtype == relevance.dtype == np.float32
    assert keep == pytest.approx(own.numpy(), abs=0.03)
    assert relevance == pytest.approx(whole.numpy(), abs=0.03)


def test_a_checkpoint_scores_documents(checkpoint: Path) -> None:
    scored, raw = InProcess(load_encoder(checkpoint)).score(
        "When did it open?", [pith.Document("The bridge opened in 1932. It carries eight lanes.")]
    )
    assert len(scored[0].segments) == raw.keep.size == 2
    assert backend_of(checkpoint) == "torch"
    assert len(fingerprint(checkpoint)) == 16


def test_a_folder_that_is_no_checkpoint_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadCheckpoint, match=r"config\.json"):
        load_encoder(tmp_path)
