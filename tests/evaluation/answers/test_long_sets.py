"""Long result sets: the answer is where they say, nothing occurs twice, and the same seed gives the same pages."""

from pathlib import Path

import pytest

from evaluation.answers.long_sets import PAGES, Builder, LongSet
from evaluation.encoder import MODEL_REPOSITORY
from preprocessing.tokenizer import TextTokenizer
from tests.evaluation.answers.data_folder import ANSWER, GOLD, farm, write_data

PAGE_TOKENS = 200


@pytest.fixture(scope="module")
def tokenizer() -> TextTokenizer:
    return TextTokenizer.load(MODEL_REPOSITORY / "tokenize" / "1" / "tokenizer.json")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_data(tmp_path_factory.mktemp("data"))


def built(data: Path, tokenizer: TextTokenizer, seed: int = 29) -> LongSet:
    (one,) = Builder(data, tokenizer, PAGE_TOKENS, seed).sets(3)
    return one


def test_the_answer_stands_where_the_set_says(data: Path, tokenizer: TextTokenizer) -> None:
    for seed in range(20):
        one = built(data, tokenizer, seed)
        assert [one.pages[one.gold][a:b] for a, b in one.answers] == [ANSWER]
        assert [GOLD in page for page in one.pages] == [n == one.gold for n in range(PAGES)]


def test_the_page_with_the_answer_holds_the_rest_of_its_article(data: Path, tokenizer: TextTokenizer) -> None:
    one = built(data, tokenizer)
    assert "The bridge is painted grey." in one.pages[one.gold]


def test_every_page_is_as_long_as_asked(data: Path, tokenizer: TextTokenizer) -> None:
    one = built(data, tokenizer)
    lengths = tokenizer.encode(one.pages).lengths.tolist()
    assert len(one.pages) == PAGES
    # Pieces are counted one by one, and joined text has a few tokens fewer or more.
    assert all(0.95 * PAGE_TOKENS <= length <= 1.35 * PAGE_TOKENS for length in lengths)
    assert one.tokens == sum(lengths)


def test_no_passage_and_no_line_occurs_twice(data: Path, tokenizer: TextTokenizer) -> None:
    text = "\n".join(built(data, tokenizer).pages)
    assert all(text.count(farm(n)) <= 1 for n in range(30))
    assert all(text.count(f"Shop item {n}.{m} costs") <= 1 for n in range(12) for m in range(40))


def test_the_same_seed_gives_the_same_pages_and_another_one_others(
    data: Path, tokenizer: TextTokenizer
) -> None:
    assert built(data, tokenizer).key == built(data, tokenizer).key
    assert built(data, tokenizer).key != built(data, tokenizer, seed=30).key


def test_sets_can_be_chosen_by_a_part_of_their_name(data: Path, tokenizer: TextTokenizer) -> None:
    assert not list(Builder(data, tokenizer, PAGE_TOKENS, parts=["other"]).sets(1))
    assert list(Builder(data, tokenizer, PAGE_TOKENS, parts=["mad"]).sets(1))
