"""Does a gold answer survive in what is sent on? Measured without any model that answers.

A question comes with ten long pages (evaluation.answers.long_sets). An answer is kept when one of the gold answers lies
whole, in its place, inside what is sent on; or when a sentence that says the same stands there for the answer's own.
Budgets hold for the whole context, labels included, in the encoder's tokens.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import pith
from evaluation import baselines
from evaluation.answers import rankers
from evaluation.answers.long_sets import LongSet
from evaluation.answers.rankers import Ranker, ordered, sent_on
from evaluation.baselines import pieces
from evaluation.scored_sets import read_rows
from preprocessing.tokenizer import TextTokenizer

PITH = "Pith"
BUDGETS = (1_000, 4_000, 10_000)
TIMEOUT = 3_600.0
_PROBE = ("When does it open?", ["The library opens at nine. It closes at five."])


class Way(Protocol):
    """A way of filling budgets. `digest` changes with whatever could change its results."""

    @property
    def digest(self) -> str: ...

    def results(self, one: LongSet, budgets: Sequence[int]) -> dict[str, list[pith.Result]]:
        """By line of the report, the result at each budget."""
        ...


class PithWay:
    """Scores a question once, by a server, and selects as `compress` does: at its threshold and at `thresholds`."""

    def __init__(self, compressor: pith.Compressor, thresholds: Sequence[float] = ()) -> None:
        self._compressor = compressor
        probe = compressor.compress(*_PROBE, timeout=TIMEOUT)
        scores = [s.score for s in compressor.score(*_PROBE, timeout=TIMEOUT)[0].segments]
        self.model = probe.report.model
        self.default = probe.report.threshold
        self._thresholds: dict[str, float | None] = {PITH: self.default}
        self._thresholds |= {f"{PITH}, threshold {value:g}": value for value in thresholds}
        # Other weights under the same name give other scores.
        told = [self.model, self._thresholds, [round(score, 4) for score in scores]]
        self.digest = _digest(json.dumps(told).encode())

    def results(self, one: LongSet, budgets: Sequence[int]) -> dict[str, list[pith.Result]]:
        query = one.question.text
        parts = pith.split_question(query)
        scored = self._compressor.score(query, one.documents, needs=parts, timeout=TIMEOUT)
        return {
            name: [
                pith.select_evidence(scored, budget=budget, threshold=threshold, needs=parts, query=query)
                for budget in budgets
            ]
            for name, threshold in self._thresholds.items()
        }


class RankedWay:
    """The best pieces of a ranker that fit, and nothing else done to them. `state` is what its weights are, if any."""

    def __init__(self, name: str, ranker: Ranker, tokenizer: TextTokenizer, state: str = "") -> None:
        self._name = name
        self._ranker = ranker
        self._tokenizer = tokenizer
        code = b"".join(
            Path(module.__file__).read_bytes() for module in (baselines, rankers) if module.__file__
        )
        self.digest = _digest(f"{name} {state}".encode() + code)

    def results(self, one: LongSet, budgets: Sequence[int]) -> dict[str, list[pith.Result]]:
        scored = ordered(one.documents, self._ranker(one.question.text, one.pages), self._tokenizer)
        return {self._name: [sent_on(scored, budget) for budget in budgets]}


def answer_sentences(one: LongSet) -> list[str]:
    """The segments that hold a whole answer."""
    page = one.pages[one.gold]
    return [
        page[piece.start : piece.end]
        for piece in pieces([page])
        if any(piece.start <= a and b <= piece.end for a, b in one.answers)
    ]


def survives(one: LongSet, result: pith.Result, sentences: Sequence[str]) -> bool:
    """Whether an answer is in the context: in its place, or in a sentence that says the same elsewhere."""
    label = result.report.documents[one.gold].label
    page = one.pages[one.gold]
    shown: set[int] = set()
    for snippet in result.snippets:
        if snippet.label == label:
            for span in (*snippet.section, *snippet.spans):
                shown.update(range(span.start, span.end))
    if any(all(i in shown or page[i].isspace() for i in range(a, b)) for a, b in one.answers):
        return True
    context = _plain(result.context)
    return any(_plain(sentence) in context for sentence in sentences)


def measure(one: LongSet, way: Way, budgets: Sequence[int] = BUDGETS) -> dict[str, Any]:
    """One row: for each line of a way whether the answer is kept at each budget, and the tokens of the contexts."""
    began = time.perf_counter()
    found = way.results(one, budgets)
    seconds = time.perf_counter() - began
    sentences = answer_sentences(one)
    return {
        "key": one.key,
        "set": one.name,
        "language": one.language,
        "tokens": one.tokens,
        "kept": {name: [survives(one, r, sentences) for r in results] for name, results in found.items()},
        "context": {name: [r.report.context_tokens for r in results] for name, results in found.items()},
        "seconds": round(seconds, 2),
    }


def measured(
    sets: Sequence[LongSet], way: Way, title: str, cache: Path, budgets: Sequence[int] = BUDGETS
) -> list[dict[str, Any]]:
    """One row a question, from the file of this way in `cache` where it holds them; so a run that was cut goes on."""
    cache.mkdir(parents=True, exist_ok=True)
    file = cache / f"kept-{_digest(f'{way.digest} {list(budgets)}'.encode())}.jsonl"
    done = read_rows(file)
    missing = [one for one in sets if one.key not in done]
    began = time.perf_counter()
    with file.open("a", encoding="utf-8") as out:
        for n, one in enumerate(missing, start=1):
            row = done[one.key] = measure(one, way, budgets)
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
            out.flush()
            left = (time.perf_counter() - began) / n * (len(missing) - n)
            print(f"{title}: {n}/{len(missing)} {one.name}, {left:.0f} s left", file=sys.stderr, flush=True)
    return [done[one.key] for one in sets]


def joined(rows: Sequence[Sequence[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """The rows of several ways on the same questions as one row a question."""
    out = []
    for same in zip(*rows, strict=True):
        first = {name: same[0][name] for name in ("key", "set", "language", "tokens")}
        both = {
            field: {line: values for row in same for line, values in row[field].items()}
            for field in ("kept", "context")
        }
        out.append(first | both)
    return out


def _digest(told: bytes) -> str:
    return hashlib.sha256(told).hexdigest()[:16]


def _plain(text: str) -> str:
    return " ".join(text.split())
