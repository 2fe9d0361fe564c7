"""Chunks of one source, joined where they touch or overlap, so that a sentence that was cut is whole again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pith.types import Document


def join_chunks(documents: Sequence[Document]) -> tuple[list[Document], list[tuple[int, ...]]]:
    """The documents with chunks joined, and of each the positions in ``documents`` that it is made of.

    Chunks are documents with ``start`` and ``id``; those of one id and version whose ranges touch or overlap become
    one document with the text of all. It stands where the first of them stood, and its positions are in the order
    of the source. Chunks that are not allowed, or whose overlap holds different text, stay by themselves: no text is
    made up and none is lost. Which chunks are joined does not depend on their order.
    """
    sources: dict[tuple[str, str | None], list[int]] = {}
    groups: list[list[int]] = []
    for position, document in enumerate(documents):
        if document.start is None or document.id is None or not document.allowed:
            groups.append([position])
        else:
            sources.setdefault((document.id, document.version), []).append(position)
    for positions in sources.values():
        groups += _runs(documents, positions)
    groups.sort(key=min)
    return [_joined(documents, group) for group in groups], [tuple(group) for group in groups]


def _runs(documents: Sequence[Document], positions: Iterable[int]) -> list[list[int]]:
    """Chunks of one source in runs that touch or overlap, each in the order of the source."""

    def place(position: int) -> tuple[int, int, str]:
        document = documents[position]
        return document.start or 0, -len(document.text), document.text

    runs: list[list[int]] = []
    # The text of each run so far, and where it begins.
    texts: list[tuple[int, str]] = []
    for position in sorted(positions, key=place):
        document = documents[position]
        start = document.start or 0
        for number, (first, text) in enumerate(texts):
            shared = text[start - first : start - first + len(document.text)]
            if start <= first + len(text) and document.text.startswith(shared):
                runs[number].append(position)
                texts[number] = first, text + document.text[len(shared) :]
                break
        else:
            runs.append([position])
            texts.append((start, document.text))
    return runs


def _joined(documents: Sequence[Document], positions: Sequence[int]) -> Document:
    first = documents[positions[0]]
    if len(positions) == 1:
        return first
    start, text = first.start or 0, first.text
    for document in (documents[position] for position in positions[1:]):
        reached = start + len(text) - (document.start or 0)
        text += document.text[reached:]
    chunks = [documents[position] for position in positions]
    return replace(
        first,
        text=text,
        title=next((chunk.title for chunk in chunks if chunk.title), first.title),
        url=next((chunk.url for chunk in chunks if chunk.url), first.url),
    )
