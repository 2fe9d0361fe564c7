"""Lines of real web pages by what they are: navigation, adverts, metadata.

The pages are those of trafilatura's evaluation (`webpages/trafilatura-eval.jsonl.gz`). Each line has the elements that
it stands in (`header/nav`), and most are unlabelled: only those are used, because the labelled boilerplate is what
`corpora.sets.web_lines` puts into training rows, and a line whose text occurs there is left out as well. What a line
is follows from its elements and its wording, and a line of which neither says so is not used:

navigation  stands in `nav`, `select` or `option`
advert      says that it is one, or asks to buy, subscribe or agree to cookies
metadata    is a date, byline, copyright notice, count of comments, list of tags, or source of a picture
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping
from pathlib import Path

from corpora.sets import web_lines

CATEGORIES = ("navigation", "advert", "metadata")
PAGES = Path("webpages") / "trafilatura-eval.jsonl.gz"
LONGEST = 160
# Pages in a language with fewer lines of a category than this get English ones.
LEAST_LINES = 40

_NAVIGATION = frozenset({"nav", "select", "option"})
_ADVERT = re.compile(
    r"\b(advert\w*|sponsored|promoted|anzeige|werbung|publicidad|publicité|reklama|affiliate|"
    r"newsletter|subscribe|abonnieren|abonnez|suscríbete|suscribirse|subskrybuj|"
    r"(jetzt|hier) (kaufen|bestellen|testen|sparen|abonnieren|anmelden)|(buy|shop|order|sign up) now|add to cart|"
    r"in den warenkorb|free trial|kostenlos testen|gutscheine?|rabatt|discount|special offer|gewinnspiel|"
    r"cookies?)\b|\d ?% (off|rabatt)",
    re.IGNORECASE,
)
_MONTH = (
    r"(jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|ene|abr|ago|dic|"
    r"janv|févr|avr|juin|juil|août|déc)"
    r"[a-zäéû]*\.?"
)
_DATE = (
    r"(\d{1,2}[./-]\d{1,2}[./-](19|20)?\d\d|(19|20)\d\d-\d\d-\d\d|"
    rf"(\d{{1,2}}\.? )?{_MONTH} (\d{{1,2}}(st|nd|rd|th)?,? )?(19|20)\d\d)"
)
_METADATA = re.compile(
    rf"^\W*({_DATE}\W*|.{{0,40}}\b{_DATE}.{{0,25}}|©.{{0,80}}|copyright\b.{{0,80}}|"
    r"\d+ (comments?|kommentare?|views|shares)\b.{0,20}|"
    r"(posted|published|written|veröffentlicht|erstellt|verfasst|publié|publicado) "
    r"(by|on|in|von|am|par|le|por|el)\b.{0,60}|"
    r"(tags?|schlagw[oö]rte?r?|kategorien?|categor(y|ies)|last updated|aktualisiert|lesezeit|foto|photo|bild|quelle|"
    r"source) ?:.{1,80}|\d+ min(uten|utes)?\.? (read|lesezeit|lesedauer).{0,20})$",
    re.IGNORECASE,
)

# A month of a blog with its number of posts leads elsewhere, and tells nothing of the page.
_ARCHIVE = re.compile(r"\(\d+\)$|\d+ (artikel|posts)$", re.IGNORECASE)

Lines = Mapping[tuple[str, str], list[str]]


def category_of(text: str, elements: str) -> str | None:
    """What a line is, by its wording and the elements that it stands in (`main/article`); None where unknown."""
    if not 2 <= len(text) <= LONGEST:
        return None
    if _ADVERT.search(text):
        return "advert"
    if _NAVIGATION.intersection(elements.split("/")):
        return "navigation"
    return "metadata" if _METADATA.match(text) and not _ARCHIVE.search(text) else None


def noise_lines(data: Path) -> dict[tuple[str, str], list[str]]:
    """Lines by (language, category), each text once and in the order of the pages."""
    trained_on = {text for text, _ in web_lines(data)}
    found: dict[tuple[str, str], dict[str, None]] = {}
    with gzip.open(data / PAGES, "rt", encoding="utf-8") as pages:
        for page in map(json.loads, pages):
            language = (page.get("lang") or "en").split("-")[0].lower()
            for line in page["lines"]:
                text = " ".join(line["text"].split())
                if line["label"] != "unlabelled" or text in trained_on:
                    continue
                if category := category_of(text, line["tags"]):
                    found.setdefault((language, category), {})[text] = None
    return {key: list(texts) for key, texts in found.items()}


def lines_for(lines: Lines, language: str, category: str) -> list[str]:
    """The lines of a category in a language, or in English where there are few of any category."""
    if all(len(lines.get((language, name), ())) >= LEAST_LINES for name in CATEGORIES):
        return lines[language, category]
    return lines["en", category]
