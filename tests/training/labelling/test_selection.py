"""Reading pairs: bad rows are told apart, samples are the same on every machine, rows can be gone back to."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training.labelling.pages import page, write
from training.labelling.errors import InvalidInput
from training.labelling.pairs import Pair, Unreadable, input_files, read_at, scan
from training.labelling.select import draw, select


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"query": "a', "the line is no JSON in UTF-8"),
        ('["a", "b"]', "the line is no JSON object"),
        ('{"query": "a", "document": " "}', "document is missing or empty"),
        ('{"document": "a"}', "query is missing or empty"),
        ('{"query": "a", "document": "b", "title": 7}', "title is no text"),
        ('{"query": "a", "document": "b \\ud83d"}', "half of a surrogate pair"),
        ('{"query": "a", "document": "b", "id": [1]}', "id is neither text nor a whole number"),
    ],
)
def test_a_row_that_is_no_pair_says_why(tmp_path: Path, line: str, reason: str) -> None:
    (row,) = scan(write(tmp_path / "a.jsonl", [line]))
    assert isinstance(row.content, Unreadable)
    assert reason in row.content.reason


def test_an_id_is_the_rows_own_or_says_what_the_judge_sees(tmp_path: Path) -> None:
    rows = [page(1), page(1) | {"title": "Other"}, page(1) | {"id": 12}, page(1) | {"score": 3}]
    ids = [r.content.id for r in scan(write(tmp_path / "a.jsonl", rows)) if isinstance(r.content, Pair)]
    assert ids[2] == "12"
    assert ids[0] == ids[3] != ids[1]


@given(st.lists(st.text(min_size=1), min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_rows_are_found_again_at_their_positions(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], rng: random.Random
) -> None:
    lines: list[dict[str, object] | str] = [{"query": "q", "document": f"d{text}"} for text in texts]
    path = write(tmp_path_factory.mktemp("rows") / "a.jsonl", [*lines, "", "broken"])
    rows = list(scan(path))
    some = sorted(rng.sample(rows, rng.randint(1, len(rows))), key=lambda row: row.position)
    assert list(read_at(path, [row.position for row in some])) == some


def test_a_sample_does_not_depend_on_order_or_files(tmp_path: Path) -> None:
    rows = [page(n) for n in range(50)]
    one = write(tmp_path / "one.jsonl", rows)
    two = [write(tmp_path / "b.jsonl", rows[30:]), write(tmp_path / "a.jsonl", rows[:30][::-1])]

    def chosen(files: list[Path], seed: int) -> set[str]:
        found = select(files, 7, 12, seed)
        assert found.pairs == 12
        contents = [r.content for c in found.chunks for r in read_at(Path(c.file), c.positions)]
        return {content.id for content in contents if isinstance(content, Pair)}

    assert chosen([one], 3) == chosen(two, 3) != chosen([one], 4)
    assert draw(3, "a") == 10_521_480_038_718_331_737


def test_a_row_that_comes_again_is_labelled_once(tmp_path: Path) -> None:
    rows = [page(1), page(2), page(1)]
    found = select([write(tmp_path / "a.jsonl", rows), write(tmp_path / "b.jsonl", rows)], 2, None, 0)
    assert (found.rows, found.pairs, found.repeated) == (6, 2, 4)


def test_files_that_cannot_be_input_are_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"pairs\.csv is neither \.jsonl nor \.parquet"):
        input_files([tmp_path / "pairs.csv"])
    with pytest.raises(InvalidInput, match="does not exist"):
        input_files([tmp_path / "pairs.jsonl"])
    with pytest.raises(InvalidInput, match=r"No \.jsonl or \.parquet file"):
        input_files([tmp_path])


def test_a_parquet_file_without_the_columns_is_refused(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (the extra `label`)")
    pq = pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"query": ["a"], "text": ["b"]}), tmp_path / "a.parquet")
    with pytest.raises(InvalidInput, match="no column document"):
        list(scan(tmp_path / "a.parquet"))
