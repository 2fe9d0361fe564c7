"""The noise audit: every token is counted once, under what it is, and no way is given more than the budget."""

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pith
from corpora.sets import Document, Question
from evaluation.noise import (
    CATEGORIES,
    FILLED,
    FLOORS,
    WITH,
    WITHOUT,
    audit,
    audited_rows,
    categories_of,
    counted,
    in_order,
    markdown,
    selected,
    summary,
)
from evaluation.noise_pages import Audited, _pages
from evaluation.web_noise import category_of, lines_for, noise_lines
from pith.types import Kind, ScoredDocument, Segment
from preprocessing.segments import segment

LINES = {
    ("en", "navigation"): [f"Menu item {n}" for n in range(50)],
    ("en", "advert"): [f"Subscribe to newsletter number {n}" for n in range(50)],
    ("en", "metadata"): [f"Published on {n + 1}.1.2020" for n in range(50)],
}
ANSWER = "The bridge opened in 1932."


def documents() -> dict[str, Document]:
    texts = [f"{ANSWER} It carries eight lanes of traffic.", "The bridge was painted grey by forty men."]
    texts += [f"Sheep farm {n} keeps a flock on the hill. The wool is sold in spring." for n in range(12)]
    return {
        str(n): Document(str(n), text, "", "en", "bridge" if n < 2 else f"farm {n}", n)
        for n, text in enumerate(texts)
    }


def question(seed: int) -> Audited:
    found = documents()
    articles: dict[str, list[Document]] = {}
    for document in found.values():
        articles.setdefault(document.article, []).append(document)
    asked = Question(
        "q", "When did the bridge open?", "0", ((ANSWER.index("1932"), len(ANSWER) - 1),), "answer_span"
    )
    return _pages("some/dev", asked, found, articles, LINES, random.Random(seed))


def score(query: str, given_: Any) -> list[ScoredDocument]:
    """Scores by a rule instead of a model: the answer high, the bridge in the middle, the rest low."""
    out = []
    for document in given_:
        found = segment(document.text)
        segments = []
        for a, b in zip(found.start.tolist(), found.end.tolist(), strict=True):
            text = document.text[a:b]
            value = 0.9 if "1932" in text else 0.2 if "lanes" in text else 0.01
            segments.append(Segment(a, b, Kind.SENTENCE, value, len(text.split()), None, (value,)))
        out.append(ScoredDocument(document, tuple(segments), 0.5))
    return out


ONE = question(1)
SCORED = score("", [page.document for page in ONE.pages])
PLACES = [(n, i) for n, document in enumerate(SCORED) for i in range(len(document.segments))]


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_parts_cover_the_page_and_evidence_stays_where_it_is(seed: int) -> None:
    one = question(seed)
    answers = 0
    for page in one.pages:
        end = 0
        for part in page.parts:
            assert page.text[end : part.start].strip() == ""
            assert page.text[part.start : part.end].strip()
            end = part.end
            for a, b in part.evidence:
                assert page.text[a:b] == "1932"
                answers += 1
        assert end == len(page.text)
    assert answers == 2


def test_the_same_seed_makes_the_same_pages_and_another_other_ones() -> None:
    assert question(1) == ONE
    assert question(2).key != ONE.key


def test_segments_are_what_they_were_put_in_as() -> None:
    for (n, i), (name, _) in categories_of(ONE, SCORED).items():
        text = SCORED[n].text_of(i)
        expected = (
            "navigation"
            if text.startswith("Menu")
            else "advert"
            if text.startswith("Subscribe")
            else "metadata"
            if text.startswith("Published")
            else "vital"
            if "1932" in text
            else "off-topic"
        )
        assert name == expected


def test_what_is_sent_twice_counts_once_as_itself_and_then_as_a_duplicate() -> None:
    category = categories_of(ONE, SCORED)
    answers = [(place, 5) for place in PLACES if category[place][0] == "vital"]
    assert len(answers) == 2
    assert counted(answers, category) == {"vital": 5, "duplicate": 5}
    assert counted(answers[1:], category) == {"vital": 5}


def test_repeated_lines_of_noise_stay_noise() -> None:
    category = {(0, 0): ("navigation", ""), (1, 0): ("navigation", "")}
    assert counted([((0, 0), 3), ((1, 0), 3)], category) == {"navigation": 6}


