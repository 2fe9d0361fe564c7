"""`pith inspect` on a real page, with the real server and model."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from demo.pages import Page, bundled_pages
from pith.cli import main
from serving.server import LocalServer


@pytest.mark.parametrize("page", bundled_pages(), ids=lambda page: page.language)
def test_the_answer_is_marked_as_kept_on_a_real_page(server: LocalServer, page: Page, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    arguments = ["--url", server.grpc_url, "--timeout", "300", "--budget", "400", "-q", page.query]
    assert main(["inspect", *arguments, str(page.path), "--title", page.title, "-o", str(out)]) == 0
    match = re.search(r'id="data">(.*?)</script', out.read_text(encoding="utf-8"), re.DOTALL)
    assert match is not None
    data = json.loads(match[1])
    (document,) = data["documents"]
    segments = document["segments"]
    assert "".join(s["gap"] + s["text"] for s in segments) + document["rest"] == page.text
    kept = [s for s in segments if s["fate"] == "kept"]
    assert any(page.answer in s["text"] for s in kept)
    assert sum(s["tokens"] for s in kept) == data["report"]["kept"] > 0
    assert any(s["fate"] == "below_threshold" for s in segments)
    assert data["needs"][0]["covered"]
