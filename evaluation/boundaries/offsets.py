"""Checks the segments of every text of a data folder and prints one JSON line of counts.

    python -m evaluation.boundaries.offsets --data DIR

Fails at the first text whose segments overlap, are out of order, carry white space at an end, leave a non-blank
character uncovered or have a parent that does not come before them. `answers_whole` is the share of labelled answers
that lie inside one segment: a boundary within a short answer is most likely a wrong one.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

import numpy as np

from evaluation.boundaries.corpus import documents, read_records
from preprocessing.kinds import Kind
from preprocessing.segments import Segments, segment


def fault(text: str, segments: Segments) -> str | None:
    """What is wrong with the segments of `text`, or None."""
    position = 0
    for start, end in zip(segments.start.tolist(), segments.end.tolist(), strict=True):
        if not position <= start < end:
            return f"segment {start}:{end} overlaps, is empty or is out of order"
        if text[position:start].strip():
            return f"text before {start} is not covered"
        if text[start].isspace() or text[end - 1].isspace():
            return f"segment {start}:{end} is not trimmed"
        position = end
    if text[position:].strip():
        return f"text after {position} is not covered"
    parents = segments.parent
    if len(parents) and not ((parents >= -1) & (parents < np.arange(len(parents)))).all():
        return "a parent does not come before its child"
    return None


def _answers(data: Path) -> tuple[int, int]:
    """Short answers, and how many of them lie inside one segment."""
    total = whole = 0
    for path in sorted(data.glob("*/*.qas.jsonl.gz")):
        spans: dict[str, set[tuple[int, int]]] = {}
        for record in read_records(path):
            if record.get("kind") == "answer_span":
                spans.setdefault(record["doc_id"], set()).update(
                    (start, end) for start, end in record["evidence"]
                )
        if not spans:
            continue
        for record in read_records(path.with_name(path.name.replace(".qas.", ".docs."))):
            wanted = spans.get(record["doc_id"])
            if not wanted:
                continue
            segments = segment(record["text"])
            for start, end in wanted:
                index = int(np.searchsorted(segments.start, start, side="right")) - 1
                total += 1
                whole += index >= 0 and end <= int(segments.end[index])
    return total, whole


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    data: Path = parser.parse_args().data
    kinds: Counter[str] = Counter()
    texts = characters = longest = parented = 0
    for name, text in documents(data):
        segments = segment(text)
        wrong = fault(text, segments)
        if wrong is not None:
            raise SystemExit(f"{name}: {wrong}, in the text that begins {text[:80]!r}")
        texts += 1
        characters += len(text)
        kinds.update(Kind(kind).name.lower() for kind in segments.kind.tolist())
        parented += int((segments.parent >= 0).sum())
        if len(segments):
            longest = max(longest, int((segments.end - segments.start).max()))
    total, whole = _answers(data)
    report = {
        "texts": texts,
        "characters": characters,
        "segments": sum(kinds.values()),
        "kinds": dict(sorted(kinds.items())),
        "with_parent": parented,
        "longest_segment": longest,
        "answers": total,
        "answers_whole": round(whole / total, 4) if total else None,
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
