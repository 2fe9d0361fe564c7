"""Pairs for the tests: small pages with navigation, an advert, a byline and the answer."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

TOPICS = ("ferry", "museum", "library", "market", "garden", "theatre")


def page(number: int, trouble: str = "") -> dict[str, Any]:
    """Pair number `number`; its vital text is its third line."""
    topic = TOPICS[number % len(TOPICS)]
    document = "\n".join(
        [
            "Menu: Home, Tickets, Contact",
            f"By A. Writer, {1 + number % 28} May",
            f"**The {topic}** opens at “{8 + number % 4}:00” – daily, ticket {number} is enough…",
            "Nothing more is said here.",
            f"Buy our tote bag number {number}!",
        ]
    )
    query = f"when does {topic} open {number} {trouble}".strip()
    return {
        "query": query,
        "url": f"https://example.org/{number}",
        "title": f"The {topic}",
        "summary": None,
        "document": document,
    }


def write(path: Path, rows: Iterable[dict[str, Any] | str]) -> Path:
    """Write rows, or lines as they are, as JSON lines."""
    lines = (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def read(path: Path) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
