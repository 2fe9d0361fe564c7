"""The judge as auditor: token shares by category before and after, over HTTP; what it could not judge is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.judge_audit import KINDS, TOKENIZER, main, tokens_by_kind
from preprocessing.tokenizer import TextTokenizer
from tests.training.labelling.judge_double import JudgeDouble
from tests.training.labelling.pages import page, write
from training.labelling.judge import Labels, Span
from training.labelling.skeleton import Form


def context(number: int, trouble: str = "") -> dict[str, Any]:
    """A page before, and its vital line and its byline after."""
    row = page(number, trouble)
    lines = row["document"].splitlines()
    return {"query": row["query"], "before": row["document"], "after": "\n".join(lines[1:3])}


def test_tokens_of_both_sides_are_shared_out_among_the_categories(tmp_path: Path) -> None:
    judge = JudgeDouble()
    source = write(
        tmp_path / "contexts.jsonl", [context(0), context(1, "#broken"), context(2, "#refused"), context(3)]
    )
    pace = ["--backoff", "0.05", "--concurrency", "4", "--tries", "3"]
    out = tmp_path / "audit"
    try:
        url = ["--base-url", judge.url, "--model", "double"]
        assert main([str(source), "--out", str(out), *url, *pace]) == 0
    finally:
        judge.close()
    report = json.loads(out.with_suffix(".json").read_text())
    assert report["lines"] == 3
    assert [failure["line"] for failure in report["failures"]] == [3]
    assert "the prompt is too long" in report["failures"][0]["reason"]
    kinds = report["categories"]
    assert list(kinds) == list(KINDS)
    for side in ("before", "after"):
        assert sum(row[f"tokens_{side}"] for row in kinds.values()) == report["tokens"][side]
        assert sum(row[f"share_{side}"] for row in kinds.values()) == pytest.approx(1)
    assert kinds["vital"]["kept"] == kinds["metadata"]["kept"] == 1.0
    assert kinds["advert"]["kept"] == kinds["navigation"]["kept"] == 0.0
    assert kinds["unmarked"]["tokens_before"] > 0 == kinds["unmarked"]["tokens_after"]
    assert "| vital | " in out.with_suffix(".md").read_text()


def test_every_token_is_counted_once() -> None:
    tokenizer = TextTokenizer.load(TOKENIZER)
    spans = [Span(4, 9, "vital", Form.EXACT), Span(9, 15, "advert", Form.EXACT)]
    counted = tokens_by_kind("One two three four five", Labels(spans=spans), tokenizer)
    pieces = ["One ", "two t", "hree f", "our five"]
    lengths = tokenizer.encode(pieces).lengths.tolist()
    assert counted == {"unmarked": lengths[0] + lengths[3], "vital": lengths[1], "advert": lengths[2]}


def test_a_line_without_a_side_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(tmp_path / "contexts.jsonl", [{"query": "a", "before": "b"}])
    assert main([str(source), "--base-url", "http://x", "--model", "m"]) == 2
    assert "line 1: after is missing" in capsys.readouterr().err
