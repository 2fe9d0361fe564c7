"""Agreement counts characters by category, and what a judge has not labelled costs it recall."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training.labelling.pages import write
from training.labelling.__main__ import main
from training.labelling.agreement import Key, Span, compare
from training.labelling.schema import Category

SPANS = st.lists(
    st.tuples(st.integers(0, 20), st.integers(1, 9), st.sampled_from([c.value for c in Category])).map(
        lambda t: (t[0], t[0] + t[1], t[2])
    ),
    max_size=4,
)


KEYS = st.sampled_from("abc").map(lambda name: key(name))


def key(name: str) -> Key:
    return (name, "", "", "text")


def labels(identity: str, *spans: tuple[int, int, str]) -> dict[str, Any]:
    keys = ("start", "end", "category")
    return {
        "query": identity,
        "document": "0123456789" * 3,
        "spans": [dict(zip(keys, span, strict=True)) for span in spans],
    }


def test_precision_recall_and_f1_are_of_characters() -> None:
    people = {key("a"): [(0, 10, "vital"), (20, 25, "advert")], key("b"): [(0, 10, "vital")]}
    judge = {key("a"): [(5, 15, "vital"), (20, 25, "advert")]}
    made = compare("x", people, judge, {})
    vital = made.scores[Category.VITAL]
    assert (vital.precision, vital.recall) == (0.5, 0.25)
    assert vital.f1 == pytest.approx(1 / 3)
    assert made.scores[Category.ADVERT].f1 == 1.0
    assert made.scores[Category.METADATA].f1 is None
    assert (made.labelled, made.pairs, made.vital_exact) == (1, 2, 0.0)


@given(st.dictionaries(KEYS, SPANS, min_size=1), st.dictionaries(KEYS, SPANS))
def test_swapping_the_sides_swaps_precision_and_recall(
    people: dict[Key, list[Span]], judge: dict[Key, list[Span]]
) -> None:
    judge = {pair: judge.get(pair, []) for pair in people}
    one, other = compare("x", people, judge, {}), compare("x", judge, people, {})
    for category in Category:
        assert one.scores[category].precision == other.scores[category].recall
        assert one.scores[category].f1 == other.scores[category].f1
    assert compare("x", people, people, {}).vital_exact == 1.0


def test_configurations_stand_in_one_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    marked = write(tmp_path / "marked.jsonl", [labels("a", (0, 10, "vital"))])
    good = write(tmp_path / "good.jsonl", [labels("a", (0, 10, "vital"))])
    folder = tmp_path / "run" / "labels"
    folder.mkdir(parents=True)
    write(folder / "labels-00000-of-00001.jsonl", [labels("a", (0, 5, "vital"), (5, 9, "advert"))])
    usage = {"requests": 2, "prompt_tokens": 90, "completion_tokens": 10}
    report = {"labelled": 1, "dead": 0, "usage": usage, "run": {"model": "m", "stages": 2}}
    (tmp_path / "run" / "report.json").write_text(json.dumps(report))
    out = tmp_path / "agreement.json"
    names = [f"one-stage={good}", f"two-stage={tmp_path / 'run'}"]
    assert main(["agreement", "--marked", str(marked), *names, "--out", str(out)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith("| one-stage | 1 of 1 | 100% | 1.00 / 1.00 / 1.00 | – / – / – |")
    assert lines[3].startswith(
        "| two-stage | 1 of 1 | 0% | 1.00 / 0.50 / 0.67 | – / – / – | 0.00 / – / 0.00 |"
    )
    assert lines[3].endswith("| 100 |")
    assert [row["configuration"] for row in json.loads(out.read_text())] == [None, report["run"]]


@pytest.mark.parametrize(
    ("span", "reason"),
    [((0, 31, "vital"), "not within the document"), ((0, 3, "good"), "one of the six categories")],
)
def test_a_span_that_is_none_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], span: tuple[int, int, str], reason: str
) -> None:
    marked = write(tmp_path / "marked.jsonl", [labels("a", (0, 3, "vital")), labels("b", span)])
    assert main(["agreement", "--marked", str(marked), f"x={marked}"]) == 2
    assert reason in capsys.readouterr().err
