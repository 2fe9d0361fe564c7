"""Sentences that hold a condition of the sentence before them.

"You may fly business class. Only if the flight is longer than six hours." Kept without the second sentence, the first
says something that is not so. Labelled sets mark answers and not their conditions, so training rows mark both where
the text itself shows that they belong together: neighbours in one paragraph, the second of which opens with a
connective of this table.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from preprocessing.segments import Segments

# Openings that take something back from, or put a condition on, what was just said; in lower case. Words that also
# open sentences that condition nothing ("if", "but", "however") are left out: they would mark what nobody asked for.
OPENINGS: dict[str, tuple[str, ...]] = {
    "en": (
        "except", "unless", "only if", "only when", "only after", "provided that", "provided,", "after approval",
        "subject to", "however, only", "but only", "but not", "this does not apply", "this applies only",
        "this only applies", "exceptions", "with the exception", "otherwise,", "not applicable",
    ),
    "it": ("tranne", "eccetto", "salvo", "a meno che", "solo se", "soltanto se", "a condizione che",
           "purché", "fatta eccezione"),
    "lv": ("izņemot", "ja vien", "tikai ja", "tikai tad", "ar nosacījumu", "ar noteikumu"),
    "zh": ("除非", "除外", "只有", "仅当", "僅當", "前提是", "不适用", "不適用", "例外"),
    "ja": ("ただし", "但し", "なお、ただし", "例外", "の場合に限り"),
    "ko": ("단,", "다만", "단 ", "예외"),
    "fr": ("sauf", "excepté", "à moins que", "à condition", "seulement si", "uniquement si", "à l'exception"),
    "de": ("außer", "ausgenommen", "es sei denn", "nur wenn", "nur falls", "vorausgesetzt", "sofern",
           "dies gilt nicht", "dies gilt nur"),
    "es": ("excepto", "salvo", "a menos que", "solo si", "sólo si", "siempre que", "a condición", "con la excepción"),
    "pt": ("exceto", "salvo", "a menos que", "somente se", "apenas se", "desde que", "com exceção"),
    "no": ("unntatt", "med mindre", "bare hvis", "kun hvis", "forutsatt at", "med unntak"),
    "ro": ("cu excepția", "exceptând", "doar dacă", "numai dacă", "cu condiția", "în afara cazului"),
    "ru": ("кроме", "за исключением", "если только", "только если", "при условии"),
    "el": ("εκτός", "μόνο αν", "μόνο εάν", "με την προϋπόθεση", "με εξαίρεση"),
    "tr": ("hariç", "yalnızca", "şartıyla", "aksi takdirde"),
    "ar": ("إلا", "باستثناء", "ما لم", "بشرط", "فقط إذا"),
    "he": ("אלא אם", "למעט", "רק אם", "בתנאי"),
    "hi": ("सिवाय", "जब तक", "केवल यदि", "बशर्ते", "को छोड़कर"),
    "th": ("ยกเว้น", "เว้นแต่", "เฉพาะเมื่อ", "โดยมีเงื่อนไข"),
    "vi": ("trừ", "ngoại trừ", "trừ khi", "chỉ khi", "với điều kiện"),
}  # fmt: skip
_LEAD = " \t*_(（「\"'“«–—-"


def opens_with_condition(sentence: str, language: str) -> bool:
    """Whether a sentence opens with such a connective of its language (all languages where it is not known)."""
    head = sentence.lstrip(_LEAD)[:40].lower()
    known = OPENINGS.get(language.lower().replace("_", "-").split("-")[0]) if language else None
    tables = [known] if known is not None else ([] if language else list(OPENINGS.values()))
    return any(
        head.startswith(opening) and not _goes_on(head, len(opening)) for table in tables for opening in table
    )


def _goes_on(head: str, end: int) -> bool:
    """Whether the connective is only the beginning of a longer word, in scripts that set words apart."""
    if end >= len(head) or not head[end - 1].isalpha():
        return False
    return head[end].isalpha() and head[end - 1] < "\u0e00"


def bound_to_previous(text: str, found: Segments, language: str) -> NDArray[np.bool_]:
    """Which segments hold a condition of the segment before them in the same paragraph, bool [S]."""
    out = np.zeros(found.start.size, np.bool_)
    for i in range(1, out.size):
        between = text[found.end[i - 1] : found.start[i]]
        if "\n" in between or found.kind[i] != found.kind[i - 1]:
            continue
        out[i] = opens_with_condition(text[found.start[i] : found.end[i]], language)
    return out


def with_conditions(hit: NDArray[np.bool_], bound: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Evidence together with the conditions that follow it, and with what evidence is itself a condition of."""
    out = hit.copy()
    for i in np.flatnonzero(bound):
        if out[i - 1] or hit[i]:
            out[i - 1] = out[i] = True
    return out
