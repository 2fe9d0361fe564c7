from __future__ import annotations

import pytest

from preprocessing.kinds import Kind
from preprocessing.segments import segment
from tests.preprocessing.hostile import assert_sound

H, S, L, T, R, C = Kind.HEADING, Kind.SENTENCE, Kind.LIST_ITEM, Kind.TABLE_HEADER, Kind.TABLE_ROW, Kind.CODE


def rows(text: str) -> list[tuple[Kind, str, int]]:
    """(kind, text, parent) of every segment."""
    segments = segment(text)
    assert_sound(text, segments)
    return [
        (Kind(kind), text[start:end], parent)
        for start, end, kind, parent in zip(
            segments.start.tolist(),
            segments.end.tolist(),
            segments.kind.tolist(),
            segments.parent.tolist(),
            strict=True,
        )
    ]


def pieces(text: str) -> list[str]:
    return [piece for _, piece, _ in rows(text)]


@pytest.mark.parametrize("text", ["", " ", "\n\n \t\r\n", "\u2028\u3000"])
def test_blank_text_has_no_segments(text: str) -> None:
    assert rows(text) == []
    assert len(segment(text)) == 0


def test_headings_nest_and_are_the_parents_of_their_sections() -> None:
    text = "# Boats\nAll boats.\n\n### Ferries\nBig ones. Small ones.\n\n## Rafts ##\nWet.\n\n# Cars\nDry."
    assert rows(text) == [
        (H, "# Boats", -1),
        (S, "All boats.", 0),
        (H, "### Ferries", 0),
        (S, "Big ones.", 2),
        (S, "Small ones.", 2),
        (H, "## Rafts ##", 0),
        (S, "Wet.", 5),
        (H, "# Cars", -1),
        (S, "Dry.", 7),
    ]


def test_setext_and_bold_lines_are_headings() -> None:
    text = "Boats\n=====\n\nFerries\n-------\n\nBig ones.\n\n**Fares**\n\nTwo euros."
    assert rows(text) == [
        (H, "Boats\n=====", -1),
        (H, "Ferries\n-------", 0),
        (S, "Big ones.", 1),
        (H, "**Fares**", 1),
        (S, "Two euros.", 3),
    ]


@pytest.mark.parametrize(
    "text", ["#hashtag is no heading", "#######", "A sentence.\n---", "C# is a language"]
)
def test_what_looks_like_a_heading_only_at_first_glance_is_none(text: str) -> None:
    assert H not in [kind for kind, _, _ in rows(text)]


def test_list_items_depend_on_the_sentence_that_leads_them_in() -> None:
    text = "# Fares\n\nThey vary. Choose one of these:\n\n- Day. Valid once.\n- Week.\n\nThat is all."
    assert rows(text) == [
        (H, "# Fares", -1),
        (S, "They vary.", 0),
        (S, "Choose one of these:", 0),
        (L, "- Day.", 2),
        (L, "Valid once.", 3),
        (L, "- Week.", 2),
        (S, "That is all.", 0),
    ]


def test_nested_items_depend_on_the_item_above_them() -> None:
    text = "1. Boats\n   - ferry\n     * car ferry\n   - raft\n\n     Rafts are wet.\n2. Cars"
    assert rows(text) == [
        (L, "1. Boats", -1),
        (L, "- ferry", 0),
        (L, "* car ferry", 1),
        (L, "- raft", 0),
        (L, "Rafts are wet.", 3),
        (L, "2. Cars", -1),
    ]


@pytest.mark.parametrize(
    "marker",
    [
        "-",
        "*",
        "+",
        "•",
        "‣",
        "◦",
        "–",
        "1.",
        "12)",
        "(3)",
        "a)",
        "(b)",
        "iv.",
        "B)",
        "①",
        "（一）",
        "二、",
        "3、",
    ],
)
def test_every_usual_marker_makes_list_items(marker: str) -> None:
    text = f"Choose:\n{marker} one thing\n{marker} another thing"
    assert rows(text) == [
        (S, "Choose:", -1),
        (L, f"{marker} one thing", 0),
        (L, f"{marker} another thing", 0),
    ]


def test_a_list_without_a_lead_in_depends_on_its_heading() -> None:
    assert rows("# Fares\n\n- Day\n- Week") == [(H, "# Fares", -1), (L, "- Day", 0), (L, "- Week", 0)]


def test_text_below_an_item_does_not_lead_the_next_item_in() -> None:
    text = "Steps:\n1. Open\nTurn the key.\n2. Close\nTurn it back."
    assert [parent for kind, _, parent in rows(text) if kind == L] == [0, 0]


def test_a_list_flattened_into_a_sentence_becomes_items_again() -> None:
    text = "We sell two kinds: • apples, red ones. • pears."
    assert rows(text) == [(S, "We sell two kinds:", -1), (L, "• apples, red ones.", 0), (L, "• pears.", 0)]


def test_a_wrapped_item_stays_whole_and_a_number_at_a_line_start_begins_none() -> None:
    assert pieces("- one item that goes\n  on Here\n- two") == ["- one item that goes\n  on Here", "- two"]
    wrapped = "They left the harbour of the old town with all their goods in the year\n12. Nothing was heard of them."
    assert all(kind == S for kind, _, _ in rows(wrapped))


