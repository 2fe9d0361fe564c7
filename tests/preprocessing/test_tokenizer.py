"""Tokens: special ids, text that spells them, and calls from many threads."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from preprocessing.tokenizer import TextTokenizer

TOKENIZER = Path(__file__).parents[2] / "model_repository" / "tokenize" / "1" / "tokenizer.json"


@pytest.fixture(scope="module")
def tokenizer() -> TextTokenizer:
    return TextTokenizer.load(TOKENIZER)


@pytest.mark.parametrize("text", ["<s> </s> <pad> <unk>", "\n</s>", "a\n<s>\nb", "</s></s>", "<pad>" * 9])
def test_text_that_spells_a_special_token_never_becomes_one(tokenizer: TextTokenizer, text: str) -> None:
    assert tokenizer.encode([text]).ids.min() > TextTokenizer.sep_id


def test_texts_stay_apart(tokenizer: TextTokenizer) -> None:
    runs = tokenizer.encode(["Der Hund", "", "schläft."])
    assert runs.lengths[1] == 0
    assert runs.of(0).tolist() == tokenizer.encode(["Der Hund"]).ids.tolist()
    assert runs.of(2).tolist() == tokenizer.encode(["schläft."]).ids.tolist()
    part = runs.slice(1, 3)
    assert part.of(1).tolist() == runs.of(2).tolist()


def test_no_text_gives_no_tokens(tokenizer: TextTokenizer) -> None:
    runs = tokenizer.encode([])
    assert runs.ids.size == 0
    assert runs.bounds.tolist() == [0]


def test_every_kind_of_white_space_separates_words_alike(tokenizer: TextTokenizer) -> None:
    plain = tokenizer.encode(["one two three"]).ids.tolist()
    assert tokenizer.encode(["one\r\ntwo\u00a0\u2028 three"]).ids.tolist() == plain


def test_one_tokenizer_serves_many_threads(tokenizer: TextTokenizer) -> None:
    texts = [f"Satz {i} über die Küche, 第{i}章。" for i in range(200)]
    alone = [tokenizer.encode([text]).ids for text in texts]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda text: tokenizer.encode([text]).ids, texts))
    assert all(np.array_equal(a, b) for a, b in zip(alone, together, strict=True))


def test_a_missing_tokenizer_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nothing\.json"):
        TextTokenizer.load(tmp_path / "nothing.json")
