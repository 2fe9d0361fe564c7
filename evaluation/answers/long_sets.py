"""Long result sets: ten pages of passages and real web text, one of which holds the passage with the answer.

A page mixes passages of the development sets (under their titles, half of its tokens where there are so many) with the
visible lines of real web pages and of Markdown articles, in the question's language where there are such and else in
English, until it has `page_tokens`. The page with the answer holds the other passages of its article before any others,
as the real page would. Nothing occurs twice in a result set. Where the passage stands is drawn.
"""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pith
from corpora.sets import Corpus, Document, Question
from evaluation.boundaries.corpus import articles, read_records
from evaluation.result_sets import measured_corpora
from preprocessing.tokenizer import TextTokenizer

PAGES = 10
_BETWEEN = "\n\n"
# Of a page, passages at most.
_PASSAGES = 0.5


@dataclass(frozen=True)
class LongSet:
    """A question with its pages. `answers` are the spans of the gold answers in the text of page `gold`, code points.

    tokens: the encoder's tokens of all pages.
    """

    name: str
    language: str
    question: Question
    pages: tuple[str, ...]
    gold: int
    answers: tuple[tuple[int, int], ...]
    tokens: int

    @property
    def key(self) -> str:
        """Names the question with just these pages in a file of results."""
        digest = hashlib.sha256("\0".join(self.pages).encode("utf-8", "surrogatepass")).hexdigest()
        return f"{self.name} {self.question.id} {digest[:12]}"

    @property
    def documents(self) -> list[pith.Document]:
        """The pages as the client takes them."""
        return [pith.Document(page) for page in self.pages]


@dataclass
class _Stock:
    """Texts with their tokens, taken one after the other; a text is taken once in a result set."""

    texts: list[str]
    tokens: dict[str, int]
    at: int = 0

    def take(self, used: set[str]) -> tuple[str, int] | None:
        while self.at < len(self.texts):
            text = self.texts[self.at]
            self.at += 1
            if text not in used:
                used.add(text)
                return text, self.tokens[text]
        return None


