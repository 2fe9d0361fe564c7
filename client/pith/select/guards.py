"""What must agree before two sentences count as saying the same: numbers, units, dates, negations, conditions,
versions and scope. Words are looked up one by one, so that a signature costs a few microseconds."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from pith.select.guard_numbers import MONTHS, NUMBERS, UNSURE_MONTHS, WEEKDAYS, WIDE_WEEKDAYS
from pith.select.guard_units import CURRENCIES, EXACT_UNITS, PHRASES, UNITS, WIDE_UNITS
from pith.select.guard_words import CONDITIONS, LABELS, NEGATIONS, NO_CODES, SCOPES, VERSION_WORDS, WIDE
from pith.select.normal import compatible

KINDS = ("number", "unit", "date", "negation", "condition", "version", "scope")


@dataclass(frozen=True, slots=True)
class Signature:
    """For each of ``KINDS`` the values found, sorted, repeats included."""

    number: tuple[str, ...] = ()
    unit: tuple[str, ...] = ()
    date: tuple[str, ...] = ()
    negation: tuple[str, ...] = ()
    condition: tuple[str, ...] = ()
    version: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()


Differences = dict[str, tuple[tuple[str, ...], tuple[str, ...]]]

_Meaning = tuple[str, str]


def differences(a: Signature, b: Signature) -> Differences:
    """The kinds in which two signatures differ, with what each has there."""
    return {
        kind: (getattr(a, kind), getattr(b, kind)) for kind in KINDS if getattr(a, kind) != getattr(b, kind)
    }


def _table() -> tuple[dict[str, _Meaning], dict[str, list[tuple[tuple[str, ...], _Meaning]]]]:
    """Meanings of single words, and of phrases by their first word, longest first."""
    single: dict[str, _Meaning] = {}
    phrases: dict[str, list[tuple[tuple[str, ...], _Meaning]]] = {}
    lists: tuple[tuple[str, Mapping[str, str]], ...] = (
        ("phrase unit", PHRASES),
        ("unit", UNITS),
        ("negation", NEGATIONS),
        ("condition", CONDITIONS),
        ("scope", SCOPES),
    )
    for kind, concepts in lists:
        for concept, words in concepts.items():
            for word in words.split():
                parts = tuple(part.casefold() for part in _WORDS.findall(word.replace("_", " ")))
                if not parts:
                    continue
                if len(parts) == 1:
                    single.setdefault(parts[0], (kind, concept))
                else:
                    phrases.setdefault(parts[0], []).append((parts, (kind, concept)))
    for found in phrases.values():
        found.sort(key=lambda item: -len(item[0]))
    return single, phrases


_MARKS = "%€$£¥₹₽₩₺₪°"
# A number with its separators, a word with what may hold it together, or a sign of a unit.
_NUMBER = r"\d+(?:[.,'’\u00a0\u202f](?=\d)\d+|[ ](?=\d{3}(?!\d))\d{3})*"
_WORDS = re.compile(rf"[^\W\d_]+(?:['’.-][^\W_]+|\d[\w.-]*\w|\d)*|{_NUMBER}(?:[^\W\d_]+)?|[{_MARKS}]")
_LEADING_NUMBER = re.compile(_NUMBER)
_SINGLE, _PHRASES = _table()
_DATE = re.compile(r"(?<!\d)(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})(?!\d)")
_DIGIT = re.compile(r"\d")
_MINUS = re.compile(r"(?:^|(?<=[\s(|]))-(?=\d)")
_BOUND = re.compile(r"(?:[<>]=?|[≤≥±~≈])(?=\s?-?\d)")
# Numbers that are other words elsewhere. The first count beside a unit only ("due giorni", not "is due"), the
# others ("to" and "ti" are two and ten in Norwegian, "on" is ten in Turkish) not at all.
_UNSURE_NUMBERS = frozenset({"due", "sei", "once", "sept", "mil", "bir", "uno"})
_NO_NUMBERS = frozenset({"to", "on", "ti", "ni"})
_CLASSIFIERS = frozenset("个個")
_WIDE_SCRIPT = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_WIDE_DIGITS = dict(zip("〇零一二三四五六七八九两兩", (0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 2), strict=True))
_WIDE_PLACES = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "萬": 10_000}


def _alternatives(words: Mapping[str, str]) -> tuple[re.Pattern[str], dict[str, str]]:
    meaning = {word.replace("_", " "): name for name, listed in words.items() for word in listed.split()}
    ordered = sorted(meaning, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, ordered))), meaning


_WIDE_WORDS, _WIDE_MEANING = _alternatives({f"{kind}\t{name}": words for (kind, name), words in WIDE.items()})
_UNIT_WORDS, _UNIT_MEANING = _alternatives(WIDE_UNITS)
_WIDE_NUMBER = re.compile(r"(?P<digits>\d[\d.,]*)|(?P<words>[〇零一二三四五六七八九十百千万萬两兩]+)")


def signature(text: str) -> Signature:
    """The signature of a text of any language; digits of any script count as digits."""
    plain = compatible(text)
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    if _DIGIT.search(plain):
        if not plain.isascii():
            plain = "".join(
                str(unicodedata.decimal(c)) if c.isdecimal() and not c.isascii() else c for c in plain
            )
        for match in _DATE.finditer(plain):
            found["date"].append(match[0])
        plain = _DATE.sub(" ", plain)
        found["number"].extend("minus" for _ in _MINUS.finditer(plain))
        found["scope"].extend(match[0] for match in _BOUND.finditer(plain))
    if _WIDE_SCRIPT.search(plain):
        plain = _read_wide(plain, found)
    _read_words(plain, found)
    return Signature(**{kind: tuple(sorted(values)) for kind, values in found.items()})


def _read_words(plain: str, found: dict[str, list[str]]) -> None:
    tokens = _WORDS.findall(plain)
    folded = [token.casefold() for token in tokens]
    i = 0
    while i < len(tokens):
        length = _read_phrase(folded, i, found)
        if not length:
            _read_token(tokens, folded, i, found)
        i += max(length, 1)


def _read_phrase(folded: list[str], i: int, found: dict[str, list[str]]) -> int:
    """Takes a phrase that begins at token ``i``; returns its length, 0 for none."""
    for words, (kind, concept) in _PHRASES.get(folded[i], ()):
        if tuple(folded[i : i + len(words)]) == words:
            found["unit" if kind == "phrase unit" else kind].append(concept)
            return len(words)
    return 0


def _read_token(tokens: list[str], folded: list[str], i: int, found: dict[str, list[str]]) -> None:
    token, word = tokens[i], folded[i]
    before = folded[i - 1] if i else ""
    beside_number = (i > 0 and tokens[i - 1][0].isdigit()) or (
        i + 1 < len(tokens) and tokens[i + 1][0].isdigit()
    )
    if token[0].isdigit():
        match = _LEADING_NUMBER.match(token)
        number = match[0] if match else token
        kind = "version" if before in VERSION_WORDS or before in LABELS else "number"
        found[kind].append(number if kind == "version" else _value(number))
        unit = token[len(number) :]
        if unit:
            found["unit"].append(
                EXACT_UNITS.get(unit) or _SINGLE.get(unit.casefold(), ("", unit.casefold()))[1]
            )
        return
    if token in EXACT_UNITS or token in _MARKS:
        found["unit"].append(EXACT_UNITS.get(token) or _SINGLE.get(word, ("", token))[1])
        return
    if _is_number(folded, i):
        found["number"].append(str(NUMBERS[word]))
    elif word in MONTHS and (beside_number or word not in UNSURE_MONTHS):
        found["date"].append(f"month {MONTHS[word]}")
    elif word in WEEKDAYS:
        found["date"].append(str(WEEKDAYS[word]))
    elif word in _SINGLE:
        kind, concept = _SINGLE[word]
        if kind == "phrase unit":
            found["unit"].append(concept)
        elif kind == "unit":
            # A unit without a number beside it is an ordinary word.
            near = beside_number or (i > 0 and _is_number(folded, i - 1)) or concept in CURRENCIES
            if near:
                found["unit"].append(concept)
        else:
            found[kind].append(concept)
    if _is_code(token, word, before):
        found["version"].append(token)


def is_guard(word: str) -> bool:
    """Whether a word without letter case is one that signatures read wherever it stands."""
    kind, concept = _SINGLE.get(word, ("", ""))
    if kind:
        return kind != "unit" or concept in CURRENCIES
    if word in NUMBERS:
        return word not in _UNSURE_NUMBERS and word not in _NO_NUMBERS
    return word in WEEKDAYS or (word in MONTHS and word not in UNSURE_MONTHS)


def _is_number(folded: list[str], i: int) -> bool:
    """Whether token ``i`` is a spelled number."""
    word = folded[i]
    if word not in NUMBERS or word in _NO_NUMBERS:
        return False
    if word not in _UNSURE_NUMBERS:
        return True
    return i + 1 < len(folded) and _SINGLE.get(folded[i + 1], ("",))[0] == "unit"


def _is_code(token: str, word: str, before: str) -> bool:
    if any(character.isdigit() for character in token):
        return True
    if not token.isupper() or word in NO_CODES or _SINGLE.get(word, ("",))[0] == "unit":
        return False
    return before in LABELS if len(token) == 1 else 2 <= len(token) <= 6


def _read_wide(plain: str, found: dict[str, list[str]]) -> str:
    """Takes out what is found within running text; returns the rest, which is looked up word by word."""
    for match in WIDE_WEEKDAYS.finditer(plain):
        found["date"].append(match[0])
    plain = WIDE_WEEKDAYS.sub(" ", plain)
    at = 0
    rest: list[str] = []
    for match in _WIDE_NUMBER.finditer(plain):
        after = match.end() + (plain[match.end() : match.end() + 1] == " ")
        unit = _UNIT_WORDS.match(plain, after)
        if plain[after : after + 1] in _CLASSIFIERS:
            unit = _UNIT_WORDS.match(plain, after + 1) or unit
        words = match["words"]
        # A single Han digit is a number only before a unit; it stands in many words.
        if words and unit is None and len(words) < 2:
            continue
        found["number"].append(_value(match["digits"]) if match["digits"] else _wide_value(words))
        rest.append(plain[at : match.start()])
        at = match.end()
        if unit is not None:
            found["unit"].append(_UNIT_MEANING[unit[0]])
            at = unit.end()
    rest.append(plain[at:])
    left = " ".join(rest)
    for match in _WIDE_WORDS.finditer(left):
        kind, _, concept = _WIDE_MEANING[match[0]].partition("\t")
        if kind:
            found[kind].append(concept)
    return left


def _value(number: str) -> str:
    """One form for a number however its thousands and decimals are set: 1,000.5 = 1.000,5 = 1 000,5."""
    pieces = re.split(r"[.,'’ \u00a0\u202f]", number.strip(".,"))
    if len(pieces) == 1:
        return pieces[0].lstrip("0") or "0"
    separators = re.findall(r"[.,'’ \u00a0\u202f]", number.strip(".,"))
    decimal = len(pieces[-1]) != 3 or (len(set(separators)) > 1 and separators[-1] != separators[0])
    if decimal and separators[-1] in ".,":
        whole, part = "".join(pieces[:-1]).lstrip("0") or "0", pieces[-1].rstrip("0")
        return f"{whole}.{part}" if part else whole
    return "".join(pieces).lstrip("0") or "0"


def _wide_value(words: str) -> str:
    """三十 → 30, 二〇二四 → 2024, 一万五千 → 15000."""
    if not any(character in _WIDE_PLACES for character in words):
        return "".join(str(_WIDE_DIGITS[character]) for character in words).lstrip("0") or "0"
    total = section = digit = 0
    for character in words:
        if character in _WIDE_DIGITS:
            digit = _WIDE_DIGITS[character]
        elif _WIDE_PLACES[character] == 10_000:
            total += (section + digit or 1) * 10_000
            section = digit = 0
        else:
            section += (digit or 1) * _WIDE_PLACES[character]
            digit = 0
    return str(total + section + digit)
