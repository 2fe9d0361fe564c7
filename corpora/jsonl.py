"""Reader for labels that users bring: one JSON object a line, a question and a marked document.

    {"query": "When may I book a taxi?", "document": "Book trains. Taxis only if ...", "title": "Travel policy",
     "url": "https://example.org/policy", "language": "en",
     "spans": [{"start": 13, "end": 30, "category": "vital"}, [31, 50]]}

`query`, `document` and `spans` must be there; `title`, `url` and `language` may. A span is `[start, end]`, `[start,
end, category]` or an object of the three, in code points of `document`, end excluded; without a category it is
`vital`. Only vital spans are evidence; the other categories say what kind of text without evidence a span is. An
empty list of spans is a page that holds no evidence for the query. docs/training.md describes the form for users.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpora.sets import Corpus, Document, Question

CATEGORIES = frozenset({"vital", "off-topic", "advert", "metadata", "navigation", "duplicate"})
SUFFIXES = (".jsonl", ".jsonl.gz")
FIELDS = {"query": True, "document": True, "title": False, "spans": True, "url": False, "language": False}


class BadLine(ValueError):
    """A line that cannot be read: `file`, `line` (from 1) and a sentence that says what to change."""

    def __init__(self, file: Path, line: int, sentence: str) -> None:
        super().__init__(f"{file}, line {line}: {sentence}")
        self.file = file
        self.line = line
        self.sentence = sentence


class NoLines(ValueError):
    """A path that holds no labels at all."""


class _Wrong(ValueError):
    """What is wrong with one object, before file and line are known."""


@dataclass(frozen=True)
class Read:
    """What a file or folder held, and the lines that were skipped."""

    corpus: Corpus
    skipped: tuple[BadLine, ...]


def files(path: Path) -> list[Path]:
    """The label files of a path: itself, or every .jsonl and .jsonl.gz below a folder, in order of their names."""
    if path.is_dir():
        found = sorted(p for p in path.rglob("*") if p.is_file() and p.name.endswith(SUFFIXES))
    else:
        found = [path] if path.is_file() else []
    if not found:
        raise NoLines(
            f"{path} is no .jsonl or .jsonl.gz file and no folder that holds some; see docs/training.md."
        )
    return found


def read_labels(path: Path, *, skip_bad: bool = False) -> Read:
    """Read a file or folder of labels as one corpus, named for the path.

    Raises `BadLine` at the first line that cannot be read; with `skip_bad` such lines are left out and returned.
    Lines with the same document (text, title and address) share it, so that its page is laid out once.
    """
    documents: dict[str, Document] = {}
    questions: list[Question] = []
    skipped: list[BadLine] = []
    for file in files(path):
        for number, line in _lines(file):
            if not line.strip():
                continue
            try:
                document, query, evidence = _parse(line)
            except _Wrong as wrong:
                bad = BadLine(file, number, str(wrong))
                if not skip_bad:
                    raise bad from wrong
                skipped.append(bad)
                continue
            documents[document.id] = document
            questions.append(Question(f"{file.name}:{number}", query, document.id, evidence, "span"))
    if not questions:
        raise NoLines(f"{path} holds no line that can be read ({len(skipped)} were skipped).")
    return Read(Corpus(_name(path), documents, questions), tuple(skipped))


def _name(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".jsonl") + "/train"


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    with gzip.open(file) if file.name.endswith(".gz") else file.open("rb") as stream:
        number = 0
        try:
            for number, line in enumerate(stream, start=1):
                yield number, line
        except (gzip.BadGzipFile, EOFError) as error:
            raise BadLine(
                file, number + 1, f"The file is not whole gzip ({error}); compress it anew."
            ) from error


def _parse(line: bytes) -> tuple[Document, str, tuple[tuple[int, int], ...]]:
    try:
        row = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _Wrong(
            f"The line is not UTF-8 ({error.reason} at byte {error.start}); save the file as UTF-8."
        ) from error
    except json.JSONDecodeError as error:
        raise _Wrong(
            f"The line is not JSON ({error.msg} at column {error.colno}); write one object a line."
        ) from error
    if not isinstance(row, dict):
        raise _Wrong(f'The line is {_kind(row)}, not an object; write {{"query": ..., "document": ...}}.')
    unknown = sorted(set(row) - set(FIELDS))
    if unknown:
        raise _Wrong(f"The field {unknown[0]!r} is not known; the fields are {', '.join(FIELDS)}.")
    for name, needed in FIELDS.items():
        if needed and name not in row:
            raise _Wrong(f"The field {name!r} is missing; add it.")
    texts = {name: _text(row.get(name), name) for name in FIELDS if name != "spans"}
    if not texts["query"].strip():
        raise _Wrong("The query is empty; say what the document is searched for.")
    if not texts["document"].strip():
        raise _Wrong("The document is empty; leave the line out.")
    evidence = _evidence(row["spans"], texts["document"])
    key = "\0".join((texts["document"], texts["title"], texts["url"]))
    name = hashlib.sha1(key.encode("utf-8", "surrogatepass")).hexdigest()
    document = Document(name, texts["document"], texts["title"], texts["language"], texts["url"] or name, 0)
    return document, texts["query"], evidence


def _text(value: Any, name: str) -> str:
    if value is None and name not in {"query", "document"}:
        return ""
    if not isinstance(value, str):
        raise _Wrong(f"{name} is {_kind(value)}, not a string; put it in quotes.")
    if any("\ud800" <= char <= "\udfff" for char in value):
        raise _Wrong(
            f"{name} holds half of a surrogate pair; escape the whole character, or write it as UTF-8."
        )
    return value


def _evidence(spans: Any, document: str) -> tuple[tuple[int, int], ...]:
    if not isinstance(spans, list):
        raise _Wrong(
            f"spans is {_kind(spans)}, not a list; write [[start, end], ...], or [] for no evidence."
        )
    vital = []
    for index, span in enumerate(spans):
        start, end, category = _span(span, index)
        if not 0 <= start < end <= len(document):
            raise _Wrong(
                f"Span {index} is [{start}, {end}], the document has {len(document)} code points; count code points "
                "(not bytes or UTF-16 units) from 0, end excluded."
            )
        if category not in CATEGORIES:
            raise _Wrong(
                f"Span {index} has the category {category!r}; take one of {', '.join(sorted(CATEGORIES))}."
            )
        if category == "vital" and document[start:end].strip():
            vital.append((start, end))
    return tuple(sorted(set(vital)))


def _span(span: Any, index: int) -> tuple[int, int, Any]:
    if isinstance(span, dict) and {"start", "end"} <= set(span) <= {"start", "end", "category"}:
        parts = [span["start"], span["end"], span.get("category") or "vital"]
    elif isinstance(span, list) and len(span) in {2, 3}:
        parts = [*span, "vital"][:3]
    else:
        raise _Wrong(
            f'Span {index} is not [start, end], [start, end, category] or {{"start": ..., "end": ...}}.'
        )
    start, end, category = parts
    for value in (start, end):
        if not isinstance(value, int) or isinstance(value, bool):
            raise _Wrong(f"Span {index} has {_kind(value)} for an offset; offsets are whole numbers.")
    return start, end, category


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")
