"""Labelled corpora to training rows, through the tokenizer and windows that serving uses.

A row is one window: a query and a run of segments, each token labelled with whether its segment is evidence. Three
kinds are mixed, so that the model meets what search results look like:

natural   a window cut from the page that holds the evidence, around it
page      evidence among passages of the same article and of others, and lines of real navigation, banners, metadata
negative  a window without evidence: another part of the page, another page, or an unanswerable question
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpora.sets import Corpus, Document, Question, marked
from preprocessing.segments import segment
from preprocessing.tokenizer import Ids, TextTokenizer, TokenRuns
from preprocessing.windows import SPECIAL_TOKENS, DocumentTokens, WindowSettings, build

NATURAL, PAGE = 0.45, 0.8
SAME_ARTICLE = 0.5


@dataclass(frozen=True)
class Rows:
    """Training rows of one length: input_ids uint16 [n, L], labels int8 [n, L] (-1: no body token)."""

    input_ids: NDArray[np.uint16]
    labels: NDArray[np.int8]


@dataclass(frozen=True)
class Page:
    """A document as tokens, with where its segments lie in its text."""

    tokens: DocumentTokens
    start: NDArray[np.int32]
    end: NDArray[np.int32]

    def marked(self, evidence: Sequence[tuple[int, int]], *, answers: bool) -> NDArray[np.bool_]:
        """Which segments are evidence, bool [S]; see `corpora.sets.marked`."""
        return marked(self.start, self.end, evidence, answers=answers)


def page_of(document: Document, tokenizer: TextTokenizer) -> Page:
    """Segment and tokenise a document, as serving does."""
    found = segment(document.text)
    texts = [document.text[a:b] for a, b in zip(found.start.tolist(), found.end.tolist(), strict=True)]
    title = tokenizer.encode([document.title]).ids
    return Page(DocumentTokens(tokenizer.encode(texts), found.parent, title, 0), found.start, found.end)


class RowMaker:
    """Draws rows from one corpus; every choice comes from the `random.Random` given."""

    def __init__(
        self,
        corpus: Corpus,
        tokenizer: TextTokenizer,
        noise: Sequence[Ids],
        settings: WindowSettings,
        rng: random.Random,
    ) -> None:
        self._corpus = corpus
        self._tokenizer = tokenizer
        self._noise = noise
        self._settings = settings
        self._rng = rng
        self._pages: dict[str, Page] = {}
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
        hit = page.marked(question.evidence, answers=question.wants_whole_answer)
        draw = self._rng.random()
        if draw < PAGE and not hit.any():
            draw = 1.0
        title = min(page.tokens.title.size, self._settings.context_tokens)
        room = length - query.size - SPECIAL_TOKENS - title
        if draw < NATURAL:
            tokens, labels = self._cut(page, hit, room, around=True)
        elif draw < PAGE:
            tokens, labels = self._compose(page, question.document, hit, room)
        elif self._rng.random() < 0.3:
            tokens, labels = self._cut(page, hit, room, around=False)
        else:
            other = self._other(question.document)
            if other is None:
                return None
            tokens, labels = self._cut(other, np.zeros(other.start.size, np.bool_), room, around=False)
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
        self, page: Page, hit: NDArray[np.bool_], room: int, *, around: bool
    ) -> tuple[DocumentTokens, NDArray[np.bool_]]:
        """A run of consecutive segments of at most about `room` tokens, with its title and parents dropped."""
        lengths = page.tokens.runs.lengths
        if not lengths.size:
            return page.tokens, hit
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
        runs = page.tokens.runs.slice(first, last + 1)
        parent = page.tokens.parent[first : last + 1]
        parent = np.where(parent >= first, parent - first, -1).astype(np.int32)
        title = page.tokens.title if self._rng.random() < 0.8 else page.tokens.title[:0]
        return DocumentTokens(runs, parent, title, 0), hit[first : last + 1]

    def _other(self, document: str) -> Page | None:
        """Another page, half of the time one of the same article: it shares its words and holds no evidence."""
        siblings = self._of_article[self._corpus.documents[document].article]
        alike = len(siblings) > 1 and self._rng.random() < SAME_ARTICLE
        chosen = self._rng.choice(siblings if alike else self._ids)
        same_text = self._corpus.documents[chosen].text == self._corpus.documents[document].text
        return None if same_text else self.page(chosen)

    def _compose(
        self, page: Page, document: str, hit: NDArray[np.bool_], room: int
    ) -> tuple[DocumentTokens, NDArray[np.bool_]]:
        """Evidence, one or two other blocks and often lines of web noise, in random order."""
        others = self._rng.choice((1, 2))
        share = room // (others + 1)
        blocks = [self._cut(page, hit, share, around=True)]
        for _ in range(others):
            other = self._other(document)
            if other is not None:
                blocks.append(self._cut(other, np.zeros(other.start.size, np.bool_), share, around=False))
        if self._noise and self._rng.random() < 0.7:
            at = self._rng.randrange(len(self._noise))
            lines = list(self._noise[at : at + self._rng.choice((3, 6, 9))])
            bounds = np.concatenate([[0], np.cumsum([line.size for line in lines])])
            runs = TokenRuns(np.concatenate(lines), bounds)
            orphan = np.full(len(lines), -1, np.int32)
            blocks.append((DocumentTokens(runs, orphan, runs.ids[:0], 0), np.zeros(len(lines), np.bool_)))
        self._rng.shuffle(blocks)
        sizes = [block.parent.size for block, _ in blocks]
        shifts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        parent = np.concatenate(
            [np.where(b.parent >= 0, b.parent + s, -1) for (b, _), s in zip(blocks, shifts, strict=True)]
        )
        ids = np.concatenate([block.runs.ids for block, _ in blocks])
        bounds = np.concatenate([[0], np.cumsum(np.concatenate([block.runs.lengths for block, _ in blocks]))])
        title = page.tokens.title if self._rng.random() < 0.3 else page.tokens.title[:0]
        labels = np.concatenate([label for _, label in blocks])
        return DocumentTokens(TokenRuns(ids, bounds), parent.astype(np.int32), title, 0), labels
