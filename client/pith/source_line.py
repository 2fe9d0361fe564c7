"""What the first line of a block says of a document's version and address."""

from __future__ import annotations

from pith.types import Document


def source_line(document: Document) -> str:
    """``" · version 2 · https://…"`` as it stands after title and section; "" for neither. Always on one line."""
    version, url = _one_line(document.version), _one_line(document.url)
    return (f" · version {version}" if version else "") + (f" · {url}" if url else "")


def _one_line(value: str | None) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in value or "").split())
