"""Windows: every token is seen, rows have the layout that the encoder was trained on, limits are counted."""

import itertools
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from preprocessing.tokenizer import TextTokenizer, TokenRuns
from preprocessing.windows import SPECIAL_TOKENS, DocumentTokens, WindowSettings, build, context_of, plan

SETTINGS = WindowSettings()
PAD, SEP = TextTokenizer.pad_id, TextTokenizer.sep_id


def document(
    lengths: list[int], *, parent: list[int] | None = None, title: int = 0, row: int = 0
) -> DocumentTokens:
    total = sum(lengths)
    ids = np.arange(1000, 1000 + total, dtype=np.int32)
    bounds = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    parents = np.array(parent if parent is not None else [-1] * len(lengths), np.int32)
    return DocumentTokens(TokenRuns(ids, bounds), parents, np.full(title, 7, np.int32), row)


def query(size: int) -> np.ndarray:
    return np.full(size, 9, np.int32)


lengths_of_segments = st.lists(st.integers(0, 700), min_size=0, max_size=25)


@settings(max_examples=150, deadline=None)
@given(lengths_of_segments, st.integers(1, 128), st.integers(0, 90), st.booleans())
def test_every_token_is_in_some_window_and_in_order(
    lengths: list[int], query_size: int, title: int, chained: bool
) -> None:
    parent = [i - 1 for i in range(len(lengths))] if chained else None
    doc = document(lengths, parent=parent, title=title)
    windows = build([query(query_size)], [doc], SETTINGS, 10_000)
    assert windows.unscored.tolist() == [0]
    assert windows.input_ids.shape[1] in SETTINGS.buckets
    body = windows.token_segment >= 0
    seen = windows.input_ids[body]
    assert set(seen.tolist()) == set(doc.runs.ids.tolist())
    for row, mask in zip(windows.input_ids, body, strict=True):
        assert (np.diff(row[mask]) == 1).all()
    owner = np.repeat(np.arange(len(lengths)), lengths)
    assert (windows.token_segment[body] == owner[seen - 1000]).all()


@settings(max_examples=100, deadline=None)
@given(lengths_of_segments, st.integers(1, 128), st.integers(0, 90))
def test_a_row_is_query_context_body_each_ended_by_a_separator(
    lengths: list[int], query_size: int, title: int
) -> None:
    windows = build([query(query_size)], [document(lengths, title=title)], SETTINGS, 10_000)
    for row, of in zip(windows.input_ids, windows.token_segment, strict=True):
        real = row[row != PAD]
        assert (row[: real.size] == real).all()
        assert (real == SEP).sum() == 3
        assert real[0] == TextTokenizer.bos_id
        assert real[-1] == SEP
        if (of >= 0).any():
            first, second, third = np.flatnonzero(row == SEP)
            assert first == 1 + query_size
            assert second - first - 1 == min(title, SETTINGS.context_tokens)
            assert (np.flatnonzero(of >= 0) == np.arange(second + 1, third)).all()


def test_a_segment_longer_than_a_row_goes_on_in_the_next_and_overlaps() -> None:
    doc = document([2000])
    spans = plan(doc, 10, 256, SETTINGS, 100)
    assert spans[0].first == 0
    assert spans[-1].last == 2000
    for before, after in itertools.pairwise(spans):
        assert before.last - after.first == SETTINGS.overlap_tokens


def test_rows_end_where_a_segment_ends() -> None:
    doc = document([60] * 12)
    bounds = set(doc.runs.bounds.tolist())
    assert all(span.last in bounds for span in plan(doc, 10, 256, SETTINGS, 100))


def test_a_later_row_is_headed_by_what_its_first_segment_depends_on() -> None:
    # A title, a heading, and a table whose rows hang on the heading through the header of the table.
    doc = document([5, 6] + [50] * 9, parent=[-1, 0] + [1] * 9, title=4)
    windows = build([query(8)], [doc], SETTINGS, 100)
    assert len(windows.window) > 1
    row = windows.input_ids[1]
    first, second, _ = np.flatnonzero(row == SEP)
    assert row[first + 1 : second].tolist() == [7] * 4 + list(range(1000, 1011))


def test_near_headings_outlast_far_ones_when_context_is_short() -> None:
    doc = document([30, 30, 5], parent=[-1, 0, 1], title=10)
    context = context_of(doc, 2, 40)
    assert context.tolist() == [*range(1000, 1010), *range(1030, 1060)]


@pytest.mark.parametrize(
    ("query_tokens", "document_tokens", "length"),
    [
        (5, 20, 64),
        (5, 100, 128),
        (5, 247, 256),
        (5, 248, 256),
        (5, 90_000, 256),
        (100, 90_000, 512),
        (120, 20, 256),
    ],
)
def test_row_length_holds_short_documents_whole_and_leaves_long_ones_room(
    query_tokens: int, document_tokens: int, length: int
) -> None:
    assert SETTINGS.row_length(query_tokens, document_tokens) == length


def test_tokens_beyond_the_window_limit_are_counted_as_unscored() -> None:
    doc = document([100] * 50)
    windows = build([query(10)], [doc, document([10], row=50)], SETTINGS, 3)
    kept = windows.token_segment[windows.window[:, 0] == 0]
    seen = len({*windows.input_ids[windows.window[:, 0] == 0][kept >= 0].tolist()})
    assert windows.unscored.tolist() == [5000 - seen, 0]
    assert (windows.window[:, 0] == 1).sum() == 1


def test_every_query_gets_windows_of_its_own() -> None:
    windows = build([query(4), query(6)], [document([9]), document([9], row=1)], SETTINGS, 10)
    assert sorted(map(tuple, windows.window.tolist())) == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_a_request_without_text_still_has_one_row() -> None:
    windows = build([query(4)], [document([]), document([])], SETTINGS, 10)
    assert windows.input_ids.shape == (1, 64)
    assert windows.window.tolist() == [[-1, 0]]
    assert (windows.token_segment == -1).all()


def test_buckets_must_ascend() -> None:
    with pytest.raises(ValueError, match="ascend"):
        WindowSettings(buckets=(128, 64), row_tokens=64)
    assert SPECIAL_TOKENS == 4


def test_a_request_that_is_refused_takes_no_memory_for_its_rows() -> None:
    def refuse(rows: int) -> None:
        raise RuntimeError(f"{rows} rows")

    doc = document([200_000] * 100)
    tracemalloc.start()
    with pytest.raises(RuntimeError, match=r"\d{4} rows"):
        build([query(8)], [doc], SETTINGS, 8_000, refuse)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # The ids of 8,000 rows of 256 tokens alone would take this much.
    assert peak < 8_000_000
