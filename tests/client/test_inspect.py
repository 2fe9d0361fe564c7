"""What became of every segment, the data of the page, and `pith inspect` against the double."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pith
import pith.inspect
from pith.cli import main
from pith.inspect.data import page_data
from pith.inspect.fates import Fate, fates
from pith.switches import Selection
from tests.client.double import Double
from tests.client.strategies import scored_document, scored_documents, with_needs

TEXT = "Rain falls.\r\nBlue whales sing. Nothing else.\n"
COUNTED = {
    "kept": {Fate.KEPT},
    "below_threshold": {Fate.BELOW_THRESHOLD, Fate.NAME, Fate.UNREAD},
    "duplicate": {Fate.DUPLICATE},
    "over_documents": {Fate.OVER_DOCUMENTS},
    "over_budget": {Fate.OVER_BUDGET},
}
switches = st.fixed_dictionaries(
    {},
    optional={
        "duplicates": st.booleans(),
        "near_duplicates": st.booleans(),
        "dependencies": st.booleans(),
        "always_keep_title": st.booleans(),
        "max_documents": st.integers(1, 3),
        "order": st.sampled_from(["source", "relevance", "need"]),
    },
)


def embedded(page: str) -> Any:
    """The data of a page, as a browser takes it out."""
    match = re.search(r'<script type="application/json" id="data">(.*?)</script', page, re.DOTALL)
    assert match is not None
    return json.loads(match[1])


@given(
    st.one_of(scored_documents(), with_needs()),
    st.integers(1, 60),
    st.sampled_from([None, 0.0, 0.2, 0.5, 1.0]),
    switches,
)
def test_fates_add_up_to_the_report(
    scored: list[pith.ScoredDocument], budget: int, threshold: float | None, given_switches: Any
) -> None:
    needs = [f"need {n}" for n in range(3)] if scored and len(scored[0].segments[0].scores) > 1 else []
    result = pith.select_evidence(scored, budget=budget, threshold=threshold, needs=needs, **given_switches)
    told = fates(result, scored, Selection(**given_switches))
    for document, row, report in zip(scored, told, result.report.documents, strict=True):
        tokens = Counter[Fate]()
        for segment, one in zip(document.segments, row, strict=True):
            tokens[one.fate] += segment.tokens
        for name, members in COUNTED.items():
            assert sum(tokens[fate] for fate in members) == getattr(report, name), name


@given(scored_documents(), st.integers(1, 60))
def test_the_pieces_of_a_page_are_the_texts(scored: list[pith.ScoredDocument], budget: int) -> None:
    result = pith.select_evidence(scored, budget=budget, threshold=0.2, query="q")
    shown = embedded(pith.inspect.page(result, scored, query="q"))["documents"]
    for document, source in zip(shown, scored, strict=True):
        pieces = "".join(segment["gap"] + segment["text"] for segment in document["segments"])
        assert pieces + document["rest"] == source.document.text


@given(st.text(st.characters(), max_size=30), st.text(max_size=10))
def test_no_text_leaves_its_place(text: str, name: str) -> None:
    hostile = f"</script><!--{text}%data%%script%"
    document = pith.ScoredDocument(
        pith.Document(hostile, id=name), status=pith.Status.INVALID_TEXT, reason="r"
    )
    result = pith.select_evidence([document], budget="low", threshold=0.5)
    page = pith.inspect.page(result, [document], query=hostile)
    assert page.isascii()
    assert page.count("<script") == page.count("</script>") == 2
    data = embedded(page)
    assert (data["query"], data["documents"][0]["rest"], data["documents"][0]["id"]) == (
        hostile,
        hostile,
        name,
    )


def test_a_duplicate_names_what_stands_for_it_and_headings_are_no_evidence() -> None:
    said = "Travel claims must be submitted within 30 days after the end of the trip."
    one = scored_document([(said, 0.9)], id="one")
    other = scored_document([("Rules", 0.9), (said, 0.8), ("Nothing else is of use here.", 0.0)], id="other")
    segments = list(other.segments)
    heading = segments[0]
    segments[0] = pith.Segment(
        heading.start, heading.end, pith.Kind.HEADING, heading.score, heading.tokens, None, heading.scores
    )
    scored = [one, pith.ScoredDocument(other.document, tuple(segments), relevance=0.9)]
    result = pith.select_evidence(scored, budget=200, threshold=0.5)
    told = fates(result, scored, Selection())
    assert [one.fate for one in told[1]] == [Fate.NAME, Fate.DUPLICATE, Fate.BELOW_THRESHOLD]
    assert told[1][1].same_as == (0, 0)
    assert told[0][0].reason is pith.SpanReason.EVIDENCE


def test_what_the_model_did_not_read_is_told() -> None:
    read = scored_document([("Whales sing.", 0.9), ("The rest.", 0.0)])
    scored = [pith.ScoredDocument(read.document, read.segments, relevance=0.9, unscored=2)]
    result = pith.select_evidence(scored, budget=200, threshold=0.5)
    assert [one.fate for one in fates(result, scored, Selection())[0]] == [Fate.KEPT, Fate.UNREAD]


def test_other_documents_are_refused() -> None:
    result = pith.select_evidence([], budget="low", threshold=0.5)
    with pytest.raises(pith.errors.InvalidInput, match="of 0 documents and 1 were given"):
        pith.inspect.page(result, [scored_document([("a", 1.0)])])


def test_a_document_that_is_not_allowed_is_not_shown(double: Double) -> None:
    documents = [pith.Document("Blue secret.", id="s", allowed=False), pith.Document("Blue whales.")]
    with pith.Compressor(double.url) as compressor:
        seen = pith.inspect.inspect(compressor, "blue whales", documents)
    assert "secret" not in seen.page()
    assert [report.status for report in seen.result.report.documents] == [
        pith.Status.NOT_ALLOWED,
        pith.Status.OK,
    ]


def test_inspect_is_what_compress_does_with_chunks_and_parts(double: Double) -> None:
    question = "How long do whales sing, and when do whales sleep?"
    documents = [
        pith.Document("Whales sleep at", id="w", start=0),
        pith.Document("The weather is fine."),
        pith.Document(" night. Whales sing long.", id="w", start=15),
    ]
    with pith.Compressor(double.url) as compressor:
        seen = pith.inspect.inspect(compressor, question, documents, budget=100)
        result = compressor.compress(question, documents, budget=100)
    assert seen.result.context == result.context
    data = page_data(seen.result, seen.scored, question, seen.switches)
    assert data["documents"][0]["chunks"] == (0, 2)
    assert data["columns"] == [question, *(need.text for need in result.report.needs)]
    assert len(data["columns"]) == 3
    assert sum(data["totals"].values()) == result.report.total


def test_the_command_writes_the_page(
    double: Double, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, out = tmp_path / "page.md", tmp_path / "out.html"
    page.write_bytes(TEXT.encode())
    arguments = ["inspect", "--url", double.url, "-q", "blue whales", "--need", "rain", "--budget", "100"]
    assert main([*arguments, str(page), "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"{out}: 5 of 7 tokens kept\n"
    data = embedded(out.read_text(encoding="utf-8"))
    assert data["columns"] == ["blue whales", "rain"]
    assert [need["evidence"][0]["text"] for need in data["needs"]] == ["Rain falls."]
    assert data["documents"][0]["segments"][1]["fate"] == "kept"
    assert main([*arguments, str(page), "-o", "-"]) == 0
    assert capsys.readouterr().out.startswith("<!doctype html>")


def test_a_page_that_cannot_be_written_is_told(
    double: Double, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_bytes(TEXT.encode())
    out = tmp_path / "no folder" / "out.html"
    assert main(["inspect", "--url", double.url, "-q", "whales", str(page), "-o", str(out)]) == 2
    assert "out.html: cannot be written: No such file" in capsys.readouterr().err
