"""Compares sentence splitters and writes the table of figures.

    python -m evaluation.boundaries --data DIR [--out FILE] [--seconds 20]

Libraries that are not installed are left out, and said to be. With --out the table replaces what stands between the two
marks in FILE; otherwise it is printed.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

from evaluation.boundaries.corpus import articles, gold_boundaries, gold_rules
from evaluation.boundaries.measures import agreement, rules_kept, speed_and_exactness
from evaluation.boundaries.splitters import SPLITTERS, title

START, END = "<!-- figures -->", "<!-- /figures -->"
_HEADER = (
    "| splitter | Latvian F1 | Italian F1 | rules of 23 languages | texts with exact offsets | MB/s |\n"
    "|---|---|---|---|---|---|"
)


def table(data: Path, seconds: float) -> str:
    """The figures of every splitter that is installed, as a Markdown table with a line on those that are not."""
    latvian = gold_boundaries(data, "ud-latvian-lvtb.dev.conllu.jsonl.gz")
    italian = gold_boundaries(data, "ud-italian-pud.test.conllu.jsonl.gz")
    rules = gold_rules(data)
    texts = articles(data)
    random.Random(0).shuffle(texts)
    lines, absent = [_HEADER], []
    for name, (_, make) in SPLITTERS.items():
        try:
            shown = title(name)
            make("en")
        except ImportError:
            absent.append(name)
            continue
        latvian_f1 = agreement(make("lv"), latvian).f1
        italian_f1 = agreement(make("it"), italian).f1
        kept, total = rules_kept(make, rules)
        speed, exact = speed_and_exactness(make, texts, seconds)
        lines.append(
            f"| {shown} | {latvian_f1:.3f} | {italian_f1:.3f} | {kept} of {total} ({kept / total:.1%}) "
            f"| {exact:.1%} | {speed:.2f} |"
        )
        print(lines[-1], file=sys.stderr)
    if absent:
        lines.append(f"\nNot installed, so not measured: {', '.join(absent)}.")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, help="Markdown file that holds the two marks")
    parser.add_argument("--seconds", type=float, default=20.0, help="CPU time for the speed of each splitter")
    arguments = parser.parse_args()
    out: Path | None = arguments.out
    page = out.read_text(encoding="utf-8") if out else f"{START}\n{END}\n"
    if START not in page or END not in page:
        raise SystemExit(f"{out} lacks the marks {START} and {END}: add them where the table should stand.")
    before, _, rest = page.partition(START)
    after = rest.partition(END)[2]
    figures = table(arguments.data, arguments.seconds)
    if out:
        out.write_text(f"{before}{START}\n{figures}\n{END}{after}", encoding="utf-8")
    else:
        print(figures)


if __name__ == "__main__":
    main()