class Builder:
    """Assembles result sets of pages of at least `page_tokens` tokens; the same seed gives the same ones."""

    def __init__(
        self,
        data: Path,
        tokenizer: TextTokenizer,
        page_tokens: int,
        seed: int = 29,
        parts: Sequence[str] = (),
    ) -> None:
        self._data = data
        self._tokenizer = tokenizer
        self._page_tokens = page_tokens
        self._seed = seed
        self._parts = parts
        self._tokens: dict[str, int] = {}

    def sets(self, questions: int) -> Iterator[LongSet]:
        """Up to `questions` result sets of every development set whose evidence is answers."""
        for corpus in self._corpora:
            if self._parts and not any(part in corpus.name for part in self._parts):
                continue
            answered = [q for q in corpus.questions if q.evidence and q.wants_whole_answer]
            random.Random(f"{self._seed} {corpus.name}").shuffle(answered)
            for question in answered[:questions]:
                yield self._long_set(corpus, question)

    @cached_property
    def _corpora(self) -> list[Corpus]:
        return measured_corpora(self._data)

    @cached_property
    def _passages(self) -> dict[str, list[tuple[str, str]]]:
        """By language, (set, passage) of all measured sets."""
        out: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for corpus in self._corpora:
            for document in corpus.documents.values():
                out[_language(document.lang)].append((corpus.name, _block(document)))
        return out

    @cached_property
    def _web(self) -> dict[str, list[str]]:
        """By language, real web text: pages as their visible lines, and Markdown articles."""
        out: dict[str, list[str]] = defaultdict(list)
        for path in sorted((self._data / "webpages").glob("*.jsonl.gz")):
            for record in read_records(path):
                text = "\n".join(line["text"] for line in record["lines"])
                out[_language(record.get("lang") or "en")].append(text)
        if (self._data / "opensource-guide" / "articles.tar.xz").is_file():
            for language, text in articles(self._data):
                out[_language(language)].append(text)
        return out

    def _long_set(self, corpus: Corpus, question: Question) -> LongSet:
        rng = random.Random(f"{self._seed} {corpus.name} {question.id}")
        # Questions of a set meet the same other passages, so that what was embedded once serves them all.
        shared = random.Random(f"{self._seed} {corpus.name}")
        source = corpus.documents[question.document]
        language = _language(source.lang)
        gold = _block(source)
        used = {gold}
        article = [_block(d) for d in corpus.documents.values() if d.article == source.article]
        same = [text for name, text in self._passages[language] if name == corpus.name]
        others = [text for name, text in self._passages[language] if name != corpus.name]
        native, foreign = list(self._web[language]), list(self._web["en"])
        for texts in (same, others, native, foreign):
            shared.shuffle(texts)
        rng.shuffle(article)
        near = self._stock(article)
        passages = self._stock([*same, *others])
        web = self._stock([*native, *foreign])
        share = self._share(passages, gold)
        home = rng.randrange(PAGES)
        pages: list[str] = []
        start = total = 0
        # The page with the answer is made first, so that no other takes its article's passages.
        for n in (home, *(n for n in range(PAGES) if n != home)):
            stocks = (near, passages) if n == home else (passages,)
            blocks = self._blocks(stocks, web, used, share, rng, gold if n == home else None)
            if n == home:
                place = blocks.index(gold)
                start = len(_BETWEEN.join((*blocks[:place], ""))) + len(gold) - len(source.text)
            pages.append(_BETWEEN.join(blocks))
            total += sum(self._count([pages[-1]]))
        pages.insert(home, pages.pop(0))
        answers = tuple((start + a, start + b) for a, b in question.evidence)
        return LongSet(corpus.name, source.lang, question, tuple(pages), home, answers, total)

    def _share(self, passages: _Stock, gold: str) -> float:
        """Tokens of passages on a page: as many on each, and half of it at most."""
        room = _PASSAGES * self._page_tokens
        there = self._count([gold])[0]
        for text in passages.texts:
            if there >= PAGES * room:
                break
            there += passages.tokens[text]
        return min(room, there / PAGES)

    def _blocks(
        self,
        stocks: Sequence[_Stock],
        web: _Stock,
        used: set[str],
        share: float,
        rng: random.Random,
        gold: str | None,
    ) -> list[str]:
        """The blocks of one page in a drawn order; the last web text is cut at a line where the page is full."""
        blocks = [] if gold is None else [gold]
        size = sum(self._count(blocks))
        for passages in stocks:
            while size < share and (taken := passages.take(used)):
                blocks.append(taken[0])
                size += taken[1]
        while size < self._page_tokens:
            # When all web text is used up, what is left of the passages fills the page.
            taken = web.take(used) or stocks[-1].take(used)
            if taken is None:
                break
            text, tokens = taken
            if size + tokens > 1.2 * self._page_tokens:
                text = self._cut(text, self._page_tokens - size)
                tokens = self._count([text])[0]
            blocks.append(text)
            size += tokens
        rng.shuffle(blocks)
        return blocks

    def _cut(self, text: str, tokens: int) -> str:
        """The first lines with at least so many tokens."""
        lines = text.split("\n")
        size = 0
        for n, count in enumerate(self._count(lines), start=1):
            size += count
            if size >= tokens:
                return "\n".join(lines[:n])
        return text

    def _stock(self, texts: list[str]) -> _Stock:
        self._count(texts)
        return _Stock(texts, self._tokens)

    def _count(self, texts: Sequence[str]) -> list[int]:
        new = list(dict.fromkeys(text for text in texts if text not in self._tokens))
        for first in range(0, len(new), 256):
            batch = new[first : first + 256]
            self._tokens.update(zip(batch, self._tokenizer.encode(batch).lengths.tolist(), strict=True))
        return [self._tokens[text] for text in texts]


def _block(document: Document) -> str:
    """A passage under its title, as a section of a page."""
    return f"## {document.title}\n\n{document.text}" if document.title.strip() else document.text


def _language(name: str) -> str:
    return name.replace("_", "-").split("-")[0].lower()
