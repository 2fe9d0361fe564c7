"""Mistakes of the caller are told in a sentence, before anything is sent; no server runs here."""

from __future__ import annotations

import math
from typing import Any

import pytest

import pith
from pith.errors import InvalidInput, PithError
from pith.report import Reason
from tests.client.conftest import MakeClient

NOWHERE = "127.0.0.1:9"


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("", "blank"),
        (" \n\u3000", "blank"),
        (None, "not None"),
        (["q"], "not list"),
        ("\ud800", "surrogates"),
    ],
)
def test_a_query_must_be_a_text(make_client: MakeClient, query: Any, words: str) -> None:
    with pytest.raises(InvalidInput, match=f"query.*{words}"):
        make_client(NOWHERE).score(query, ["text"])


@pytest.mark.parametrize(
    ("documents", "words"),
    [
        ("one text", "put a single document into a list"),
        (pith.Document("one text"), "put a single document into a list"),
        (b"bytes", "not bytes"),
        (None, "not None"),
        ({"text": "t"}, "not dict"),
        (["fine", 7], r"documents\[1\] must be"),
        (["fine", None], r"documents\[1\] must be"),
        (["fine", {"text": "t"}], r"documents\[1\] .*not dict"),
        ([pith.Document(b"raw")], r"documents\[0\]\.text must be a str, not bytes"),  # type: ignore[arg-type]
        ([pith.Document("t", id=7)], r"documents\[0\]\.id must be a str or None"),  # type: ignore[arg-type]
        ([pith.Document("t", title=["T"])], r"documents\[0\]\.title"),  # type: ignore[arg-type]
    ],
)
def test_documents_must_be_texts_and_the_wrong_one_is_named(
    make_client: MakeClient, documents: Any, words: str
) -> None:
    with pytest.raises(InvalidInput, match=words):
        make_client(NOWHERE).compress("q", documents)


@pytest.mark.parametrize("needs", ["one need", [""], [7], 7])
def test_needs_must_be_a_list_of_texts(make_client: MakeClient, needs: Any) -> None:
    with pytest.raises(InvalidInput, match="needs"):
        make_client(NOWHERE).score("q", ["text"], needs=needs)


@pytest.mark.parametrize("threshold", [-0.1, 1.1, math.nan, True, "0.5"])
def test_a_threshold_must_be_a_probability(make_client: MakeClient, threshold: Any) -> None:
    with pytest.raises(InvalidInput, match="number from 0 to 1"):
        make_client(NOWHERE).compress("q", ["text"], threshold=threshold)


@pytest.mark.parametrize("timeout", [0, -1, math.inf, math.nan, True, "60"])
def test_a_timeout_must_be_a_time(make_client: MakeClient, timeout: Any) -> None:
    with pytest.raises(InvalidInput, match="timeout"):
        make_client(NOWHERE).score("q", ["text"], timeout=timeout)


@pytest.mark.parametrize(
    "settings",
    [
        {"url": ""},
        {"url": None},
        {"url": "http://localhost:8000"},
        {"url": NOWHERE, "timeout": 0},
        {"url": NOWHERE, "max_in_flight": 0},
        {"url": NOWHERE, "max_in_flight": True},
    ],
)
def test_settings_that_cannot_work_are_refused(settings: dict[str, Any]) -> None:
    for kind in (pith.Compressor, pith.AsyncCompressor):
        with pytest.raises(InvalidInput):
            kind(**settings)


def test_no_documents_need_no_server(make_client: MakeClient) -> None:
    client = make_client(NOWHERE)
    assert client.score("q", []) == []
    result = client.compress("q", iter([]))
    assert (result.context, result.snippets, result.report.reason) == ("", (), Reason.NO_DOCUMENTS)


def test_documents_without_text_need_no_server(make_client: MakeClient) -> None:
    client = make_client(NOWHERE)
    result = client.compress("q", ["", " \n\t", pith.Document("\u3000", id="wide")])
    assert result.report.reason is Reason.ALL_DOCUMENTS_EMPTY
    assert [(told.id, told.status.name) for told in result.report.documents] == [
        ("0", "EMPTY"),
        ("1", "EMPTY"),
        ("wide", "EMPTY"),
    ]
    assert "white space" in result.report.documents[0].reason


def test_every_error_is_a_pith_error() -> None:
    names = ["InvalidInput", "ServerUnavailable", "Overloaded", "DeadlineExceeded", "IncompatibleServer"]
    assert all(issubclass(getattr(pith.errors, name), PithError) for name in names)


def test_an_error_names_the_first_of_many_documents() -> None:
    assert (
        str(PithError("Broken", documents=range(10)))
        == "Broken (documents 0, 1, 2, 3, 4, 5, 6, 7 and 2 more)"
    )
