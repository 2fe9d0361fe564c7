"""What is sent on for a budget: vital, off-topic, repeated, or the noise of web pages; with and without compression.

usage: python -m evaluation.noise --data DIR [--queries 1000] [--budget 1000] [--url HOST:PORT]

For each question there are four pages (evaluation.noise_pages) whose parts are of a known kind: passages, of which the
segments with the evidence are vital and the others off-topic, and lines of real web pages (evaluation.web_noise). One
of the pages repeats the passage with the evidence; what is sent on a second time is a duplicate, whichever copy came
first. Writes `<out>.json`, `<out>.md` and `<out>.png`; rows of questions are kept in `--cache`, so a run can go on.

Three ways of filling the budget are compared: the pages in order from their first line, as is done without compression;
Pith's selection at the default threshold; and the same without a threshold, so that it fills the budget. Shares are of
the tokens of the texts that are sent on; labels and titles, which Pith's budget also pays for, are no part of either.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

import pith
from corpora.sets import marked
from evaluation.encoder import MODEL_REPOSITORY, InProcess, fingerprint, load_encoder
from evaluation.noise_pages import Audited, Page, audited
from evaluation.scored_sets import read_rows
from pith.select import select_evidence
from pith.types import Document, ScoredDocument
from preprocessing.scores import Calibration

CATEGORIES = ("vital", "off-topic", "duplicate", "metadata", "advert", "navigation")
WITHOUT, WITH, FILLED = "documents in order", "Pith", "Pith, no threshold"
# How the share of a category must change at least: more vital tokens, less of the noise.
FLOORS = {"vital": 0.63, "navigation": -0.58, "metadata": -0.46, "advert": -0.43}
Place = tuple[int, int]
Score = Callable[[str, Sequence[Document]], list[ScoredDocument]]


def categories_of(one: Audited, scored: Sequence[ScoredDocument]) -> dict[Place, tuple[str, str]]:
    """Category of every segment, and for those of passages what tells a repeat: the passage and the words."""
    out = {}
    for n, (page, document) in enumerate(zip(one.pages, scored, strict=True)):
        start = np.array([s.start for s in document.segments], np.int32)
        end = np.array([s.end for s in document.segments], np.int32)
        evidence = [span for part in page.parts for span in part.evidence]
        vital = marked(start, end, evidence, answers=one.question.wants_whole_answer)
        for i, segment in enumerate(document.segments):
            part = page.parts[_part_at(page, segment.start, segment.end)]
            if part.kind != "passage":
                out[n, i] = part.kind, ""
            else:
                out[n, i] = "vital" if vital[i] else "off-topic", f"{part.source} {document.text_of(i)}"
    return out


def _part_at(page: Page, start: int, end: int) -> int:
    """The part that shares most characters with a segment."""
    shared = [min(end, part.end) - max(start, part.start) for part in page.parts]
    return int(np.argmax(shared))


def counted(sent: Iterable[tuple[Place, int]], category: Mapping[Place, tuple[str, str]]) -> Counter[str]:
    """Tokens by category of what is sent on, in this order; a passage's segment that was sent before is a duplicate."""
    out: Counter[str] = Counter()
    before: set[str] = set()
    for place, tokens in sent:
        name, words = category[place]
        out["duplicate" if words and words in before else name] += tokens
        before.add(words)
    return out


def in_order(scored: Sequence[ScoredDocument], budget: int) -> list[tuple[Place, int]]:
    """The first `budget` tokens of the documents; the last segment is cut where the budget ends."""
    out: list[tuple[Place, int]] = []
    left = budget
    for n, document in enumerate(scored):
        for i, segment in enumerate(document.segments):
            if left <= 0:
                return out
            out.append(((n, i), min(segment.tokens, left)))
            left -= segment.tokens
    return out


def selected(
    scored: Sequence[ScoredDocument], query: str, budget: int, threshold: float | None
) -> list[tuple[Place, int]]:
    """What Pith's selection sends on, with the tokens of each segment."""
    result = select_evidence(scored, budget=pith.Budget(budget), threshold=threshold, query=query)
    index = {id(document.document): n for n, document in enumerate(scored)}
    out = []
    for snippet in result.snippets:
        n = index[id(snippet.document)]
        spans = [(span.start, span.end) for span in (*snippet.section, *snippet.spans)]
        for i, segment in enumerate(scored[n].segments):
            if any(a <= segment.start and segment.end <= b for a, b in spans):
                out.append(((n, i), segment.tokens))
    return out


def audit(one: Audited, score: Score, budget: int, threshold: float) -> dict[str, Any]:
    """Tokens by category for each way of filling the budget, and the vital tokens that there are."""
    scored = score(one.question.text, [page.document for page in one.pages])
    category = categories_of(one, scored)
    everything = [((n, i), s.tokens) for n, d in enumerate(scored) for i, s in enumerate(d.segments)]
    ways = {
        "all": everything,
        WITHOUT: in_order(scored, budget),
        WITH: selected(scored, one.question.text, budget, threshold),
        FILLED: selected(scored, one.question.text, budget, None),
    }
    return {"key": one.key} | {name: dict(counted(sent, category)) for name, sent in ways.items()}


