"""Chunks of one source become one text again, and nothing else does."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pith
from pith.chunks import join_chunks

any_text = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60) | st.text(
    "ab", min_size=1, max_size=60
)


def chunk(text: str, start: int | None, **more: str | bool | None) -> pith.Document:
    return replace(pith.Document(text, id="d", start=start), **more)  # type: ignore[arg-type]


@st.composite
def cuts(draw: st.DrawFn) -> tuple[str, list[pith.Document]]:
    """A text and touching or overlapping chunks that cover it, shuffled; some lie within others."""
    text, first = draw(any_text), draw(st.integers(0, 1000))
    places = sorted({0, len(text), *draw(st.lists(st.integers(0, len(text)), max_size=6))})
    ranges = [
        (max(0, start - draw(st.integers(0, 5))), min(len(text), end + draw(st.integers(0, 5))))
        for start, end in pairwise(places)
    ]
    ranges += draw(st.lists(st.tuples(*[st.integers(0, len(text))] * 2), max_size=3))
    chunks = [chunk(text[a:b], first + a) for a, b in map(sorted, ranges)]
    return text, draw(st.permutations(chunks))


@given(cuts())
def test_joining_the_pieces_of_a_text_gives_it_back(cut: tuple[str, list[pith.Document]]) -> None:
    text, chunks = cut
    (joined,), (positions,) = join_chunks(chunks)
    assert joined.text == text
    assert sorted(positions) == list(range(len(chunks)))
    assert joined.start is not None
    starts = []
    for document in (chunks[position] for position in positions):
        assert document.start is not None
        starts.append(document.start)
        assert joined.text[document.start - joined.start :][: len(document.text)] == document.text
    assert starts == sorted(starts)
    assert joined.start == starts[0]


loose_chunks = st.lists(
    st.builds(
        pith.Document,
        st.text("ab", max_size=6),
        id=st.sampled_from(["d", "e", None]),
        title=st.sampled_from([None, "one", "two"]),
        url=st.sampled_from([None, "u"]),
        version=st.sampled_from([None, "1"]),
        allowed=st.sampled_from([True, True, False]),
        start=st.none() | st.integers(0, 12),
    ),
    max_size=10,
)


@given(loose_chunks, st.randoms())
def test_what_is_joined_does_not_depend_on_the_order(chunks: list[pith.Document], random: Random) -> None:
    shuffled = list(chunks)
    random.shuffle(shuffled)
    results = [join_chunks(order) for order in (chunks, shuffled)]
    assert sorted(map(repr, results[0][0])) == sorted(map(repr, results[1][0]))


@given(loose_chunks)
def test_every_document_is_in_one_result_with_its_offsets(chunks: list[pith.Document]) -> None:
    documents, positions = join_chunks(chunks)
    assert sorted(place for group in positions for place in group) == list(range(len(chunks)))
    assert [min(group) for group in positions] == sorted(min(group) for group in positions)
    for document, group in zip(documents, positions, strict=True):
        members = [chunks[place] for place in group]
        if len(members) == 1:
            assert document is members[0]
            continue
        end = max(m.start + len(m.text) for m in members if m.start is not None)
        assert document.start is not None
        assert document.start + len(document.text) == end
        for member in members:
            assert member.start is not None
            assert member.allowed
            assert (member.id, member.version) == (document.id, document.version)
            assert document.text[member.start - document.start :][: len(member.text)] == member.text


def test_a_joined_document_stands_where_its_first_chunk_stood() -> None:
    other = pith.Document("other", id="x")
    documents, positions = join_chunks([other, chunk("world", 6), other, chunk("hello ", 0)])
    assert [document.text for document in documents] == ["other", "hello world", "other"]
    assert positions == [(0,), (3, 1), (2,)]


def test_title_and_url_are_the_first_there_are() -> None:
    (joined,), _ = join_chunks(
        [chunk("ab", 0, title=""), chunk("bc", 1, url="u"), chunk("d", 3, title="t", url="v")]
    )
    assert joined == chunk("abcd", 0, title="t", url="u")


@pytest.mark.parametrize(
    "pair",
    [
        [chunk("one", 0), chunk("two", 4)],
        [chunk("one", 0), chunk("x two", 2)],
        [chunk("one", 0), chunk("two", 3, id="other")],
        [chunk("one", 0), chunk("two", 3, version="2")],
        [chunk("one", 0), chunk("two", 3, allowed=False)],
        [chunk("one", None), chunk("two", None)],
        [chunk("one", 0, id=None), chunk("two", 3, id=None)],
        [chunk("one", 0), chunk("two\ud800", 3)],
        [chunk("one", 0), chunk("two", 3, title="\udfff")],
    ],
    ids=["gap", "disagree", "id", "version", "not allowed", "no start", "no id", "invalid", "invalid title"],
)
def test_what_does_not_belong_together_stays_apart(pair: list[pith.Document]) -> None:
    for order in (pair, pair[::-1]):
        documents, positions = join_chunks(order)
        assert all(document is given for document, given in zip(documents, order, strict=True))
        assert positions == [(0,), (1,)]


def test_a_chunk_goes_with_the_text_it_agrees_with_most() -> None:
    documents, positions = join_chunks([chunk("aaaaaa", 0), chunk("bbbbbb", 3), chunk("bbbccc", 6)])
    assert [document.text for document in documents] == ["aaaaaa", "bbbbbbccc"]
    assert positions == [(0,), (1, 2)]
