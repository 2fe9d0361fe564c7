"""What the tokens of a context are, before and after compression, by an LLM judge.

usage: python -m evaluation.judge_audit CONTEXTS.jsonl --base-url URL --model NAME [--out FILE] [judge options]

A line of CONTEXTS has `query`, `before` (the text that would be sent without compression) and `after` (the context
that is sent), and may have `title`, `url`, `summary`. The judge marks both with the six categories and the prompts of
the labels (training.labelling); what it marks with none is `unmarked`. Tokens are those of the encoder. A line counts
when both sides could be judged; the others are listed with the reason. Writes `<out>.json` and `<out>.md`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from preprocessing.tokenizer import TextTokenizer
from training.labelling.endpoint import CallFailed, Endpoint, Usage
from training.labelling.errors import InvalidInput, LabellingError
from training.labelling.judge import Judge, Labels
from training.labelling.options import add_judge_options, judge_settings
from training.labelling.pairs import Pair
from training.labelling.prompts import Prompts
from training.labelling.schema import Category
from training.labelling.settings import Settings

TOKENIZER = Path(__file__).parents[1] / "model_repository" / "tokenize" / "1" / "tokenizer.json"
SIDES = ("before", "after")
UNMARKED = "unmarked"
KINDS = (*(category.value for category in Category), UNMARKED)


@dataclass(frozen=True)
class Context:
    """One question's text before and after compression."""

    query: str
    before: str
    after: str
    title: str = ""
    url: str = ""
    summary: str = ""


@dataclass(frozen=True)
class Audit:
    """tokens: by side and category, over the lines that count. failures: line, counted from 1, and reason."""

    tokens: dict[str, Counter[str]]
    lines: int
    failures: list[tuple[int, str]]
    usage: Usage


def read(path: Path) -> list[Context]:
    """The lines of a file. Raises :class:`InvalidInput` for the first that is none."""
    try:
        lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}") from error
    contexts = []
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line)
            values = {name: row.get(name) or "" for name in Context.__dataclass_fields__}
        except (ValueError, AttributeError) as error:
            raise InvalidInput(f"{path}, line {number}: no JSON object: {error}") from error
        for name, value in values.items():
            if not isinstance(value, str) or (name in ("query", *SIDES) and not value.strip()):
                raise InvalidInput(f"{path}, line {number}: {name} is missing, empty or no text.")
        contexts.append(Context(**values))
    return contexts


def tokens_by_kind(text: str, labels: Labels, tokenizer: TextTokenizer) -> Counter[str]:
    """Tokens of a text by category. Each stretch between two bounds is counted by itself; a blank one is none."""
    stretches: list[tuple[str, str]] = []
    at = 0
    for span in labels.spans:
        stretches += [(UNMARKED, text[at : span.start]), (span.category, text[span.start : span.end])]
        at = span.end
    stretches.append((UNMARKED, text[at:]))
    stretches = [(kind, piece) for kind, piece in stretches if piece.strip()]
    counted: Counter[str] = Counter()
    lengths = tokenizer.encode([piece for _, piece in stretches]).lengths.tolist()
    for (kind, _), length in zip(stretches, lengths, strict=True):
        counted[kind] += length
    return counted


async def audit(contexts: Sequence[Context], settings: Settings, tokenizer: TextTokenizer) -> Audit:
    """Judge both sides of every line. Raises :class:`~training.labelling.errors.EndpointRefused`."""
    endpoint = Endpoint(settings)
    judge = Judge(settings, Prompts.load(settings.prompts), endpoint)
    usage = Usage()

    async def one(context: Context, text: str) -> Counter[str] | str:
        pair = Pair("", context.query, context.url, context.title, context.summary, text)
        try:
            labels = await judge.label(pair, {}, lambda *_: None, usage)
        except CallFailed as error:
            return str(error)
        return tokens_by_kind(text, labels, tokenizer)

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [
                [group.create_task(one(context, getattr(context, side))) for side in SIDES]
                for context in contexts
            ]
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    finally:
        await endpoint.close()
    return _summed(([task.result() for task in sides] for sides in tasks), usage)


def _summed(results: Iterable[Sequence[Counter[str] | str]], usage: Usage) -> Audit:
    tokens: dict[str, Counter[str]] = {side: Counter() for side in SIDES}
    failures: list[tuple[int, str]] = []
    lines = 0
    for number, sides in enumerate(results, start=1):
        reasons = [f"{s}: {found}" for s, found in zip(SIDES, sides, strict=True) if isinstance(found, str)]
        if reasons:
            failures.append((number, "; ".join(reasons)))
            continue
        lines += 1
        for side, found in zip(SIDES, sides, strict=True):
            tokens[side].update(found)
    return Audit(tokens, lines, failures, usage)


def as_json(made: Audit, settings: Settings) -> dict[str, Any]:
    """The report. `kept` is tokens after over tokens before."""
    totals = {side: made.tokens[side].total() for side in SIDES}
    kinds = {}
    for kind in KINDS:
        before, after = (made.tokens[side][kind] for side in SIDES)
        kinds[kind] = {
            "tokens_before": before,
            "tokens_after": after,
            "share_before": before / totals["before"] if totals["before"] else None,
            "share_after": after / totals["after"] if totals["after"] else None,
            "kept": after / before if before else None,
        }
    return {
        "lines": made.lines,
        "failures": [{"line": number, "reason": reason} for number, reason in made.failures],
        "tokens": totals,
        "categories": kinds,
        "usage": made.usage.as_json(),
        "judge": settings.deciding | {"prompts_digest": Prompts.load(settings.prompts).digest},
    }


def table(report: dict[str, Any]) -> str:
    """The report as Markdown."""
    judge = report["judge"]
    rows = [
        "# What the tokens are",
        "",
        f"{report['lines']} contexts, judged by {judge['model']} with the prompts {judge['prompts']} "
        f"({judge['prompts_digest']}); {len(report['failures'])} could not be judged.",
        "Written by `python -m evaluation.judge_audit`; the measure is described there.",
        "",
        "| category | tokens before | share | tokens after | share | kept |",
        "|---|---|---|---|---|---|",
    ]
    for kind, row in report["categories"].items():
        shares = (_percent(row[name]) for name in ("share_before", "share_after", "kept"))
        before, after, kept = shares
        rows.append(
            f"| {kind} | {row['tokens_before']} | {before} | {row['tokens_after']} | {after} | {kept} |"
        )
    before, after = (report["tokens"][side] for side in SIDES)
    rows.append(f"| all | {before} | | {after} | | {_percent(after / before if before else None)} |")
    return "\n".join(rows) + "\n"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("contexts", type=Path)
    parser.add_argument("--out", type=Path, default=Path("judge_audit"))
    add_judge_options(parser)
    options = parser.parse_args(arguments)
    try:
        settings = judge_settings(options)
        made = asyncio.run(audit(read(options.contexts), settings, TextTokenizer.load(TOKENIZER)))
    except LabellingError as error:
        print(error, file=sys.stderr)
        return 2
    report = as_json(made, settings)
    options.out.with_suffix(".json").write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    options.out.with_suffix(".md").write_text(table(report))
    print(table(report))
    return 0


if __name__ == "__main__":
    sys.exit(main())
