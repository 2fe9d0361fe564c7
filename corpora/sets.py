"""Readers for labelled question-document-evidence sets, and the split of sets that have none.

A set is a pair of JSON-lines files, `<split>.docs.jsonl.gz` and `<split>.qas.jsonl.gz`; evidence offsets are code
points into the document's text.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Sets whose sources forbid weights that ship, or whose evidence is whole sections: measured, never trained on.
NEVER_TRAINED = frozenset({"policyqa", "evidence-inference", "covid-qa", "qmsum", "medquad"})

# One article in every language of XQuAD and in its Italian counterpart is held out together, since the same
# questions are asked in each.
HELD_OUT_ARTICLES = frozenset(
    {
        "Doctor_Who", "Kenya", "Nikola_Tesla", "Oxygen", "Rhine", "Warsaw", "Yuan_dynasty",
        "Doctor Who", "Nikola Tesla", "Ossigeno", "Reno", "Varsavia", "Dinastia Yuan",
    }
)  # fmt: skip

# Every tenth article of a set without a split of its own is kept for measuring.
CARVED = frozenset({"arcd", "drcd", "heq", "nq-qed", "piaf", "selqa", "tatqa", "doc2dial"})


@dataclass(frozen=True)
class Document:
    """A source document; `article` groups the paragraphs of one page, `order` their order in it."""

    id: str
    text: str
    title: str
    lang: str
    article: str
    order: int


@dataclass(frozen=True)
class Question:
    """A question with its evidence in one document, spans `[start, end)` in code points."""

    id: str
    text: str
    document: str
    evidence: tuple[tuple[int, int], ...]
    kind: str

    @property
    def wants_whole_answer(self) -> bool:
        """Whether the evidence is alternative answers, of which one is enough, and not sentences."""
        return self.kind in {"answer_span", "table_row_or_span"}


def marked(
    start: NDArray[np.int32], end: NDArray[np.int32], evidence: Sequence[tuple[int, int]], *, answers: bool
) -> NDArray[np.bool_]:
    """Which of the segments `[start, end)` are evidence, bool [S].

    A segment is marked when it holds an answer, whole or in part, or (for evidence of whole sentences) when half of
    it is evidence, which forgives boundaries that the two sides draw differently.
    """
    hit = np.zeros(start.size, np.bool_)
    for first, last in evidence:
        shared = np.minimum(end, last) - np.maximum(start, first)
        least = np.minimum(1, end - start) if answers else (end - start) / 2
        hit |= shared >= np.maximum(least, 1)
    return hit


def containing(
    start: NDArray[np.int32], end: NDArray[np.int32], evidence: Sequence[tuple[int, int]]
) -> NDArray[np.bool_]:
    """Which of the segments `[start, end)` hold a whole span of evidence, bool [S].

    For spans of unknown granularity: one that is shorter than half of its sentence still marks it.
    """
    hit = np.zeros(start.size, np.bool_)
    for first, last in evidence:
        hit |= (start <= first) & (last <= end)
    return hit


@dataclass(frozen=True)
class Corpus:
    """One split of one set."""

    name: str
    documents: dict[str, Document]
    questions: list[Question]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def read(data: Path, name: str) -> Corpus:
    """Read `set/split`, for example `xquad/zh` or `jaquad/train`, without any split of its own applied."""
    folder, split = name.split("/")
    documents: dict[str, Document] = {}
    for row in _lines(data / folder / f"{split}.docs.jsonl.gz"):
        documents[row["doc_id"]] = Document(
            row["doc_id"],
            row["text"],
            (row.get("title") or "").replace("_", " "),
            row["lang"],
            row.get("article") or row["doc_id"],
            int(row.get("order") or 0),
        )
    questions: list[Question] = []
    leaked: set[str] = set()
    for row in _lines(data / folder / f"{split}.qas.jsonl.gz"):
        if row.get("in_xquad"):
            leaked.add(row["doc_id"])
            continue
        evidence = tuple((int(a), int(b)) for a, b in row["evidence"])
        questions.append(Question(row["id"], str(row["question"]), row["doc_id"], evidence, row["kind"]))
    kept = {key: document for key, document in documents.items() if key not in leaked}
    return Corpus(name, kept, [question for question in questions if question.document in kept])


def held_out(corpus: Corpus, document: Document) -> bool:
    """Whether a document of a set without a development split is kept for measuring."""
    folder = corpus.name.split("/")[0]
    if folder in {"xquad", "squad-it"}:
        return document.article in HELD_OUT_ARTICLES
    if folder in CARVED:
        return hashlib.sha1(document.article.encode()).digest()[0] % 10 == 0
    return False


def carve(corpus: Corpus, *, development: bool) -> Corpus:
    """The training or the development part of a corpus."""
    documents = {k: d for k, d in corpus.documents.items() if held_out(corpus, d) == development}
    return Corpus(corpus.name, documents, [q for q in corpus.questions if q.document in documents])


def names(data: Path, split: str) -> list[str]:
    """All `set/split` of a kind: `train` (and splits named for a language) or `dev`."""
    found = []
    for path in sorted(data.glob("*/*.qas.jsonl.gz")):
        part = path.name.removesuffix(".qas.jsonl.gz")
        is_dev = part == "dev" or part.endswith(".dev")
        if is_dev == (split == "dev"):
            found.append(f"{path.parent.name}/{part}")
    return found


def training_corpora(data: Path) -> list[Corpus]:
    """Every set that may be trained on, without what is held out."""
    usable = [name for name in names(data, "train") if name.split("/")[0] not in NEVER_TRAINED]
    return [carve(read(data, name), development=False) for name in usable]


def development_corpora(data: Path) -> list[Corpus]:
    """The given development splits, and those carved by article."""
    given = [read(data, name) for name in names(data, "dev")]
    carved_names = [
        name for name in names(data, "train") if name.split("/")[0] in CARVED | {"xquad", "squad-it"}
    ]
    return given + [carve(read(data, name), development=True) for name in carved_names]


def web_lines(data: Path) -> list[tuple[str, str]]:
    """Navigation, banners and metadata of real pages: `(line, language)` of lines labelled boilerplate."""
    out: list[tuple[str, str]] = []
    for path in sorted((data / "webpages").glob("*.jsonl.gz")):
        for page in _lines(path):
            lang = page.get("lang") or "en"
            out += [(line["text"], lang) for line in page["lines"] if line["label"] == "boilerplate"]
    return out
