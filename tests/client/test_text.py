"""Byte offsets become code points, for any Unicode."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pith.text import byte_offsets, code_points, encode, utf8_and_utf16

any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@given(any_text)
def test_every_boundary_round_trips(text: str) -> None:
    data = text.encode()
    expected = [len(text[:i].encode()) for i in range(len(text) + 1)]
    assert byte_offsets(data).tolist() == expected
    assert code_points(data, np.array(expected)).tolist() == list(range(len(text) + 1))


@given(any_text, st.data())
def test_a_slice_by_bytes_is_the_slice_by_code_points(text: str, data: st.DataObject) -> None:
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    raw = text.encode()
    in_bytes = np.array([len(text[:start].encode()), len(text[:end].encode())])
    first, last = code_points(raw, in_bytes).tolist()
    assert text[first:last] == raw[in_bytes[0] : in_bytes[1]].decode()


def test_no_offsets_are_fine() -> None:
    assert code_points("é".encode(), np.array([], dtype=np.int64)).tolist() == []


@pytest.mark.parametrize("offset", [-1, 1, 4])
def test_offsets_that_name_no_character_are_refused(offset: int) -> None:
    with pytest.raises(ValueError, match="byte offset"):
        code_points("éa".encode(), np.array([offset]))


def test_lone_surrogates_have_no_utf8() -> None:
    assert encode("a\ud800b") is None
    assert encode("a\U0001f600b") == "a\U0001f600b".encode()


@given(any_text, st.data())
def test_offsets_in_bytes_and_in_utf16_are_the_lengths_before_them(text: str, data: st.DataObject) -> None:
    offsets = data.draw(st.lists(st.integers(0, len(text)), max_size=5))
    assert utf8_and_utf16(text, offsets) == {
        i: (len(text[:i].encode()), len(text[:i].encode("utf-16-le")) // 2) for i in offsets
    }


def test_lone_surrogates_count_in_both_units() -> None:
    assert utf8_and_utf16("\ud800\U0001f600a", [1, 2, 3]) == {1: (3, 1), 2: (7, 3), 3: (8, 4)}


@pytest.mark.parametrize("offset", [-1, 3])
def test_offsets_outside_of_the_text_are_refused(offset: int) -> None:
    with pytest.raises(ValueError, match="outside"):
        utf8_and_utf16("éa", [0, offset])
