"""What a kept segment brings along, and what it does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pith
from pith.select.dependencies import dependencies
from pith.select.openings import ends_open, ends_whole, opens_inside, points_back, takes_back
from pith.types import Kind, Segment, SpanReason

Part = tuple[str, Kind, int | None]


def document(*parts: Part, gap: str = "\n") -> pith.ScoredDocument:
    """A document of (text, kind, parent) with ``gap`` between the parts."""
    text, segments = "", []
    for own, kind, parent in parts:
        text += gap if text else ""
        segments.append(Segment(len(text), len(text) + len(own), kind, 0.5, 3, parent, (0.5,)))
        text += own
    return pith.ScoredDocument(pith.Document(text), tuple(segments), 0.5)


def prose(*texts: str, gap: str = " ") -> pith.ScoredDocument:
    return document(*((text, Kind.SENTENCE, None) for text in texts), gap=gap)


def brought(scored: pith.ScoredDocument, segment: int) -> list[tuple[int, str, bool]]:
    return [(found.segment, found.reason, found.required) for found in dependencies(scored, segment)]


CUT = [
    ("After approval of the claim,", "pays within 5 working days."),
    ("申请经批准后，", "五个工作日内付款。"),
    ("Pēc pieteikuma apstiprināšanas,", "izmaksā 5 darba dienu laikā."),
    ("Dopo l'approvazione della domanda,", "si paga entro 5 giorni lavorativi."),
    ("The travel expenses of all members are", "paid within five working days."),
]


@pytest.mark.parametrize(("first", "second"), CUT)
def test_either_half_of_a_cut_sentence_brings_the_other(first: str, second: str) -> None:
    scored = prose(first, second)
    assert brought(scored, 0) == [(1, "continuation", True)]
    assert brought(scored, 1) == [(0, "continuation", True)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Home", "About us"),
        ("Contact", "log in"),
        ("The claim is paid at once.", "lower case opens this one."),
        ("Title without a mark that is long enough", "The text begins here."),
        ("申请经批准后付款。", "另一句话在这里。"),
        ("Is it paid?", "yes, it is."),
    ],
)
def test_what_is_no_cut_sentence_brings_nothing(first: str, second: str) -> None:
    scored = prose(first, second)
    assert brought(scored, 0) == []
    assert [found for found in brought(scored, 1) if found[1] == "continuation"] == []


EXCEPTIONS = [
    ("The cost is paid in full.", "Except for flights."),
    ("The cost is paid in full.", "Unless the council decides otherwise, this holds."),
    ("费用全额支付。", "除非另有规定。"),
    ("费用全额支付。", "但机票除外。"),
    ("Izdevumus apmaksā pilnībā.", "Izņemot lidojumus."),
    ("Le spese sono rimborsate.", "Salvo i voli."),
    ("Le spese sono rimborsate.", "Tranne in agosto."),
    ("Die Kosten werden erstattet.", "Es sei denn, der Rat beschließt anders."),
    ("Les frais sont payés.", "Sauf en août."),
    ("Расходы оплачиваются.", "За исключением перелётов."),
    ("費用は全額支払われます。", "ただし航空券を除く。"),
]


@pytest.mark.parametrize(("rule", "exception"), EXCEPTIONS)
def test_the_exception_that_follows_at_once_is_required(rule: str, exception: str) -> None:
    assert brought(prose(rule, exception), 0) == [(1, "exception", True)]


BACK = [
    ("The museum stands by the river.", "It opened in 1950."),
    ("博物馆在河边。", "该馆于1950年开放。"),
    ("Muzejs atrodas pie upes.", "Tas tika atvērts 1950. gadā."),
    ("Il museo è sul fiume.", "Questo fu aperto nel 1950."),
    ("Das Museum steht am Fluss.", "Dieses wurde 1950 eröffnet."),
    ("The plan was approved.", "However, nothing was built."),
    ("Музей стоит у реки.", "Он открылся в 1950 году."),
    ("Müze nehir kenarındadır.", "Ancak kapalıdır."),
]


@pytest.mark.parametrize(("before", "after"), BACK)
def test_the_sentence_that_an_opening_points_back_to_is_background(before: str, after: str) -> None:
    assert brought(prose(before, after), 1) == [(0, "antecedent", False)]
    assert brought(prose(before, after, gap="\n\n"), 1) == []


def test_structure_brings_headings_headers_and_lead_ins() -> None:
    scored = document(
        ("# Travel", Kind.HEADING, None),
        ("## Hotels", Kind.HEADING, 0),
        ("| City | Most |", Kind.TABLE_HEADER, 1),
        ("| Rome | 120 |", Kind.TABLE_ROW, 2),
        ("Not paid are:", Kind.SENTENCE, 1),
        ("- breakfast", Kind.LIST_ITEM, 4),
        ("- minibar", Kind.LIST_ITEM, 5),
    )
    assert brought(scored, 3) == [(0, "heading", False), (1, "heading", False), (2, "table_header", True)]
    assert brought(scored, 5) == [(0, "heading", False), (1, "heading", False), (4, "lead_in", True)]
    assert [found[0] for found in brought(scored, 6) if found[1] == "lead_in"] == [4, 5]


def test_what_is_brought_is_marked_charged_and_dropped_before_its_fact() -> None:
    scored = prose(
        "The museum stands by the river.", "It opened in 1950, in a former mill.", "Except the tower."
    )
    low = pith.Segment(0, 31, Kind.SENTENCE, 0.0, 6, None, (0.0,))
    end = scored.segments[2]
    last = pith.Segment(end.start, end.end, Kind.SENTENCE, 0.0, 4, None, (0.0,))
    scored = pith.ScoredDocument(scored.document, (low, scored.segments[1], last), 0.5)

    def shown(budget: int) -> list[str]:
        result = pith.select_evidence([scored], budget=budget, threshold=0.2)
        return [str(span.reason) for snippet in result.snippets for span in snippet.spans]

    assert shown(100) == ["antecedent", "evidence", "exception"]
    assert pith.select_evidence([scored], budget=100, threshold=0.2).report.added == 10
    assert shown(17) == ["evidence", "exception"]
    assert shown(13) == []
    off = pith.select_evidence([scored], budget=100, threshold=0.2, dependencies=False)
    assert [span.reason for span in off.snippets[0].spans] == [SpanReason.EVIDENCE]


texts = st.text(alphabet="aB .,，。但It\n-#|", min_size=1, max_size=12).filter(str.strip).map(str.strip)


@given(st.lists(st.tuples(texts, st.sampled_from(Kind)), min_size=1, max_size=10), st.data())
def test_dependencies_are_other_segments_in_order_and_few(
    parts: list[tuple[str, Kind]], data: st.DataObject
) -> None:
    tree = [
        (text, kind, data.draw(st.sampled_from([None, *range(i)]))) for i, (text, kind) in enumerate(parts)
    ]
    scored = document(*tree, gap=data.draw(st.sampled_from([" ", "\n", "\n\n"])))
    for segment in range(len(parts)):
        found = [dependency.segment for dependency in dependencies(scored, segment)]
        assert found == sorted(set(found) - {segment})
        assert all(0 <= index < len(parts) for index in found)
        assert dependencies(scored, segment) == dependencies(scored, segment)


@given(st.text(max_size=60))
def test_openings_and_endings_take_any_text(text: str) -> None:
    for sign in (points_back, takes_back, ends_open, ends_whole, opens_inside):
        assert sign(text) in (True, False)
