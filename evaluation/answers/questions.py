"""Questions with their gold answers: CSV as SimpleQA and BrowseComp have it, or JSON lines with documents.

| file | columns or fields |
|---|---|
| SimpleQA (Wei et al., 2024, arXiv:2411.04368) | `problem`, `answer`, others ignored |
| BrowseComp (Wei et al., 2025, arXiv:2504.12516) | `problem` and `answer` encrypted, `canary` the password |
| JSON lines | `question`, `answer` (text or list of texts); optional `id`, `documents`, `needs` |

A document is a text, or an object with `text` and optional `title` and `url`. `--documents FILE` gives questions
their documents from another file of JSON lines with `id` or `question`, and `documents`.
"""

from __future__ import annotations

import base64
import binascii
import csv
import gzip
import hashlib
import itertools
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pith
from evaluation.answers.errors import InvalidInput

# A problem of BrowseComp with its context is longer than the csv module's own limit on some systems.
csv.field_size_limit(16 * 1024 * 1024)


@dataclass(frozen=True)
class Question:
    """answers: any of them is right. needs: facts that the answer must contain, for Pith's coverage."""

    id: str
    text: str
    answers: tuple[str, ...]
    documents: tuple[pith.Document, ...] = ()
    needs: tuple[str, ...] = ()


def read_questions(path: Path, documents: Path | None = None) -> list[Question]:
    """The questions of a file. Raises :class:`InvalidInput`, which names the line and what to change."""
    found = list(_from_csv(path) if path.suffix == ".csv" else _from_jsonl(path))
    if not found:
        raise InvalidInput(f"{path} holds no questions.")
    seen: dict[str, int] = {}
    for number, question in enumerate(found, start=1):
        if question.id in seen:
            raise InvalidInput(
                f"{path}: questions {seen[question.id]} and {number} have the same id {question.id!r}; "
                "give each its own."
            )
        seen[question.id] = number
    return _with_documents(found, documents) if documents else found


def sample(questions: Sequence[Question], most: int | None, seed: int) -> list[Question]:
    """At most so many questions; the same seed chooses the same ones, whatever the order of the file."""
    if most is None or most >= len(questions):
        return list(questions)
    ranked = sorted(questions, key=lambda one: hashlib.sha256(f"{seed} {one.id}".encode()).digest())
    chosen = {one.id for one in ranked[:most]}
    return [one for one in questions if one.id in chosen]


def shuffled(questions: Sequence[Question], seed: int) -> list[Question]:
    """In an order of their own, so that a run that stops early has seen a fair part."""
    out = list(questions)
    random.Random(seed).shuffle(out)
    return out


def decrypted(text: str, password: str) -> str:
    """A field of BrowseComp: base64 of the text XORed with the SHA-256 of the password, repeated.

    Raises ValueError for what is not so encrypted.
    """
    try:
        data = base64.b64decode(text, validate=True)
        key = hashlib.sha256(password.encode()).digest()
        return bytes(a ^ b for a, b in zip(data, itertools.cycle(key), strict=False)).decode()
    except (binascii.Error, UnicodeDecodeError) as error:
        raise ValueError(f"it cannot be decrypted with its canary: {error}") from error


def _from_csv(path: Path) -> Iterator[Question]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file)
            missing = {"problem", "answer"} - set(rows.fieldnames or ())
            if missing:
                raise InvalidInput(
                    f"{path} has no column {' and no '.join(sorted(missing))}; its first line must name "
                    "problem and answer (and canary, where they are encrypted)."
                )
            for row in rows:
                yield _of_row(row, f"{path}, line {rows.line_num}")
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InvalidInput(f"{path} cannot be read: {error}") from error


def _of_row(row: Mapping[str, Any], place: str) -> Question:
    problem, answer = row["problem"], row["answer"]
    if not (problem or "").strip() or not (answer or "").strip():
        raise InvalidInput(f"{place}: problem or answer is empty.")
    if row.get("canary"):
        try:
            problem, answer = decrypted(problem, row["canary"]), decrypted(answer, row["canary"])
        except ValueError as error:
            raise InvalidInput(f"{place}: {error}") from error
    # A digest stays the same when lines are added or left out.
    return Question(hashlib.sha256(problem.encode()).hexdigest()[:16], problem, (answer,))


def _lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """(place, object) of every line that is not empty."""
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                if not line.strip():
                    continue
                try:
                    row = json.loads(line)
                except ValueError as error:
                    raise InvalidInput(f"{path}, line {number}: no JSON: {error}") from error
                if not isinstance(row, dict):
                    raise InvalidInput(f"{path}, line {number}: no JSON object.")
                yield f"{path}, line {number}", row
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}") from error


def _from_jsonl(path: Path) -> Iterator[Question]:
    for place, row in _lines(path):
        text, answers = row.get("question"), row.get("answer")
        if not isinstance(text, str) or not text.strip():
            raise InvalidInput(f"{place}: question is missing, empty or no text.")
        listed = [answers] if isinstance(answers, str) else answers
        if not isinstance(listed, list) or not listed or not all(_is_text(a) for a in listed):
            raise InvalidInput(f"{place}: answer must be a text or a list of texts, none of them empty.")
        needs = row.get("needs") or []
        if not isinstance(needs, list) or not all(_is_text(need) for need in needs):
            raise InvalidInput(f"{place}: needs must be a list of texts.")
        identity = str(row.get("id") or hashlib.sha256(text.encode()).hexdigest()[:16])
        documents = _documents(row.get("documents") or [], place)
        yield Question(identity, text, tuple(listed), documents, tuple(needs))


def _documents(rows: Any, place: str) -> tuple[pith.Document, ...]:
    if not isinstance(rows, list):
        raise InvalidInput(f"{place}: documents must be a list.")
    out = []
    for number, row in enumerate(rows):
        fields = {"text": row} if isinstance(row, str) else row
        if not isinstance(fields, dict) or not isinstance(fields.get("text"), str):
            raise InvalidInput(f"{place}: document {number} is neither a text nor an object with `text`.")
        out.append(
            pith.Document(fields["text"], title=fields.get("title") or None, url=fields.get("url") or None)
        )
    return tuple(out)


def _with_documents(questions: Sequence[Question], path: Path) -> list[Question]:
    by_id: dict[str, tuple[pith.Document, ...]] = {}
    by_text: dict[str, tuple[pith.Document, ...]] = {}
    for place, row in _lines(path):
        documents = _documents(row.get("documents"), place)
        if row.get("id") is not None:
            by_id[str(row["id"])] = documents
        elif isinstance(row.get("question"), str):
            by_text[row["question"]] = documents
        else:
            raise InvalidInput(f"{place}: neither id nor question says whose documents these are.")
    found = [replace(q, documents=by_id.get(q.id, by_text.get(q.text, q.documents))) for q in questions]
    if not any(question.documents for question in found):
        raise InvalidInput(
            f"{path} has documents for none of the questions; its id or question must be theirs."
        )
    return found


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())
