"""Run time of `segment` on hostile texts at two sizes: linear time shows as a ratio near the ratio of the sizes.

python -m evaluation.boundaries.growth [--size 250000]
"""

from __future__ import annotations

import argparse
import json
import time

from preprocessing.segments import segment

_SCALE = 4

# Texts are these units repeated up to the size wanted.
UNITS: dict[str, str] = {
    "full stops": ".",
    "spaced full stops": ". ",
    "question marks": "?",
    "full stop and closer": ".)",
    "ideographic full stops": "。",
    "opening brackets": "(",
    "opening square brackets": "[",
    "link openings": "[a](",
    "corner brackets": "「",
    "quotes": '"',
    "curly quotes": "“",
    "spaces": " ",
    "tabs": "\t",
    "newlines": "\n",
    "carriage returns": "\r",
    "number signs": "#",
    "number sign lines": "# \n",
    "pipes": "|",
    "pipe lines": "|\n",
    "table rows": "| a | b |\n",
    "table cells": "| a ",
    "delimiter rows": "|---|---|\n",
    "dashes": "-",
    "dash items": "- ",
    "dash lines": "-\n",
    "equals lines": "a\n=\n",
    "letter": "a",
    "capital": "A",
    "digit": "1",
    "abbreviations": "a.",
    "initials": "A. ",
    "numbered": "1. ",
    "enumerated": "1) a 2) b ",
    "titles": "Dr. ",
    "colons": ":",
    "colon dashes": ": - ",
    "colon spaces": ":        ",
    "bullets": " •",
    "backticks": "`",
    "fences": "```\n",
    "growing fences": "```\n````\n`````\n",
    "tildes": "~~~a\n",
    "quote marks": ">",
    "quote lines": "> \n",
    "quoted text": "> a\n>> b\n",
    "stars": "*",
    "underscores": "_",
    "strong": "**a",
    "indented": "    a = 1\n\n",
    "wrapped": "lorem ipsum dolor sit amet consetetur sadipscing elitr sed\n",
    "thai": "ภาษาไทย ",
    "han": "漢",
    "combining marks": "\u0301",
    "joiners": "\u200d",
    "line separators": "\u2028",
    "nul": "\0",
    "surrogates": "\ud800",
    "footnotes": ".[1]",
    "commas": "a, ",
}


def _nested_list(size: int) -> str:
    lines: list[str] = []
    total = depth = 0
    while total < size:
        line = " " * depth + "- a\n"
        lines.append(line)
        total += len(line)
        depth += 1
    return "".join(lines)


def texts(size: int) -> dict[str, str]:
    """Every hostile text with at least `size` characters."""
    made = {name: unit * (size // len(unit) + 1) for name, unit in UNITS.items()}
    made["nested list"] = _nested_list(size)
    made["front matter"] = "---\na: b\n" * (size // 9 + 1)
    return made


def _seconds(text: str) -> float:
    start = time.process_time()
    segment(text)
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--size", type=int, default=250_000, help=f"characters; the larger text has {_SCALE} times as many"
    )
    arguments = parser.parse_args()
    small, large = texts(arguments.size), texts(arguments.size * _SCALE)
    rows = {name: (_seconds(small[name]), _seconds(large[name])) for name in small}
    report = {
        "characters": arguments.size * _SCALE,
        "slowest": [
            {"text": name, "seconds": round(slow, 3), "ratio": round(slow / max(fast, 1e-4), 1)}
            for name, (fast, slow) in sorted(rows.items(), key=lambda row: -row[1][1])
        ],
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
