"""How long the client takes to choose from what is scored, as one JSON line.

usage: python -m perf.selection [--documents 50] [--tokens 10000] [--runs 20] [--out docs/reports/selection.json]

Nothing is served: documents of so many tokens are made of the bundled pages' words, cut into sentences of usual
length under headings, with scores as a server gives them (few high ones, most below the threshold, every eighth of
the passing sentences a copy of another). Reported are best, p50 and worst of `select_evidence` on one core, in
milliseconds, with all switches on and with each of the costly ones off, and its share of the time that the server
needs to score the same tokens (from docs/reports/bench.json, of the machine that wrote it).
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path

import pith
from demo.pages import bundled_pages
from pith.types import Kind, ScoredDocument, Segment

THRESHOLD = 0.0168
WORDS, TOKENS_A_WORD = 18, 1.4
SENTENCES_A_SECTION = 12
PASSING, COPIES = 0.15, 0.125
BENCH = Path("docs/reports/bench.json")


def made_up(documents: int, tokens: int, seed: int = 5) -> list[ScoredDocument]:
    """Scored documents of about `tokens` tokens each."""
    rng = random.Random(seed)
    words = sorted({word for page in bundled_pages() for word in page.text.split() if len(word) < 20})
    sentences_each = int(tokens / (WORDS * TOKENS_A_WORD))
    copies: list[str] = []
    scored = []
    for i in range(documents):
        text = ""
        segments: list[Segment] = []
        heading: int | None = None
        for j in range(sentences_each):
            if j % SENTENCES_A_SECTION == 0:
                text += ("\n\n" if text else "") + f"## {' '.join(rng.choices(words, k=3))}"
                start = text.rindex("## ")
                segments.append(Segment(start, len(text), Kind.HEADING, 0.005, 5, None, (0.005,)))
                heading = len(segments) - 1
                text += "\n\n"
            score = rng.random() ** 6 if rng.random() < PASSING else rng.random() * THRESHOLD
            if copies and score >= THRESHOLD and rng.random() < COPIES:
                sentence = rng.choice(copies)
            else:
                sentence = f"{' '.join(rng.choices(words, k=WORDS)).capitalize()}."
                if score >= THRESHOLD:
                    copies.append(sentence)
            text += sentence
            end = len(text)
            segments.append(
                Segment(
                    end - len(sentence),
                    end,
                    Kind.SENTENCE,
                    score,
                    int(WORDS * TOKENS_A_WORD),
                    heading,
                    (score,),
                )
            )
            text += " "
        scored.append(
            ScoredDocument(
                pith.Document(text, id=str(i), title=f"Page {i}"),
                tuple(segments),
                relevance=max(segment.score for segment in segments),
                title_tokens=4,
                source_tokens=0,
            )
        )
    return scored


def timed(scored: list[ScoredDocument], runs: int, **options: object) -> dict[str, float]:
    """Best, p50 and worst of `runs` selections, after one that is not counted."""
    taken = []
    for _ in range(runs + 1):
        began = time.perf_counter()
        pith.select_evidence(scored, threshold=THRESHOLD, **options)  # type: ignore[arg-type]
        taken.append(1000 * (time.perf_counter() - began))
    taken = sorted(taken[1:])
    return {
        "best_ms": round(taken[0], 1),
        "p50_ms": round(taken[len(taken) // 2], 1),
        "worst_ms": round(taken[-1], 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=50)
    parser.add_argument("--tokens", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--out", type=Path, help="also write the report to this file")
    options = parser.parse_args()
    scored = made_up(options.documents, options.tokens)
    report: dict[str, object] = {
        "documents": options.documents,
        "segments": sum(len(document.segments) for document in scored),
        "passing": sum(s.score >= THRESHOLD for document in scored for s in document.segments),
    }
    for budget in ("low", "medium", "high"):
        report[budget] = timed(scored, options.runs, budget=budget)
    off: dict[str, dict[str, object]] = {
        "without_duplicates": {"duplicates": False, "near_duplicates": False},
        "without_near_duplicates": {"near_duplicates": False},
        "without_dependencies": {"dependencies": False},
        "with_diversity": {"diversity": 0.7},
    }
    for name, switches in off.items():
        report[f"medium_{name}"] = timed(scored, options.runs, budget="medium", **switches)
    if BENCH.exists():
        rate = json.loads(BENCH.read_text())["ten_pages"]["tokens_per_second"]
        scoring = 1000 * options.documents * options.tokens / rate
        medium = report["medium"]
        assert isinstance(medium, dict)
        report["medium_share_of_scoring_time"] = round(medium["p50_ms"] / scoring, 6)
    print(json.dumps(report))
    if options.out:
        options.out.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
