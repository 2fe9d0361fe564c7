"""Long texts are cut where it does the least harm, and nothing of them is lost."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pith.split import cut, split

# Characters that join with their neighbours are as likely here as letters.
joining = st.sampled_from(
    ["e\u0301", "\r\n", "👩\u200d👩\u200d👧", "🇩🇪", "👍🏽", "क्ष", "각", "。", ". ", "\n\n", " ", "x"]
)
any_text = st.lists(joining | st.text(st.characters(exclude_categories=["Cs"]), max_size=8), max_size=40).map(
    "".join
)


@given(any_text, st.integers(1, 64))
def test_parts_cover_the_text_within_the_limit(text: str, limit: int) -> None:
    ranges = split(text, text.encode(), limit)
    assert ranges[0][0] == 0
    assert ranges[-1][1] == len(text)
    assert all(previous[1] == following[0] for previous, following in pairwise(ranges))
    for start, end in ranges:
        assert end > start or not text
        assert len(text[start:end].encode()) <= limit or end - start == 1


@given(any_text, st.data())
def test_a_cut_lies_within_its_bounds(text: str, data: st.DataObject) -> None:
    low, high = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    if low < high:
        assert low < cut(text, low, high) <= high


def test_a_text_within_the_limit_is_one_part() -> None:
    assert split("short", b"short", 5) == [(0, 5)]


@pytest.mark.parametrize(
    ("text", "ends_with"),
    [
        ("One. Two\nthree\n\nfour five. six", "three\n\n"),
        ("One. Two\nthree four five. six", "Two\n"),
        ("One, two three. Four five six", "three. "),
        ("一二三。四五六、七八", "三。"),
        ("一二三、四五六七八", "三、"),
        ("one two three four", "three "),
        ("onetwothreefour", "onetwothreefou"),
        ("    code\n    indented", "code\n"),
    ],
)
def test_the_best_boundary_wins(text: str, ends_with: str) -> None:
    assert text[: cut(text, 0, len(text) - 1)].endswith(ends_with)


@pytest.mark.parametrize(
    "whole", ["\r\n", "e\u0301", "👍🏽", "🇩🇪", "👩\u200d👧", "❤\ufe0f", "क\u094dष", "\u1112\u1161"]
)
def test_no_cut_within_what_readers_see_as_one_character(whole: str) -> None:
    text = "xyz" + whole + "end"
    for high in range(4, 3 + len(whole)):
        assert cut(text, 0, high) == 3


def test_a_character_of_endless_parts_is_cut_all_the_same() -> None:
    text = "e" + "\u0301" * 500
    ranges = split(text, text.encode(), 200)
    assert "".join(text[start:end] for start, end in ranges) == text
