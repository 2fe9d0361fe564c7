"""Packing keeps every document, within the limits, with alike lengths together."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pith.config import ServerConfig
from pith.packing import Request, Unit, cut_to_units, halve, pack, part_limit

CONFIG = ServerConfig(
    default_threshold=0.2,
    max_documents=256,
    max_document_bytes=1_048_576,
    max_windows=256,
    max_document_windows=256,
    max_queries=16,
    model_name="m",
)


def unit(document: int, text: str) -> Unit:
    return Unit(document, 0, text, text.encode())


@given(
    st.lists(st.integers(1, 9_000).map("é".__mul__), max_size=30),
    st.integers(1, 16),
    st.integers(1, 8),
)
def test_every_unit_is_in_exactly_one_request(texts: list[str], queries: int, max_documents: int) -> None:
    config = replace(CONFIG, max_documents=max_documents)
    units = [unit(i, text) for i, text in enumerate(texts)]
    requests = pack(units, [b"query"] * queries, config)
    packed = [unit for request in requests for unit in request.units]
    assert sorted(packed, key=lambda u: u.document) == units
    for request in requests:
        assert 1 <= len(request.units) <= max_documents
        windows = sum(-(-len(u.data) // 160) for u in request.units) * queries
        assert windows <= config.max_windows or len(request.units) == 1


def test_a_result_set_of_like_documents_is_one_request() -> None:
    assert len(pack([unit(i, "x" * 2_000) for i in range(10)], [b"q"], CONFIG)) == 1


def test_short_and_long_documents_do_not_share_their_padding() -> None:
    texts = ["x" * 100] * 20 + ["x" * 8_000] * 3
    requests = pack([unit(i, text) for i, text in enumerate(texts)], [b"q"], CONFIG)
    assert [{len(u.text) for u in request.units} for request in requests] == [{8_000}, {100}]


def test_a_little_padding_is_not_worth_a_request() -> None:
    texts = ["x" * 100, "x" * 8_000]
    assert len(pack([unit(i, text) for i, text in enumerate(texts)], [b"q"], CONFIG)) == 1


def test_more_queries_mean_smaller_parts() -> None:
    assert part_limit(CONFIG, 4) == part_limit(CONFIG, 1) // 4
    assert part_limit(replace(CONFIG, max_windows=1), 16) >= 1
    assert part_limit(replace(CONFIG, max_document_bytes=500), 1) == 500
    assert part_limit(replace(CONFIG, max_document_windows=128), 1) == part_limit(CONFIG, 1) // 2


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=300), st.integers(4, 50))
def test_parts_hold_every_character_that_is_not_blank(text: str, limit: int) -> None:
    units = cut_to_units(Unit(3, 0, text, text.encode(), b"title", b" \xc2\xb7 version 2"), limit)
    for part in units:
        assert text[part.start : part.start + len(part.text)] == part.text
        assert part.data == part.text.encode()
        assert (part.document, part.title, part.source) == (3, b"title", b" \xc2\xb7 version 2")
    covered = {part.start + i for part in units for i in range(len(part.text))}
    assert all(i in covered for i, character in enumerate(text) if not character.isspace())


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=300), st.integers(0, 9))
def test_halving_again_and_again_ends_and_loses_nothing(text: str, start: int) -> None:
    pending = [Request((Unit(0, start, text, text.encode()),))]
    ends: list[Unit] = []
    while pending:
        request = pending.pop()
        smaller = halve(request)
        assert all(len(s.units[0].text) < len(request.units[0].text) for s in smaller)
        pending += smaller
        if not smaller:
            ends += request.units
    covered = {part.start + i - start for part in ends for i in range(len(part.text))}
    assert all(i in covered for i, character in enumerate(text) if not character.isspace())


def test_a_request_of_several_documents_is_halved_between_them() -> None:
    units = tuple(unit(i, "text") for i in range(5))
    halves = halve(Request(units))
    assert [u for half in halves for u in half.units] == list(units)
    assert [len(half.units) for half in halves] == [2, 3]
