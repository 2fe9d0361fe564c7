"""Whether two texts that are alike in wording say the same word for word, but for words that change nothing.

Likeness alone cannot tell: in a long sentence another country, plan or party changes a few characters only, and
moved words ("from A to B", "from B to A") change none. So every word by which two texts differ must be a small one
(an article, an auxiliary), another form of the same word, or the same guard in other words ("thirty", "may").
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from pith.select.guards import is_guard

# Words that can come and go; prepositions are not among them: "from" and "to" are no small matter.
_SMALL_WORDS = """
    the a an is are was were be been being will would has have had do does did that which also please note then thus
    der die das den dem des ein eine einen einem einer eines ist sind war wird werden wurde hat haben auch bitte
    de het een zijn wordt worden heeft ook en ett är var blir har det att er blitt også
    le la les l un une du est sont ont été sera seront que qui aussi el los las una es son han ser será
    o os as um uma uns umas é são foi il lo gli i uno della dello dei delle è sono ha hanno viene vengono che anche
    este sunt al ale cel cea ir tiek tika tas tā arī это также jest są oraz też η το οι τα των του της είναι
    bir ve olan là và các những की का के है हैं को تم هو هي של הוא היא
"""
_SMALL = frozenset(_SMALL_WORDS.split())
_SMALL_WIDE = frozenset("的了将將会會请請该該此这這本您你也于於在之个個们們有是为為のはすまで")
_WORDS = re.compile(
    "[\u0e00-\u0e7f\u2e80-\u9fff\uf900-\ufaff]|[^\\W\u0e00-\u0e7f\u2e80-\u9fff\uf900-\ufaff]+"
)
_LEAST_STEM, _LONGEST_ENDING = 4, 3
# Endings that name another party or trade: employer and employee, lessor and lessee.
_PARTIES = frozenset({"r", "er", "or", "ee", "rs", "ers", "ors", "ees"})


def same_words(a: str, b: str) -> bool:
    """Whether two normalised texts differ in nothing but small words, endings and spellings of guards, and in no
    word's place. Their guards are taken to be equal."""
    if a.endswith("?") != b.endswith("?"):
        return False
    one, other = _WORDS.findall(a), _WORDS.findall(b)
    counts, others = Counter(one), Counter(other)
    if not _excused(list((counts - others).elements()), list((others - counts).elements())):
        return False
    stay = {word for word in counts if counts[word] == others[word]} - _SMALL
    return [word for word in one if word in stay] == [word for word in other if word in stay]


def _excused(only_a: list[str], only_b: list[str]) -> bool:
    left = [word for word in only_a if not _is_small(word)]
    right = [word for word in only_b if not _is_small(word)]
    for word in left:
        match = next((other for other in right if _one_word(word, other)), None)
        if match is None:
            return False
        right.remove(match)
    return not right


def _is_small(word: str) -> bool:
    return word in _SMALL or word in _SMALL_WIDE or word[0].isdecimal() or is_guard(word)


def _one_word(a: str, b: str) -> bool:
    """Whether two words are one but for accents or the ending."""
    a, b = _plain(a), _plain(b)
    if a == b:
        return True
    shared = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        shared += 1
    one, other = a[shared:], b[shared:]
    if one in _PARTIES or other in _PARTIES or max(len(one), len(other)) > _LONGEST_ENDING:
        return False
    # An ending added to a whole word is safer than one exchanged for another.
    return shared >= (_LEAST_STEM if not one or not other else _LEAST_STEM + 2)


def _plain(word: str) -> str:
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
