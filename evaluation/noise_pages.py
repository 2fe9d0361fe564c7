"""Pages whose every part is of a known kind: a passage with the evidence among other passages and real web noise."""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pith
from corpora.sets import Corpus, Document, Question
from evaluation.result_sets import ALONE, measured_corpora
from evaluation.web_noise import Lines, lines_for, noise_lines

PAGES = 4
# Passages longer than this would leave the page's noise without weight.
LONGEST_PASSAGE = 1500
# Lines of each kind in each place: at most, and at least.
HEAD = {"navigation": (6, 14), "advert": (1, 2), "metadata": (1, 3)}
BETWEEN = {"advert": (0, 1)}
FOOT = {"metadata": (1, 2), "advert": (1, 3), "navigation": (6, 14)}


@dataclass(frozen=True)
class Part:
    """What stands at `[start, end)` of a page: `passage`, or a category of noise. source: the passage's document and
    evidence: where the evidence stands in the page."""

    start: int
    end: int
    kind: str
    source: str = ""
    evidence: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Page:
    """A text with its parts, in order; between them is white space alone."""

    text: str
    title: str
    parts: tuple[Part, ...]

    @property
    def document(self) -> pith.Document:
        """The page as the client takes it."""
        return pith.Document(self.text, title=self.title or None)


@dataclass(frozen=True)
class Audited:
    """A question and the pages that a search brings for it, in the order of the search."""

    name: str
    language: str
    question: Question
    pages: tuple[Page, ...]

    @property
    def key(self) -> str:
        """Names the question with just these pages in a file of results."""
        texts = "\0".join(page.text for page in self.pages).encode("utf-8", "surrogatepass")
        return f"{self.name} {self.question.id} {hashlib.sha256(texts).hexdigest()[:8]}"


@dataclass
class _Writer:
    """A page as it is written from top to bottom."""

    rng: random.Random
    lines: Lines
    language: str
    text: str = ""
    parts: list[Part] = field(default_factory=list)

    def _add(
        self, text: str, kind: str, between: str, source: str = "", evidence: Sequence[tuple[int, int]] = ()
    ) -> None:
        if self.text:
            self.text += between
        start = len(self.text)
        self.text += text
        moved = tuple((start + a, start + b) for a, b in evidence)
        self.parts.append(Part(start, len(self.text), kind, source, moved))

    def noise(self, amounts: dict[str, tuple[int, int]]) -> None:
        """Lines of each category, each block of them after an empty line."""
        for category, (least, most) in amounts.items():
            known = lines_for(self.lines, self.language, category)
            for n, line in enumerate(self.rng.sample(known, self.rng.randint(least, most))):
                self._add(line, category, "\n" if n else "\n\n")

    def passage(self, document: Document, evidence: Sequence[tuple[int, int]] = ()) -> None:
        """A passage as a paragraph of its own."""
        self._add(document.text, "passage", "\n\n", document.id, evidence)


def audited(data: Path, questions: int, seed: int = 23, parts: Sequence[str] = ()) -> list[Audited]:
    """`questions` questions of the measured sets whose documents are passages, as evenly over the sets as they go."""
    lines = noise_lines(data)
    drawn: list[list[Audited]] = []
    for corpus in measured_corpora(data, parts):
        if corpus.name.split("/")[0] not in ALONE:
            drawn.append(_of_corpus(corpus, lines, questions, seed))
    out: list[Audited] = []
    while len(out) < questions and any(drawn):
        for rest in drawn:
            if rest and len(out) < questions:
                out.append(rest.pop(0))
    return sorted(out, key=lambda one: one.name)


def _of_corpus(corpus: Corpus, lines: Lines, most: int, seed: int) -> list[Audited]:
    rng = random.Random(f"{seed} {corpus.name}")
    short = {key: d for key, d in corpus.documents.items() if len(d.text) <= LONGEST_PASSAGE}
    articles: dict[str, list[Document]] = defaultdict(list)
    for document in short.values():
        articles[document.article].append(document)
    questions = [q for q in corpus.questions if q.evidence and q.document in short]
    rng.shuffle(questions)
    if len(short) < 2 * PAGES:
        return []
    return [_pages(corpus.name, question, short, articles, lines, rng) for question in questions[:most]]


def _pages(
    name: str,
    question: Question,
    documents: dict[str, Document],
    articles: dict[str, list[Document]],
    lines: Lines,
    rng: random.Random,
) -> Audited:
    """The page with the evidence, one that repeats its passage among others, and pages of other passages."""
    gold = documents[question.document]
    language = gold.lang.split("-")[0]
    beside = [d for d in articles[gold.article] if d.text != gold.text]
    others = [d for d in documents.values() if d.article != gold.article]
    pool = others if len(others) >= 2 * PAGES else [d for d in documents.values() if d.text != gold.text]
    far = rng.sample(pool, 2 * PAGES - 3)
    bodies = [[gold, rng.choice(beside or pool)], [gold, far[0]]]
    bodies += [[far[2 * n + 1], far[2 * n + 2]] for n in range(PAGES - 2)]
    pages = []
    for body in bodies:
        rng.shuffle(body)
        writer = _Writer(rng, lines, language)
        writer.noise(HEAD)
        for n, document in enumerate(body):
            if n:
                writer.noise(BETWEEN)
            writer.passage(document, question.evidence if document is gold else ())
        writer.noise(FOOT)
        pages.append(Page(writer.text, body[0].title, tuple(writer.parts)))
    rng.shuffle(pages)
    return Audited(name, gold.lang, question, tuple(pages))
