"""What each switch of the selection does, on a real page: before and after, as a Markdown report.

usage: python -m demo.switches [--url HOST:PORT] [--out docs/reports/switches.md]

The bundled English page is asked, together with a copy of it at another address and an earlier version, made by
putting another number into one sentence. Every pair differs in the one switch that is named. Without `--url` a local
server is started.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pith
from demo.pages import bundled_pages
from pith.switches import Switches
from serving.server import LocalServer

QUESTION = (
    "How many articles does the Turkish Wikipedia have, "
    "and which court ruled that the block was unconstitutional?"
)
BUDGET = 260
NUMBER, EARLIER_NUMBER = "335,000", "310,000"

# Name, its setting other than the default, and what to look for.
PAIRS: tuple[tuple[str, Switches, str], ...] = (
    ("duplicates", {"duplicates": False, "near_duplicates": False}, "the copy's sentences stand twice"),
    (
        "near_duplicates",
        {"near_duplicates": False},
        "only the very same text is said once, and no conflict is reported",
    ),
    ("dependencies", {"dependencies": False}, "evidence stands without what it refers to"),
    (
        "split_question",
        {"split_question": False},
        "one score for the whole question, no part is sure of a place",
    ),
    ("diversity", {"diversity": 0.3}, "what is new goes before what is likely"),
    ("max_documents", {"max_documents": 1}, "one block"),
    ("per_document_tokens", {"per_document_tokens": 90}, "no block has more than 90 tokens"),
    ("always_keep_title", {"always_keep_title": False}, "the first lines have no titles"),
    ("order", {"order": "relevance"}, "the most relevant document first"),
)


def documents() -> list[pith.Document]:
    """The page, its copy and its earlier version."""
    page = next(page for page in bundled_pages() if page.language == "en").document()
    copy = replace(page, id="mirror", url="https://mirror.example/turkey", version="2")
    earlier = replace(
        page,
        id="earlier",
        text=page.text.replace(NUMBER, EARLIER_NUMBER),
        url="https://archive.example/turkey",
        version="1",
    )
    return [replace(page, id="page", version="2"), copy, earlier]


def pairs(compress: Callable[..., pith.Result]) -> Iterator[str]:
    """The Markdown of every pair. ``compress`` takes the switches."""
    usual = compress()
    yield f"## Default\n\n{told(usual)}\n"
    for name, switches, look in PAIRS:
        setting = ", ".join(f"`{switch}={value!r}`" for switch, value in switches.items())
        yield f"## {name}\n\n{setting}: {look}.\n\n{told(compress(**switches))}\n"


def told(result: pith.Result) -> str:
    """A context with its counts."""
    report = result.report
    lines = [
        f"```text\n{result.context}\n```\n",
        f"{report.context_tokens} of {report.budget} tokens; evidence {report.kept - report.added}, added "
        f"{report.added}, duplicates {report.duplicate}, over the budget {report.over_budget}, of documents too "
        f"many {report.over_documents}.",
    ]
    lines += [
        f"Conflict ({', '.join(c.kinds)}): {c.first.id} says {' '.join(c.values[0])}, {c.second.id} says "
        f"{' '.join(c.values[1])}."
        for c in report.conflicts
    ]
    lines += [
        f"{snippet.label} is also in {', '.join(sorted({str(a.id) for a in snippet.also_in}))}."
        for snippet in result.snippets
        if snippet.also_in
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--url", help="gRPC address of a running server; without it one is started")
    parser.add_argument("--out", type=Path, default=Path("docs/reports/switches.md"))
    options = parser.parse_args()
    with ExitStack() as stack:
        url = options.url or stack.enter_context(LocalServer()).grpc_url
        compressor = stack.enter_context(pith.Compressor(url, timeout=600.0))

        def compress(**switches: object) -> pith.Result:
            return compressor.compress(QUESTION, documents(), BUDGET, **switches)  # type: ignore[arg-type]

        head = (
            f"# What the switches do\n\nWritten by `python -m demo.switches`. Question: *{QUESTION}* Budget: "
            f"{BUDGET} tokens. Documents: the page `demo/pages/wikimedia-en-turkey.txt`, a copy of it, and an "
            f"earlier version that says {EARLIER_NUMBER} instead of {NUMBER}.\n\n"
        )
        options.out.write_text(head + "\n".join(pairs(compress)))


if __name__ == "__main__":
    main()
