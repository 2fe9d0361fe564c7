"""Whole results out of nothing: documents with spans in any Unicode, and a report with every field drawn."""

from __future__ import annotations

import types
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

import pith
from pith.render import context, joined, label

# Letters of one to four bytes and of one or two UTF-16 units, marks, white space of all sorts, NUL and a BOM.
_WORDS = ["word", "Größe", "鯨は歌う。", "👩\u200d👧", "e\u0301", "𝔘", "\0", "\ufeff", "“", "a.b*(c", "…"]
_SPACES = [" ", "\n", "\r\n", "\u3000", "\n\n", " " * 9, "\t"]
any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_pieces = st.sampled_from([*_WORDS, *_SPACES])
document_texts = st.lists(_pieces | any_text, min_size=1, max_size=16).map("".join)
# What a caller's ids and addresses may hold, though a text that is scored may not.
_names = any_text | st.sampled_from(["a\ud800", "\udfffb"])


def values_of(kind: Any) -> st.SearchStrategy[Any]:
    """Values of a type of this package, with every field drawn, those with defaults as well."""
    options = get_args(kind)
    if get_origin(kind) in (Union, types.UnionType):
        return st.one_of([values_of(option) for option in options])
    if get_origin(kind) is tuple:
        if options[-1] is Ellipsis:
            return st.lists(values_of(options[0]), max_size=3).map(tuple)
        return st.tuples(*map(values_of, options))
    if isinstance(kind, type) and is_dataclass(kind):
        hints = get_type_hints(kind)
        return st.builds(kind, **{field.name: values_of(hints[field.name]) for field in fields(kind)})
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(list(kind))
    plain: dict[Any, st.SearchStrategy[Any]] = {
        bool: st.booleans(),
        int: st.integers(),
        float: st.floats(allow_nan=False),
        str: _names,
        type(None): st.none(),
    }
    return plain[kind]


_addresses = values_of(tuple[pith.Address, ...])


@st.composite
def snippets(draw: st.DrawFn, number: int) -> pith.Snippet:
    """A snippet of one to four spans, with up to two more spans as its section, before, between or after them."""
    text = draw(document_texts.filter(str.strip))
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=10, unique=True)))
    ranges = [r for r in zip(cuts[::2], cuts[1::2], strict=False) if text[slice(*r)].strip()]
    spans = [
        pith.Span(start, end, draw(st.floats(0, 1)), draw(st.sampled_from(pith.SpanReason)))
        for start, end in ranges or [(0, len(text))]
    ]
    above = draw(st.sets(st.integers(0, len(spans) - 1), max_size=min(2, len(spans) - 1)))
    body = tuple(span for i, span in enumerate(spans) if i not in above)
    return pith.Snippet(
        document=pith.Document(
            text,
            id=draw(_names),
            title=draw(st.none() | any_text),
            url=draw(st.none() | _names),
            version=draw(st.none() | any_text),
            start=draw(st.none() | st.integers(0, 10**9)),
        ),
        spans=body,
        text=joined(text, body),
        score=draw(st.floats(0, 1)),
        label=label(number),
        tokens=draw(st.integers(0, 1000)),
        section=tuple(spans[i] for i in sorted(above)),
        also_in=draw(_addresses),
    )


@st.composite
def shown_results(draw: st.DrawFn, least: int = 0) -> pith.Result:
    """A result of ``least`` to three snippets, with an empty report."""
    shown = tuple(draw(snippets(number)) for number in range(1, draw(st.integers(least, 3)) + 1))
    return pith.Result(shown, context(shown), pith.Report())


def results() -> st.SearchStrategy[pith.Result]:
    """A result of up to three snippets, with every field of the report drawn."""
    return st.builds(replace, shown_results(), report=values_of(pith.Report))
