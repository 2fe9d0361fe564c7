"""Sentence boundaries: one compiled pattern finds candidates, small word tables decide."""

from __future__ import annotations

import re

from preprocessing.characters import joins_previous
from preprocessing.full_stops import OPENING, full_stop_ends
from preprocessing.long_sentences import UNSPACED_TARGET, Span, cut_long
from preprocessing.markers import BULLETS

# Terminators that end a sentence whether or not white space follows.
STRONG = "。！？｡．؟۔।॥።፧፨။։។៕‼⁇⁈⁉‽⸮܀܁܂᙮᠃᠉꓿꘎꘏꛳꯫᭞᭟"
_WEAK = ".!?…"
_EXTENDERS = "\u0300\u0301\u0302\u0303\u0308\u030a\u20e3\u200d\ufe0e\ufe0f\u3099\u309a"
_CLOSE = "\"'”’»›)\\]}」』）】》〉〕］｝*_"

# The leading class keeps the search on the regex engine's fast path; look-behinds choose the branch. Every quantifier
# is possessive or bounded and bracket groups stop at the next opener, so the scan is linear on any input.
_CANDIDATE = re.compile(
    rf"[{_WEAK}{STRONG};:(（「『《{BULLETS}](?:"
    rf"(?:(?<=[{_WEAK}])(?![a-z0-9/])|(?<=[{STRONG}]))([{_WEAK}{STRONG}{_EXTENDERS}]*+(?:[ ]\.)*+)"
    rf"((?:[{_CLOSE}]|\[\w{{1,4}}\]|[ \xa0\u202f]»|[“‘](?=\s|\Z))*+)"
    r"|(?<=[\u0531-\u0587…]:)()"
    r"|(?<=:)(?=\s++[-–]\s)()"
    r"|(?<=[\u0370-\u03ff\u1f00-\u1fff];)()"
    rf"|(?<=[\s][{BULLETS}])()"
    r"|(?:(?<=\()[^()\n]{0,200}+\)"
    r"|(?<=（)[^（）\n]{0,80}+）"
    r"|(?<=「)[^「」\n]{0,60}+」"
    r"|(?<=『)[^『』\n]{0,60}+』"
    r"|(?<=《)[^《》\n]{0,60}+》)()"
    r")\s*+"
)
# The last group of each branch: where it ends, the sentence would end.
_TERMINATOR, _ARMENIAN, _LEAD_IN, _GREEK, _INLINE_BULLET, _BRACKET = 2, 3, 4, 5, 6, 7

_LEAD = re.compile(r"[^\w\s]{0,6}+\s?+(?=\w)")
_NO_START = frozenset(",;:.!?)]}/%、，；：・…～”’」』）】》")
_PARTICLE = re.compile(r"(?:と|って|など|という|の|が|を|に|は|も|で|や|へ|から|まで|より|だ|です|である)")
_JOINING = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_ENUMERATED = re.compile(r"[^\w\s]?\s?(?:(1)|(a))(\.\)|[.)])\s")
_MARKER = re.compile(r"[^\w]*(?:\d{1,3}|\w)\W*")
_WORD_GAP = re.compile(r"\w++[,;:–-]?(?:\s|(?<=[–-]))")
_LONGEST_MARKER = 8
_OPEN_QUOTE = "“„«"


