"""Texts of a data folder: documents, Markdown articles, web pages, gold sentence boundaries."""

from __future__ import annotations

import gzip
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Record = dict[str, Any]


def read_records(path: Path) -> Iterator[Record]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def articles(data: Path) -> list[tuple[str, str]]:
    """(language, text) of every Markdown article; articles outside a language's folder are English."""
    found: list[tuple[str, str]] = []
    with tarfile.open(data / "opensource-guide" / "articles.tar.xz") as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isfile() and member.name.endswith(".md") else None
            if content is not None:
                folder = Path(member.name).parent.name
                language = "en" if folder.startswith("_") else folder
                found.append((language, content.read().decode("utf-8")))
    return found


def documents(data: Path) -> Iterator[tuple[str, str]]:
    """(set, text) of every text in the data folder; a web page is its visible lines."""
    for path in sorted(data.glob("*/*.docs.jsonl.gz")):
        for record in read_records(path):
            yield path.parent.name, record["text"]
    for path in sorted((data / "webpages").glob("*.jsonl.gz")):
        for record in read_records(path):
            yield "webpages", "\n".join(line["text"] for line in record["lines"])
    for _, text in articles(data):
        yield "opensource-guide", text


def gold_boundaries(data: Path, name: str) -> list[tuple[str, set[int]]]:
    """(text, ends of all sentences but the last) of each document of a treebank."""
    found = []
    for record in read_records(data / "sentseg" / name):
        ends = [end for _, end in record["sents"]]
        found.append((record["text"], set(ends[:-1])))
    return found


def gold_rules(data: Path) -> list[tuple[str, str, list[str]]]:
    """(language, text, sentences) of each rule."""
    path = data / "sentseg" / "pysbd-golden.jsonl.gz"
    return [(record["lang"], record["text"], record["sentences"]) for record in read_records(path)]
