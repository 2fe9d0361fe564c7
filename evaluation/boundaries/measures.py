"""What is measured of a sentence splitter: agreement with gold boundaries, exact offsets, speed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from evaluation.boundaries.splitters import Spans, Splitter

LANGUAGE_CODES = {
    "amharic": "am", "arabic": "ar", "armenian": "hy", "bulgarian": "bg", "burmese": "my", "chinese": "zh",
    "danish": "da", "deutsch": "de", "dutch": "nl", "english": "en", "french": "fr", "greek": "el", "hindi": "hi",
    "italian": "it", "japanese": "ja", "kazakh": "kk", "marathi": "mr", "persian": "fa", "polish": "pl",
    "russian": "ru", "slovak": "sk", "spanish": "es", "urdu": "ur",
}  # fmt: skip


@dataclass(frozen=True)
class Agreement:
    """Counts over sentence ends inside documents; the end of a document is given away and not counted."""

    hits: int
    false: int
    missed: int

    @property
    def f1(self) -> float:
        total = 2 * self.hits + self.false + self.missed
        return 2 * self.hits / total if total else 1.0


def agreement(split: Splitter, gold: Iterable[tuple[str, set[int]]]) -> Agreement:
    hits = false = missed = 0
    for text, wanted in gold:
        found = {end for _, end in split(text)[:-1]}
        hits += len(found & wanted)
        false += len(found - wanted)
        missed += len(wanted - found)
    return Agreement(hits, false, missed)


def rules_kept(
    make: Callable[[str], Splitter], rules: Iterable[tuple[str, str, list[str]]]
) -> tuple[int, int]:
    """How many rules come out exactly, white space aside, and how many there are."""
    splitters: dict[str, Splitter] = {}
    kept = total = 0
    for language, text, wanted in rules:
        code = LANGUAGE_CODES[language]
        split = splitters.get(code) or splitters.setdefault(code, make(code))
        found = [" ".join(text[start:end].split()) for start, end in split(text)]
        kept += found == [" ".join(sentence.split()) for sentence in wanted]
        total += 1
    return kept, total


def is_exact(text: str, spans: Spans) -> bool:
    """Whether the spans are in order, disjoint and cover every non-blank character."""
    position = 0
    for start, end in spans:
        if not position <= start < end <= len(text) or text[position:start].strip():
            return False
        position = end
    return not text[position:].strip()


def speed_and_exactness(
    make: Callable[[str], Splitter], texts: Iterable[tuple[str, str]], seconds: float
) -> tuple[float, float]:
    """MB of UTF-8 a second of CPU time, and the share of texts with exact offsets, over as many texts as fit the time.

    `texts` are (language, text); making a language's splitter does not count.
    """
    splitters: dict[str, Splitter] = {}
    spent = 0.0
    size = exact = count = 0
    for language, text in texts:
        split = splitters.get(language) or splitters.setdefault(language, make(language))
        start = time.process_time()
        spans = split(text)
        spent += time.process_time() - start
        size += len(text.encode())
        exact += is_exact(text, spans)
        count += 1
        if spent > seconds:
            break
    return size / spent / 1e6, exact / count
