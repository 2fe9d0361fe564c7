"""The README's table: it is what the committed reports say."""

import json
from pathlib import Path

import pytest

from evaluation.readme import BEGIN, END, fill, table

ROOT = Path(__file__).parents[2]


def test_the_committed_table_is_the_one_that_the_reports_make() -> None:
    reports = [
        json.loads((ROOT / "docs/reports" / f"{name}.json").read_text())
        for name in ("evidence", "bench", "export")
    ]
    readme = (ROOT / "README.md").read_text()
    assert fill(readme, table(*reports)) == readme


def test_only_what_stands_between_the_marks_is_replaced() -> None:
    assert fill(f"a\n{BEGIN}\nold\n{END}\nb", "new") == f"a\n{BEGIN}\nnew\n{END}\nb"
    with pytest.raises(ValueError, match="marks"):
        fill("no marks", "new")
