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
BUDGET, THRESHOLD = 420, 0.3
NUMBER, EARLIER_NUMBER = "335,000", "310,000"

# Name, its setting other than the default, and what to look for.
PAIRS: tuple[tuple[str, Switches, str], ...] = (
    ("duplicates", {"duplicates": False, "near_duplicates": False}, "the copy's sentences stand twice"),
    ("near_duplicates", {"near_duplicates": False}, "no conflict is reported"),
    ("dependencies", {"dependencies": False}, "evidence stands without what it refers to"),
    ("split_question", {"split_question": False}, "no part of the question is sure of a place"),
    ("diversity", {"diversity": 0.3}, "what is new goes before what is likely"),
    ("max_documents", {"max_documents": 1}, "one block"),
    ("per_document_tokens", {"per_document_tokens": 150}, "no block has more than 150 tokens"),
    ("always_keep_title", {"always_keep_title": False}, "the first lines have no titles"),
    ("order", {"order": "need"}, "what answers the first part of the question first"),
)
# These show where room is scarce: budget and threshold of both sides, which are both told.
SCARCE = {"split_question": (150, THRESHOLD), "diversity": (250, 0.0168)}


def documents() -> list[pith.Document]:
    """The page, its copy and its earlier version."""
    page = next(page for page in bundled_pages() if page.language == "en").document()
    # Its address is long, and every block would spend a quarter of the budget on it.
    page = replace(page, url=None)
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
    """The Markdown of every pair. ``compress`` takes budget, threshold and switches."""
    yield f"## Default\n\n{told(compress(BUDGET, THRESHOLD))}\n"
    for name, switches, look in PAIRS:
        setting = ", ".join(f"`{switch}={value!r}`" for switch, value in switches.items())
        limits = SCARCE.get(name, (BUDGET, THRESHOLD))
        before = ""
        if name in SCARCE:
            before = f"Default, {limits[0]} tokens, threshold {limits[1]}:\n\n{told(compress(*limits))}\n\n"
        yield f"## {name}\n\n{before}{setting}: {look}.\n\n{told(compress(*limits, **switches))}\n"


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

        def compress(budget: int, threshold: float, **switches: object) -> pith.Result:
            return compressor.compress(QUESTION, documents(), budget, threshold, **switches)  # type: ignore[arg-type]

        head = (
            f"# What the switches do\n\nWritten by `python -m demo.switches`. Question: *{QUESTION}* Budget: "
            f"{BUDGET} tokens, threshold {THRESHOLD}. Documents: the page `demo/pages/wikimedia-en-turkey.txt`, a copy "
            f"of it, and an earlier version that says {EARLIER_NUMBER} instead of {NUMBER}.\n\n"
        )
        options.out.write_text(head + "\n".join(pairs(compress)))


if __name__ == "__main__":
    main()
