"""Requests: limits, statuses, byte offsets; one bad document leaves its neighbours alone."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from preprocessing.lexical import LexicalTables
from preprocessing.limits import Limits, RequestRefused
from preprocessing.request import Preprocessor, Status, byte_offsets
from preprocessing.tokenizer import TextTokenizer
from preprocessing.windows import WindowSettings

FOLDER = Path(__file__).parents[2] / "model_repository" / "tokenize" / "1"
QUERY = [b"Who pays the ferryman?"]


@pytest.fixture(scope="module")
def preprocessor() -> Preprocessor:
    return Preprocessor.load(FOLDER)


def with_limits(preprocessor: Preprocessor, **changes: int) -> Preprocessor:
    tokenizer = TextTokenizer.load(FOLDER / "tokenizer.json")
    lexical = LexicalTables.load(FOLDER / "lexical.npz")
    return Preprocessor(tokenizer, lexical, WindowSettings(), replace(preprocessor.limits, **changes))


def test_a_bad_document_has_a_status_and_its_neighbours_are_as_if_alone(preprocessor: Preprocessor) -> None:
    good = b"The miller pays the ferryman. Nobody else does."
    bad = [b"\xff\xfe not text", b"", b" \r\n\t ", b"\xe2\x82"]
    alone = preprocessor.prepare(QUERY, [good])
    mixed = preprocessor.prepare(QUERY, [bad[0], good, *bad[1:]])
    assert mixed.status.tolist() == [
        Status.INVALID_UTF8, Status.OK, Status.EMPTY, Status.EMPTY, Status.INVALID_UTF8,
    ]  # fmt: skip
    assert (mixed.segment[:, 0] == 1).all()
    assert (mixed.segment[:, 1:3] == alone.segment[:, 1:3]).all()
    assert (mixed.windows.input_ids == alone.windows.input_ids).all()


def test_an_oversized_document_is_refused_by_itself(preprocessor: Preprocessor) -> None:
    small = with_limits(preprocessor, document_bytes=20)
    ready = small.prepare(QUERY, [b"x" * 21, b"short enough"])
    assert ready.status.tolist() == [Status.TOO_LARGE, Status.OK]


@pytest.mark.parametrize(
    ("limits", "documents", "queries", "code", "numbers"),
    [
        ({"documents": 2}, 3, 1, "too_many_documents", ("3", "2")),
        ({"queries": 2}, 1, 3, "too_many_queries", ("3", "2")),
        ({"windows": 4}, 5, 1, "too_many_windows", ("5", "4")),
        ({}, 0, 1, "no_documents", ()),
        ({}, 1, 0, "empty_query", ()),
    ],
)
def test_a_request_over_a_limit_is_told_the_limit_and_the_value(
    preprocessor: Preprocessor,
    limits: dict[str, int],
    documents: int,
    queries: int,
    code: str,
    numbers: tuple[str, ...],
) -> None:
    with pytest.raises(RequestRefused) as refused:
        with_limits(preprocessor, **limits).prepare(QUERY * queries, [b"A sentence."] * documents)
    assert refused.value.code == code
    assert str(refused.value).startswith(f"PITH:{code}: ")
    assert all(number in refused.value.sentence for number in numbers)


@pytest.mark.parametrize(("query", "code"), [(b"  \n", "empty_query"), (b"\xff", "invalid_query")])
def test_a_query_that_says_nothing_is_refused(preprocessor: Preprocessor, query: bytes, code: str) -> None:
    with pytest.raises(RequestRefused) as refused:
        preprocessor.prepare([query], [b"A sentence."])
    assert refused.value.code == code


def test_titles_must_match_documents(preprocessor: Preprocessor) -> None:
    with pytest.raises(RequestRefused, match="shape_mismatch"):
        preprocessor.prepare(QUERY, [b"a", b"b"], [b"one title"])


def test_sources_must_match_documents(preprocessor: Preprocessor) -> None:
    with pytest.raises(RequestRefused, match="shape_mismatch: SOURCE has 1 entries for 2"):
        preprocessor.prepare(QUERY, [b"a", b"b"], sources=[b"one source"])


def test_a_long_query_is_cut_and_says_so(preprocessor: Preprocessor) -> None:
    ready = preprocessor.prepare([b"word " * 1000, *QUERY], [b"A sentence."])
    assert ready.query_cut[0] > 0
    assert ready.query_cut[1] == 0


def test_tokens_over_the_document_limit_are_unscored_and_counted(preprocessor: Preprocessor) -> None:
    small = with_limits(preprocessor, document_windows=2)
    ready = small.prepare(QUERY, [b"Some words of no use at all. " * 400])
    seen = np.unique(ready.windows.token_segment[ready.windows.token_segment >= 0])
    assert ready.windows.unscored[0] > 0
    assert (
        ready.segment_tokens.sum() > ready.windows.unscored[0] >= ready.segment_tokens[seen[-1] + 1 :].sum()
    )


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_byte_offsets_slice_the_encoded_text_where_code_points_slice_the_text(text: str) -> None:
    encoded = text.encode()
    at = byte_offsets(text, encoded)
    for i in range(len(text) + 1):
        assert encoded[: i if at is None else at[i]].decode() == text[:i]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=200), min_size=1, max_size=4))
def test_wire_offsets_show_each_segment_of_any_unicode(preprocessor: Preprocessor, texts: list[str]) -> None:
    documents = [text.encode() for text in texts]
    ready = preprocessor.prepare(QUERY, documents)
    for n, text in enumerate(texts):
        rows = ready.segment[ready.segment[:, 0] == n]
        shown = "".join(documents[n][a:b].decode() for a, b in rows[:, 1:3].tolist())
        assert "".join(shown.split()) == "".join(text.split())
    parents = ready.segment[:, 4]
    has = parents >= 0
    assert (ready.segment[parents[has], 0] == ready.segment[has, 0]).all()


def test_titles_are_counted_and_an_unreadable_one_is_taken_as_none(preprocessor: Preprocessor) -> None:
    ready = preprocessor.prepare(QUERY, [b"A sentence."] * 3, ["Über uns".encode(), b"\xff", b""])
    assert ready.title_tokens[0] > 0
    assert ready.title_tokens[1:].tolist() == [0, 0]


def test_sources_are_counted_and_an_unreadable_one_is_taken_as_none(preprocessor: Preprocessor) -> None:
    sources = [" · version 2 · https://example.org".encode(), b"\xff", b""]
    ready = preprocessor.prepare(QUERY, [b"A sentence."] * 3, sources=sources)
    assert ready.source_tokens[0] > 3
    assert ready.source_tokens[1:].tolist() == [0, 0]
    assert preprocessor.prepare(QUERY, [b"A sentence."] * 3).source_tokens.tolist() == [0, 0, 0]


def test_the_encoder_reads_nothing_of_the_sources(preprocessor: Preprocessor) -> None:
    documents, titles = [b"A sentence. Another."] * 2, [b"Title", b""]
    plain = preprocessor.prepare(QUERY, documents, titles)
    ready = preprocessor.prepare(QUERY, documents, titles, [b" version 2", b" https://example.org"])
    assert (ready.windows.input_ids == plain.windows.input_ids).all()
    assert (ready.segment == plain.segment).all()
    assert (ready.title_tokens == plain.title_tokens).all()
    assert (ready.lexical == plain.lexical).all()


def test_the_shipped_settings_are_the_defaults_and_the_encoder_and_the_client_know_them() -> None:
    shipped = json.loads((FOLDER / "windows.json").read_text())
    assert Limits(**shipped["limits"]) == Limits()
    encoder = (FOLDER.parents[1] / "encoder" / "config.pbtxt").read_text()
    assert f"max_batch_size: {Limits().windows}" in encoder
    compressor = (FOLDER.parents[1] / "compressor" / "config.pbtxt").read_text()
    for name, value in {
        "max_documents": Limits().documents,
        "max_document_bytes": Limits().document_bytes,
        "max_windows": Limits().windows,
        "max_queries": Limits().queries,
    }.items():
        assert f'key: "{name}" value {{ string_value: "{value}" }}' in compressor
