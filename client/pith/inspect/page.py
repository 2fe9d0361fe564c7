"""The page: a template of our own, with its style, its script and the data inside, so that it needs no network."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from pith.errors import InvalidInput
from pith.inspect.data import page_data
from pith.report import Result
from pith.switches import Selection
from pith.types import ScoredDocument


def page(
    result: Result,
    scored: Sequence[ScoredDocument],
    *,
    query: str = "",
    switches: Selection | None = None,
) -> str:
    """The HTML page of a result and the scored documents that it was chosen from; ASCII alone, whatever they hold.

    ``scored`` is what ``score`` returned and ``select_evidence`` chose from, or :func:`~pith.inspect.inspect`'s.
    ``switches`` are those of the selection where they are not the defaults; they say which headings could be evidence.
    Raises :class:`~pith.errors.InvalidInput` for documents that are not those of the result.
    """
    if len(scored) != len(result.report.documents):
        raise InvalidInput(
            f"the result is of {len(result.report.documents)} documents and {len(scored)} were given: give the "
            "scored documents that it was chosen from",
            code="other_documents",
        )
    style, script = _asset("page.css"), _asset("page.js")
    parts = {
        "policy": f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; "
        "base-uri 'none'; form-action 'none'",
        "style": style,
        "data": _embedded(page_data(result, scored, query, switches or Selection())),
        "script": script,
    }
    html = _asset("page.html")
    made = []
    # Each marker once and in this order; what is put in is not searched again.
    for name, part in parts.items():
        before, marker, html = html.partition(f"%{name}%")
        assert marker
        made += [before, part]
    return "".join((*made, html))


def _embedded(data: Any) -> str:
    """JSON for a script element. Without ``<`` no text can end the element, and in ASCII none can break the line."""
    return json.dumps(data, ensure_ascii=True, separators=(",", ":")).replace("<", r"\u003c")


def _digest(text: str) -> str:
    """What a content security policy calls the one style or script that it lets run."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _asset(name: str) -> str:
    return files("pith.inspect").joinpath(name).read_text(encoding="utf-8")
