"""Evidence kept at a share of the text, against first lines and BM25.

usage: python -m evaluation.evidence --data DIR --url HOST:PORT [--questions 15] [--out docs/reports/evidence]

A question is one result set (evaluation.result_sets). Segments are taken best first while they fit in 5, 10 or 20 %
of all characters; the figure is the share of the gold evidence inside what was kept (for answer spans: 1 when an
answer lies whole inside, else 0), averaged over questions, then over sets. Writes `<out>.json` and `<out>.md`.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

import pith
from corpora.sets import Corpus
from evaluation.baselines import Piece, bm25, first_lines
from evaluation.result_sets import DOCUMENTS, ResultSet, measured_corpora, result_sets

SHARES = (0.05, 0.10, 0.20)
Scorer = Callable[[ResultSet], list[Piece]]


def kept(scored: Sequence[Piece], budget: float) -> list[Piece]:
    """The best pieces whose characters fit in `budget`; ties go to the earlier piece."""
    out = []
    used = 0
    for piece in sorted(scored, key=lambda p: (-p.score, p.document, p.start)):
        if used + piece.end - piece.start <= budget:
            used += piece.end - piece.start
            out.append(piece)
    return out


def gain(pieces: Sequence[Piece], case: ResultSet) -> float:
    """Share of the evidence of a result set that lies inside the pieces kept of its gold document."""
    merged: list[list[int]] = []
    for start, end in sorted((p.start, p.end) for p in pieces if p.document == case.gold):
        if merged and start <= merged[-1][1] + 1:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    evidence = case.question.evidence
    if case.whole:
        return float(any(start <= a and b <= end for a, b in evidence for start, end in merged))
    wanted = {i for a, b in evidence for i in range(a, b)}
    covered = {i for start, end in merged for i in wanted.intersection(range(start, end))}
    return len(covered) / len(wanted)


def pith_scorer(compressor: pith.Compressor) -> Scorer:
    """Scores of a running server through its client."""

    def score(case: ResultSet) -> list[Piece]:
        documents = [pith.Document(d.text, title=d.title or None) for d in case.documents]
        scored = compressor.score(case.question.text, documents, timeout=600.0)
        return [
            Piece(n, segment.start, segment.end, segment.score)
            for n, document in enumerate(scored)
            for segment in document.segments
        ]

    return score


def texts_of(case: ResultSet) -> list[str]:
    """The texts of a result set."""
    return [document.text for document in case.documents]


def measure(corpora: Sequence[Corpus], scorers: dict[str, Scorer], questions: int) -> list[dict[str, object]]:
    """One row a set: evidence kept by each scorer at each share."""
    rows: list[dict[str, object]] = []
    for corpus in corpora:
        figures: dict[str, list[float]] = defaultdict(list)
        languages = {document.lang for document in corpus.documents.values()}
        began = time.perf_counter()
        for case in result_sets(corpus, questions):
            total = sum(map(len, texts_of(case)))
            for name, scorer in scorers.items():
                found = scorer(case)
                for share in SHARES:
                    figures[f"{name}@{share:.2f}"].append(gain(kept(found, share * total), case))
        count = len(next(iter(figures.values()), []))
        if not count:
            continue
        rows.append(
            {"set": corpus.name, "language": "/".join(sorted(languages)), "questions": count}
            | {name: sum(values) / len(values) for name, values in figures.items()}
        )
        seconds = time.perf_counter() - began
        print(json.dumps(rows[-1] | {"seconds": round(seconds, 1)}), flush=True)
    return rows


def means(rows: Sequence[dict[str, object]]) -> dict[str, float]:
    """The mean over sets of every figure."""
    names = [name for name in rows[0] if "@" in name]
    return {name: sum(float(str(row[name])) for row in rows) / len(rows) for name in names}


def table(rows: Sequence[dict[str, object]], mean: dict[str, float], questions: int) -> str:
    """The report as Markdown."""
    scorers = list(dict.fromkeys(name.split("@")[0] for name in mean))
    head = " | ".join(f"{scorer} {share:.0%}" for scorer in scorers for share in SHARES)
    lines = [
        "# Evidence kept at a share of the text",
        "",
        f"Result sets of {DOCUMENTS} documents (long ones alone), up to {questions} questions a set, "
        "development splits.",
        "Written by `python -m evaluation.evidence`; the measure is described there.",
        "",
        f"| set | language | n | {head} |",
        "|---|---|---|" + "---|" * len(mean),
    ]
    for row in rows:
        cells = " | ".join(f"{float(str(row[f'{s}@{share:.2f}'])):.2f}" for s in scorers for share in SHARES)
        lines.append(f"| {row['set']} | {row['language']} | {row['questions']} | {cells} |")
    cells = " | ".join(f"**{mean[f'{s}@{share:.2f}']:.3f}**" for s in scorers for share in SHARES)
    lines.append(f"| **mean over {len(rows)} sets** | | | {cells} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--url", default="localhost:8001")
    parser.add_argument("--questions", type=int, default=15)
    parser.add_argument("--sets", default="", help="only sets whose name holds one of these, comma-separated")
    parser.add_argument("--out", type=Path, default=Path("docs/reports/evidence"))
    options = parser.parse_args()
    wanted = [part for part in options.sets.split(",") if part]
    corpora = measured_corpora(options.data, wanted)
    with pith.Compressor(options.url, timeout=600.0) as compressor:
        scorers: dict[str, Scorer] = {
            "first lines": lambda case: first_lines(case.question.text, texts_of(case)),
            "BM25": lambda case: bm25(case.question.text, texts_of(case)),
            "pith": pith_scorer(compressor),
        }
        rows = measure(corpora, scorers, options.questions)
    mean = means(rows)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    report = {"questions_a_set": options.questions, "mean": mean, "sets": rows}
    options.out.with_suffix(".json").write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    options.out.with_suffix(".md").write_text(table(rows, mean, options.questions))
    print(json.dumps({name: round(value, 4) for name, value in mean.items()}))


if __name__ == "__main__":
    main()
