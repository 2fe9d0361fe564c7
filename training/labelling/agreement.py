"""How far configurations of a judge agree with spans that people marked, by category and by characters.

usage: pith-label agreement --marked marked.jsonl NAME=FOLDER [NAME=FOLDER ...] [--out agreement.json]

`marked.jsonl` has the form of the labels: query, document and `spans` of `{"start", "end", "category"}`, and title
and url where the pair has them. A pair is known by these four texts. A FOLDER is the --out of a run, or a file of
labels. Precision, recall and F1 are over the characters of all pairs together; a pair that a configuration has not
labelled counts as one without spans, so that dead letters cost recall. Also says how many pairs got the vital
characters exactly right.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.labelling.errors import InvalidInput
from training.labelling.pairs import Pair, Unreadable, scan
from training.labelling.schema import Category

Span = tuple[int, int, str]
# Query, title, url and document.
Key = tuple[str, str, str, str]


@dataclass(frozen=True)
class Score:
    """Characters that both sides, only the judge, and only the people gave a category."""

    both: int
    judge: int
    people: int

    @property
    def precision(self) -> float | None:
        return self.both / (self.both + self.judge) if self.both + self.judge else None

    @property
    def recall(self) -> float | None:
        return self.both / (self.both + self.people) if self.both + self.people else None

    @property
    def f1(self) -> float | None:
        """None where neither side gave the category."""
        total = 2 * self.both + self.judge + self.people
        return 2 * self.both / total if total else None


@dataclass(frozen=True)
class Agreement:
    """One configuration against the marked pairs."""

    name: str
    pairs: int
    labelled: int
    scores: dict[Category, Score]
    vital_exact: float
    report: Mapping[str, Any]


def read_spans(path: Path) -> dict[Key, list[Span]]:
    """Spans by pair of a file of labels. Raises :class:`InvalidInput` with the line that is none."""
    found: dict[Key, list[Span]] = {}
    with path.open("rb") as raw:
        for row, line in zip(scan(path), (line for line in raw if line.strip()), strict=True):
            where = f"{path}, byte {row.position}"
            if isinstance(row.content, Unreadable):
                raise InvalidInput(f"{where}: {row.content.reason}.")
            pair = row.content
            key = (pair.query, pair.title, pair.url, pair.document)
            found[key] = list(_spans(json.loads(line).get("spans"), pair, where))
    return found


def _spans(spans: Any, pair: Pair, where: str) -> Iterator[Span]:
    if not isinstance(spans, list):
        raise InvalidInput(f"{where}: spans is no list.")
    for span in spans:
        try:
            start, end, category = span["start"], span["end"], Category(span["category"])
        except (TypeError, KeyError, ValueError) as error:
            raise InvalidInput(f"{where}: a span needs start, end and one of the six categories.") from error
        if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(pair.document):
            raise InvalidInput(f"{where}: the span {start!r} to {end!r} is not within the document.")
        yield start, end, category.value


def compare(
    name: str, people: Mapping[Key, list[Span]], judge: Mapping[Key, list[Span]], report: Mapping[str, Any]
) -> Agreement:
    """The scores of one configuration."""
    scores = {}
    exact = 0
    for category in Category:
        both = judge_only = people_only = 0
        for pair, spans in people.items():
            marked = _characters(spans, category)
            given = _characters(judge.get(pair, []), category)
            both += len(marked & given)
            judge_only += len(given - marked)
            people_only += len(marked - given)
            exact += category is Category.VITAL and pair in judge and marked == given
        scores[category] = Score(both, judge_only, people_only)
    labelled = sum(pair in judge for pair in people)
    return Agreement(name, len(people), labelled, scores, exact / len(people), report)


def _characters(spans: Sequence[Span], category: Category) -> set[int]:
    return {at for start, end, own in spans if own == category for at in range(start, end)}


def table(rows: Sequence[Agreement]) -> str:
    """All configurations in one Markdown table, one line for each, and each category as precision / recall / F1."""
    head = " | ".join(category.value for category in Category)
    lines = [
        f"| judge | pairs labelled | vital exact | {head} | tokens a pair |",
        "|---|---|---|" + "---|" * (len(Category) + 1),
    ]
    for row in rows:
        cells = " | ".join(
            " / ".join(_figure(value) for value in (score.precision, score.recall, score.f1))
            for score in row.scores.values()
        )
        lines.append(
            f"| {row.name} | {row.labelled} of {row.pairs} | {row.vital_exact:.0%} | {cells} | {_tokens(row)} |"
        )
    return "\n".join(lines)


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _tokens(row: Agreement) -> str:
    usage = row.report.get("usage")
    pairs = row.report.get("labelled", 0) + row.report.get("dead", 0)
    return f"{(usage['prompt_tokens'] + usage['completion_tokens']) / pairs:.0f}" if usage and pairs else "–"


def as_json(row: Agreement) -> dict[str, Any]:
    """One configuration for a report."""
    by_category: dict[str, dict[str, Any]] = defaultdict(dict)
    for category, score in row.scores.items():
        by_category[category.value] = {
            "precision": score.precision,
            "recall": score.recall,
            "f1": score.f1,
            "characters": {"both": score.both, "judge": score.judge, "people": score.people},
        }
    return {
        "judge": row.name,
        "pairs": row.pairs,
        "labelled": row.labelled,
        "vital_exact": row.vital_exact,
        "categories": dict(by_category),
        "configuration": row.report.get("run"),
        "usage": row.report.get("usage"),
    }


def _configuration(argument: str) -> tuple[str, dict[Key, list[Span]], dict[str, Any]]:
    name, separator, value = argument.partition("=")
    path = Path(value if separator else argument)
    if path.is_file():
        return name, read_spans(path), {}
    files = sorted((path / "labels").glob("*.jsonl"))
    if not files:
        raise InvalidInput(
            f"{path} is neither a file of labels nor the folder of a run that came to its end."
        )
    spans: dict[Key, list[Span]] = {}
    for file in files:
        spans |= read_spans(file)
    report = path / "report.json"
    return name, spans, json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of `pith-label agreement`."""
    parser.add_argument("--marked", type=Path, required=True, help="spans that people marked, JSON lines")
    parser.add_argument("--out", type=Path, help="also write the figures as JSON")
    parser.add_argument("configurations", nargs="+", metavar="NAME=FOLDER")


def main(options: argparse.Namespace) -> None:
    """`pith-label agreement`."""
    if not options.marked.is_file():
        raise InvalidInput(f"{options.marked} does not exist.")
    people = read_spans(options.marked)
    if not people:
        raise InvalidInput(f"{options.marked} holds no pair.")
    rows = [
        compare(name, people, spans, report)
        for name, spans, report in map(_configuration, options.configurations)
    ]
    print(table(rows))
    if options.out:
        content = json.dumps([as_json(row) for row in rows], indent=1, ensure_ascii=False)
        options.out.write_text(content + "\n", encoding="utf-8")
