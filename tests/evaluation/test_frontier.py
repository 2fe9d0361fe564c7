"""The frontier: lines that rise from nothing to all, and tables that follow from them."""

import argparse
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.baselines import first_lines
from evaluation.evidence import gain
from evaluation.frontier import baseline_sweep, markdown, mean_over_sets, model_sweep, summary
from evaluation.models import named_model
from evaluation.weights import unseen_scores
from preprocessing.tokenizer import TextTokenizer
from serving.find import MODEL_REPOSITORY
from tests.evaluation.made_sets import made_sets

SETS = made_sets(40)
ASKED = [one.asked for one in SETS]


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 1000))
def test_more_tokens_are_sent_and_more_evidence_kept_as_the_threshold_falls(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = [rng.random(one.start.size) for one in SETS[:6]]
    sweep = model_sweep(SETS[:6], scores)
    assert np.all(np.diff(sweep.step) < 0)
    assert np.all(np.diff(sweep.tokens, axis=1) >= 0)
    assert np.all(np.diff(sweep.evidence, axis=1) >= -1e-9)
    assert np.all(sweep.tokens[:, 0] == 0)
    assert sweep.share[:, -1] == pytest.approx(1.0)
    for one, last in zip(SETS, sweep.evidence[:, -1], strict=False):
        assert last == gain(one.pieces(np.ones(one.start.size)), one.asked.case)


def test_a_baseline_goes_from_nothing_to_all_of_the_text() -> None:
    tokenizer = TextTokenizer.load(MODEL_REPOSITORY / "tokenize" / "1" / "tokenizer.json")
    sweep = baseline_sweep(ASKED[:3], first_lines, tokenizer)
    assert sweep.tokens[:, 0].tolist() == [0.0] * 3
    assert np.all(sweep.share <= 1.0 + 1e-9)
    assert np.all(sweep.share[:, -1] > 0.9)


def test_the_better_ranking_has_the_higher_line() -> None:
    good = summary(ASKED, model_sweep(SETS, unseen_scores(SETS)))
    oracle = summary(ASKED, model_sweep(SETS, [one.evidence().astype(float) for one in SETS]))
    chance = np.random.default_rng(1)
    bad = summary(ASKED, model_sweep(SETS, [chance.random(one.start.size) for one in SETS]))
    for share in ("0.05", "0.10", "0.20"):
        found = [s["evidence_at_share_of_tokens"][share] for s in (bad, good, oracle)]
        assert found == sorted(found)
    needed = [s["tokens_for_90_percent"] for s in (bad, good, oracle)]
    assert needed == sorted(needed, reverse=True)


def test_every_set_weighs_the_same_and_languages_are_apart() -> None:
    values = np.array([[1.0 if one.name == "set0/dev" else 0.0] for one in ASKED])
    assert mean_over_sets(ASKED, values) == pytest.approx([1 / 6])
    rows = np.array([one.name == "set0/dev" for one in ASKED])
    assert mean_over_sets(ASKED, values, rows) == pytest.approx([1.0])


def test_the_table_has_a_row_for_every_language() -> None:
    line = summary(ASKED, model_sweep(SETS, unseen_scores(SETS)))
    text = markdown(
        {"questions": 40, "sets": 6, "mean_tokens": 384.0, "languages": {"en": 40}, "lines": {"model": line}}
    )
    assert "| en | 40 |" in text
    assert "frontier.png" in text


def test_a_plot_is_written(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib comes with the extra `eval`")
    from evaluation.plots import draw_frontier

    line = summary(ASKED, model_sweep(SETS, unseen_scores(SETS)))
    report = {"questions": 40, "sets": 6, "mean_tokens": 384.0, "lines": {"model": line, "BM25": line}}
    draw_frontier(report, tmp_path / "a.png")
    draw_frontier(report, tmp_path / "b.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_a_model_is_a_name_and_a_path_that_exists(tmp_path: Path) -> None:
    assert named_model(f"7 layers, distilled={tmp_path}") == ("7 layers, distilled", tmp_path)
    for wrong, told in (
        (f"a/b={tmp_path}", "not name=path"),
        ("a", "not name=path"),
        ("a=no/where", "nothing at"),
    ):
        with pytest.raises(argparse.ArgumentTypeError, match=told):
            named_model(wrong)
