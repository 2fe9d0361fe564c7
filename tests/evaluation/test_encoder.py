"""Scores made in this process: the server's, segment by segment, and kept in files that can be trusted."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pith
from demo.pages import bundled_pages
from evaluation import scored_sets as module
from evaluation.encoder import InProcess, UnknownModel, fingerprint, load_encoder
from evaluation.scored_sets import Asked, scored_sets
from preprocessing.scores import Calibration, sigmoid
from serving.find import MODEL_REPOSITORY
from serving.server import LocalServer
from tests.evaluation.made_sets import asked

MODEL = MODEL_REPOSITORY / "encoder" / "1" / "model.onnx"
QUERY = "How long does the refund take?"
PAGE = "# Returns\n\nHome | Shop\n\nRefunds are paid within ten working days. Shipping is free in May.\n"
SHORT = [
    pith.Document(PAGE, title="Shop"),
    pith.Document("   "),
    pith.Document("退款需要十个工作日。运费另计。"),
]


@pytest.fixture(scope="module")
def local() -> InProcess:
    calibration = Calibration.load(MODEL_REPOSITORY / "aggregate" / "1" / "calibration.json")
    return InProcess(load_encoder(MODEL), calibration)


@pytest.fixture(scope="module")
def compressor() -> Iterator[pith.Compressor]:
    with LocalServer(config_name="cpu") as server, pith.Compressor(server.grpc_url, timeout=300.0) as client:
        yield client


def test_scores_are_those_of_the_server(local: InProcess, compressor: pith.Compressor) -> None:
    pages = bundled_pages()
    long_one = pith.Document("\n\n".join(page.text for page in pages) * 3, title="All of it")
    for query, documents in (
        (QUERY, SHORT),
        (pages[0].query, [pith.Document(page.text, title=page.title) for page in pages]),
        (pages[0].query, [long_one]),
    ):
        served = compressor.score(query, documents)
        here, _ = local.score(query, documents)
        assert [d.status for d in here] == [d.status for d in served]
        for own, theirs in zip(here, served, strict=True):
            assert own.relevance == pytest.approx(theirs.relevance, abs=2e-3)
            assert [(s.start, s.end, s.kind, s.tokens, s.parent) for s in own.segments] == [
                (s.start, s.end, s.kind, s.tokens, s.parent) for s in theirs.segments
            ]
            # Windows of one request are batched alike or not, which moves int8 sums a little.
            assert [s.score for s in own.segments] == pytest.approx(
                [s.score for s in theirs.segments], abs=5e-3
            )


def test_the_terms_make_the_scores(local: InProcess) -> None:
    scored, raw = local.score(QUERY, SHORT)
    own = local.calibration
    logit = raw.keep + own.relevance_weight * raw.relevance + own.lexical_weight * raw.lexical
    scores = sigmoid(own.keep_scale * logit + own.keep_shift)
    segments = [segment for document in scored for segment in document.segments]
    assert scores.tolist() == pytest.approx([segment.score for segment in segments], abs=1e-5)
    assert np.isneginf(raw.best).tolist() == [False, True, False]
    assert raw.seen.all()


def test_nothing_to_score_is_no_error(local: InProcess) -> None:
    scored, raw = local.score(QUERY, [pith.Document(" ")])
    assert scored[0].segments == ()
    assert raw.keep.size == raw.seen.size == 0


def test_what_is_no_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownModel, match=r"name an \.onnx file"):
        load_encoder(tmp_path / "nothing.onnx")


def test_another_model_has_another_fingerprint(tmp_path: Path) -> None:
    other = tmp_path / "model.onnx"
    other.write_bytes(b"other weights")
    assert fingerprint(other) != fingerprint(MODEL)
    assert fingerprint(MODEL) == fingerprint(MODEL)


QUESTIONS = [asked(n, "tiny/dev", ((0, 49),)) for n in range(3)]


def test_a_rerun_scores_nothing_again_and_gives_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = scored_sets(QUESTIONS, "mine", MODEL, tmp_path)
    monkeypatch.setattr(module, "load_encoder", None)
    again = scored_sets(QUESTIONS, "mine", MODEL, tmp_path)
    for old, new in zip(first, again, strict=True):
        assert np.array_equal(old.raw.keep, new.raw.keep)
        assert np.array_equal(old.start, new.start)
    assert first[0].evidence().sum() == 1


def test_a_run_that_was_cut_short_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = scored_sets(QUESTIONS, "mine", MODEL, tmp_path)
    (file,) = tmp_path.iterdir()
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:1]) + lines[1][:40])
    scored: list[Asked] = []
    row = module._row

    def noted(one: Asked, compressor: InProcess) -> dict[str, Any]:
        scored.append(one)
        return row(one, compressor)

    monkeypatch.setattr(module, "_row", noted)
    again = scored_sets(QUESTIONS, "mine", MODEL, tmp_path)
    assert [one.key for one in scored] == [one.key for one in QUESTIONS[1:]]
    assert [one.raw.keep.tolist() for one in again] == [one.raw.keep.tolist() for one in whole]
    assert len(file.read_text().splitlines()) == 3


def test_scores_of_another_model_are_not_mixed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "fingerprint", lambda _: "another")
    scored_sets(QUESTIONS[:1], "mine", MODEL, tmp_path)
    monkeypatch.undo()
    scored_sets(QUESTIONS[:1], "mine", MODEL, tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == {"another.jsonl", f"{fingerprint(MODEL)}.jsonl"}
