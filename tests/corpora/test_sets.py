"""Labelled sets: reading, what is held out, what is never trained on."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from corpora.sets import carve, development_corpora, names, read, training_corpora, web_lines


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def add_set(data: Path, name: str, articles: list[str], **question: Any) -> None:
    write(
        data / f"{name}.docs.jsonl.gz",
        [
            {"doc_id": str(i), "title": "A_b", "lang": "en", "text": "One. Two.", "article": a}
            for i, a in enumerate(articles)
        ],
    )
    asked = {"question": "Which?", "evidence": [[5, 9]], "kind": "answer_span", **question}
    write(
        data / f"{name}.qas.jsonl.gz",
        [{"id": str(i), "doc_id": str(i), **asked} for i in range(len(articles))],
    )


@pytest.fixture
def data(tmp_path: Path) -> Path:
    add_set(tmp_path, "jaquad/train", ["x", "y"])
    add_set(tmp_path, "jaquad/dev", ["z"])
    add_set(tmp_path, "xquad/en", ["Kenya", "Huguenot"])
    add_set(tmp_path, "afriqa/hau.dev", ["a"])
    add_set(tmp_path, "drcd/train", [f"article {i}" for i in range(400)])
    add_set(tmp_path, "policyqa/train", ["p"])
    write(
        tmp_path / "webpages/some.jsonl.gz",
        [{"lines": [{"text": "Home", "label": "boilerplate"}, {"text": "x", "label": "main"}]}],
    )
    return tmp_path


def test_offsets_and_titles_are_read_as_they_are(data: Path) -> None:
    corpus = read(data, "jaquad/train")
    assert corpus.questions[0].evidence == ((5, 9),)
    assert corpus.documents["0"].title == "A b"


def test_splits_are_told_apart_by_name(data: Path) -> None:
    assert names(data, "dev") == ["afriqa/hau.dev", "jaquad/dev"]
    assert "xquad/en" in names(data, "train")


def test_a_held_out_article_is_in_one_part_only(data: Path) -> None:
    corpus = read(data, "drcd/train")
    kept, held = carve(corpus, development=False), carve(corpus, development=True)
    assert not kept.documents.keys() & held.documents.keys()
    assert len(kept.documents) + len(held.documents) == 400
    assert 15 < len(held.documents) < 80
    assert {q.document for q in held.questions} == set(held.documents)


def test_sets_for_measuring_only_are_never_trained_on(data: Path) -> None:
    trained = {corpus.name for corpus in training_corpora(data)}
    assert "policyqa/train" not in trained
    assert "jaquad/dev" not in trained
    assert [
        d.article for c in training_corpora(data) if c.name == "xquad/en" for d in c.documents.values()
    ] == ["Huguenot"]
    developed = {corpus.name: corpus for corpus in development_corpora(data)}
    assert [d.article for d in developed["xquad/en"].documents.values()] == ["Kenya"]
    assert "jaquad/dev" in developed


def test_documents_that_leak_from_another_set_are_dropped(tmp_path: Path) -> None:
    add_set(tmp_path, "squad-nqg/train", ["a", "b"], in_xquad=True)
    corpus = read(tmp_path, "squad-nqg/train")
    assert not corpus.documents
    assert not corpus.questions


def test_noise_is_boilerplate_alone(data: Path) -> None:
    assert web_lines(data) == [("Home", "en")]
