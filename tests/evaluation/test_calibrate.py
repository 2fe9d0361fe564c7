"""Calibration: a known scale and shift is found again, and the threshold keeps what it promises."""

import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from evaluation.calibrate import (
    RECALLS,
    calibration_error,
    fit,
    main,
    platt,
    recall_table,
    threshold_for,
    with_parameters,
)
from pith.config import read_config
from preprocessing.scores import Calibration
from serving.find import MODEL_REPOSITORY

RNG = np.random.default_rng(5)
LOGIT = RNG.normal(-1.0, 2.0, 40_000)
TRUE = 1 / (1 + np.exp(-(0.6 * LOGIT - 1.5)))
LABEL = (RNG.random(LOGIT.size) < TRUE).astype(float)
ONES = np.ones_like(LABEL)


def test_platt_finds_the_scale_and_shift_that_made_the_labels() -> None:
    scale, shift = platt(LOGIT, LABEL, ONES)
    assert scale == pytest.approx(0.6, abs=0.03)
    assert shift == pytest.approx(-1.5, abs=0.05)


def test_scores_that_mean_what_they_say_have_little_error() -> None:
    assert calibration_error(TRUE, LABEL, ONES) < 0.01
    assert calibration_error(np.minimum(TRUE + 0.3, 1.0), LABEL, ONES) > 0.2


def test_the_threshold_keeps_the_promised_share_and_hardly_more() -> None:
    threshold = threshold_for(TRUE, LABEL, ONES, 0.9)
    kept = LABEL[threshold <= TRUE].sum() / LABEL.sum()
    assert 0.9 <= kept < 0.905


def test_the_table_keeps_each_share_with_few_digits_and_falls_as_the_share_rises() -> None:
    table = recall_table(TRUE, LABEL, ONES)
    assert list(table) == list(RECALLS)
    for recall, threshold in table.items():
        kept = LABEL[threshold <= TRUE].sum() / LABEL.sum()
        assert recall <= kept < recall + 0.005
        assert float(f"{threshold:.3g}") == threshold
    assert sorted(table.values(), reverse=True) == list(table.values())


def rows(score: np.ndarray[tuple[int], np.dtype[np.float64]]) -> list[dict[str, object]]:
    return [
        {"set": "ab"[i % 2], "score": float(s), "evidence": bool(evidence)}
        for i, (s, evidence) in enumerate(zip(score[:4_000], LABEL[:4_000], strict=True))
    ]


def test_the_table_is_that_of_the_calibrated_scores() -> None:
    report = fit(rows(1 / (1 + np.exp(-LOGIT))), Calibration())
    scale, shift = report["calibration"]["keep_scale"], report["calibration"]["keep_shift"]
    served = 1 / (1 + np.exp(-(scale * LOGIT[:4_000] + shift)))
    for recall, threshold in report["recall_thresholds"].items():
        kept = LABEL[:4_000][served >= threshold].sum() / LABEL[:4_000].sum()
        assert float(recall) <= kept < float(recall) + 0.02
    assert report["recall_thresholds"]["0.85"] == pytest.approx(report["default_threshold"], abs=0.001)


def test_clients_are_told_the_thresholds_that_the_report_states(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("aggregate/1/calibration.json", "compressor/config.pbtxt"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text((MODEL_REPOSITORY / name).read_text())
    scores = tmp_path / "scores.jsonl"
    scores.write_text("".join(json.dumps(row) + "\n" for row in rows(TRUE)))
    before = stated(MODEL_REPOSITORY)
    monkeypatch.setattr(sys, "argv", ["calibrate", "--scores", str(scores), "--repository", str(tmp_path)])
    main()
    changed = stated(tmp_path)
    assert {name for name in before if before[name] != changed[name]} == {
        "default_threshold",
        "recall_thresholds",
    }
    check(tmp_path)


def test_the_shipped_thresholds_are_those_of_the_shipped_report() -> None:
    check(MODEL_REPOSITORY)


def test_a_configuration_that_lacks_a_parameter_is_not_left_as_it_was_in_silence() -> None:
    with pytest.raises(ValueError, match="recall_thresholds"):
        with_parameters("", {"recall_thresholds": "0.9:0.1"})


def stated(repository: Path) -> dict[str, str]:
    """The parameters that clients read."""
    text = (repository / "compressor" / "config.pbtxt").read_text()
    return dict(
        re.findall(r'^parameters \{ key: "(\w+)" value \{ string_value: "([^"]*)" \} \}$', text, re.M)
    )


def check(repository: Path) -> None:
    report = json.loads((repository / "aggregate" / "1" / "calibration.json").read_text())
    config = read_config(stated(repository), model="compressor")
    assert config.default_threshold == report["default_threshold"]
    assert config.recall_thresholds == {float(r): t for r, t in report["recall_thresholds"].items()}
    assert tuple(config.recall_thresholds) == RECALLS
