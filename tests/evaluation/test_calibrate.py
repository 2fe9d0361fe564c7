"""Calibration: probabilities that mean what they say, thresholds that keep what they promise, and files that agree."""

import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from evaluation import calibrate
from evaluation.calibrate import (
    RECALL,
    RECALLS,
    better,
    documents_of,
    fit,
    kept_characters,
    main,
    segments_of,
    threshold_that_keeps,
    with_parameters,
)
from evaluation.calibration_report import LARGEST_ERROR, markdown
from evaluation.weights import Pair
from pith.config import read_config
from preprocessing.scores import Calibration
from serving.find import MODEL_REPOSITORY
from tests.evaluation.made_sets import SCALE, made_sets

SETS = made_sets()
VALUES, REPORT = fit(SETS)


def test_the_scores_of_the_server_mean_what_they_say() -> None:
    assert VALUES["calibration"]["keep_scale"] == pytest.approx(SCALE, abs=0.1)
    assert VALUES["fitted_on"]["expected_calibration_error"] <= LARGEST_ERROR
    assert VALUES["fitted_on"]["on_the_same_rows"] <= LARGEST_ERROR


def test_the_default_threshold_keeps_its_share_by_segments_and_by_characters() -> None:
    kept = VALUES["fitted_on"]
    assert kept["evidence_segments_kept"] >= RECALL
    assert kept["evidence_characters_kept"] >= RECALL
    assert kept["other_segments_kept"] < 0.6
    scores = [one.scores(Calibration(**VALUES["calibration"])).astype(float).round(6) for one in SETS]
    assert kept_characters(SETS, scores, VALUES["default_threshold"]) == pytest.approx(
        kept["evidence_characters_kept"], abs=1e-4
    )


def test_a_larger_share_has_a_lower_threshold_and_the_default_is_one_of_them() -> None:
    table = {float(recall): threshold for recall, threshold in VALUES["recall_thresholds"].items()}
    assert tuple(table) == RECALLS
    assert sorted(table.values(), reverse=True) == list(table.values())
    assert table[RECALL] == VALUES["default_threshold"]


def test_the_threshold_goes_down_until_the_characters_are_kept_too() -> None:
    sample = segments_of(SETS, Pair(0.0, 0.0))
    # Long segments of evidence score low, so that a share of the segments is less of the characters.
    scores = [np.where(one.evidence(), 0.5, 0.1) for one in SETS]
    for score in scores[: len(scores) // 3]:
        score[score == 0.5] = 0.3
    threshold = threshold_that_keeps(SETS, scores, sample, 0.6)
    assert kept_characters(SETS, scores, threshold) >= 0.6
    assert threshold in {0.5, 0.3}


def test_relevance_is_calibrated_on_documents() -> None:
    documents = documents_of(SETS)
    assert documents.label.mean() == pytest.approx(0.25)
    probability = 1 / (
        1
        + np.exp(
            -(
                VALUES["calibration"]["relevance_scale"] * documents.logit
                + VALUES["calibration"]["relevance_shift"]
            )
        )
    )
    assert probability[documents.label > 0].mean() > 0.9
    assert VALUES["fitted_on"]["relevance_calibration_error"] <= LARGEST_ERROR


def test_the_method_with_less_error_on_left_out_articles_is_served() -> None:
    errors = {"temperature": {"left_out_articles": 0.01}, "platt": {"left_out_articles": 0.02}}
    assert better(errors) == "temperature"
    assert better({"temperature": errors["platt"], "platt": errors["platt"]}) == "platt"
    assert REPORT["method"]["segments"] == "platt"


def test_the_same_scores_give_the_same_files() -> None:
    again = fit(made_sets())
    assert json.dumps(again) == json.dumps((VALUES, REPORT))


def test_the_report_states_both_ways_of_counting() -> None:
    text = markdown(REPORT)
    assert f"{VALUES['fitted_on']['evidence_segments_kept']:.1%}" in text
    assert f"{VALUES['fitted_on']['evidence_characters_kept']:.1%}" in text
    assert "isotonic" in text


def test_clients_are_told_the_thresholds_that_the_report_states(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("aggregate/1/calibration.json", "compressor/config.pbtxt"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text((MODEL_REPOSITORY / name).read_text())
    monkeypatch.setattr(calibrate, "asked_of", lambda *_: [])
    monkeypatch.setattr(calibrate, "scored_sets", lambda *_: SETS)
    before = stated(MODEL_REPOSITORY)
    command = ["calibrate", "--data", "unread", "--repository", str(tmp_path), "--out", str(tmp_path / "out")]
    monkeypatch.setattr(sys, "argv", [*command, "--report-only"])
    main()
    assert stated(tmp_path) == before
    monkeypatch.setattr(sys, "argv", command)
    main()
    changed = stated(tmp_path)
    assert {name for name in before if before[name] != changed[name]} == {
        "default_threshold",
        "recall_thresholds",
    }
    check(tmp_path)
    assert Calibration.load(tmp_path / "aggregate/1/calibration.json") == Calibration(**VALUES["calibration"])
    assert json.loads((tmp_path / "out.json").read_text())["default_threshold"] == VALUES["default_threshold"]


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
