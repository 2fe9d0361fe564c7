"""The prompts: versioned files of this package, and a digest that every output records."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files
from string import Template
from typing import Protocol

from training.labelling.errors import InvalidSettings

LATEST = "v1"
_NAMES = ("system", "intents", "spans", "both", "rules")


class Subject(Protocol):
    """What a prompt asks about."""

    @property
    def query(self) -> str: ...
    @property
    def url(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def summary(self) -> str: ...


@dataclass(frozen=True)
class Prompts:
    """One version of the prompts. `digest` covers the texts, so that an edited file never passes for another."""

    version: str
    texts: dict[str, str]

    @classmethod
    def load(cls, version: str = LATEST) -> Prompts:
        """Raises :class:`InvalidSettings` for a version that is not there."""
        folder = files("training.labelling").joinpath("prompts")
        try:
            texts = {n: folder.joinpath(version, f"{n}.md").read_text(encoding="utf-8") for n in _NAMES}
        except (FileNotFoundError, NotADirectoryError) as error:
            known = ", ".join(sorted(entry.name for entry in folder.iterdir()))
            raise InvalidSettings(f"No prompts of version {version!r}; there are: {known}.") from error
        return cls(version, texts)

    @property
    def digest(self) -> str:
        joined = "\0".join(f"{name}\0{self.texts[name]}" for name in _NAMES)
        return hashlib.sha256(joined.encode()).hexdigest()[:16]

    def intents(self, subject: Subject) -> str:
        """Stage 1."""
        return self._fill("intents", subject, "", ())

    def spans(self, subject: Subject, document: str, intents: tuple[str, ...]) -> str:
        """Stage 2, over a document or a part of it."""
        return self._fill("spans", subject, document, intents)

    def both(self, subject: Subject, document: str) -> str:
        """Both stages in one."""
        return self._fill("both", subject, document, ())

    def _fill(self, name: str, subject: Subject, document: str, intents: tuple[str, ...]) -> str:
        # The mark is a digest of what it encloses, so that no text can close its own block.
        inside = "\0".join((subject.query, subject.url, subject.title, subject.summary, document))
        return Template(self.texts[name]).substitute(
            mark=hashlib.sha256(inside.encode()).hexdigest()[:10],
            query=subject.query,
            url=subject.url or "unknown",
            title=subject.title or "unknown",
            summary=subject.summary or "none",
            document=document,
            intents="\n".join(f"{number}. {intent}" for number, intent in enumerate(intents, start=1)),
            rules=self.texts["rules"],
        )