@settings(deadline=None)
@given(st.integers(1, 400))
def test_without_compression_the_budget_is_filled_to_the_last_token(budget: int) -> None:
    sent = in_order(SCORED, budget)
    total = sum(s.tokens for document in SCORED for s in document.segments)
    assert sum(tokens for _, tokens in sent) == min(budget, total)
    assert [place for place, _ in sent] == PLACES[: len(sent)]


@settings(deadline=None)
@given(st.integers(1, 400), st.sampled_from([None, 0.05, 0.5]))
def test_the_selection_is_never_given_more_than_the_budget(budget: int, threshold: float | None) -> None:
    sent = selected(SCORED, "When did the bridge open?", budget, threshold)
    assert sum(tokens for _, tokens in sent) <= budget
    places = [place for place, _ in sent]
    assert len(set(places)) == len(places)


def test_the_report_adds_up_and_names_the_floors() -> None:
    rows = [audit(question(seed), score, 60, 0.05) for seed in range(6)]
    report = {"scored_by": "a rule"} | summary(rows, 60)
    for way in report["ways"].values():
        assert sum(way["shares"].values()) == pytest.approx(1.0, abs=1e-3)
        assert set(way["shares"]) == set(CATEGORIES)
    assert set(report["ways"]) == {WITHOUT, WITH, FILLED}
    assert report["ways"][WITH]["vital_kept"] == 1.0
    assert report["ways"][WITH]["change"]["vital"] > FLOORS["vital"]
    assert report["ways"][WITH]["change"]["navigation"] == -1.0
    assert "| vital |" in markdown(report)


def test_a_rerun_takes_the_rows_from_the_file(tmp_path: Path) -> None:
    ones = [question(seed) for seed in range(3)]
    file = tmp_path / "rows.jsonl"
    first = audited_rows(ones[:2], lambda: score, 60, 0.05, file)
    with file.open("a") as out:
        out.write('{"key": "cut sho')
    again = audited_rows(ones, lambda: score, 60, 0.05, file)
    assert again[:2] == first
    assert len(file.read_text().splitlines()) == 3

    def refuse() -> Any:
        raise AssertionError

    assert audited_rows(ones, refuse, 60, 0.05, file) == again


@pytest.mark.parametrize(
    ("text", "elements", "category"),
    [
        ("Startseite", "header/nav", "navigation"),
        ("Bayern", "form/select", "navigation"),
        ("Abonnieren Sie unseren Newsletter.", "aside", "advert"),
        ("Diese Website verwendet Cookies.", "", "advert"),
        ("ADVERTISEMENT", "main", "advert"),
        ("31.03.2022", "article", "metadata"),
        ("Posted by Ann on May 3, 2021", "article/header", "metadata"),
        ("© 2020 HR Innovation", "footer", "metadata"),
        ("April 2007 (34)", "aside", None),
        ("The bridge was painted grey by forty men.", "main/article", None),
    ],
)
def test_a_line_is_what_its_elements_or_its_words_say(text: str, elements: str, category: str | None) -> None:
    assert category_of(text, elements) == category


def test_lines_that_training_rows_hold_are_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "webpages"
    folder.mkdir()
    page = {
        "lang": "de-DE",
        "lines": [
            {"text": "Startseite", "label": "unlabelled", "tags": "nav"},
            {"text": "Kontakt", "label": "unlabelled", "tags": "nav"},
            {"text": "Kontakt", "label": "boilerplate", "tags": "footer"},
            {"text": "Impressum", "label": "boilerplate", "tags": "nav"},
        ],
    }
    with gzip.open(folder / "trafilatura-eval.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(json.dumps(page) + "\n")
    assert noise_lines(tmp_path) == {("de", "navigation"): ["Startseite"]}


def test_a_language_with_few_lines_gets_english_ones_of_every_category() -> None:
    lines = {**LINES, ("fi", "navigation"): [f"Valikko {n}" for n in range(90)]}
    assert lines_for(lines, "fi", "navigation") == LINES["en", "navigation"]
    assert lines_for(lines, "en", "advert") == LINES["en", "advert"]


def test_a_page_is_a_document_of_the_client() -> None:
    assert isinstance(ONE.pages[0].document, pith.Document)
