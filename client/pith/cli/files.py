"""Reads the files that are named on the command line."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from pith.types import Document


def read_files(names: Sequence[str], titles: Sequence[str]) -> tuple[list[Document], list[str]]:
    """The documents that could be read, and a sentence for every file that could not.

    The k-th title belongs to the k-th name, whether or not the files before it can be read.
    """
    documents: list[Document] = []
    problems: list[str] = []
    for i, name in enumerate(names):
        try:
            text = _read(name)
        except OSError as error:
            problems.append(f"{name}: cannot be read: {error.strerror or error}")
        except UnicodeDecodeError as error:
            problems.append(
                f"{name}: is not UTF-8 (byte {error.start} is 0x{error.object[error.start]:02x}): "
                "convert it first"
            )
        else:
            documents.append(Document(text, id=name, title=titles[i] if i < len(titles) else None))
    return documents, problems


def _read(name: str) -> str:
    # As bytes: reading as text would turn line ends into others and move every offset after them.
    data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    return data.decode("utf-8")
