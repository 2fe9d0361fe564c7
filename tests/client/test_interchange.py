"""A result survives being written and read again, and what is no result is told apart by the place of its fault."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pith
from pith.errors import InvalidInput
from tests.client.results import results
from tests.client.strategies import scored_document, with_needs


def example() -> pith.Result:
    scored = [scored_document([("Größe 𝔘.", 0.9), ("Rest.", 0.1)], title="Title", id="a")]
    return pith.select_evidence(scored, budget="low", threshold=0.2, query="How large?")


@given(results())
def test_a_result_survives_json_whatever_it_holds(result: pith.Result) -> None:
    written = result.to_json()
    assert pith.Result.from_json(written) == result
    assert pith.Result.from_json(written.encode().decode()) == result


@given(results())
def test_a_result_survives_plain_values_with_texts(result: pith.Result) -> None:
    values = result.to_dict(texts=True)
    assert pith.Result.from_dict(values) == result
    assert pith.Result.from_dict(json.loads(json.dumps(values))) == result


@given(with_needs(), st.integers(1, 60))
def test_what_was_selected_survives_json(scored: list[pith.ScoredDocument], budget: int) -> None:
    result = pith.select_evidence(scored, budget=budget, threshold=0.2, needs=["one", "two", "three"])
    restored = pith.Result.from_json(result.to_json())
    assert restored == result
    for snippet in restored.snippets:
        assert isinstance(snippet.spans[0].reason, pith.SpanReason)
        assert restored.source_of(snippet.label) == result.source_of(snippet.label)
        assert restored.locate(snippet.text) == result.locate(snippet.text)


def test_a_written_file_keeps_lone_surrogates_and_readable_letters(tmp_path: Path) -> None:
    plain, broken = (
        pith.select_evidence(
            [scored_document([("Größe 鯨.", 0.9)], id=name)], budget="low", threshold=None
        ).to_json()
        for name in ("ä", "\ud800")
    )
    assert "Größe 鯨." in plain
    path = tmp_path / "result.json"
    path.write_text(broken, encoding="utf-8")
    read = pith.Result.from_json(path.read_text(encoding="utf-8"))
    assert read.snippets[0].document.id == "\ud800"


def test_the_plain_values_are_as_people_read_them() -> None:
    values = example().to_dict()
    assert list(values) == ["context", "snippets", "report"]
    (snippet,) = values["snippets"]
    assert snippet["document"] == {"id": "a", "title": "Title", "url": None, "version": None, "start": None}
    assert snippet["spans"] == [
        {"start": 0, "end": 8, "score": 0.9, "reason": "evidence", "text": "Größe 𝔘."}
    ]
    assert values["report"]["documents"][0]["status"] == "ok"
    assert values["report"]["reason"] is None
    assert json.loads(json.dumps(values)) == values


def test_texts_add_what_reading_needs() -> None:
    document = example().to_dict(texts=True)["snippets"][0]["document"]
    assert (document["text"], document["allowed"]) == ("Größe 𝔘. Rest.", True)


def test_keys_of_later_versions_are_ignored() -> None:
    values = example().to_dict(texts=True)
    values["later"] = values["report"]["later"] = values["snippets"][0]["document"]["later"] = [1]
    assert pith.Result.from_dict(values) == example()


def _without(*path: str | int) -> Callable[[dict[str, Any]], None]:
    def change(values: Any) -> None:
        for step in path[:-1]:
            values = values[step]
        del values[path[-1]]

    return change


def _with(value: object, *path: str | int) -> Callable[[dict[str, Any]], None]:
    def change(values: Any) -> None:
        for step in path[:-1]:
            values = values[step]
        values[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (_without("context"), "result.context"),
        (_without("snippets", 0, "document", "text"), "result.snippets[0].document.text"),
        (_without("report", "kept"), "result.report.kept"),
        (_with(None, "report"), "result.report"),
        (_with({}, "snippets"), "result.snippets"),
        (_with("x", "snippets"), "result.snippets"),
        (_with("0", "snippets", 0, "spans", 0, "start"), "result.snippets[0].spans[0].start"),
        (_with(True, "snippets", 0, "spans", 0, "start"), "result.snippets[0].spans[0].start"),
        (_with(0.5, "snippets", 0, "spans", 0, "start"), "result.snippets[0].spans[0].start"),
        (_with(10**400, "snippets", 0, "score"), "result.snippets[0].score"),
        (_with(False, "snippets", 0, "score"), "result.snippets[0].score"),
        (_with("fine", "snippets", 0, "spans", 0, "reason"), "result.snippets[0].spans[0].reason"),
        (_with(0, "report", "documents", 0, "status"), "result.report.documents[0].status"),
        (_with(1, "snippets", 0, "document", "allowed"), "result.snippets[0].document.allowed"),
        (_with(3, "snippets", 0, "document", "title"), "result.snippets[0].document.title"),
        (_with(["a"], "report", "conflicts"), "result.report.conflicts[0]"),
    ],
)
def test_a_wrong_shape_is_told_with_its_place(change: Callable[[dict[str, Any]], None], place: str) -> None:
    values = example().to_dict(texts=True)
    change(values)
    with pytest.raises(InvalidInput) as raised:
        pith.Result.from_dict(values)
    assert raised.value.code == "invalid_result"
    assert f"{place} cannot be read" in raised.value.message


def test_a_conflict_has_two_sides() -> None:
    address = {"document": 0, "id": None, "url": None, "version": None, "start": 0, "end": 1}
    conflict = {"first": address, "second": address, "kinds": ["number"], "values": [["1"]], "query": "q"}
    values = example().to_dict(texts=True)
    values["report"]["conflicts"] = [conflict]
    with pytest.raises(InvalidInput, match=r"conflicts\[0\]\.values cannot be read: 2 values"):
        pith.Result.from_dict(values)


def test_without_texts_a_result_cannot_be_read_and_the_error_says_what_to_do() -> None:
    with pytest.raises(InvalidInput, match=r"document\.text .*missing.*texts=True"):
        pith.Result.from_dict(example().to_dict())


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "[]", "null", '"x"', None])
def test_what_is_no_result_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        pith.Result.from_json(text)
    assert raised.value.code == "invalid_result"
