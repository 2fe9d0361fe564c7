"""From a label or a quote back to the source: the right text in every unit, for any Unicode."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pith
from pith.citations import Location, SourceSpan, joined
from pith.errors import InvalidInput
from pith.render import context
from pith.render import joined as rendered
from tests.client.results import shown_results


def result_of(*shown: tuple[str, Sequence[str]], start: int | None = None) -> pith.Result:
    """A result that shows the given pieces of each text; a piece that begins with "#" names its section."""
    snippets = []
    for number, (text, pieces) in enumerate(shown, start=1):
        spans, section, at = [], [], 0
        for piece in pieces:
            at = text.index(piece, at)
            end = at + len(piece)
            if piece.startswith("#"):
                section.append(pith.Span(at + piece.index(" ") + 1, end, 0.5, pith.SpanReason.HEADING))
            else:
                spans.append(pith.Span(at, end, 0.5))
            at = end
        document = pith.Document(text, id=f"d{number}", version="2", start=start)
        whole = rendered(text, spans)
        snippets.append(
            pith.Snippet(document, tuple(spans), whole, 0.5, f"E{number}", len(pieces), tuple(section))
        )
    return pith.Result(tuple(snippets), context(snippets), pith.Report())


def check(span: SourceSpan, document: pith.Document) -> None:
    """All units mean one text."""
    text = document.text
    assert text[span.start : span.end] == span.text
    assert text.encode()[span.start_byte : span.end_byte].decode() == span.text
    units = text.encode("utf-16-le")[2 * span.start_utf16 : 2 * span.end_utf16]
    assert units.decode("utf-16-le") == span.text
    shift = document.start or 0
    assert (span.source_start, span.source_end) == (span.start + shift, span.end + shift)


def letters(text: str) -> str:
    return "".join(text.split())


def texts(location: Location) -> list[str]:
    return [span.text for span in location.spans]


@given(shown_results(least=1))
def test_every_span_of_a_source_is_the_same_text_in_every_unit(result: pith.Result) -> None:
    for snippet in result.snippets:
        source = result.source_of(snippet.label)
        for spans, shown in ((source.spans, snippet.spans), (source.section, snippet.section)):
            assert [(s.start, s.end, s.score, s.reason) for s in spans] == [
                (s.start, s.end, s.score, s.reason) for s in shown
            ]
            for span in spans:
                check(span, snippet.document)


@given(shown_results(least=1))
def test_a_source_names_its_document(result: pith.Result) -> None:
    snippet = result.snippets[0]
    source, document = result.source_of("E1"), snippet.document
    assert (source.label, source.id, source.version) == ("E1", document.id, document.version)
    assert (source.url, source.title, source.start) == (document.url, document.title, document.start or 0)
    assert source.content_hash == document.content_hash
    assert source.also_in == snippet.also_in


@given(shown_results(least=1))
def test_every_span_is_found_again_in_the_snippets_text(result: pith.Result) -> None:
    for snippet in result.snippets:
        placed = joined(snippet)
        assert tuple(span for _, span in placed) == snippet.spans
        for at, span in placed:
            own = snippet.document.text[span.start : span.end]
            assert snippet.text[at : at + len(own)] == own


@given(shown_results(least=1), st.data())
def test_a_quote_of_the_context_is_found_where_it_stands(result: pith.Result, data: st.DataObject) -> None:
    snippet = data.draw(st.sampled_from(result.snippets))
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(snippet.text))] * 2)))
    quote = snippet.text[start:end]
    if not quote.strip():
        return
    found = result.locate(quote, snippet.label)
    assert found
    for location in found:
        assert location.label == snippet.label
        assert (location.id, location.version) == (snippet.document.id, snippet.document.version)
        assert letters("".join(texts(location))) == letters(quote)
        for span in location.spans:
            check(span, snippet.document)


@given(shown_results(least=1), st.data())
def test_white_space_and_quotation_marks_do_not_hide_a_quote(
    result: pith.Result, data: st.DataObject
) -> None:
    snippet = data.draw(st.sampled_from(result.snippets))
    space, mark = data.draw(st.sampled_from([" ", "\n", "\r\n"])), data.draw(st.sampled_from("\"'…”»」"))
    words = snippet.text.split()
    assert result.locate(space.join(words), snippet.label)
    if any(word.isalnum() for word in (words[0], words[-1])):
        assert result.locate(f"{mark} {space.join(words)} ... {mark}", snippet.label)


@given(shown_results(least=2), st.data())
def test_without_a_label_all_snippets_are_searched(result: pith.Result, data: st.DataObject) -> None:
    quote = data.draw(st.sampled_from(data.draw(st.sampled_from(result.snippets)).text.split()))
    by_label = [location for s in result.snippets for location in result.locate(quote, s.label)]
    assert list(result.locate(quote)) == by_label


def test_a_quote_over_something_dropped_has_a_span_on_either_side() -> None:
    result = result_of(("First one. Dropped. Second 𝔘ne.", ["First one.", "Second 𝔘ne."]))
    (location,) = result.locate("one. Second 𝔘ne")
    assert texts(location) == ["one.", "Second 𝔘ne"]
    assert [(s.start, s.start_byte, s.start_utf16, s.end_utf16) for s in location.spans] == [
        (6, 6, 6, 10),
        (20, 20, 20, 31),
    ]


def test_a_quote_over_neighbours_is_one_span_with_the_white_space_between() -> None:
    result = result_of(("One.\r\n\r\nTwo. Rest.", ["One.", "Two."]))
    (location,) = result.locate("One. Two.")
    assert texts(location) == ["One.\r\n\r\nTwo."]


def test_a_quote_over_evidence_and_what_it_depends_on_counts_as_evidence() -> None:
    lead_in = pith.Span(0, 5, 0.1, pith.SpanReason.LEAD_IN)
    item = pith.Span(6, 9, 0.9, pith.SpanReason.EVIDENCE)
    text = "Fees:\n- A"
    snippet = pith.Snippet(pith.Document(text), (lead_in, item), text, 0.9, "E1", 3)
    (location,) = pith.Result((snippet,), "", pith.Report()).locate(text)
    assert [(s.text, s.reason, s.score) for s in location.spans] == [(text, pith.SpanReason.EVIDENCE, 0.9)]


def test_a_quote_that_is_not_in_the_context_is_nowhere() -> None:
    result = result_of(("Two years. Three years.", ["Two years."]), ("Four.", ["Four."]))
    assert result.locate("Three years.") == ()
    assert result.locate("two years") == ()
    assert result.locate("Two years.", "E2") == ()
    assert result.locate("…") == ()


def test_all_places_are_given_in_the_order_of_the_context() -> None:
    result = result_of(("a b, a\nb", ["a b, a\nb"]), ("x a b", ["x a b"]))
    assert [(found.label, found.spans[0].start) for found in result.locate("a b")] == [("E1", 0), ("E2", 2)]
    assert [found.spans[0].start for found in result.locate("a\n b", "E1")] == [0, 5]


def test_the_words_as_they_stand_go_before_those_without_their_marks() -> None:
    result = result_of(("the 1980s and the '80s", ["the 1980s and the '80s"]))
    assert [texts(found) for found in result.locate("'80s")] == [["'80s"]]
    assert [texts(found) for found in result.locate("“1980s ...”")] == [["1980s"]]


def test_headings_in_the_first_line_are_found() -> None:
    text = "Preamble.\n# Fees\n\n## Late\n\nTwo euros."
    result = result_of((text, ["Preamble.", "# Fees", "## Late", "Two euros."]))
    assert [texts(found) for found in result.locate("Fees")] == [["Fees"]]
    assert [texts(found) for found in result.locate("Fees › Late")] == [["Fees", "Late"]]
    source = result.source_of("E1")
    assert [span.text for span in source.section] == ["Fees", "Late"]
    assert [span.text for span in source.spans] == ["Preamble.", "Two euros."]


def test_a_chunk_is_placed_in_its_source() -> None:
    result = result_of(("𝔘ne. Two.", ["Two."]), start=100)
    source = result.source_of("E1")
    assert source.start == 100
    span = source.spans[0]
    assert (span.start, span.start_byte, span.start_utf16, span.source_start) == (5, 8, 6, 105)
    assert result.locate("Two")[0].spans[0].source_end == 108


def test_an_unknown_label_is_told_with_those_there_are() -> None:
    result = result_of(("a", ["a"]), ("b", ["b"]))
    for ask in (result.source_of, lambda label: result.locate("a", label)):
        with pytest.raises(InvalidInput, match=r"'E3'.*E1, E2") as raised:
            ask("E3")
        assert raised.value.code == "unknown_label"


@pytest.mark.parametrize(
    ("quote", "code"), [("", "blank_quote"), (" \n", "blank_quote"), (7, "invalid_quote")]
)
def test_a_quote_without_words_is_refused(quote: str, code: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        result_of(("a", ["a"])).locate(quote)
    assert raised.value.code == code


def test_a_snippet_that_is_not_made_of_its_spans_is_refused() -> None:
    result = result_of(("One. Two.", ["One."]))
    changed = replace(result, snippets=(replace(result.snippets[0], text="0ne."),))
    with pytest.raises(InvalidInput, match="E1") as raised:
        changed.locate("0ne")
    assert raised.value.code == "inconsistent_snippet"
