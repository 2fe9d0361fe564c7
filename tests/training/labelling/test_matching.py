"""Quotes get the place they were copied from, or a reason; never another place."""

from __future__ import annotations

import random
import re
import unicodedata
from collections import Counter
from itertools import pairwise
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.training.labelling.languages import PAGES
from training.labelling.matching import Matching, Quote, Reason, match
from training.labelling.skeleton import Form

PERTURBED = 2_000
_EDGES = " \n\t.…#>*_`-–—―•\"'“”„«»「」’‘[]()"
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def lines_of(text: str) -> list[tuple[int, int]]:
    """Offsets of the lines that hold text."""
    return [(m.start(), m.end()) for m in re.finditer(r"[^\n]+", text)]


def core(text: str, start: int, end: int) -> tuple[int, int]:
    """A span without the marks, quotation marks, dashes and white space at its ends, which a copy may lack."""
    while start < end and text[start] in _EDGES:
        start += 1
    while end > start and text[end - 1] in _EDGES:
        end -= 1
    return start, end


def white_space(quote: str, rng: random.Random) -> str:
    return re.sub(
        r" ", lambda _: rng.choice([" ", "  ", "\n", "\u00a0", "\u202f", "\t"]), quote
    ) + rng.choice(["", " "])


def quotation(quote: str, rng: random.Random) -> str:
    return re.sub("[“”„«»「」’'‘\"]", lambda _: rng.choice("\"'“”„«»‘’"), quote)


def dashes(quote: str, rng: random.Random) -> str:
    return re.sub(" ?[–—―]+ ?", lambda _: rng.choice([" - ", "—", " – ", "--", " -- ", "-"]), quote)


def ellipses(quote: str, rng: random.Random) -> str:
    return re.sub("…+|\\.{3}", lambda _: rng.choice(["...", "…", ". . .", ""]), quote)


def case(quote: str, rng: random.Random) -> str:
    return rng.choice([str.upper, str.lower, str.title, str.swapcase])(quote)


def markdown(quote: str, rng: random.Random) -> str:
    quote = _LINK.sub(r"\1", quote) if rng.random() < 0.7 else quote
    quote = re.sub(r"^(?:#+|[->]) ", "", quote) if rng.random() < 0.7 else quote
    quote = quote.replace("**", "").replace("*", "") if rng.random() < 0.7 else quote
    return f"**{quote}**" if rng.random() < 0.2 else quote


def composition(quote: str, rng: random.Random) -> str:
    forms: list[Literal["NFC", "NFD", "NFKC", "NFKD"]] = ["NFC", "NFD", "NFKC", "NFKD"]
    return unicodedata.normalize(rng.choice(forms), quote)


CHANGES = (white_space, quotation, dashes, ellipses, case, markdown, composition)


def perturbed(quote: str, rng: random.Random) -> str:
    """A copy with one to four of the changes that judges make."""
    for change in rng.sample(CHANGES, rng.choice([1, 1, 2, 3, 4])):
        quote = change(quote, rng)
    return quote


def test_2000_perturbed_quotes_are_found_where_they_came_from_and_none_elsewhere() -> None:
    rng = random.Random(20)
    outcomes: Counter[tuple[str, str]] = Counter()
    missed = []
    languages = list(PAGES)
    for turn in range(10**6):
        if sum(outcomes.values()) >= PERTURBED:
            break
        language = languages[turn % len(languages)]
        text = PAGES[language]
        spans = lines_of(text)
        chosen = sorted(rng.sample(range(len(spans)), rng.randint(3, len(spans))))
        asked = [spans[i] for i in chosen]
        repeats = Counter(text[a:b] for a, b in spans)
        # One of two equal lines alone is placed only when its neighbours say which; tested below.
        asked = [
            (a, b) for a, b in asked if repeats[text[a:b]] == sum(text[c:d] == text[a:b] for c, d in asked)
        ]
        quotes = [Quote(perturbed(text[a:b], rng), "vital") for a, b in asked]
        found = match(text, quotes)
        where = {placed.quote: placed.spans for placed in found.placed}
        for number, (a, b) in enumerate(asked):
            place = where.get(number)
            if place is None:
                outcomes[language, "missed"] += 1
                missed.append((quotes[number].text, text[a:b]))
            else:
                right = core(text, place[0][0], place[-1][1]) == core(text, a, b)
                outcomes[language, "right" if right else "wrong"] += 1
                assert right, (quotes[number].text, [text[c:d] for c, d in place])
    total = sum(outcomes.values())
    found_right = sum(count for (_, kind), count in outcomes.items() if kind == "right")
    assert total >= PERTURBED
    assert len({language for language, _ in outcomes}) >= 10
    assert found_right / total >= 0.995, missed


def places(found: Matching, text: str) -> list[list[str]]:
    return [[text[a:b] for a, b in placed.spans] for placed in found.placed]


def reasons(found: Matching) -> list[Reason]:
    return [missed.reason for missed in found.unmatched]


