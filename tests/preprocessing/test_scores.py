"""Scores: means over all windows that saw a token, the best window for a document, calibrated."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from preprocessing.scores import Calibration, document_relevance, segment_logits, segment_scores, sigmoid

PLAIN = Calibration()


def none(segments: int, queries: int) -> np.ndarray:
    """No word in common."""
    return np.zeros((segments, queries), np.float32)


def logit(p: np.ndarray) -> np.ndarray:
    odds: np.ndarray = np.log(p / (1 - p))
    return odds


def score(
    keep: np.ndarray,
    of: np.ndarray,
    window: np.ndarray,
    lexical: np.ndarray,
    calibration: Calibration,
    relevance: np.ndarray | None = None,
) -> np.ndarray:
    whole = np.zeros(len(keep), np.float32) if relevance is None else relevance
    return segment_scores(segment_logits(keep, whole, of, window, *lexical.shape), lexical, calibration)


def test_a_token_that_two_windows_saw_counts_in_both() -> None:
    keep = np.array([[9, 1.0, 3.0, 9], [9, 5.0, -2.0, 9]], np.float32)
    of = np.array([[-1, 0, 0, -1], [-1, 0, 1, -1]], np.int32)
    window = np.array([[0, 0], [0, 0]], np.int32)
    scores = score(keep, of, window, none(2, 1), PLAIN)
    assert logit(scores[:, 0]) == pytest.approx([3.0, -2.0], abs=1e-4)


def test_queries_do_not_mix() -> None:
    keep = np.array([[1.0, 1.0], [-1.0, -1.0]], np.float32)
    of = np.zeros((2, 2), np.int32)
    scores = score(keep, of, np.array([[0, 0], [0, 1]], np.int32), none(1, 2), PLAIN)
    assert logit(scores[0]) == pytest.approx([1.0, -1.0], abs=1e-4)


def test_a_segment_that_no_window_saw_scores_zero() -> None:
    scores = score(
        np.zeros((1, 2), np.float32),
        np.array([[-1, 1]], np.int32),
        np.array([[0, 0]], np.int32),
        none(3, 1),
        PLAIN,
    )
    assert scores[:, 0].tolist() == [0.0, 0.5, 0.0]


def test_a_document_is_as_relevant_as_its_best_window() -> None:
    window = np.array([[0, 0], [0, 0], [2, 0]], np.int32)
    found = document_relevance(np.array([-1.0, 2.0, 0.0], np.float32), window, 3, 1, PLAIN)
    assert found[:, 0] == pytest.approx([float(sigmoid(np.array(2.0))), 0.0, 0.5], abs=1e-5)


def test_the_row_of_an_empty_request_belongs_to_no_document() -> None:
    found = document_relevance(np.array([5.0], np.float32), np.array([[-1, 0]], np.int32), 2, 1, PLAIN)
    assert found.tolist() == [[0.0], [0.0]]


@given(st.floats(-1e6, 1e6, width=32))
def test_sigmoid_stays_in_range_for_any_logit(value: float) -> None:
    assert 0.0 <= float(sigmoid(np.array(value, np.float32))) <= 1.0


def test_calibration_scales_and_shifts_and_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps({"calibration": {"keep_scale": 2.0, "keep_shift": -1.0}}))
    calibration = Calibration.load(path)
    keep, of = np.full((1, 1), 1.5, np.float32), np.zeros((1, 1), np.int32)
    scores = score(keep, of, np.zeros((1, 2), np.int32), none(1, 1), calibration)
    assert logit(scores[:, 0]) == pytest.approx([2.0], abs=1e-4)


def test_matching_words_raise_the_logit_by_their_weight() -> None:
    keep, of = np.zeros((1, 2), np.float32), np.array([[0, 1]], np.int32)
    lexical = np.array([[0.5], [0.0]], np.float32)
    scores = score(keep, of, np.zeros((1, 2), np.int32), lexical, Calibration(lexical_weight=4.0))
    assert logit(scores[:, 0]) == pytest.approx([2.0, 0.0], abs=1e-4)


def test_the_window_that_looks_like_evidence_raises_its_segments() -> None:
    keep, of = np.zeros((2, 2), np.float32), np.array([[0, 1], [1, 2]], np.int32)
    window, relevance = np.zeros((2, 2), np.int32), np.array([2.0, -1.0], np.float32)
    scores = score(keep, of, window, none(3, 1), Calibration(relevance_weight=0.5), relevance)
    assert logit(scores[:, 0]) == pytest.approx([1.0, 0.25, -0.5], abs=1e-4)
