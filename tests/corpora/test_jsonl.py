"""Labels that users bring: what is right is read as it is, what is wrong is named by file, line and remedy."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.jsonl import BadLine, NoLines, _parse, read_labels

GOOD: dict[str, Any] = {
    "query": "When may I take a taxi?",
    "document": "Book trains. Taxis only after ten. 除非下雨。",
    "title": "Travel",
    "spans": [[13, 34], {"start": 0, "end": 12, "category": "off-topic"}],
}


def write(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(
        (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False)) + "\n" for row in rows
    )
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def test_only_vital_spans_are_evidence_and_offsets_stay(tmp_path: Path) -> None:
    read = read_labels(write(tmp_path / "mine.jsonl", GOOD, {**GOOD, "spans": [[35, 40, "vital"]]}, ""))
    assert read.corpus.name == "mine/train"
    assert len(read.corpus.documents) == 1
    assert [q.evidence for q in read.corpus.questions] == [((13, 34),), ((35, 40),)]
    (document,) = read.corpus.documents.values()
    assert document.text[35:40] == "除非下雨。"
    assert read.skipped == ()


def test_a_folder_is_read_whole_compressed_files_too(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", GOOD)
    write(tmp_path / "more" / "b.jsonl.gz", {**GOOD, "language": "en", "url": "https://example.org/"})
    corpus = read_labels(tmp_path).corpus
    assert [q.id for q in corpus.questions] == ["a.jsonl:1", "b.jsonl.gz:1"]
    assert {d.lang for d in corpus.documents.values()} == {"", "en"}


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("{", "not JSON"),
        ("[1]", "a list, not an object"),
        ({k: v for k, v in GOOD.items() if k != "spans"}, "'spans' is missing"),
        ({**GOOD, "question": "x"}, "'question' is not known"),
        ({**GOOD, "query": "  "}, "query is empty"),
        ({**GOOD, "document": 3}, "document is a number, not a string"),
        ({**GOOD, "document": "", "spans": []}, "document is empty"),
        ({**GOOD, "spans": {}}, "spans is an object, not a list"),
        ({**GOOD, "spans": [[3, 99]]}, r"\[3, 99\], the document has 40 code points"),
        ({**GOOD, "spans": [[3, 3]]}, "the document has 40 code points"),
        ({**GOOD, "spans": [[-1, 3]]}, "the document has 40 code points"),
        ({**GOOD, "spans": [[0.5, 3]]}, "offsets are whole numbers"),
        ({**GOOD, "spans": [[0, True]]}, "a truth value for an offset"),
        ({**GOOD, "spans": [[0]]}, "Span 0 is not"),
        ({**GOOD, "spans": [[0, 3, "ad"]]}, "category 'ad'; take one of advert"),
        (json.dumps({**GOOD, "title": "\ud800"}), "half of a surrogate pair"),
    ],
)
def test_a_wrong_line_is_named_with_what_to_do(tmp_path: Path, row: Any, sentence: str) -> None:
    path = write(tmp_path / "mine.jsonl", GOOD, row, GOOD)
    with pytest.raises(BadLine, match=sentence) as caught:
        read_labels(path)
    assert (caught.value.file, caught.value.line) == (path, 2)
    assert str(caught.value).startswith(f"{path}, line 2: ")
    read = read_labels(path, skip_bad=True)
    assert len(read.corpus.questions) == 2
    assert [bad.line for bad in read.skipped] == [2]


def test_bytes_that_are_no_text_and_half_a_file_are_named(tmp_path: Path) -> None:
    (tmp_path / "latin.jsonl").write_bytes(b'{"query": "caf\xe9"}\n')
    with pytest.raises(BadLine, match=r"line 1: The line is not UTF-8"):
        read_labels(tmp_path / "latin.jsonl")
    whole = gzip.compress(json.dumps(GOOD).encode() * 50)
    (tmp_path / "half.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadLine, match="not whole gzip"):
        read_labels(tmp_path / "half.jsonl.gz")


def test_a_path_without_labels_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.jsonl", write(tmp_path / "empty.jsonl", "")):
        with pytest.raises(NoLines):
            read_labels(path)


@given(st.text(min_size=1).filter(str.strip), st.data())
def test_any_span_within_any_text_is_read_as_given(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    row = {**GOOD, "document": text, "spans": [[start, end]]}
    document, _, evidence = _parse(json.dumps(row).encode())
    assert document.text == text
    assert evidence == (((start, end),) if text[start:end].strip() else ())
