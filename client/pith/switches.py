"""The switches of a selection: what can be turned on, off or bounded, each with its default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypedDict

Order = Literal["source", "relevance", "need"]


class Switches(TypedDict, total=False):
    """The keyword arguments that ``compress`` and ``select_evidence`` take; see :class:`Selection`."""

    duplicates: bool
    near_duplicates: bool
    dependencies: bool
    split_question: bool
    diversity: float | None
    max_documents: int | None
    per_document_tokens: int | None
    always_keep_title: bool
    order: Order


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """How the context is chosen, given the scores.

    ``duplicates``: say the same text once. ``near_duplicates``: also say once what is alike in wording and the same
    in every number, unit, date, negation, condition, version and scope word; and report conflicts.
    ``dependencies``: bring what evidence depends on. ``split_question``: without needs, score the parts of a
    question that asks two things. ``diversity``: the lambda of maximal marginal relevance, from 0 (only new) to 1
    (only relevant); None is 0.7 where there are several needs or parts and 1 for a question that asks one thing.
    ``max_documents``: most documents in the context. ``per_document_tokens``: most tokens of one document's block,
    in the budget's tokens. ``always_keep_title``: show the title in every block; False leaves titles out.
    ``order``: blocks in the order of the documents given ("source"), by relevance, or by the need they answer.
    """

    duplicates: bool = True
    near_duplicates: bool = True
    dependencies: bool = True
    split_question: bool = True
    diversity: float | None = None
    max_documents: int | None = None
    per_document_tokens: int | None = None
    always_keep_title: bool = True
    order: Order = "source"
