"""Chunks of one source, joined where they touch or overlap, so that a sentence that was cut is whole again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pith.text import encode
from pith.types import Document


def join_chunks(documents: Sequence[Document]) -> tuple[list[Document], list[tuple[int, ...]]]:
    """The documents with chunks joined, and of each the positions in ``documents`` that it is made of.

    Chunks are documents with ``start`` and ``id``; those of one id and version whose ranges touch or overlap become
    one document with the text of all. It stands where the first of them stood, and its positions are in the order
    of the source. Title and url are those of the first chunk, in that order, that has one. Chunks that are not
    allowed or no valid Unicode, or whose overlap holds different text, stay by themselves: no text is made up and
    none is lost. Which chunks are joined does not depend on their order.
    """
    sources: dict[tuple[str, str | None], list[int]] = {}
    groups: list[list[int]] = []
    texts: dict[int, str] = {}
    for position, document in enumerate(documents):
        if document.id is not None and _can_be_joined(document):
            sources.setdefault((document.id, document.version), []).append(position)
        else:
            groups.append([position])
    for positions in sources.values():
        for run in _runs(documents, positions):
            groups.append(run.positions)
            texts[run.positions[0]] = run.text()
    groups.sort(key=min)
    joined = [
        documents[group[0]]
        if len(group) == 1
        else _described([documents[position] for position in group], texts[group[0]])
        for group in groups
    ]
    return joined, [tuple(group) for group in groups]


@dataclass(slots=True)
class _Run:
    """Chunks that belong together, in the order of the source.

    ``tail`` is the text of the chunk that reaches furthest, from ``start`` on; ``before`` is what precedes it. Later
    chunks begin within the tail or after it, so that they need not be compared with anything before.
    """

    start: int
    tail: str
    positions: list[int]
    before: list[str] = field(default_factory=list)

    @property
    def end(self) -> int:
        return self.start + len(self.tail)

    def shared(self, chunk: Document) -> int:
        """How many characters the chunk has in common with the run; -1 when it does not touch it or disagrees."""
        at = _start(chunk) - self.start
        overlap = self.tail[at : at + len(chunk.text)]
        return len(overlap) if at <= len(self.tail) and chunk.text.startswith(overlap) else -1

    def add(self, position: int, chunk: Document) -> None:
        self.positions.append(position)
        if _start(chunk) + len(chunk.text) > self.end:
            self.before.append(self.tail[: _start(chunk) - self.start])
            self.start, self.tail = _start(chunk), chunk.text

    def text(self) -> str:
        return "".join((*self.before, self.tail))


def _runs(documents: Sequence[Document], positions: Sequence[int]) -> list[_Run]:
    """Chunks of one source in runs; one that agrees with several goes to that with which it shares most."""

    def place(position: int) -> tuple[int, int, str, str, str]:
        chunk = documents[position]
        return _start(chunk), -len(chunk.text), chunk.text, chunk.title or "", chunk.url or ""

    runs: list[_Run] = []
    within_reach: list[_Run] = []
    for position in sorted(positions, key=place):
        chunk = documents[position]
        within_reach = [run for run in within_reach if run.end >= _start(chunk)]
        best = max(within_reach, key=lambda run: run.shared(chunk), default=None)
        if best is not None and best.shared(chunk) >= 0:
            best.add(position, chunk)
        else:
            runs.append(_Run(_start(chunk), chunk.text, [position]))
            within_reach.append(runs[-1])
    return runs


def _described(chunks: Sequence[Document], text: str) -> Document:
    return replace(
        chunks[0],
        text=text,
        title=next((chunk.title for chunk in chunks if chunk.title), chunks[0].title),
        url=next((chunk.url for chunk in chunks if chunk.url), chunks[0].url),
    )


def _can_be_joined(document: Document) -> bool:
    """A chunk without valid Unicode would leave all that it is joined to without scores."""
    if document.start is None or not document.allowed:
        return False
    return all(encode(text) is not None for text in (document.text, document.title or ""))


def _start(chunk: Document) -> int:
    return chunk.start or 0
