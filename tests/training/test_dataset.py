"""Rows from labels of one's own: what they hold, how they are written, and what cannot be drawn."""

import json
from pathlib import Path

import numpy as np
import pytest

from corpora.jsonl import BadLine
from corpora.sets import Corpus, Document, Question
from preprocessing.lexical import LexicalTables
from preprocessing.tokenizer import TextTokenizer
from training.dataset import NoRows, collect, main, read_corpora

FOLDER = Path(__file__).parents[2] / "model_repository" / "tokenize" / "1"
TEXT = "The bridge was opened in 1932. It carries eight lanes. Only after dark are there six."


def labels(path: Path, *more: str) -> Path:
    rows = [
        {
            "query": "When did it open?",
            "document": f"{TEXT} Lane {i} is shut.",
            "title": "Bridge",
            "spans": [[25, 29]],
        }
        for i in range(8)
    ]
    path.write_text("".join([*(json.dumps(row) + "\n" for row in rows), *more]), encoding="utf-8")
    return path


def test_rows_of_own_labels_are_written_with_their_record(tmp_path: Path) -> None:
    (tmp_path / "backbone").mkdir()
    for name in ("tokenizer.json", "lexical.npz"):
        (tmp_path / "backbone" / name).write_bytes((FOLDER / name).read_bytes())
    (tmp_path / "backbone" / "config.json").write_text('{"vocab_size": 64000}')
    path = labels(tmp_path / "mine.jsonl")
    command = [
        "--data",
        str(path),
        "--backbone",
        str(tmp_path / "backbone"),
        "--out",
        str(tmp_path / "rows.npz"),
    ]
    main([*command, "--tokens", "8000"])
    with np.load(tmp_path / "rows.npz") as rows:
        assert rows["ids_128"].dtype == np.uint16
        assert rows["labels_256"].dtype == np.int8
        assert rows["ids_128"].shape == (37, 128)
        assert rows["ids_256"].shape == (12, 256)
        assert 0.5 < (rows["labels_128"] == 1).any(axis=1).mean() < 1
    record = json.loads((tmp_path / "rows.json").read_text())
    assert record["rows"] == {"mine/train": 49}
    assert record["tokens"] == {"128": 37 * 128, "256": 12 * 256}


def test_bad_lines_stop_unless_they_are_to_be_skipped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = labels(tmp_path / "mine.jsonl", '{"query": ""}\n')
    with pytest.raises(BadLine, match="line 9"):
        read_corpora([path])
    corpora, shares = read_corpora([path], skip_bad=True, own_share=3)
    assert len(corpora[0].questions) == 8
    assert shares == [3]
    assert "Skipped:" in capsys.readouterr().err


def test_data_that_gives_no_row_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    empty = Corpus(
        "a/train", {"0": Document("0", " ", "", "en", "0", 0)}, [Question("0", "?", "0", (), "span")]
    )
    monkeypatch.setattr("training.dataset.FRUITLESS", 20)
    tables = TextTokenizer.load(FOLDER / "tokenizer.json"), LexicalTables.load(FOLDER / "lexical.npz")
    with pytest.raises(NoRows, match="hold no text"):
        collect([empty], [1.0], *tables, [], 1000, 7)
