"""Switches: known by name, checked by value, with the defaults that are documented."""

from __future__ import annotations

from typing import Any

import pytest

import pith
from pith.errors import InvalidInput
from pith.inputs import read_documents, read_selection
from pith.switches import Selection, Switches


@pytest.mark.parametrize(
    ("switch", "value"),
    [
        ("duplicates", 1),
        ("dependencies", "no"),
        ("diversity", 1.5),
        ("diversity", True),
        ("max_documents", 0),
        ("max_documents", 2.0),
        ("per_document_tokens", True),
        ("order", "random"),
        ("order", None),
    ],
)
def test_a_senseless_value_is_refused_by_name(switch: str, value: Any) -> None:
    with pytest.raises(InvalidInput, match=switch) as told:
        pith.select_evidence([], budget="low", threshold=None, **{switch: value})
    assert told.value.code == f"invalid_{switch}"


def test_an_unknown_switch_is_refused_with_those_there_are() -> None:
    with pytest.raises(InvalidInput, match=r"there are .*near_duplicates") as told:
        pith.select_evidence([], budget="low", threshold=None, dedupe=False)  # type: ignore[call-arg]
    assert told.value.code == "unknown_switch"


def test_the_typed_keywords_are_the_switches() -> None:
    assert set(Switches.__annotations__) == set(Selection.__dataclass_fields__)
    assert read_selection() == Selection()


@pytest.mark.parametrize(
    ("field", "value"), [("allowed", 1), ("allowed", None), ("start", -1), ("start", 1.0), ("start", True)]
)
def test_what_a_document_cannot_have_is_told_with_its_position(field: str, value: Any) -> None:
    with pytest.raises(InvalidInput, match=rf"documents\[1\]\.{field} must be .* not {value!r}"):
        read_documents(["fine", pith.Document("text", **{field: value})])
