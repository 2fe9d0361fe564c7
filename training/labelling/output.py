"""From journals to what training reads: JSON lines, Parquet, dead letters, in the order of the input.

`labels/labels-00000-of-00002.jsonl` has one object a line in the form of corpora.jsonl: query, title, url, document
and `spans`, each `{"start", "end", "category"}` in code points of the document. `parquet/` holds the same rows with
id, summary, intents, quotes without a place, tokens and the judge's configuration. `dead_letters.jsonl` has each pair
that is not labelled, with its reason and its place in the input.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from training.labelling.errors import MissingPackage
from training.labelling.journal import ANSWER, DEAD, LABELLED, journal_file, lines
from training.labelling.pairs import Pair, arrow, read_at
from training.labelling.report import Tally
from training.labelling.select import Chunk, unreadable_rows

Labelled = tuple[Pair, dict[str, Any]]
_BATCH = 500


def finish(
    out: Path, files: Sequence[Path], chunks: Sequence[Chunk], shard_rows: int, config: dict[str, Any]
) -> Tally:
    """Write the shards and the dead letters anew from the journals; returns the sums. Pairs that have no outcome
    yet are left out, and `Tally` shows how many are in."""
    tally = Tally()
    dead: list[dict[str, Any]] = []
    counted = sum(
        1 for chunk in chunks for row in _outcomes(out, chunk).values() if row["status"] == LABELLED
    )
    shards = max(1, -(-counted // shard_rows))
    with _Shards(out, shards, shard_rows, config) as writer:
        for chunk in chunks:
            outcomes = _outcomes(out, chunk)
            for row in read_at(Path(chunk.file), chunk.positions):
                # A row that is no pair was never selected; the input has changed, and the row is a dead letter below.
                if not isinstance(row.content, Pair):
                    continue
                outcome = outcomes.get(row.content.id)
                if outcome is None:
                    continue
                tally.add(outcome)
                if outcome["status"] == DEAD:
                    at = {"id": row.content.id, "reason": outcome["reason"]}
                    dead.append(at | {"file": chunk.file, "position": row.position} | asdict(row.content))
                else:
                    writer.add((row.content, outcome))
    for file, bad, reason in unreadable_rows(files):
        dead.append({"id": None, "reason": reason, "file": str(file), "position": bad.position})
        tally.dead["unreadable row"] += 1
    new = out / "dead_letters.new"
    with new.open("w", encoding="utf-8") as target:
        target.writelines(json.dumps(letter, ensure_ascii=False) + "\n" for letter in dead)
    new.replace(out / "dead_letters.jsonl")
    return tally


def _outcomes(out: Path, chunk: Chunk) -> dict[str, dict[str, Any]]:
    rows = (line for _, line in lines(journal_file(out, chunk.number)))
    return {line["id"]: line for line in rows if line["status"] != ANSWER}


def training_row(pair: Pair, outcome: dict[str, Any]) -> dict[str, Any]:
    """One line of the form that training reads."""
    spans = [{name: span[name] for name in ("start", "end", "category")} for span in outcome["spans"]]
    return {
        "query": pair.query,
        "title": pair.title,
        "url": pair.url,
        "document": pair.document,
        "spans": spans,
    }


class _Shards:
    """Writes both forms into new folders, which replace the old ones once they are whole."""

    def __init__(self, out: Path, shards: int, rows: int, config: dict[str, Any]) -> None:
        self._out, self._shards, self._rows, self._config = out, shards, rows, config
        self._written = 0
        self._batch: list[dict[str, Any]] = []
        self._json: Any = None
        self._table: Any = None
        try:
            self._parquet: Any = arrow("pyarrow.parquet")
        except MissingPackage:
            self._parquet = None

    def __enter__(self) -> _Shards:
        for name in self._folders():
            shutil.rmtree(self._out / f"{name}.new", ignore_errors=True)
            (self._out / f"{name}.new").mkdir(parents=True)
        self._open()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._close()
        if kind is None:
            for name in self._folders():
                shutil.rmtree(self._out / name, ignore_errors=True)
                (self._out / f"{name}.new").rename(self._out / name)

    def add(self, labelled: Labelled) -> None:
        if self._written and self._written % self._rows == 0:
            self._close()
            self._open()
        pair, outcome = labelled
        row = training_row(pair, outcome)
        self._json.write(json.dumps(row, ensure_ascii=False) + "\n")
        self._written += 1
        if self._parquet:
            self._batch.append(
                row
                | {"id": pair.id, "summary": pair.summary, "intents": outcome["intents"]}
                | {"spans": outcome["spans"], "unmatched": outcome["lost"]}
                | {f"usage_{name}": count for name, count in outcome["usage"].items()}
                | self._config
            )
            if len(self._batch) == _BATCH:
                self._flush()

    def _folders(self) -> Iterator[str]:
        yield "labels"
        if self._parquet:
            yield "parquet"

    def _open(self) -> None:
        number = self._written // self._rows
        name = f"labels-{number:05d}-of-{self._shards:05d}"
        self._json = (self._out / "labels.new" / f"{name}.jsonl").open("w", encoding="utf-8")
        if self._parquet:
            path = self._out / "parquet.new" / f"{name}.parquet"
            self._table = self._parquet.ParquetWriter(path, _schema(self._config), compression="zstd")

    def _flush(self) -> None:
        self._table.write_table(arrow("pyarrow").Table.from_pylist(self._batch, schema=_schema(self._config)))
        self._batch = []

    def _close(self) -> None:
        self._json.close()
        if self._parquet:
            self._flush()
            self._table.close()


def _schema(config: dict[str, Any]) -> Any:
    pa = arrow("pyarrow")
    kinds = {str: pa.string(), int: pa.int64(), float: pa.float64()}
    text = ("id", "query", "title", "url", "document", "summary")
    place = [("start", pa.int32()), ("end", pa.int32()), ("category", pa.string()), ("form", pa.string())]
    lost = [("text", pa.string()), ("category", pa.string()), ("reason", pa.string())]
    usage = ("requests", "prompt_tokens", "completion_tokens")
    return pa.schema(
        [(name, pa.string()) for name in text]
        + [("intents", pa.list_(pa.string()))]
        + [("spans", pa.list_(pa.struct(place))), ("unmatched", pa.list_(pa.struct(lost)))]
        + [(f"usage_{name}", pa.int64()) for name in usage]
        + [(name, kinds[type(value)]) for name, value in config.items()]
    )
