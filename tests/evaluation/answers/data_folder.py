"""A small data folder in the form that corpora.sets reads, with a development set and some web pages."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ANSWER = "in 1932"
GOLD = f"The bridge was opened {ANSWER} by the mayor. It carries eight lanes of traffic."


def write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def farm(number: int) -> str:
    return f"Farm {number} keeps {number + 3} sheep on the hill. The wool of farm {number} is sold in spring."


def write_data(folder: Path, farms: int = 30, pages: int = 12) -> Path:
    """A question on a bridge among passages on farms, and web pages of lines that say nothing of either."""
    documents = [
        {"doc_id": "gold", "text": GOLD, "title": "Bridge", "lang": "en", "article": "bridge"},
        {
            "doc_id": "same",
            "text": "The bridge is painted grey.",
            "title": "Bridge",
            "lang": "en",
            "article": "bridge",
        },
    ]
    documents += [
        {"doc_id": f"farm{n}", "text": farm(n), "title": f"Farm {n}", "lang": "en", "article": f"farm {n}"}
        for n in range(farms)
    ]
    write_lines(folder / "made" / "dev.docs.jsonl.gz", documents)
    start = GOLD.index(ANSWER)
    question = {
        "id": "q1",
        "question": "When was the bridge opened?",
        "doc_id": "gold",
        "evidence": [[start, start + len(ANSWER)]],
        "kind": "answer_span",
    }
    write_lines(folder / "made" / "dev.qas.jsonl.gz", [question])
    web = [
        {
            "lang": "en",
            "lines": [{"text": f"Shop item {n}.{m} costs {m} crowns", "label": "content"} for m in range(40)],
        }
        for n in range(pages)
    ]
    write_lines(folder / "webpages" / "some.jsonl.gz", web)
    return folder
