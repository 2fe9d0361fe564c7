"""Byte offsets become code points, for any Unicode."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pith.text import byte_offsets, code_points, encode

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
