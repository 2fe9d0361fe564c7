from __future__ import annotations

import unicodedata

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from preprocessing.kinds import Kind
from preprocessing.segments import segment
from preprocessing.sentences import sentences
from tests.preprocessing.hostile import any_text, assert_sound, marked_text


@settings(max_examples=120, deadline=None)
@given(any_text)
def test_any_text_is_covered_by_disjoint_trimmed_ordered_segments(text: str) -> None:
    assert_sound(text, segment(text))


@settings(max_examples=120, deadline=None)
@given(marked_text)
def test_marked_up_text_is_covered_by_disjoint_trimmed_ordered_segments(text: str) -> None:
    assert_sound(text, segment(text))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.one_of(any_text, marked_text), max_size=4))
def test_mixed_text_is_covered(parts: list[str]) -> None:
    text = "\n".join(parts)
    assert_sound(text, segment(text))


@settings(max_examples=50, deadline=None)
@given(marked_text)
def test_the_same_text_gives_the_same_segments(text: str) -> None:
    once, again = segment(text), segment(text)
    for left, right in zip((once.start, once.end, once.kind, once.parent),
                           (again.start, again.end, again.kind, again.parent), strict=True):  # fmt: skip
        assert np.array_equal(left, right)
        assert left.dtype == np.int32


@settings(max_examples=50, deadline=None)
@given(marked_text)
def test_parents_are_headings_leads_items_headers_or_group_rows(text: str) -> None:
    segments = segment(text)
    for kind, parent in zip(segments.kind.tolist(), segments.parent.tolist(), strict=True):
        if parent >= 0:
            above = Kind(int(segments.kind[parent]))
            assert above != Kind.CODE
            if kind == Kind.HEADING:
                assert above == Kind.HEADING
            if above == Kind.TABLE_HEADER or above == Kind.TABLE_ROW:
                assert kind == Kind.TABLE_ROW


@settings(max_examples=100, deadline=None)
@given(any_text, st.integers(0, 120), st.integers(0, 120))
def test_sentences_of_a_range_stay_within_it(text: str, start: int, end: int) -> None:
    start, end = sorted((min(start, len(text)), min(end, len(text))))
    position = start
    for begin, stop in sentences(text, start, end):
        assert position <= begin < stop <= end
        assert not text[position:begin].strip()
        position = stop
    assert not text[position:end].strip()


_CLUSTERS = st.lists(
    st.sampled_from("aB.!。 \u0301\u0308\ufe0f\u200d👍🏽👩กำ่か\u3099」;，\n"), max_size=60
).map("".join)


@settings(max_examples=100, deadline=None)
@given(_CLUSTERS)
def test_no_cut_falls_before_a_mark_that_belongs_to_the_character_before_it(text: str) -> None:
    for start in segment(text).start.tolist():
        if start and not text[start - 1].isspace():
            joins = (
                unicodedata.combining(text[start])
                or text[start] in "\u200d\ufe0f🏽"
                or text[start - 1] == "\u200d"
            )
            assert not joins, (text[start - 1 : start + 1], start)
