"""What the first line of a block says of a document's version and address."""

from __future__ import annotations

from pith.types import Document

BETWEEN_SOURCES = " · "


def source_line(document: Document) -> str:
    """``" · version 2 · https://…"`` as it stands after title and section; "" for neither. Always on one line."""
    version, url = _one_line(document.version), _one_line(document.url)
    parts = [f"version {version}" if version else "", url]
    return "".join(f"{BETWEEN_SOURCES}{part}" for part in parts if part)


def _one_line(value: str | None) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in value or "").split())
