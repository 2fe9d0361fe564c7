"""Sentence splitters to compare, each as a function from text to spans in code points.

A library that is not installed raises ImportError when its splitter is made.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.metadata import version

from preprocessing.segments import segment
from preprocessing.sentences import sentences

Spans = list[tuple[int, int]]
Splitter = Callable[[str], Spans]

# Languages for which pysbd has rules of its own; others get the English ones.
_PYSBD = "am ar bg da de el en es fa fr hi hy it ja kk mr my nl pl ru sk ur zh"


def _trimmed(text: str, spans: Iterable[tuple[int, int]]) -> Spans:
    out: Spans = []
    for start, end in spans:
        piece = text[start:end]
        left = start + len(piece) - len(piece.lstrip())
        right = left + len(piece.strip())
        if left < right:
            out.append((left, right))
    return out


def _own_sentences(language: str) -> Splitter:
    return lambda text: sentences(text)


def _own_segments(language: str) -> Splitter:
    def split(text: str) -> Spans:
        found = segment(text)
        return list(zip(found.start.tolist(), found.end.tolist(), strict=True))

    return split


def _pysbd(language: str) -> Splitter:
    segmenter = import_module("pysbd").Segmenter(
        language=language if language in _PYSBD.split() else "en", clean=False, char_span=True
    )
    return lambda text: _trimmed(text, ((span.start, span.end) for span in segmenter.segment(text)))


def _blingfire(language: str) -> Splitter:
    find = import_module("blingfire").text_to_sentences_and_offsets
    return lambda text: _trimmed(text, find(text)[1])


def _sentencex(language: str) -> Splitter:
    find = import_module("sentencex").get_sentence_boundaries
    return lambda text: _trimmed(
        text, ((found["start_index"], found["end_index"]) for found in find(language, text))
    )


def _syntok(language: str) -> Splitter:
    analyze = import_module("syntok.segmenter").analyze

    def split(text: str) -> Spans:
        found = [tokens for paragraph in analyze(text) for tokens in paragraph if tokens]
        return [(tokens[0].offset, tokens[-1].offset + len(tokens[-1].value)) for tokens in found]

    return split


def _icu(language: str) -> Splitter:
    icu = import_module("icu")
    iterator = icu.BreakIterator.createSentenceInstance(icu.Locale(language))

    def split(text: str) -> Spans:
        iterator.setText(text)
        ends = list(iterator)
        if not text.isascii():
            units = [0]  # UTF-16 offset of every code point
            for char in text:
                units.append(units[-1] + (2 if char > "\uffff" else 1))
            ends = [bisect_left(units, end) for end in ends]
        return _trimmed(text, zip([0, *ends], ends, strict=False))

    return split


# Name of the distribution, None for our own, and what makes a splitter for a language code.
SPLITTERS: dict[str, tuple[str | None, Callable[[str], Splitter]]] = {
    "preprocessing.sentences": (None, _own_sentences),
    "preprocessing.segments": (None, _own_segments),
    "blingfire": ("blingfire", _blingfire),
    "PyICU": ("pyicu", _icu),
    "pysbd": ("pysbd", _pysbd),
    "sentencex": ("sentencex", _sentencex),
    "syntok": ("syntok", _syntok),
}


def title(name: str) -> str:
    """The name with the installed version. Raises PackageNotFoundError (an ImportError) where there is none."""
    distribution = SPLITTERS[name][0]
    return name if distribution is None else f"{name} {version(distribution)}"