def summary(rows: Sequence[Mapping[str, Any]], budget: int) -> dict[str, Any]:
    """Shares of all tokens sent on, how they change against no compression, and the vital tokens that are kept."""
    ways: dict[str, Any] = {}
    vital = sum(row["all"].get("vital", 0) for row in rows)
    for name in ("all", WITHOUT, WITH, FILLED):
        total: Counter[str] = Counter()
        for row in rows:
            total.update(row[name])
        tokens = sum(total.values())
        ways[name] = {
            "tokens": round(tokens / len(rows), 1),
            "shares": {c: round(total[c] / max(tokens, 1), 5) for c in CATEGORIES},
            "vital_kept": round(total["vital"] / max(vital, 1), 4),
        }
    base = ways[WITHOUT]["shares"]
    for name in (WITH, FILLED):
        shares = ways[name]["shares"]
        ways[name]["change"] = {c: round(shares[c] / base[c] - 1, 4) for c in CATEGORIES if base[c] > 0}
    pages = ways.pop("all")
    return {"questions": len(rows), "budget": budget, "pages": pages, "ways": ways, "floors": FLOORS}


def markdown(report: Mapping[str, Any]) -> str:
    """The table, with the floors beside what was measured."""
    ways, pages = report["ways"], report["pages"]
    lines = [
        "# What is sent on for a budget",
        "",
        f"{report['questions']:,} questions of development sets, four pages each ({pages['tokens']:,.0f} tokens in the "
        f"mean), budget {report['budget']:,} tokens, {report['scored_by']}. Written by `python -m evaluation.noise`, "
        "where the pages and the rules are described. "
        "The lines of noise were never trained on; they are in German, English and French, and English for other "
        "languages.",
        "",
        "![What is sent on for a budget](noise.png)",
        "",
        f"| share of the tokens sent on | the pages | {' | '.join(ways)} | change | floor | change, no threshold |",
        "|---|---|" + "---|" * (len(ways) + 3),
    ]
    for category in CATEGORIES:
        cells = " | ".join(f"{way['shares'][category]:.1%}" for way in ways.values())
        change, filled = (ways[name]["change"].get(category) for name in (WITH, FILLED))
        floor = report["floors"].get(category)
        told = [f"{value:+.0%}" if value is not None else "" for value in (change, floor, filled)]
        lines.append(f"| {category} | {pages['shares'][category]:.1%} | {cells} | {' | '.join(told)} |")
    for title, name, form in (
        ("tokens sent on", "tokens", ",.0f"),
        ("vital tokens kept", "vital_kept", ".1%"),
    ):
        cells = " | ".join(format(way[name], form) for way in ways.values())
        lines.append(f"| {title} | {format(pages[name], form)} | {cells} | | | |")
    return "\n".join(lines) + "\n"


def audited_rows(
    ones: Sequence[Audited], score: Callable[[], Score], budget: int, threshold: float, file: Path
) -> list[dict[str, Any]]:
    """One row a question, from the file where it holds them; `score` is called when something is missing."""
    file.parent.mkdir(parents=True, exist_ok=True)
    done = read_rows(file)
    missing = [one for one in ones if one.key not in done]
    scorer = score() if missing else None
    began = time.perf_counter()
    with file.open("a", encoding="utf-8") as out:
        for n, one in enumerate(missing, start=1):
            assert scorer is not None
            done[one.key] = audit(one, scorer, budget, threshold)
            out.write(json.dumps(done[one.key], ensure_ascii=False) + "\n")
            out.flush()
            if n % 50 == 0 or n == len(missing):
                left = (time.perf_counter() - began) / n * (len(missing) - n)
                print(f"{n}/{len(missing)} questions, {left:.0f} s left", file=sys.stderr, flush=True)
    return [done[one.key] for one in ones]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--budget", type=int, default=1000)
    parser.add_argument("--repository", type=Path, default=MODEL_REPOSITORY)
    parser.add_argument("--model", type=Path, help="default: the repository's encoder/1/model.onnx")
    parser.add_argument(
        "--url", help="score by a running server of the repository instead of in this process"
    )
    parser.add_argument("--cache", type=Path, default=Path("build/scores"))
    parser.add_argument("--out", type=Path, default=Path("docs/reports/noise"))
    options = parser.parse_args()
    fitted = options.repository / "aggregate" / "1" / "calibration.json"
    threshold = json.loads(fitted.read_text())["default_threshold"]
    model = options.model or options.repository / "encoder" / "1" / "model.onnx"
    ones = audited(options.data, options.queries)
    state = [
        fingerprint(model, options.repository),
        fitted.read_text(),
        str(options.budget),
        str(options.url),
    ]
    made_with = hashlib.sha256("\0".join(state).encode()).hexdigest()[:16]
    with ExitStack() as stack:

        def scorer() -> Score:
            if options.url:
                server = stack.enter_context(pith.Compressor(options.url, timeout=600.0))
                return lambda query, documents: server.score(query, documents)
            here = InProcess(load_encoder(model), Calibration.load(fitted), options.repository)
            return lambda query, documents: here.score(query, documents)[0]

        file = options.cache / f"noise-{made_with}.jsonl"
        rows = audited_rows(ones, scorer, options.budget, threshold, file)
    report = {"scored_by": f"threshold {threshold:g}"} | summary(rows, options.budget)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.with_suffix(".json").write_text(json.dumps(report, indent=1) + "\n")
    options.out.with_suffix(".md").write_text(markdown(report))
    from evaluation.plots import draw_noise

    draw_noise(report, options.out.with_suffix(".png"))
    print(json.dumps(report["ways"][WITH]))


if __name__ == "__main__":
    main()
