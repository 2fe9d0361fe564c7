"""The first line of a block: always one line, and never dearer than what the server counts of its parts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pith
from pith.render import header, label
from pith.source_line import source_line
from preprocessing.request import Preprocessor

FOLDER = Path(__file__).parents[2] / "model_repository" / "tokenize" / "1"
PREPROCESSOR = Preprocessor.load(FOLDER)

CHARACTERS = st.characters(exclude_categories=["Cs"])
URLS = st.from_regex(r"https?://[a-z0-9.-]{1,30}(/[A-Za-z0-9%_.~?&=#-]{1,20}){0,4}", fullmatch=True)
PLAIN = ["Returns", "§ 7", "v1.2-rc3", "Größe", "東京", "ﬁ", "é", "\u0301", "¨", "·", "›", "]", "\n"]
# A mark of the tokenizer's own, characters that it does not know, white space that it does not take for such.
AWKWARD = ["▁", "\ue7f2", "\U0001096f", "\x1c", "\x1f", "\u0085", "\u200b"]
WORDS = st.lists(st.sampled_from(PLAIN + AWKWARD)).map("".join)
LINES = st.none() | st.text(CHARACTERS, max_size=40) | WORDS | URLS


@pytest.mark.parametrize(
    ("version", "url", "line"),
    [
        (None, None, ""),
        (" \n", "", ""),
        ("2", None, " · version 2"),
        (None, "https://example.org", " · https://example.org"),
        ("2\r\n beta\t1", " https://example.org/a\x00b ", " · version 2 beta 1 · https://example.org/a b"),
        ("2\ud800", None, " · version 2"),
    ],
)
def test_version_and_address_stand_on_one_line(version: str | None, url: str | None, line: str) -> None:
    assert source_line(pith.Document("text", version=version, url=url)) == line


@given(st.text(), st.text())
def test_any_version_and_address_make_one_line_that_can_be_sent(version: str, url: str) -> None:
    line = source_line(pith.Document("text", version=version, url=url))
    assert len(f"x{line}".splitlines()) == 1
    assert line.encode().decode() == line


@given(LINES, LINES, LINES, st.integers(1, 300))
def test_a_first_line_costs_no_more_than_its_parts(
    title: str | None, version: str | None, url: str | None, number: int
) -> None:
    document = pith.Document("text", title=title, version=version, url=url)
    counted = PREPROCESSOR.prepare(
        [b"query"], [b"text"], [(title or "").encode()], [source_line(document).encode()]
    )
    parts = tokens(f"[{label(number)}]") + int(counted.title_tokens[0]) + int(counted.source_tokens[0])
    # Only a title that begins with the tokenizer's mark for a word's begin costs one more behind the label.
    marked = (title or "").strip().startswith("▁")
    assert tokens(header(label(number), document)) <= parts + marked


def tokens(text: str) -> int:
    return int(PREPROCESSOR.prepare([b"query"], [b"text"], [text.encode()]).title_tokens[0])
