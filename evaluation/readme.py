"""Writes the table of measured results into README.md, from the committed reports.

usage: python -m evaluation.readme [--reports docs/reports] [--readme README.md]

The figures stand between two marks in the README and come from `evidence.json` (evaluation.evidence), `bench.json`
(perf.bench) and `export.json` (export); each row names the command that measures it anew.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

BEGIN, END = "<!-- results:begin -->", "<!-- results:end -->"
SHARES = ("0.05", "0.10", "0.20")


def table(evidence: Mapping[str, Any], bench: Mapping[str, Any], export: Mapping[str, Any]) -> str:
    """The Markdown between the marks."""
    mean, sets = evidence["mean"], evidence["sets"]
    languages = {part for row in sets for part in row["language"].split("/")}
    questions = sum(row["questions"] for row in sets)
    lines = [
        f"Evidence that is still there when 5, 10 or 20 % of the characters are kept: mean of {len(sets)} development "
        f"sets in {len(languages)} languages, {questions} questions, each with ten documents (long ones alone).",
        "",
        "| ranking of the sentences | 5 % | 10 % | 20 % |",
        "|---|---|---|---|",
    ]
    for name, label in (("first lines", "first lines"), ("BM25", "BM25"), ("pith", "Pith")):
        lines.append(
            f"| {label} | " + " | ".join(f"{mean[f'{name}@{share}']:.3f}" for share in SHARES) + " |"
        )
    pages, passage = bench["ten_pages"], bench["one_passage"]
    int8 = export["difference"]
    lines += [
        "",
        f"| on a server CPU ({bench['cpu']}) | |",
        "|---|---|",
        f"| document tokens scored a second | {pages['tokens_per_second']:,} |",
        f"| ten pages ({pages['tokens']:,} tokens), p50 / p99 of {pages['calls']} calls | "
        f"{pages['p50_ms']:,.0f} / {pages['p99_ms']:,.0f} ms |",
        f"| one passage ({passage['tokens']:,} tokens), p50 / p99 of {passage['calls']} calls | "
        f"{passage['p50_ms']:,.0f} / {passage['p99_ms']:,.0f} ms |",
        f"| share of the time outside the encoder, ten pages / one passage | "
        f"{pages['share_outside_encoder']:.1%} / {passage['share_outside_encoder']:.1%} |",
        f"| `model.onnx` | {export['megabytes']:.1f} MB |",
        f"| int8 against torch: correlation of token logits / segments that both keep | "
        f"{int8['correlation']:.4f} / {int8['agreement']:.1%} |",
        "",
        "Every figure comes from a report in [docs/reports](docs/reports), written by `python -m evaluation.evidence`, "
        "`python -m perf.bench --out docs/reports/bench.json` and `make model`; "
        "`python -m evaluation.readme` makes this table.",
    ]
    return "\n".join(lines)


def fill(readme: str, content: str) -> str:
    """The README with what stands between the marks replaced; raises `ValueError` when a mark is missing."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"README.md needs the marks {BEGIN} and {END}, in this order.")
    return f"{before}{BEGIN}\n{content}\n{END}{after}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reports", type=Path, default=Path("docs/reports"))
    parser.add_argument("--readme", type=Path, default=Path("README.md"))
    options = parser.parse_args()
    reports = [
        json.loads((options.reports / f"{n}.json").read_text()) for n in ("evidence", "bench", "export")
    ]
    options.readme.write_text(fill(options.readme.read_text(), table(*reports)))


if __name__ == "__main__":
    main()
