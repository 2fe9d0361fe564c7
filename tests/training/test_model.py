"""The encoder on tiny random weights: bidirectional, blind to padding, marked by the query's words."""

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="torch is only in the training environment (make train)")
transformers = pytest.importorskip("transformers", reason="transformers is only in the training environment")

from training.model import EvidenceEncoder  # noqa: E402


@pytest.fixture
def model() -> EvidenceEncoder:
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=50, hidden_size=32, num_hidden_layers=3, num_attention_heads=4, intermediate_size=64,
        hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, pad_token_id=1,
    )  # fmt: skip
    backbone = transformers.BertModel(config, add_pooling_layer=False)
    classes = torch.arange(50)
    classes[31] = 30
    encoder = EvidenceEncoder(backbone, classes, torch.ones(50))
    with torch.no_grad():
        encoder.mark.normal_()
    encoder.eval()
    return encoder


ROW = [0, 30, 11, 2, 2, 20, 31, 22, 30, 2]


def test_the_first_token_sees_the_last(model: EvidenceEncoder) -> None:
    one, other = torch.tensor([ROW]), torch.tensor([[*ROW[:-2], 40, 2]])
    with torch.no_grad():
        assert abs(float((model(one)[0] - model(other)[0])[0, 0])) > 1e-5


def test_padding_never_changes_a_logit(model: EvidenceEncoder) -> None:
    with torch.no_grad():
        plain = model(torch.tensor([ROW]))
        padded = model(torch.tensor([ROW + [1] * 22]))
    assert torch.allclose(plain[0], padded[0][:, : len(ROW)], atol=1e-5)
    assert torch.allclose(plain[1], padded[1], atol=1e-5)


def test_the_mark_lies_on_words_of_the_query_whatever_their_case(model: EvidenceEncoder) -> None:
    mark = model.lexical_mark(torch.tensor([ROW]))[0]
    assert mark[5:9].tolist() == [0.0, 1.0, 0.0, 1.0]


def test_what_is_saved_is_what_is_loaded(model: EvidenceEncoder, tmp_path: Path) -> None:
    model.save(tmp_path)
    again = EvidenceEncoder.load(tmp_path)
    with torch.no_grad():
        assert torch.allclose(model(torch.tensor([ROW]))[0], again(torch.tensor([ROW]))[0], atol=1e-6)
