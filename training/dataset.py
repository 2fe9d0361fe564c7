"""Write the training rows once, so that a run can stop and resume on the same ones.

usage: python -m training.dataset --data DIR --backbone DIR --out rows.npz [--tokens 3200000] [--seed 7]

How many rows each set gives is stated in `SHARES`: by language and by how well its labels mark evidence, not by its
size. Three fifths of the tokens are in rows of 128, the others in rows of 256: short rows hold more questions, long
rows are what long documents are served as. XQuAD asks the same questions of the same passages in twelve languages, so
some of its rows ask in one language of a passage in another.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from corpora.sets import Corpus, training_corpora, web_lines
from preprocessing.tokenizer import Ids, TextTokenizer
from preprocessing.windows import WindowSettings
from training.rows import RowMaker, Rows

# Relative number of rows. One language with good spans gets 8; sets with several files share theirs; tokenised or
# lower-cased text (nq-qed, squad-nqg), machine translation (squad-it) and very local questions (qamr) get less.
SHARES = {
    "afriqa": 9,
    "amqa": 6,
    "arcd": 4,
    "cmrc2018": 9,
    "doc2dial": 6,
    "drcd": 7,
    "heq": 5,
    "iapp-thai": 8,
    "jaquad": 10,
    "norquad": 8,
    "nq-qed": 12,
    "piaf": 8,
    "qamr": 2,
    "selqa": 3,
    "squad-it": 8,
    "squad-nqg": 4,
    "tatqa": 4,
    "xquad": 18,
}
LENGTHS = {128: 0.6, 256: 0.4}
PARALLEL = "xquad"
OTHER_LANGUAGE = 0.25


def collect(
    corpora: list[Corpus], tokenizer: TextTokenizer, noise: list[Ids], tokens: int, seed: int
) -> tuple[dict[int, Rows], dict[str, int]]:
    """Rows by length, shuffled, and how many each set gave."""
    rng = random.Random(seed)
    settings = WindowSettings()
    folders = Counter(corpus.name.split("/")[0] for corpus in corpora)
    makers = [RowMaker(corpus, tokenizer, noise, settings, rng) for corpus in corpora]
    weights = [SHARES[name] / folders[name] for name in (c.name.split("/")[0] for c in corpora)]
    orders: list[list[int]] = [[] for _ in corpora]
    asked: dict[str, list[str]] = defaultdict(list)
    for corpus in corpora:
        if corpus.name.startswith(PARALLEL):
            for question in corpus.questions:
                asked[question.id].append(question.text)
    out: dict[int, Rows] = {}
    given: Counter[str] = Counter()
    for length, share in LENGTHS.items():
        wanted = int(tokens * share) // length
        ids = np.zeros((wanted, length), np.uint16)
        labels = np.full((wanted, length), -1, np.int8)
        n = 0
        while n < wanted:
            (c,) = rng.choices(range(len(corpora)), weights)
            if not orders[c]:
                orders[c] = rng.sample(range(len(corpora[c].questions)), len(corpora[c].questions))
            question = corpora[c].questions[orders[c].pop()]
            if corpora[c].name.startswith(PARALLEL) and rng.random() < OTHER_LANGUAGE:
                question = replace(question, text=rng.choice(asked[question.id]))
            row = makers[c].row(question, length)
            if row is not None:
                ids[n], labels[n] = row
                given[corpora[c].name] += 1
                n += 1
        out[length] = Rows(ids, labels)
    return out, dict(sorted(given.items()))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--backbone", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tokens", type=int, default=3_200_000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    tokenizer = TextTokenizer.load(options.backbone / "tokenizer.json")
    lines = [line for line, _ in web_lines(options.data) if line.strip()]
    runs = tokenizer.encode(lines)
    noise = [run for run in (runs.of(i) for i in range(len(lines))) if 0 < run.size < 40]
    rows, given = collect(training_corpora(options.data), tokenizer, noise, options.tokens, options.seed)
    arrays: dict[str, Any] = {f"ids_{n}": r.input_ids for n, r in rows.items()}
    arrays |= {f"labels_{n}": r.labels for n, r in rows.items()}
    np.savez_compressed(options.out, **arrays)
    positive = {n: round(float((r.labels == 1).sum() / (r.labels >= 0).sum()), 4) for n, r in rows.items()}
    with_evidence = {n: round(float((r.labels == 1).any(axis=1).mean()), 4) for n, r in rows.items()}
    print(
        json.dumps(
            {"rows": given, "evidence_tokens": positive, "rows_with_evidence": with_evidence}, indent=1
        )
    )


if __name__ == "__main__":
    main()
