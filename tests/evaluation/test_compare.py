"""The comparison says of each thing that must hold whether it does, and compares times of one form only."""

from typing import Any

import numpy as np
import pytest

from evaluation.compare import by_set, checks, markdown, mean, same_form
from evaluation.encoder_time import encoder_times, form_of
from serving.find import MODEL_REPOSITORY
from tests.evaluation.made_sets import asked

MODEL = MODEL_REPOSITORY / "encoder" / "1" / "model.onnx"
FORMS = {"teacher": "torch, bfloat16", "student": "OpenVINO, int8", "undistilled": "torch, bfloat16"}


def rows(**figures: tuple[float, float, float]) -> list[dict[str, Any]]:
    return [{"set": "a/dev", "language": "en", "questions": 4, "kept": {k: [*v] for k, v in figures.items()}}]


def holds(found: list[dict[str, Any]], part: str) -> bool:
    (one,) = [check for check in found if part in check["what"]]
    return bool(one["holds"])


def test_a_student_that_keeps_up_passes_every_check() -> None:
    found = checks(
        rows(
            teacher=(0.8, 0.9, 0.95),
            student=(0.795, 0.895, 0.945),
            undistilled=(0.77, 0.87, 0.93),
            float=(0.798, 0.897, 0.946),
            BM25=(0.6, 0.7, 0.8),
        ),
        {"teacher": 100.0, "student": 20.0, "undistilled": 60.0},
        FORMS,
    )
    assert all(check["holds"] for check in found)
    assert len(found) == 6


@pytest.mark.parametrize(
    ("student", "part"),
    [
        ((0.74, 0.895, 0.945), "ahead of BM25"),
        ((0.795, 0.88, 0.945), "of the teacher"),
        ((0.795, 0.895, 0.93), "of float"),
    ],
)
def test_what_falls_short_is_said(student: tuple[float, float, float], part: str) -> None:
    found = checks(
        rows(teacher=(0.8, 0.9, 0.95), student=student, float=(0.796, 0.896, 0.946), BM25=(0.6, 0.7, 0.8)),
        {},
        {},
    )
    assert not holds(found, part)


def test_a_language_in_which_words_alone_are_better_is_named() -> None:
    both = rows(student=(0.9, 0.9, 0.9), BM25=(0.5, 0.5, 0.5))
    both += [row | {"language": "fi"} for row in rows(student=(0.5, 0.5, 0.4), BM25=(0.5, 0.5, 0.5))]
    (found,) = [check for check in checks(both, {}, {}) if "language" in check["what"]]
    assert found["measured"] == ["fi"]
    assert not found["holds"]


def test_int8_is_not_timed_against_float() -> None:
    assert same_form(FORMS) == "undistilled"
    assert same_form({name: FORMS[name] for name in ("teacher", "student")}) is None
    assert form_of(MODEL) == "OpenVINO, int8"


def test_every_model_is_timed() -> None:
    times = encoder_times({"one": MODEL, "other": MODEL}, rounds=3)
    assert set(times) == {"one", "other"}
    assert all(value > 0 for value in times.values())


def test_sets_count_the_same_and_the_tables_show_them() -> None:
    questions = [asked(n, f"set{n // 3}/dev", ((0, 49),)) for n in range(4)]
    kept = {"student": np.array([[1.0] * 3] * 3 + [[0.0] * 3]), "BM25": np.zeros((4, 3))}
    table = by_set(questions, kept)
    assert [row["questions"] for row in table] == [3, 1]
    assert mean(table)["student"] == [0.5, 0.5, 0.5]
    report = {"mean": mean(table), "rows": table, "ms_a_row": {}, "form": {}, "checks": checks(table, {}, {})}
    text = markdown(report)
    assert "| set1/dev | en | 1 |" in text
    assert "| student | 0.500 | 0.500 | 0.500 |" in text