def sentences(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """Sentence spans of `text[start:end]` in code points: disjoint, in order, trimmed, covering all but white space."""
    if end is None:
        end = len(text)
    while end > start and text[end - 1].isspace():
        end -= 1
    while start < end and text[start].isspace():
        start += 1
    spans: list[Span] = []
    if start == end:
        return spans
    if text[start] in "1a" or not text[start].isalnum():
        marker = _ENUMERATED.match(text, start, end)
        if marker is not None:
            for region_start, region_end in _enumerated(text, start, end, marker):
                _split(text, region_start, region_end, spans)
            start = end
    _split(text, start, end, spans)
    for begin, stop in spans:
        if stop - begin > 2 * UNSPACED_TARGET:
            return cut_long(text, spans)
    return spans


def _split(text: str, start: int, end: int, spans: list[Span]) -> None:
    """Append the sentence spans of the trimmed `text[start:end]`."""
    first = start
    for match in _CANDIDATE.finditer(text, start, end):
        which = match.lastindex or 0
        stop = match.end(which)
        follow = match.end()
        if which == _INLINE_BULLET:
            follow, stop = stop - 1, match.start()
            while stop > first and text[stop - 1].isspace():
                stop -= 1
            ends = True
        elif follow >= end:
            break
        elif which == _TERMINATOR:
            ends = _ends(text, first, match.start(), match.end(1), stop, follow, end)
        elif which == _BRACKET:
            ends = _bracket_ends(text, first, match.start(), stop, follow, end)
        else:
            ends = which == _LEAD_IN or (follow > stop and not text[follow].islower())
        if ends and first < stop and not joins_previous(text, follow):
            spans.append((first, stop))
            first = follow
    if first < end:
        spans.append((first, end))


def _ends(text: str, first: int, mark: int, run_end: int, stop: int, follow: int, end: int) -> bool:
    """Whether the terminators `text[mark:run_end]`, closed at `stop`, end the sentence that began at `first`."""
    char = text[follow]
    last = text[run_end - 1]
    if last in _EXTENDERS:
        last = text[mark:run_end].rstrip(_EXTENDERS)[-1]
    if follow == stop:
        if last == "." and not char.isupper() and char not in _OPEN_QUOTE:
            return False
        return _unspaced_ends(text, first, mark, last, run_end, stop, end)
    if char in _NO_START:
        return char == "…" or (text.startswith("...", follow) and text[follow : follow + 4][-1].isalpha())
    if last in STRONG:
        return True
    spaced = mark > first and text[mark - 1].isspace()
    if char.islower():
        return spaced and last == "." and run_end - mark == 1 and _plain_word_before(text, first, mark)
    after = follow
    if not char.isalnum():
        lead = _LEAD.match(text, follow, end)
        if lead is not None:
            after = lead.end()
            if (text[after].islower() and not spaced) or (char == "(" and stop > run_end):
                return False
    if text[mark - 1] == "[" and mark > first:
        return False
    if last != "." or run_end - mark > 1:
        return True
    if stop - first <= _LONGEST_MARKER and _MARKER.fullmatch(text, first, stop):
        return False
    return stop > run_end or full_stop_ends(text, first, mark, after, end, dashed=char in "-–—")


def _unspaced_ends(text: str, first: int, mark: int, last: str, run_end: int, stop: int, end: int) -> bool:
    """The same where no white space follows: after Chinese marks, or a space was forgotten ("word.Next one")."""
    char = text[stop]
    if char in _NO_START:
        return False
    if last in STRONG:
        if stop > run_end and _PARTICLE.match(text, stop, end):
            return False
        return not (last == "．" and char.isdigit()) and not (char == "と" and last in "！？")
    before = text[mark - 1]
    if last in "!?":
        return bool(_JOINING.match(char)) or (char.isupper() and before.islower())
    if mark - first < 3 or last != "." or run_end - mark > 1 or stop > run_end:
        return False
    if char in _OPEN_QUOTE:
        return before.islower()
    if not char.isupper() or not (before in ")0123456789" or (before.islower() and text[mark - 2].islower())):
        return False
    token = text[max(first, mark - 24) : mark].split()[-1].lstrip(OPENING).rstrip(")").replace(",", "")
    if not ((token.isdigit() and len(token) > 3) or (token.isalnum() and not before.isdigit())):
        return False
    return _WORD_GAP.match(text, stop, end) is not None


def _plain_word_before(text: str, first: int, mark: int) -> bool:
    token = text[max(first, mark - 24) : mark].split()
    return bool(token) and len(token[-1]) > 1 and token[-1][-1].isalnum()


def _bracket_ends(text: str, first: int, mark: int, stop: int, follow: int, end: int) -> bool:
    """Whether a bracketed run that closes with a terminator ends a sentence: "(So it was.) Next", 「行く。」彼は."""
    last = text[stop - 2]
    if last in STRONG:
        if text[follow] in _NO_START or _PARTICLE.match(text, follow, end):
            return False
        return follow > stop or text[mark] != "（"
    if last not in ".!?…" or follow == stop:
        return False
    char = text[follow]
    if char.islower() or char in _NO_START:
        return False
    return (text[mark - 1].isspace() and mark > first and last != ".") or mark == first


def _enumerated(text: str, start: int, end: int, marker: re.Match[str]) -> list[Span]:
    """Regions of "1) one 2) two", where the numbers or letters run in order from the first."""
    numbered, _, closing = marker.groups()
    regions: list[Span] = []
    for value in range(2, 100 if numbered else 27):
        label = str(value) if numbered else chr(ord("a") - 1 + value)
        label_pattern = rf"(?<=\S)\s++(?=[^\w\s]?\s?{label}{re.escape(closing)}\s+([^\W\d_]))"
        found = re.compile(label_pattern).search(text, start, end)
        if found is None or (closing == "." and found.group(1).islower()):
            break
        regions.append((start, found.start()))
        start = found.end()
    regions.append((start, end))
    return regions
