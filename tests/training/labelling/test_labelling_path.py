"""The whole path over HTTP: whatever the endpoint does, every pair is labelled or a dead letter with its reason."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from corpora.jsonl import read_labels
from tests.training.labelling.judge_double import JudgeDouble
from tests.training.labelling.pages import page, read, write
from training.labelling.__main__ import main
from training.labelling.journal import lines
from training.labelling.pairs import Pair, scan
from training.labelling.run import locked

ROOT = Path(__file__).parents[3]
TROUBLES = {
    "": None,
    "#misquote": None,
    "#timeout": None,
    "#429": None,
    "#500": None,
    "#garbage": None,
    "#broken": None,
    "#form": None,
    "#cut": None,
    "#429 #broken": None,
    "#timeout!": "no whole answer within 3 s, 3 times",
    "#429!": "rate limit was hit (429), 3 times",
    "#500!": "the endpoint failed (500)",
    "#garbage!": "cannot be read",
    "#broken!": "the reply",
    "#form!": "the reply has another form",
    "#cut!": "cut off at",
    "#refused": "the prompt is too long",
    "#invent": "1 vital quotes have no place in the document",
}
RAY = pytest.param(
    ["--workers", "2"],
    marks=pytest.mark.skipif(not find_spec("ray"), reason="Ray is not installed (the extra `label`)"),
    id="two Ray workers",
)
HERE = pytest.param(["--no-ray"], id="one process")


@pytest.fixture
def double() -> Iterator[Callable[..., JudgeDouble]]:
    made: list[JudgeDouble] = []

    def make(**settings: Any) -> JudgeDouble:
        made.append(JudgeDouble(**settings))
        return made[-1]

    yield make
    for one in made:
        one.close()


def command(source: Path, out: Path, url: str, *more: str) -> list[str]:
    pace = ["--timeout", "3", "--tries", "3", "--backoff", "0.05", "--chunk", "8", "--concurrency", "8"]
    return ["run", str(source), "--out", str(out), "--base-url", url, "--model", "double", *pace, *more]


def labelled(out: Path) -> list[dict[str, Any]]:
    return [row for file in sorted((out / "labels").glob("*.jsonl")) for row in read(file)]


@pytest.mark.parametrize("workers", [HERE, RAY])
def test_every_pair_is_labelled_or_a_dead_letter_with_the_reason(
    tmp_path: Path, double: Callable[..., JudgeDouble], workers: list[str]
) -> None:
    troubles = list(TROUBLES) * 2
    rows: list[dict[str, Any] | str] = [page(n, trouble) for n, trouble in enumerate(troubles)]
    source = write(tmp_path / "pairs.jsonl", [*rows, '{"query": "cut', '{"query": "no document"}'])
    assert main(command(source, tmp_path / "out", double().url, *workers)) == 0
    good, dead = labelled(tmp_path / "out"), read(tmp_path / "out" / "dead_letters.jsonl")
    reason_of = {letter["query"]: letter["reason"] for letter in dead if letter["id"]}
    assert Counter([r["query"] for r in good] + list(reason_of)) == Counter(
        r["query"] for r in rows if isinstance(r, dict)
    )
    for number, trouble in enumerate(troubles):
        query, expected = page(number, trouble)["query"], TROUBLES[trouble]
        assert (expected is None) == (query not in reason_of), (query, reason_of.get(query))
        if expected:
            assert expected in reason_of[query]
    unreadable = [letter["reason"] for letter in dead if not letter["id"]]
    assert "no JSON" in unreadable[0]
    assert unreadable[1] == "document is missing or empty"
    for row in good:
        vital = [row["document"][s["start"] : s["end"]] for s in row["spans"] if s["category"] == "vital"]
        assert len(vital) == 1
        # A misquote drops the bold marks at the beginning; everything else is the line as it stands.
        assert vital[0].strip("*") == row["document"].splitlines()[2].strip("*")
        assert {s["category"] for s in row["spans"]} == {"vital", "navigation", "metadata", "advert"}
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert (report["labelled"], report["dead"]) == (len(good), len(dead))
    shares = report["matching"]["share_after"]
    assert shares["exact"] < shares["tolerant"] == shares["loose"] == 1.0


@pytest.mark.parametrize("workers", [HERE, RAY])
def test_a_killed_run_goes_on_and_loses_and_repeats_nothing(
    tmp_path: Path, double: Callable[..., JudgeDouble], workers: list[str]
) -> None:
    judge = double(slow=0.1)
    rows = [page(n, ["", "", "#429", "#invent"][n % 4]) for n in range(60)]
    source = write(tmp_path / "pairs.jsonl", rows)
    out = tmp_path / "out"
    arguments = [*command(source, out, judge.url, "--concurrency", "2"), *workers]
    process = subprocess.Popen(
        [sys.executable, "-m", "training.labelling", *arguments], cwd=ROOT, start_new_session=True
    )
    deadline = time.monotonic() + 600
    while len(judge.asked) < 50 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    assert process.poll() is None
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    _until_quiet(judge)
    # As if the process had died in the middle of a line.
    journals = sorted((out / "journal").glob("*.jsonl"))
    with journals[-1].open("ab") as last:
        last.write(b'{"id": "half a li')
    written = [line for file in journals for _, line in lines(file)]
    before = judge.calls()
    answered = {(line["id"], line["step"]) for line in written if line["status"] == "answer"}
    outcomes = {line["id"] for line in written if line["status"] != "answer"}
    assert 0 < len(outcomes) < len(rows)
    assert not (out / "labels").exists()

    assert main(arguments) == 0
    good, dead = labelled(out), read(out / "dead_letters.jsonl")
    assert [r["query"] for r in good] == [r["query"] for r in rows if "#invent" not in str(r["query"])]
    assert [r["query"] for r in dead] == [r["query"] for r in rows if "#invent" in str(r["query"])]
    after = judge.calls()
    ids = {row.content.query: row.content.id for row in scan(source) if isinstance(row.content, Pair)}
    for query, identity in ids.items():
        for step, stage in (("intents", "intents"), ("spans 0", "spans")):
            if (identity, step) in answered:
                assert after[query, stage] == before[query, stage]
    total = judge.calls()
    assert main(arguments) == 0
    assert judge.calls() == total
    assert labelled(out) == good


def _until_quiet(judge: JudgeDouble) -> None:
    """Wait until no worker of the killed run asks any more."""
    seen, since = -1, time.monotonic()
    while time.monotonic() - since < 3:
        if len(judge.asked) != seen:
            seen, since = len(judge.asked), time.monotonic()
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("trouble", "told"),
    [("#key!", "401: the key is wrong"), ("#wait!", "asks to wait 3600 s, more than --longest-wait")],
)
def test_what_would_meet_every_call_stops_the_run_and_makes_nothing_a_dead_letter(
    tmp_path: Path,
    double: Callable[..., JudgeDouble],
    capsys: pytest.CaptureFixture[str],
    trouble: str,
    told: str,
) -> None:
    source = write(tmp_path / "pairs.jsonl", [page(n, trouble) for n in range(5)])
    assert main(command(source, tmp_path / "out", double().url, "--no-ray")) == 2
    assert told in capsys.readouterr().err
    assert not [line for f in (tmp_path / "out" / "journal").glob("*") for _, line in lines(f)]


def test_nobody_at_the_address_stops_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judge = JudgeDouble()
    judge.close()
    source = write(tmp_path / "pairs.jsonl", [page(n) for n in range(30)])
    assert main(command(source, tmp_path / "out", judge.url, "--no-ray")) == 2
    assert "could not be reached 20 times in a row" in capsys.readouterr().err


def test_no_more_calls_are_in_flight_than_allowed(tmp_path: Path, double: Callable[..., JudgeDouble]) -> None:
    judge = double(slow=0.02)
    source = write(tmp_path / "pairs.jsonl", [page(n) for n in range(30)])
    assert main(command(source, tmp_path / "out", judge.url, "--no-ray", "--concurrency", "3")) == 0
    assert 1 < judge.most_at_once <= 3


def test_training_reads_the_labels_as_they_are(tmp_path: Path, double: Callable[..., JudgeDouble]) -> None:
    source = write(tmp_path / "pairs.jsonl", [page(n) for n in range(9)])
    base = command(source, tmp_path / "out", double().url, "--no-ray", "--shard-rows", "4")
    assert main(base) == 0
    corpus = read_labels(tmp_path / "out" / "labels").corpus
    assert [question.text for question in corpus.questions] == [page(n)["query"] for n in range(9)]
    for question in corpus.questions:
        text = corpus.documents[question.document].text
        assert [text[a:b] for a, b in question.evidence] == [text.splitlines()[2]]


def test_one_stage_asks_once_for_each_pair(tmp_path: Path, double: Callable[..., JudgeDouble]) -> None:
    judge = double()
    source = write(tmp_path / "pairs.jsonl", [page(n) for n in range(5)])
    assert main(command(source, tmp_path / "out", judge.url, "--no-ray", "--stages", "1")) == 0
    assert {asked.stage for asked in judge.asked} == {"both"}
    assert len(judge.asked) == len(labelled(tmp_path / "out")) == 5
    journal = (line for f in (tmp_path / "out" / "journal").glob("*") for _, line in lines(f))
    assert all(line["intents"] for line in journal if line["status"] == "labelled")


def test_an_endpoint_without_json_schemas_is_asked_without(
    tmp_path: Path, double: Callable[..., JudgeDouble]
) -> None:
    judge = double(schemas=False)
    source = write(tmp_path / "pairs.jsonl", [page(n) for n in range(4)])
    assert main(command(source, tmp_path / "out", judge.url, "--no-ray", "--concurrency", "1")) == 0
    assert judge.formats["json_schema"] == 1
    assert len(labelled(tmp_path / "out")) == 4


def test_a_long_document_is_labelled_in_parts_with_offsets_of_the_whole(
    tmp_path: Path, double: Callable[..., JudgeDouble]
) -> None:
    judge = double()
    line = "The ferry leaves from pier {}, as the harbour office says, and comes back before it is dark."
    document = "\n".join(line.format(n) for n in range(40))
    source = write(tmp_path / "pairs.jsonl", [{"query": "which ferry", "document": document}])
    assert main(command(source, tmp_path / "out", judge.url, "--no-ray", "--part-characters", "900")) == 0
    (row,) = labelled(tmp_path / "out")
    assert [document[s["start"] : s["end"]] for s in row["spans"]] == document.splitlines()
    assert judge.calls()["which ferry", "spans"] > 3


def test_other_settings_do_not_mix_into_a_folder(
    tmp_path: Path, double: Callable[..., JudgeDouble], capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path / "pairs.jsonl", [page(n) for n in range(2)])
    base = command(source, tmp_path / "out", double().url, "--no-ray")
    assert main(base) == 0
    assert main([*base, "--temperature", "0.7"]) == 2
    assert "begun with other settings (temperature: 0.0, now 0.7)" in capsys.readouterr().err


def test_two_processes_do_not_label_into_one_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path / "pairs.jsonl", [page(1)])
    with locked(tmp_path / "out"):
        assert main(command(source, tmp_path / "out", "http://127.0.0.1:9/v1", "--no-ray")) == 2
    assert "Another process is labelling" in capsys.readouterr().err


def test_dead_letters_are_asked_again_only_when_told(
    tmp_path: Path, double: Callable[..., JudgeDouble]
) -> None:
    judge = double()
    source = write(tmp_path / "pairs.jsonl", [page(n, ["", "#refused"][n % 2]) for n in range(4)])
    base = command(source, tmp_path / "out", judge.url, "--no-ray", "--stages", "1")
    assert main(base) == 0
    assert len(read(tmp_path / "out" / "dead_letters.jsonl")) == 2
    asked = len(judge.asked)
    assert main(base) == 0
    assert len(judge.asked) == asked
    assert main([*base, "--retry-dead"]) == 0
    assert len(labelled(tmp_path / "out")) == 4
    assert read(tmp_path / "out" / "dead_letters.jsonl") == []


def test_cost_and_tokens_are_summed_over_all_calls(
    tmp_path: Path, double: Callable[..., JudgeDouble]
) -> None:
    judge = double()
    source = write(tmp_path / "pairs.jsonl", [page(n, ["", "#broken"][n % 2]) for n in range(4)])
    prices = ["--prompt-price", "2", "--completion-price", "10"]
    assert main([*command(source, tmp_path / "out", judge.url, "--no-ray"), *prices]) == 0
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    usage = report["usage"]
    assert usage["requests"] == len(judge.asked) == 12
    assert report["cost"] == pytest.approx(
        (2 * usage["prompt_tokens"] + 10 * usage["completion_tokens"]) / 1e6, abs=1e-6
    )


def test_parquet_in_and_out_hold_the_same_as_json_lines(
    tmp_path: Path, double: Callable[..., JudgeDouble]
) -> None:
    pa: Any = pytest.importorskip("pyarrow")
    pq: Any = pytest.importorskip("pyarrow.parquet")
    judge = double()
    pq.write_table(
        pa.Table.from_pylist([page(n) for n in range(25)]), tmp_path / "in.parquet", row_group_size=7
    )
    base = command(tmp_path / "in.parquet", tmp_path / "out", judge.url, "--no-ray", "--shard-rows", "10")
    assert main(base) == 0
    files = sorted((tmp_path / "out" / "parquet").glob("*.parquet"))
    assert [f.name for f in files] == [f"labels-0000{n}-of-00003.parquet" for n in range(3)]
    table = [row for file in files for row in pq.read_table(file).to_pylist()]
    rows = labelled(tmp_path / "out")
    assert [r["query"] for r in rows] == [page(n)["query"] for n in range(25)]
    names = ("start", "end", "category")
    assert [r | {"spans": [{n: s[n] for n in names} for s in r["spans"]]} for r in table] == [
        r | {k: v for k, v in t.items() if k not in r} for r, t in zip(rows, table, strict=True)
    ]
    assert {r["prompts_digest"] for r in table} != {None}
