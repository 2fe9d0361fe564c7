"""Labelled corpora to training rows, through the segments, tokenizer and windows that serving uses.

A row is one window: a query and a run of segments, each token labelled with whether its segment is evidence. Three
kinds are mixed, so that the model meets what search results look like:

natural   a window cut from the page that holds the evidence, around it
page      a page put together (training.pages): evidence among passages of the same article and of others, under
          headings, with repeats and lines of real navigation, banners and metadata, plain, as lists or as tables
negative  no evidence: another part of the page, another page, a page put together without the evidence, or an
          unanswerable question

A condition that follows evidence in its paragraph is evidence too (training.conditions).
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpora.sets import Corpus, Document, Question, containing, marked
from preprocessing.lexical import LexicalTables
from preprocessing.segments import segment
from preprocessing.tokenizer import Ids, TextTokenizer
from preprocessing.windows import SPECIAL_TOKENS, DocumentTokens, WindowSettings, build
from training.conditions import bound_to_previous, with_conditions
from training.pages import Part, assemble

NATURAL, PAGE = 0.45, 0.8
SAME_ARTICLE = 0.5
# Of so many pages drawn, the one that shares the most telling words with the question is taken half of the time: what a
# search brings beside the answer is alike to the question.
DRAWN, ALIKE = 12, 0.5
# Of rows without evidence: those of another part of the same page, and those of a page put together from others.
OTHER_PART, MIXED = 0.3, 0.55
WITH_NOISE = 0.7


@dataclass(frozen=True)
class Rows:
    """Training rows of one length: input_ids uint16 [n, L], labels int8 [n, L] (-1: no body token)."""

    input_ids: NDArray[np.uint16]
    labels: NDArray[np.int8]


@dataclass(frozen=True)
class Page:
    """A document as tokens, with where its segments lie in its text, and which hold a condition of the one before."""

    tokens: DocumentTokens
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    bound: NDArray[np.bool_]

    def marked(self, evidence: Sequence[tuple[int, int]], *, answers: bool) -> NDArray[np.bool_]:
        """Which segments are evidence, bool [S]; see `corpora.sets.marked`."""
        return marked(self.start, self.end, evidence, answers=answers)

    def evidence_of(self, question: Question) -> NDArray[np.bool_]:
        """Which segments answer a question or hold a condition of its answer, bool [S]."""
        hit = self.marked(question.evidence, answers=question.wants_whole_answer)
        if question.kind == "span":
            hit |= containing(self.start, self.end, question.evidence)
        return with_conditions(hit, self.bound)


def page_of(document: Document, tokenizer: TextTokenizer) -> Page:
    """Segment and tokenise a document, as serving does."""
    found = segment(document.text)
    texts = [document.text[a:b] for a, b in zip(found.start.tolist(), found.end.tolist(), strict=True)]
    # White space in single spaces: serving shows titles to the encoder in this form.
    title = tokenizer.encode([" ".join(document.title.split())]).ids
    tokens = DocumentTokens(tokenizer.encode(texts), found.parent, title, 0)
    return Page(tokens, found.start, found.end, bound_to_previous(document.text, found, document.lang))


class RowMaker:
    """Draws rows from one corpus; every choice comes from the `random.Random` given."""

    def __init__(
        self,
        corpus: Corpus,
        tokenizer: TextTokenizer,
        noise: Sequence[str],
        settings: WindowSettings,
        rng: random.Random,
        lexical: LexicalTables,
    ) -> None:
        self._corpus = corpus
        self._tokenizer = tokenizer
        self._noise = noise
        self._settings = settings
        self._rng = rng
        self._lexical = lexical
        self._pages: dict[str, Page] = {}
        self._words: dict[str, NDArray[np.int64]] = {}
        self._ids = list(corpus.documents)
        self._of_article: dict[str, list[str]] = defaultdict(list)
        for key, document in corpus.documents.items():
            self._of_article[document.article].append(key)

    def page(self, document: str) -> Page:
        """The page of a document id, made once."""
        if document not in self._pages:
            self._pages[document] = page_of(self._corpus.documents[document], self._tokenizer)
        return self._pages[document]

    def row(self, question: Question, length: int) -> tuple[NDArray[np.int32], NDArray[np.int8]] | None:
        """One row of `length` tokens for a question, or None when its page holds no usable text."""
        query = self._tokenizer.encode([question.text]).ids[: length // 4]
        page = self.page(question.document)
        hit = page.evidence_of(question)
        draw = self._rng.random()
        if draw < PAGE and not hit.any():
            draw = 1.0
        title = min(page.tokens.title.size, self._settings.context_tokens)
        room = length - query.size - SPECIAL_TOKENS - title
        if draw < NATURAL:
            tokens, labels = self._cut(page, hit, room, around=True)
        elif draw < PAGE:
            tokens, labels = self._mixed(question.document, query, page, hit, room)
        else:
            kind = self._rng.random()
            if kind < OTHER_PART:
                tokens, labels = self._cut(page, hit, room, around=False)
            elif kind < MIXED:
                tokens, labels = self._mixed(question.document, query, None, hit, room)
            else:
                other = self._other(question.document, query)
                if other is None:
                    return None
                tokens, labels = self._cut(self.page(other), None, room, around=False)
        if not tokens.tokens:
            return None
        return self._lay_out(query, tokens, labels, length)

    def _lay_out(
        self, query: Ids, document: DocumentTokens, labels: NDArray[np.bool_], length: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
        settings = WindowSettings((length,), length, self._settings.context_tokens, 0)
        windows = build([query], [document], settings, 1)
        ids, of = windows.input_ids[0], windows.token_segment[0]
        return ids, np.where(of >= 0, labels[of], -1).astype(np.int8)

    def _cut(
        self, page: Page, hit: NDArray[np.bool_] | None, room: int, *, around: bool
    ) -> tuple[DocumentTokens, NDArray[np.bool_]]:
        """A run of consecutive segments of at most about `room` tokens; parents outside it are dropped."""
        if hit is None:
            hit = np.zeros(page.start.size, np.bool_)
        first, last = self._run(page, hit, room, around=around)
        runs = page.tokens.runs.slice(first, last)
        parent = page.tokens.parent[first:last]
        parent = np.where(parent >= first, parent - first, -1).astype(np.int32)
        title = page.tokens.title if self._rng.random() < 0.8 else page.tokens.title[:0]
        return DocumentTokens(runs, parent, title, 0), hit[first:last]

    def _run(self, page: Page, hit: NDArray[np.bool_], room: int, *, around: bool) -> tuple[int, int]:
        """First and last (exclusive) of consecutive segments of about `room` tokens, with evidence if `around`."""
        lengths = page.tokens.runs.lengths
        if not lengths.size:
            return 0, 0
        anchor = (
            int(self._rng.choice(np.flatnonzero(hit).tolist()))
            if around
            else self._rng.randrange(lengths.size)
        )
        first = last = anchor
        used = int(lengths[anchor])
        while used < room:
            sides = [side for side, open_ in (("up", first > 0), ("down", last + 1 < lengths.size)) if open_]
            if not sides:
                break
            if self._rng.choice(sides) == "up":
                first -= 1
                used += int(lengths[first])
            else:
                last += 1
                used += int(lengths[last])
        # The segment that overflowed goes again, unless it is the anchor itself.
        while used > room and first < last:
            if first != anchor:
                used -= int(lengths[first])
                first += 1
            else:
                used -= int(lengths[last])
                last -= 1
        return first, last + 1

    def _other(self, document: str, query: Ids) -> str | None:
        """Another page: half of the time of the same article, half of the time the likest to the question."""
        siblings = self._of_article[self._corpus.documents[document].article]
        pool = siblings if len(siblings) > 1 and self._rng.random() < SAME_ARTICLE else self._ids
        chosen = self._rng.choice(pool)
        if self._rng.random() < ALIKE:
            asked = np.unique(self._lexical.classes[query])
            drawn = [key for key in self._rng.sample(pool, min(DRAWN, len(pool))) if key != document]
            chosen = max(drawn, key=lambda key: self._shared(asked, key), default=chosen)
        same_text = self._corpus.documents[chosen].text == self._corpus.documents[document].text
        return None if same_text else chosen

    def _shared(self, asked: NDArray[np.int64], document: str) -> float:
        """How telling the words are that a page shares with the question, the sum of their weights."""
        if document not in self._words:
            self._words[document] = np.unique(self._lexical.classes[self.page(document).tokens.runs.ids])
        shared = np.intersect1d(asked, self._words[document], assume_unique=True)
        return float(self._lexical.weights[shared].sum())

    def _part(self, document: str, hit: NDArray[np.bool_] | None, room: int) -> Part:
        """About `room` tokens of a document, as text, around evidence where there is some."""
        page, source = self.page(document), self._corpus.documents[document]
        if hit is None:
            hit = np.zeros(page.start.size, np.bool_)
        first, last = self._run(page, hit, room, around=bool(hit.any()))
        if first == last:
            return Part("", "", ())
        begin, end = int(page.start[first]), int(page.end[last - 1])
        evidence = tuple(
            (int(page.start[i]) - begin, int(page.end[i]) - begin) for i in range(first, last) if hit[i]
        )
        return Part(source.text[begin:end], source.title, evidence)

    def _mixed(
        self, document: str, query: Ids, page: Page | None, hit: NDArray[np.bool_], room: int
    ) -> tuple[DocumentTokens, NDArray[np.bool_]]:
        """A page put together from the evidence (without it if `page` is None), other passages and web lines."""
        others = self._rng.choice((1, 2))
        share = room // (others + 1)
        parts = [self._part(document, hit, share)] if page is not None else []
        for _ in range(others + (page is None)):
            other = self._other(document, query)
            if other is not None:
                parts.append(self._part(other, None, share))
        lines: list[str] = []
        if self._noise and self._rng.random() < WITH_NOISE:
            at = self._rng.randrange(len(self._noise))
            lines = list(self._noise[at : at + self._rng.choice((3, 6, 9))])
        source = self._corpus.documents[document]
        title = source.title if page is not None and self._rng.random() < 0.3 else ""
        text, evidence = assemble([part for part in parts if part.text], lines, self._rng)
        made = page_of(Document("", text, title, source.lang, "", 0), self._tokenizer)
        labels = made.marked(evidence, answers=False)
        if made.tokens.tokens <= room:
            return made.tokens, labels
        # Windows of real pages are cut without knowing where the evidence is: half of these may miss it.
        return self._cut(made, labels, room, around=bool(labels.any()) and self._rng.random() < 0.5)