def test_table_rows_depend_on_the_header_with_its_delimiter_row() -> None:
    text = "# Fares\n\nPrices in euros:\n\n| Zone | Fare |\n|:-----|-----:|\n| A | 2 |\n| B | 3 |\n\nDone."
    assert rows(text) == [
        (H, "# Fares", -1),
        (S, "Prices in euros:", 0),
        (T, "| Zone | Fare |\n|:-----|-----:|", 1),
        (R, "| A | 2 |", 2),
        (R, "| B | 3 |", 2),
        (S, "Done.", 0),
    ]


def test_a_table_needs_no_outer_pipes_and_no_delimiter_row() -> None:
    assert [kind for kind, _, _ in rows("Zone | Fare\n---- | ----\nA | 2")] == [T, R]
    assert [kind for kind, _, _ in rows("| Zone | Fare |\n| A | 2 |\n| B | 3 |")] == [T, R, R]
    assert rows("| alone | here |") == [(R, "| alone | here |", -1)]


def test_second_header_rows_and_group_rows_of_a_web_table() -> None:
    text = (
        "| | 2018 | 2019 |\n| | EUR | EUR |\n| Boats | | |\n| Ferry | 1 | 2 |\n| Cars | | |\n| Van | 3 | 4 |"
    )
    assert rows(text) == [
        (T, "| | 2018 | 2019 |\n| | EUR | EUR |", -1),
        (R, "| Boats | | |", 0),
        (R, "| Ferry | 1 | 2 |", 1),
        (R, "| Cars | | |", 0),
        (R, "| Van | 3 | 4 |", 3),
    ]


def test_a_fenced_block_is_one_segment_whatever_it_holds() -> None:
    text = "Run this:\n\n```sh\n# not a heading\n\n- not an item. Or two.\n```\nDone."
    assert rows(text) == [
        (S, "Run this:", -1),
        (C, "```sh\n# not a heading\n\n- not an item. Or two.\n```", 0),
        (S, "Done.", -1),
    ]


def test_fences_close_with_their_own_mark_and_length_only() -> None:
    assert pieces("````\n```\nx. Y.\n````\nDone.") == ["````\n```\nx. Y.\n````", "Done."]
    assert pieces("~~~\n```\nx. Y.\n~~~") == ["~~~\n```\nx. Y.\n~~~"]
    assert pieces("```\nnever closed. Still code.\n\n# still") == [
        "```\nnever closed. Still code.\n\n# still"
    ]


def test_code_in_an_item_depends_on_the_item() -> None:
    text = "- Run it:\n  ```\n  make\n  ```\n- Stop it."
    assert rows(text) == [(L, "- Run it:", -1), (C, "```\n  make\n  ```", 0), (L, "- Stop it.", -1)]


def test_indented_code_is_code_and_indented_prose_is_not() -> None:
    text = "Like so:\n\n    x = f(1)\n\n    y = x\n\nThen go."
    assert rows(text) == [(S, "Like so:", -1), (C, "x = f(1)\n\n    y = x", 0), (S, "Then go.", -1)]
    assert rows("    Once upon a time there was a king. He slept.")[0][0] == S


def test_long_code_is_cut_at_blank_lines() -> None:
    block = "value = compute(1)\n" * 20 + "\n"
    found = rows("```\n" + block * 10 + "```")
    assert len(found) > 2
    assert {kind for kind, _, _ in found} == {C}
    assert all(len(piece) < 2 * len(block) + 1000 for _, piece, _ in found)


def test_front_matter_is_code_and_a_rule_is_not_front_matter() -> None:
    assert rows("---\ntitle: Boats. All.\ntags:\n  - a\n---\n# Boats")[0] == (
        C,
        "---\ntitle: Boats. All.\ntags:\n  - a\n---",
        -1,
    )
    assert [kind for kind, _, _ in rows("---\nJust text\n---")] != [C]


def test_quote_marks_stay_with_the_quoted_text() -> None:
    text = "> First line. Second\n> goes on\n> in lower case here.\n>\n> ## Inside\n> - item\n\nOutside."
    found = rows(text)
    assert [piece for _, piece, _ in found] == [
        "> First line.",
        "Second",
        "> goes on",
        "> in lower case here.",
        ">\n> ## Inside",
        "> - item",
        "Outside.",
    ]
    assert found[4][0] == H
    assert found[5][0] == L


def test_every_short_line_of_a_web_page_is_a_segment_of_its_own() -> None:
    text = "Home\nAbout us\nContact\nSign in\nOur ferries leave at noon every day of the week, even on Sundays.\nShare"
    assert pieces(text) == text.split("\n")


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r", "\u2028", "\x0b", "\x85"])
def test_any_line_end_separates_lines(line_end: str) -> None:
    assert pieces(f"# Boats{line_end}All boats.{line_end}{line_end}- ferry{line_end}- raft") == [
        "# Boats",
        "All boats.",
        "- ferry",
        "- raft",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "\0",
        "\ud800 lone. \udfff",
        "a\0b. C",
        "\u200b",
        "\ufeff# Boats",
        "👩\u200d👩\u200d👧! 🇫🇷. 👍🏽",
        "e\u0301. E\u0301",
        "\u202bשלום. עולם\u202c",
        "ÿ" * 10_000,
        ">",
        "> ",
        ">\n>\n\n>",
        "|",
        "||",
        "|-|",
        "-",
        "```",
        "---\n---",
        "a\n===\n===",
        "- \n-\n*",
        "#\n##",
        "1.\n2.",
    ],
)
def test_odd_texts_are_covered_exactly(text: str) -> None:
    rows(text)


def test_repeated_sentences_have_their_own_places() -> None:
    text = "Yes. No. Yes. No. Yes."
    assert segment(text).start.tolist() == [0, 5, 9, 14, 18]
