"""Every supported backbone on tiny random weights: bidirectional, blind to padding, pruned to the layers asked for."""

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is only in the training environment (make test-training)")
transformers = pytest.importorskip("transformers", reason="transformers is only in the training environment")

from tests.export.tiny import KINDS, backbone, checkpoint  # noqa: E402
from training.backbones import (  # noqa: E402
    UnsupportedBackbone,
    empty_backbone,
    keep_layers,
    layers_of,
    load_backbone,
)
from training.model import BadCheckpoint, EvidenceEncoder  # noqa: E402

PIECES = 60
ROW = [0, 30, 11, 2, 2, 20, 31, 22, 30, 2]


def encoder(kind: str, layers: int = 3) -> EvidenceEncoder:
    torch.manual_seed(1)
    made = EvidenceEncoder(backbone(kind, PIECES, layers), torch.arange(PIECES), torch.ones(PIECES))
    made.eval()
    return made


def logits(model: EvidenceEncoder, row: list[int]) -> Any:
    with torch.no_grad():
        return model(torch.tensor([row]))[0][0]


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_token_sees_the_last(kind: str) -> None:
    model = encoder(kind)
    change = logits(model, ROW) - logits(model, [*ROW[:-2], 40, 2])
    assert abs(float(change[0])) > 1e-6


@pytest.mark.parametrize("kind", KINDS)
def test_padding_never_changes_a_logit(kind: str) -> None:
    model = encoder(kind)
    padded = logits(model, ROW + [1] * 22)[: len(ROW)]
    assert torch.allclose(logits(model, ROW), padded, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_saved_is_what_is_loaded_after_pruning_too(kind: str, tmp_path: Path) -> None:
    model = encoder(kind, 4)
    keep_layers(model.backbone, [0, 3])
    model.save(tmp_path)
    again = EvidenceEncoder.load(tmp_path)
    assert len(again.layers) == 2
    assert torch.allclose(logits(model, ROW), logits(again, ROW), atol=1e-6)


def test_pruning_28_layers_to_17_keeps_the_chosen_ones() -> None:
    from training.prune import evenly_spaced

    model = encoder("qwen3", 28)
    kept = evenly_spaced(28, 17)
    before = [layer.mlp.down_proj.weight.clone() for layer in layers_of(model.backbone)]
    keep_layers(model.backbone, kept)
    after = layers_of(model.backbone)
    assert len(after) == model.backbone.config.num_hidden_layers == 17
    assert all(
        torch.equal(layer.mlp.down_proj.weight, before[i]) for layer, i in zip(after, kept, strict=True)
    )
    change = logits(model, ROW) - logits(model, [*ROW[:-2], 40, 2])
    assert abs(float(change[0])) > 1e-6


@pytest.mark.parametrize("kept", [[], [1, 0], [0, 0], [0, 9], [-1, 0]])
def test_layers_that_are_not_there_or_not_in_order_are_refused(kept: list[int]) -> None:
    with pytest.raises(ValueError, match="has layers 0 to 2"):
        keep_layers(backbone("bert", PIECES, 3), kept)


def test_dropout_is_off_whatever_the_configuration_says(tmp_path: Path) -> None:
    config = transformers.BertConfig(
        vocab_size=PIECES, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
        hidden_dropout_prob=0.5, attention_probs_dropout_prob=0.5,
    )  # fmt: skip
    transformers.BertModel(config).save_pretrained(tmp_path)
    loaded = load_backbone(tmp_path)
    assert {module.p for module in loaded.modules() if isinstance(module, torch.nn.Dropout)} <= {0.0}
    assert loaded.pooler is None


def test_an_unknown_backbone_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(
        UnsupportedBackbone, match=r"'gpt2' is not supported; known are bert, modernbert, qwen3"
    ):
        empty_backbone({"model_type": "gpt2"})


def test_a_causal_qwen3_is_refused() -> None:
    with pytest.raises(UnsupportedBackbone, match="has causal attention"):
        empty_backbone({"model_type": "qwen3"})


def test_a_folder_that_holds_no_checkpoint_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadCheckpoint, match=r"no config\.json with model\.safetensors"):
        EvidenceEncoder.load(tmp_path)
    folder = checkpoint(tmp_path / "model", "bert", PIECES)
    config = (folder / "config.json").read_text()
    (folder / "config.json").write_text(config.replace('"num_hidden_layers": 4', '"num_hidden_layers": 5'))
    with pytest.raises(BadCheckpoint, match="not a checkpoint of Pith's encoder with this configuration"):
        EvidenceEncoder.load(folder)
