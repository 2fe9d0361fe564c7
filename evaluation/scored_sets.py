"""Result sets as one model scores them, kept in a file so that a rerun is cheap and an interrupted one goes on.

The file is JSON lines, one for each result set in any order, and is named for the model's weights and the code that
makes rows, so that another state of either begins anew. Kept are the terms of the segments' logits and not scores, so
that weights, calibration and thresholds can be fitted afterwards.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pith
from corpora.sets import marked
from evaluation.baselines import Piece
from evaluation.encoder import InProcess, Raw, fingerprint, load_encoder
from evaluation.result_sets import ResultSet, measured_corpora, result_sets
from preprocessing.scores import Calibration, SegmentLogits, segment_scores

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]


@dataclass(frozen=True)
class Asked:
    """A question of a set with its documents. language: of the documents; several are joined with `/`."""

    name: str
    language: str
    case: ResultSet

    @property
    def group(self) -> str:
        """The source that sets share: its splits and languages hold the same articles, so folds keep it together."""
        folder = self.name.split("/")[0]
        return "squad" if folder in {"xquad", "squad-it", "squad-nqg"} else folder

    @property
    def article(self) -> str:
        """The article that holds the evidence."""
        return self.case.documents[self.case.gold].article

    @property
    def key(self) -> str:
        """Names the result set in a file of scores."""
        return f"{self.name} {self.case.question.id}"

    @property
    def texts(self) -> list[str]:
        """The texts of the documents."""
        return [document.text for document in self.case.documents]


@dataclass(frozen=True)
class ScoredSet:
    """The segments of a result set and what one model says of them.

    document, start, end, tokens: int32 [S]; offsets in code points, tokens the encoder's. raw: see `Raw`.
    """

    asked: Asked
    document: Ints
    start: Ints
    end: Ints
    tokens: Ints
    raw: Raw

    def evidence(self) -> NDArray[np.bool_]:
        """Which segments are evidence, bool [S]; see `corpora.sets.marked`."""
        case = self.asked.case
        hit = marked(self.start, self.end, case.question.evidence, answers=case.whole)
        hit[self.document != case.gold] = False
        return hit

    def scores(self, calibration: Calibration) -> Floats:
        """Scores of the segments as the server computes them, float32 [S]."""
        raw = self.raw
        columns = (raw.keep[:, None], raw.relevance[:, None], raw.seen[:, None])
        return segment_scores(SegmentLogits(*columns), raw.lexical[:, None], calibration)[:, 0]

    def pieces(self, scores: NDArray[np.floating]) -> list[Piece]:
        """The segments with these scores, for `evaluation.evidence`."""
        columns = (part.tolist() for part in (self.document, self.start, self.end, scores))
        return [Piece(*row) for row in zip(*columns, strict=True)]


def asked_of(data: Path, questions: int, parts: Sequence[str] = ()) -> list[Asked]:
    """Up to `questions` result sets of every measured set; the draw is seeded, so that all models get the same."""
    out = []
    for corpus in measured_corpora(data, parts):
        language = "/".join(sorted({document.lang for document in corpus.documents.values()}))
        out += [Asked(corpus.name, language, case) for case in result_sets(corpus, questions)]
    return out


def scored_sets(asked: Sequence[Asked], name: str, path: Path, cache: Path) -> list[ScoredSet]:
    """What the model at `path` says of every result set, from its file in the folder `cache` where it is in there.

    `name` is for the lines of progress.
    """
    cache.mkdir(parents=True, exist_ok=True)
    file = cache / f"{fingerprint(path)}.jsonl"
    done = read_rows(file)
    missing = [one for one in asked if one.key not in done]
    if missing:
        compressor = InProcess(load_encoder(path))
        with file.open("a", encoding="utf-8") as out:
            for one in _told(missing, name):
                row = _row(one, compressor)
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
                out.flush()
                done[one.key] = row
    return [_restored(one, done[one.key]) for one in asked]


def read_rows(file: Path) -> dict[str, dict[str, Any]]:
    """The lines of a file by their `key`; a last line that was cut short is taken out of the file."""
    if not file.is_file():
        return {}
    with file.open(encoding="utf-8") as lines:
        whole = [line for line in lines if line.endswith("\n")]
    file.write_text("".join(whole), encoding="utf-8")
    rows = [json.loads(line) for line in whole]
    return {row["key"]: row for row in rows}


def _told(asked: Sequence[Asked], name: str) -> Iterator[Asked]:
    """The same, with a line of progress for every set."""
    began = time.perf_counter()
    for n, one in enumerate(asked, start=1):
        yield one
        if n == len(asked) or asked[n].name != one.name:
            spent = time.perf_counter() - began
            left = spent / n * (len(asked) - n)
            print(f"{name}: {n}/{len(asked)} {one.name}, {left:.0f} s left", file=sys.stderr, flush=True)


def _row(one: Asked, compressor: InProcess) -> dict[str, Any]:
    documents = [pith.Document(d.text, title=d.title or None) for d in one.case.documents]
    scored, raw = compressor.score(one.case.question.text, documents)
    segments = [(n, s.start, s.end, s.tokens) for n, document in enumerate(scored) for s in document.segments]
    return {
        "key": one.key,
        "segments": segments,
        "keep": _rounded(raw.keep),
        "relevance": _rounded(raw.relevance),
        "lexical": _rounded(raw.lexical),
        "unseen": np.flatnonzero(~raw.seen).tolist(),
        "best": [None if np.isneginf(value) else value for value in _rounded(raw.best)],
    }


def _rounded(values: Floats) -> list[float]:
    return [round(value, 5) for value in values.tolist()]


def _restored(one: Asked, row: Mapping[str, Any]) -> ScoredSet:
    table = np.array(row["segments"], np.int32).reshape(-1, 4)
    seen = np.ones(len(table), np.bool_)
    seen[row["unseen"]] = False
    keep, relevance, lexical = (np.array(row[name], np.float32) for name in ("keep", "relevance", "lexical"))
    best = np.array([-np.inf if value is None else value for value in row["best"]], np.float32)
    document, start, end, tokens = table.T
    return ScoredSet(one, document, start, end, tokens, Raw(keep, relevance, lexical, seen, best))
