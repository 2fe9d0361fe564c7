"""Matching words: rare ones count more, length counts against, nothing depends on the neighbours."""

from pathlib import Path

import numpy as np
import pytest

from preprocessing.lexical import LexicalTables
from preprocessing.tokenizer import TextTokenizer

FOLDER = Path(__file__).parents[2] / "model_repository" / "tokenize" / "1"


@pytest.fixture(scope="module")
def tables() -> LexicalTables:
    return LexicalTables.load(FOLDER / "lexical.npz")


@pytest.fixture(scope="module")
def tokenizer() -> TextTokenizer:
    return TextTokenizer.load(FOLDER / "tokenizer.json")


def match(tables: LexicalTables, tokenizer: TextTokenizer, query: str, texts: list[str]) -> list[float]:
    return [
        float(value) for value in tables.match([tokenizer.encode([query]).ids], tokenizer.encode(texts))[:, 0]
    ]


def test_rare_words_count_more_than_common_ones(tables: LexicalTables, tokenizer: TextTokenizer) -> None:
    rare, common, neither = match(
        tables, tokenizer, "the volcano", ["A volcano erupted.", "It was the last.", "Nobody saw a thing."]
    )
    assert rare > common > neither == 0.0


def test_case_does_not_matter(tables: LexicalTables, tokenizer: TextTokenizer) -> None:
    upper, lower = match(tables, tokenizer, "Volcano", ["A Volcano erupted.", "A volcano erupted."])
    assert upper == pytest.approx(lower, rel=0.2)
    assert lower > 0


def test_a_long_segment_with_the_same_words_scores_less(
    tables: LexicalTables, tokenizer: TextTokenizer
) -> None:
    short, long = match(
        tables, tokenizer, "volcano", ["A volcano erupted.", "A volcano erupted." + " No, no, no." * 40]
    )
    assert short > long > 0


def test_a_segment_scores_the_same_in_any_company(tables: LexicalTables, tokenizer: TextTokenizer) -> None:
    text = "火山在夏天爆发了。"
    alone = match(tables, tokenizer, "火山何时爆发?", [text])
    assert match(tables, tokenizer, "火山何时爆发?", ["别的。", text, text * 3])[1] == pytest.approx(alone[0])
    assert alone[0] > 0


def test_a_query_of_marks_matches_nothing_and_no_text_gives_no_rows(
    tables: LexicalTables, tokenizer: TextTokenizer
) -> None:
    assert match(tables, tokenizer, "?!", ["What?!"]) == [0.0]
    assert tables.match([tokenizer.encode(["x"]).ids], tokenizer.encode([])).shape == (0, 1)
    assert tables.match([], tokenizer.encode(["x"])).shape == (1, 0)
    assert np.isfinite(tables.match([tokenizer.encode(["x"]).ids], tokenizer.encode(["", "x"]))).all()
