"""Is the answer still there? Pith against first lines, BM25 and embedding top-k at the same budgets, without an LLM.

usage: python -m evaluation.answers kept --data DIR [--url HOST:PORT] [--questions 2] [--page-tokens 10000]
                                         [--threshold 0.2] [--embed build/backbone]

Pith scores through a running server and selects with its default threshold, as `compress` does, and with those of
`--threshold`. Each way keeps what it did in a file of `--cache`, so that a run that was interrupted goes on and the
baselines are not run again for another model. Writes `<out>.md`, `<out>.json` and `<out>.png`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import pith
from evaluation.answers.errors import InvalidInput
from evaluation.answers.kept import BUDGETS, TIMEOUT, PithWay, RankedWay, joined, measured
from evaluation.answers.kept_report import draw, markdown, summary
from evaluation.answers.long_sets import Builder
from evaluation.answers.rankers import EMBEDDINGS, RANKERS
from evaluation.encoder import MODEL_REPOSITORY
from evaluation.models import add_data
from preprocessing.tokenizer import TextTokenizer


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m evaluation.answers kept",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_data(parser, questions=2)
    parser.add_argument("--url", default="localhost:8001", help="the server that scores for Pith")
    parser.add_argument("--page-tokens", type=int, default=10_000, help="tokens of each of the ten pages")
    parser.add_argument("--threshold", type=float, action="append", default=[], help="a further line of Pith")
    parser.add_argument(
        "--embed", type=Path, help="backbone folder for embedding top-k; without it that is left out"
    )
    parser.add_argument("--only-baselines", action="store_true", help="fill the cache with them and end")
    parser.add_argument("--out", type=Path, default=Path("docs/reports/answers-kept"))
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser().parse_args(arguments)
    if not options.data.is_dir():
        raise InvalidInput(f"{options.data} is no folder; --data is the folder of sets, see corpora/sets.py.")
    if options.page_tokens < 100 or options.questions < 1:
        raise InvalidInput("--page-tokens is at least 100 and --questions at least 1.")
    tokenizer = TextTokenizer.load(MODEL_REPOSITORY / "tokenize" / "1" / "tokenizer.json")
    builder = Builder(options.data, tokenizer, options.page_tokens, parts=options.sets)
    sets = list(builder.sets(options.questions))
    ways = {name: RankedWay(name, ranker, tokenizer) for name, ranker in RANKERS.items()}
    if options.embed:
        from evaluation.answers.embedding import Embeddings

        embeddings = Embeddings(options.embed)
        ways[EMBEDDINGS] = RankedWay(EMBEDDINGS, embeddings, tokenizer, embeddings.digest)
    rows = [measured(sets, way, name, options.cache) for name, way in ways.items()]
    if options.only_baselines:
        return
    with pith.Compressor(options.url, timeout=TIMEOUT) as compressor:
        way = PithWay(compressor, options.threshold)
        rows.append(measured(sets, way, "Pith", options.cache))
    try:
        report = {"model": way.model, "threshold": way.default} | summary(joined(rows), BUDGETS)
    except ValueError as error:
        raise InvalidInput(str(error)) from error
    options.out.parent.mkdir(parents=True, exist_ok=True)
    plot = options.out.with_suffix(".png")
    options.out.with_suffix(".json").write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    options.out.with_suffix(".md").write_text(markdown(report, plot.name))
    draw(report, plot)
    print(json.dumps({name: [cell["kept"] for cell in cells] for name, cells in report["lines"].items()}))