@given(st.sampled_from(sorted(PAGES)), st.randoms(use_true_random=False), st.booleans())
@settings(deadline=None, max_examples=150)
def test_every_quote_is_placed_once_or_has_a_reason_and_spans_are_disjoint(
    language: str, rng: random.Random, shuffled: bool
) -> None:
    text = PAGES[language]
    spans = lines_of(text)
    quotes = [Quote(perturbed(text[a:b], rng), rng.choice(["vital", "advert"])) for a, b in spans]
    quotes += [Quote("".join(rng.choices(text, k=4)), "vital"), Quote(" ** ", "vital")]
    if shuffled:
        rng.shuffle(quotes)
    found = match(text, quotes)
    numbers = [p.quote for p in found.placed] + [m.quote for m in found.unmatched]
    assert sorted(numbers) == list(range(len(quotes)))
    flat = sorted(span for placed in found.placed for span in placed.spans)
    assert all(0 <= a < b <= len(text) for a, b in flat)
    assert all(b <= c for (_, b), (c, _) in pairwise(flat))


@given(st.text(max_size=60), st.lists(st.text(max_size=8), max_size=6))
@settings(deadline=None, max_examples=300)
def test_any_text_and_any_quotes_are_taken(text: str, quotes: list[str]) -> None:
    found = match(text, [Quote(quote, "vital") for quote in quotes])
    assert len(found.placed) + len(found.unmatched) == len(quotes)
    for placed in found.placed:
        if placed.form is Form.EXACT:
            ((a, b),) = placed.spans
            assert text[a:b] == quotes[placed.quote].strip()


@given(st.integers(1, 4), st.integers(1, 6))
@settings(deadline=None)
def test_repeats_are_paired_in_order_and_too_many_or_too_few_are_reported(occurs: int, quoted: int) -> None:
    text = " Then. ".join(["Yes."] * occurs)
    found = match(text, [Quote("Yes.", "vital")] * quoted)
    starts = [placed.spans[0][0] for placed in found.placed]
    if quoted < occurs:
        assert starts == []
        assert set(reasons(found)) == {Reason.AMBIGUOUS}
    else:
        assert starts == [n * len("Yes. Then. ") for n in range(occurs)]
        assert reasons(found) == [Reason.SURPLUS] * (quoted - occurs)


def test_neighbours_say_which_of_two_equal_lines_is_meant() -> None:
    text = "First part. See below. Second part. See below. Third part."
    found = match(text, [Quote(q, "vital") for q in ("Second part.", "See below.", "Third part.")])
    assert [p.spans[0][0] for p in found.placed] == [23, 36, 47]


def test_neighbours_out_of_order_say_nothing() -> None:
    text = "First part. See below. Second part. See below. Third part."
    found = match(text, [Quote(q, "vital") for q in ("Third part.", "See below.", "Second part.")])
    assert reasons(found) == [Reason.AMBIGUOUS]


def test_equal_lines_of_different_categories_are_told_apart_by_order_alone() -> None:
    text = "First part. Sign up now. Second part. Sign up now. The end."
    both = [Quote("Sign up now.", "vital"), Quote("Sign up now.", "advert")]
    ordered = [Quote("First part.", "vital"), *both, Quote("The end.", "vital")]
    assert [p.spans[0][0] for p in match(text, ordered).placed] == [0, 12, 38, 51]
    disordered = [Quote("The end.", "vital"), *both, Quote("First part.", "vital")]
    assert reasons(match(text, disordered)) == [Reason.AMBIGUOUS] * 2


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("It costs 15 euros.", "5 euros"),
        ("It costs 3.5 euros.", "5 euros"),
        ("It is -5 degrees.", "5 degrees"),
        ("It costs 15 euros.", "costs 1"),
        ("It costs 10-15 euros.", "It costs 1015 euros."),
        ("It costs 3.5 euros.", "It costs 35 euros."),
        ("It is -5 degrees.", "It is 5 degrees."),
        ("They are parties.", "art"),
        ("In the café.", "cafe"),
        ("In the cafe\u0301.", "cafe"),
        ("में काम", "का"),
        ("각", "가"),
        ("The fee is 5 euros.", "The fee is 6 euros."),
        ("It rains.", "It doesn't rain."),
    ],
)
def test_a_part_of_a_word_or_number_is_no_occurrence(text: str, quote: str) -> None:
    assert reasons(match(text, [Quote(quote, "vital")])) == [Reason.NOT_FOUND]


def test_what_an_ellipsis_leaves_out_is_left_out() -> None:
    text = "The fee is due in May. It was once due in June, as many recall. Members pay half of it. The end."
    found = match(text, [Quote("The fee is due in May. [...] Members pay half of it.", "vital")])
    assert places(found, text) == [["The fee is due in May.", "Members pay half of it."]]
    twice = match(text + " " + text, [Quote("The fee is due in May … Members pay half of it.", "vital")])
    assert reasons(twice) == [Reason.AMBIGUOUS]


def test_a_quote_out_of_another_is_reported() -> None:
    text = "The fee is 5 euros a month."
    found = match(text, [Quote(text, "vital"), Quote("5 euros", "metadata")])
    assert places(found, text) == [[text]]
    assert reasons(found) == [Reason.OVERLAP]


def test_case_folding_that_changes_lengths_keeps_offsets() -> None:
    text = "Zuerst: İSTANBUL, dann die Straße – ﬁnal. Ende."
    found = match(text, [Quote("ZUERST: i̇stanbul, DANN DIE STRASSE - FINAL.", "vital")])
    assert places(found, text) == [["Zuerst: İSTANBUL, dann die Straße – ﬁnal."]]
