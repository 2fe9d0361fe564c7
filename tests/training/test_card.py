"""The model card: every figure is one of a record, and what has no record is said to have none."""

import json
from pathlib import Path
from typing import Any

import pytest

from training.card import card, licences, main

NOTICE = """Pith

jaquad       https://example.org/jaquad              CC BY-SA 3.0
xquad        https://example.org/xquad, https://b.c  CC BY-SA 4.0
"""


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path, Path]:
    work, reports = tmp_path / "build", tmp_path / "reports"
    records: dict[Path, dict[str, Any]] = {
        work / "rows.json": {
            "rows": {"jaquad/train": 1200, "xquad/en": 30, "xquad/zh": 40, "mine/train": 7},
            "tokens": {"128": 128_000},
            "rows_with_evidence": {"128": 0.81},
        },
        work / "model" / "training.json": {"layers": 7, "tokens_seen": 2_048_000, "alpha": 0.5, "bf16": True},
        reports / "evidence.json": {"mean": {"pith@0.05": 0.812, "BM25@0.05": 0.65, "BM25@0.10": 0.77}},
        reports / "noise.json": {
            "ways": {"with": {"change": {"vital": 0.91, "navigation": -0.6}}, "without": {}}
        },
        reports / "calibration.json": {"default_threshold": 0.0123, "fitted_on": {}},
    }
    for path, record in records.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(record), encoding="utf-8")
    (tmp_path / "NOTICE").write_text(NOTICE, encoding="utf-8")
    return work, reports, tmp_path / "NOTICE"


def test_figures_are_those_of_the_records(places: tuple[Path, Path, Path]) -> None:
    text = card(*places)
    for line in (
        "| jaquad | 1,200 | CC BY-SA 3.0 |",
        "| xquad | 70 | CC BY-SA 4.0 |",
        "| mine | 7 | labels of the user's own |",
        "| tokens seen | – | 2,048,000 |",
        "| pith | 0.812 | not measured | not measured |",
        "| BM25 | 0.650 | 0.770 | not measured |",
        "| vital | +91% |",
        "| default threshold | 0.0123 |",
        "| expected calibration error, left-out articles | not measured |",
    ):
        assert line in text
    assert "1,277 rows of 128,000 tokens. Rows that hold evidence: 81% of those of 128." in text
    assert card(*places) == text


def test_without_any_record_nothing_is_claimed(tmp_path: Path) -> None:
    folder = str(tmp_path)
    main(
        [
            "--work",
            folder,
            "--reports",
            folder,
            "--notice",
            folder + "/NOTICE",
            "--out",
            folder + "/docs/card.md",
        ]
    )
    text = (tmp_path / "docs" / "card.md").read_text(encoding="utf-8")
    assert text.count("not measured") >= 8
    assert "Not recorded." in text
    assert "## Limits" in text


def test_licences_of_every_set_are_in_the_notice_of_the_repository() -> None:
    from training.dataset import SHARES

    assert set(SHARES) <= set(licences(Path(__file__).parents[2] / "NOTICE"))
