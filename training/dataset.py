"""Write the training rows once, so that a run can stop and resume on the same ones.

usage: python -m training.dataset --data PATH [PATH ...] --backbone DIR --out rows.npz [--tokens 3200000] [--seed 7]

A path is a folder of sets (corpora.sets), or a file or folder of labels of one's own (corpora.jsonl). How many rows
each gives is stated in `SHARES`: by language and by how well its labels mark evidence, not by its size. Three fifths
of the tokens are in rows of 128, the others in rows of 256: short rows hold more questions, long rows are what long
documents are served as. XQuAD asks the same questions of the same passages in twelve languages, so some of its rows
ask in one language of a passage in another. What was drawn is written beside the rows, as `rows.json`.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpora.jsonl import read_labels
from corpora.sets import Corpus, names, training_corpora, web_lines
from preprocessing.lexical import LexicalTables
from preprocessing.tokenizer import TextTokenizer
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
# Sets that are not named above, and labels of one's own.
OTHER_SHARE, OWN_SHARE = 4.0, 24.0
LENGTHS = {128: 0.6, 256: 0.4}
LONGEST_NOISE = 40
FRUITLESS = 10_000
PARALLEL = "xquad"
OTHER_LANGUAGE = 0.25


class NoRows(ValueError):
    """Data from which no rows can be drawn."""


def read_corpora(
    paths: list[Path], *, skip_bad: bool = False, own_share: float = OWN_SHARE
) -> tuple[list[Corpus], list[float]]:
    """Every corpus of the paths and its relative number of rows."""
    corpora: list[Corpus] = []
    shares: list[float] = []
    for path in paths:
        if is_sets(path):
            found = training_corpora(path)
            files = Counter(_set(corpus) for corpus in found)
            shares += [SHARES.get(_set(corpus), OTHER_SHARE) / files[_set(corpus)] for corpus in found]
            corpora += found
        else:
            read = read_labels(path, skip_bad=skip_bad)
            for bad in read.skipped:
                print(f"Skipped: {bad}", file=sys.stderr)
            corpora.append(read.corpus)
            shares.append(own_share)
    if not any(corpus.questions for corpus in corpora):
        raise NoRows(f"No questions that may be trained on in {', '.join(map(str, paths))}.")
    return corpora, shares


def is_sets(path: Path) -> bool:
    """Whether a path is a folder of sets as corpora.sets reads them."""
    return path.is_dir() and bool(names(path, "train") or names(path, "dev"))


def noise_lines(paths: list[Path], tokenizer: TextTokenizer) -> list[str]:
    """Lines of navigation, banners and metadata of fewer than 40 tokens, in the order of their pages."""
    lines = [line for path in paths if is_sets(path) for line, _ in web_lines(path) if line.strip()]
    lengths = tokenizer.encode(lines).lengths
    return [line for line, n in zip(lines, lengths.tolist(), strict=True) if 0 < n < LONGEST_NOISE]


def collect(
    corpora: list[Corpus],
    shares: list[float],
    tokenizer: TextTokenizer,
    lexical: LexicalTables,
    noise: list[str],
    tokens: int,
    seed: int,
    *,
    vocabulary: int = 0,
) -> tuple[dict[int, Rows], dict[str, int]]:
    """Rows by length, shuffled, and how many each set gave."""
    rng = random.Random(seed)
    settings = WindowSettings()
    makers = [RowMaker(corpus, tokenizer, noise, settings, rng, lexical) for corpus in corpora]
    orders: list[list[int]] = [[] for _ in corpora]
    weights = [share if c.questions else 0.0 for share, c in zip(shares, corpora, strict=True)]
    asked: dict[str, list[str]] = defaultdict(list)
    for corpus in corpora:
        if corpus.name.startswith(PARALLEL):
            for question in corpus.questions:
                asked[question.id].append(question.text)
    out: dict[int, Rows] = {}
    given: Counter[str] = Counter()
    for length, share in LENGTHS.items():
        wanted = int(tokens * share) // length
        ids = np.zeros((wanted, length), np.uint16 if vocabulary <= 1 << 16 else np.uint32)
        labels = np.full((wanted, length), -1, np.int8)
        n = fruitless = 0
        while n < wanted:
            (c,) = rng.choices(range(len(corpora)), weights)
            if not orders[c]:
                orders[c] = rng.sample(range(len(corpora[c].questions)), len(corpora[c].questions))
            question = corpora[c].questions[orders[c].pop()]
            if corpora[c].name.startswith(PARALLEL) and rng.random() < OTHER_LANGUAGE:
                question = replace(question, text=rng.choice(asked[question.id]))
            row = makers[c].row(question, length)
            if row is None:
                fruitless += 1
                if fruitless > FRUITLESS:
                    raise NoRows(
                        f"{FRUITLESS} questions in turn gave no row; their documents hold no text to cut."
                    )
                continue
            ids[n], labels[n] = row
            given[corpora[c].name] += 1
            n, fruitless = n + 1, 0
        out[length] = Rows(ids, labels)
    return out, dict(sorted(given.items()))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--backbone", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tokens", type=int, default=3_200_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--own-share", type=float, default=OWN_SHARE, help="relative rows of each file of your own"
    )
    parser.add_argument(
        "--skip-bad", action="store_true", help="leave lines out that cannot be read, and say so"
    )
    options = parser.parse_args(arguments)
    tokenizer = TextTokenizer.load(options.backbone / "tokenizer.json")
    vocabulary = int(json.loads((options.backbone / "config.json").read_text(encoding="utf-8"))["vocab_size"])
    corpora, shares = read_corpora(options.data, skip_bad=options.skip_bad, own_share=options.own_share)
    noise = noise_lines(options.data, tokenizer)
    rows, given = collect(
        corpora,
        shares,
        tokenizer,
        LexicalTables.load(options.backbone / "lexical.npz"),
        noise,
        options.tokens,
        options.seed,
        vocabulary=vocabulary,
    )
    arrays: dict[str, Any] = {f"ids_{n}": r.input_ids for n, r in rows.items()}
    arrays |= {f"labels_{n}": r.labels for n, r in rows.items()}
    record = json.dumps(
        {
            "rows": given,
            "tokens": {n: int(r.input_ids.size) for n, r in rows.items()},
            "evidence_tokens": {n: _share(r.labels[r.labels >= 0] == 1) for n, r in rows.items()},
            "rows_with_evidence": {n: _share((r.labels == 1).any(axis=1)) for n, r in rows.items()},
            "seed": options.seed,
        },
        indent=1,
    )
    # The rows last and by a move: a chain that finds them may rely on all of it being there.
    fresh = options.out.with_suffix(".new.npz")
    np.savez_compressed(fresh, **arrays)
    options.out.with_suffix(".json").write_text(record + "\n", encoding="utf-8")
    fresh.replace(options.out)
    print(record)


def _set(corpus: Corpus) -> str:
    return corpus.name.split("/")[0]


def _share(hit: NDArray[np.bool_]) -> float:
    return round(float(hit.mean()), 4) if hit.size else 0.0


if __name__ == "__main__":
    main()
