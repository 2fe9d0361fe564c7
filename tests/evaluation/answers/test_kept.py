"""Answers kept: what counts as kept, what each way sends on, and that a run goes on where it stopped."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import pith
from evaluation.answers.errors import InvalidInput
from evaluation.answers.kept import RankedWay, answer_sentences, joined, measure, measured, survives
from evaluation.answers.kept_command import main
from evaluation.answers.kept_report import draw, markdown, summary
from evaluation.answers.long_sets import Builder, LongSet
from evaluation.answers.rankers import RANKERS, in_order, ordered, sent_on
from evaluation.baselines import Piece, pieces
from evaluation.encoder import MODEL_REPOSITORY
from preprocessing.tokenizer import TextTokenizer
from serving.server import LocalServer
from tests.evaluation.answers.data_folder import write_data

TOKENIZER = TextTokenizer.load(MODEL_REPOSITORY / "tokenize" / "1" / "tokenizer.json")
BUDGETS = (60, 1_500, 4_000)


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> LongSet:
    (found,) = Builder(write_data(tmp_path_factory.mktemp("data")), TOKENIZER, 200).sets(1)
    return found


def answer_first(query: str, texts: Sequence[str]) -> list[Piece]:
    return [
        Piece(p.document, p.start, p.end, float("1932" in texts[p.document][p.start : p.end]))
        for p in pieces(texts)
    ]


def answer_never(query: str, texts: Sequence[str]) -> list[Piece]:
    return [p for p in answer_first(query, texts) if not p.score]


def test_an_answer_in_the_context_is_kept_and_one_outside_is_not(one: LongSet) -> None:
    first = measure(one, RankedWay("first", answer_first, TOKENIZER), BUDGETS)
    never = measure(one, RankedWay("never", answer_never, TOKENIZER), BUDGETS)
    assert first["kept"] == {"first": [True, True, True]}
    assert never["kept"] == {"never": [False, False, False]}


@pytest.mark.parametrize("ranker", [*RANKERS.values(), in_order, answer_first])
def test_no_way_sends_on_more_than_the_budget(one: LongSet, ranker: object) -> None:
    row = measure(one, RankedWay("way", ranker, TOKENIZER), BUDGETS)  # type: ignore[arg-type]
    assert all(sent <= budget for sent, budget in zip(row["context"]["way"], BUDGETS, strict=True))
    assert row["context"]["way"][0] > 20


def test_a_budget_for_everything_keeps_every_answer(one: LongSet) -> None:
    for name, ranker in RANKERS.items():
        assert measure(one, RankedWay(name, ranker, TOKENIZER), (10_000,))["kept"] == {name: [True]}


def test_a_copy_of_the_answers_sentence_counts_and_half_an_answer_does_not(one: LongSet) -> None:
    (sentence,) = answer_sentences(one)
    assert "1932" in sentence
    documents = list(one.documents)
    other = (one.gold + 1) % len(documents)
    documents[other] = pith.Document(sentence)
    copied = ordered(documents, [Piece(other, 0, len(sentence), 1.0)], TOKENIZER)
    assert survives(one, sent_on(copied, 100), [sentence])
    start, end = one.answers[0]
    half = ordered(one.documents, [Piece(one.gold, start, end - 2, 1.0)], TOKENIZER)
    assert not survives(one, sent_on(half, 100), [sentence])


def test_a_run_that_was_cut_goes_on_and_asks_nothing_twice(one: LongSet, tmp_path: Path) -> None:
    asked: list[str] = []

    def counting(query: str, texts: Sequence[str]) -> list[Piece]:
        asked.append(query)
        return answer_first(query, texts)

    way = RankedWay("way", counting, TOKENIZER)
    rows = measured([one], way, "way", tmp_path, BUDGETS)
    assert measured([one], way, "way", tmp_path, BUDGETS) == rows
    assert len(asked) == 1
    # Other budgets and other weights are other results.
    measured([one], way, "way", tmp_path, (50,))
    measured([one], RankedWay("way", counting, TOKENIZER, "other weights"), "way", tmp_path, BUDGETS)
    assert len(asked) == 3


def test_the_report_means_over_sets_and_tells_leads_and_factors() -> None:
    def row(name: str, mine: bool, theirs: bool) -> dict[str, object]:
        kept = {"Pith": [mine, True], "BM25": [theirs, True]}
        return {
            "key": name,
            "set": name,
            "language": "en",
            "tokens": 5000,
            "kept": kept,
            "context": {"Pith": [100, 1000], "BM25": [100, 1000]},
        }

    rows = [row("a", True, False)] * 3 + [row("b", True, True)]
    report = summary(rows, (100, 1000))
    assert report["lines"]["BM25"][0]["kept"] == 0.5
    assert report["lines"]["Pith"][0]["factor"] == 50.0
    lead = report["tests"][0]
    assert (lead["baseline"], lead["budget"], lead["lead"]) == ("BM25", 100, 50.0)
    assert lead["p"] == pytest.approx(2 * 2 / 2**3)
    text = markdown(report | {"model": "m", "threshold": 0.2}, "plot.png")
    assert "| BM25 | 100 | +50.0 | 0.500 | 15: yes |" in text
    assert "100 (÷ 50)" in text


def test_the_plot_is_written_and_the_same_twice(tmp_path: Path) -> None:
    rows = [
        {
            "key": "k",
            "set": "s",
            "language": "en",
            "tokens": 900,
            "kept": {"Pith": [True], "BM25": [False]},
            "context": {"Pith": [90], "BM25": [90]},
        }
    ]
    report = summary(rows, (100,))
    draw(report, tmp_path / "a.png")
    draw(report, tmp_path / "b.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_rows_of_several_ways_become_one(one: LongSet) -> None:
    parts = [[measure(one, RankedWay(name, ranker, TOKENIZER), (60,))] for name, ranker in RANKERS.items()]
    (row,) = joined(parts)
    assert list(row["kept"]) == list(row["context"]) == list(RANKERS)
    assert row["key"] == one.key


def test_a_folder_without_data_and_a_set_that_is_not_there_are_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="is no folder"):
        main(["--data", str(tmp_path / "none")])
    with pytest.raises(InvalidInput, match="at least 100"):
        main(["--data", str(tmp_path), "--page-tokens", "5"])


def test_the_command_measures_with_the_real_server(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    arguments = ["--data", str(data), "--page-tokens", "300", "--threshold", "0.2"]
    arguments += ["--cache", str(tmp_path / "cache"), "--out", str(tmp_path / "out" / "kept")]
    with LocalServer(config_name="cpu") as server:
        main([*arguments, "--url", server.grpc_url])
    report = json.loads((tmp_path / "out" / "kept.json").read_text())
    assert list(report["lines"]) == ["first lines", "BM25", "Pith", "Pith, threshold 0.2"]
    assert [cell["kept"] for cell in report["lines"]["Pith"]] == [1.0, 1.0, 1.0]
    assert report["lines"]["Pith, threshold 0.2"][2]["factor"] > 10
    assert (tmp_path / "out" / "kept.png").stat().st_size > 5_000
    assert report["model"] in (tmp_path / "out" / "kept.md").read_text()
