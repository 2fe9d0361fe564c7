"""The form by which texts are compared: without what layout, typography and letter case add to the words."""

from __future__ import annotations

import re
import unicodedata

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\u02bc`\u00b4"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u300c\u300d\u300e\u300f"
# Soft hyphen, zero-width space and no-break, word joiner, direction marks. Joiners stay: they are part of words.
_INVISIBLE = (
    "\u00ad\u200b\ufeff\u2060\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_BULLETS = "•‣⁃◦▪●○■□►▶➢➤✓✔∙·"
# Where characters stand whose compatible form is digits: 10² must not become 102, nor 5½ 51/2.
_DIGIT_FORMS = (
    (0xB2, 0xBF),
    (0x2070, 0x2090),
    (0x2150, 0x2190),
    (0x2460, 0x2500),
    (0x3250, 0x3260),
    (0x32B1, 0x3400),
    (0x1F100, 0x1F10B),
)
# Han and kana, written without spaces; a space next to them is a matter of typesetting.
_WIDE = "\u2e80-\u2fff\u3005-\u3007\u3040-\u31ff\u3400-\u9fff\uf900-\ufaff"


def _protected() -> dict[int, str]:
    """What stands for characters that would run into a digit beside them, and for those without a compatible form."""
    table: dict[int, str] = {}
    for first, end in _DIGIT_FORMS:
        for code in range(first, end):
            form = unicodedata.normalize("NFKC", chr(code)).replace("\u2044", "/")
            if form != chr(code) and (form[0].isdecimal() or form[-1].isdecimal()):
                raised = "SUPERSCRIPT" in unicodedata.name(chr(code), "")
                table[code] = f"^{form}" if raised else f" {form} "
    table |= dict.fromkeys(map(ord, _INVISIBLE), "")
    table |= dict.fromkeys(map(ord, _DASHES), "-")
    table |= dict.fromkeys(map(ord, _SINGLE_QUOTES), "'")
    table |= dict.fromkeys(map(ord, _DOUBLE_QUOTES), '"')
    table |= {ord("؟"): "?", ord("。"): ".", ord("｡"): ".", ord("…"): "."}
    return table


_TABLE = _protected()
# Replacing characters one by one costs more than finding out that there is nothing to replace.
_REPLACED = re.compile(f"[{re.escape(''.join(map(chr, _TABLE)))}]")
_BESIDE_WIDE = re.compile(rf"(?<=[{_WIDE}]) | (?=[{_WIDE}])")
_HAS_WIDE = re.compile(f"[{_WIDE}]")
_WIDE_SCRIPT = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")
_EMPHASIS = re.compile(r"(?<!\w)(\*\*|__)(?=\S)([^*_]+)(?<=\S)\1(?!\w)")
_PIPE = re.compile(r" ?\| ?")
# A bullet opens the text and nothing else: after a pipe "- 5" is a cell. Before a digit ">" means more than.
_OPENING = re.compile(rf"(?:[-*+] |[{_BULLETS}] ?)?(?:[| ]|#{{1,6}} |> ?(?![\d ])|[*_~]{{1,3}}(?=[^\s*_~]))*")
_CLOSING = " |*_~.!;:,।"


def wide_letters(text: str) -> int:
    """How many characters are of scripts that put no spaces between words: Han, kana, Thai."""
    return len(_WIDE_SCRIPT.findall(text))


def compatible(text: str) -> str:
    """``text`` in compatible characters (NFKC), with plain quotes and dashes; letter case and white space stay.

    Raised digits are marked (10² is 10^2), and other digit signs are set apart, so that no number changes.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text.translate(_TABLE) if _REPLACED.search(text) else text)


def normalised(text: str) -> str:
    """The form by which two texts are compared; texts with one form are the same text.

    Compatible characters (NFKC) without letter case; plain quotes and dashes; one space for any white space, none
    beside Han and kana; no bullet, heading mark, emphasis or outer pipe at the edges; no sentence mark at the end
    but the question mark. Digits all stay. A text of marks alone is returned with them.
    """
    if text.isascii():
        plain = " ".join(text.lower().split())
        if "`" in plain:
            plain = plain.replace("`", "'")
    else:
        folded = compatible(text).casefold()
        if not unicodedata.is_normalized("NFKC", folded):
            folded = unicodedata.normalize("NFKC", folded)
        plain = " ".join(folded.split())
        if _HAS_WIDE.search(plain):
            plain = _BESIDE_WIDE.sub("", plain)
    if " -- " in plain:
        plain = plain.replace(" -- ", " - ")
    if "**" in plain or "__" in plain:
        plain = _EMPHASIS.sub(r"\2", plain)
    if "|" in plain:
        plain = _PIPE.sub("|", plain)
    opening = _OPENING.match(plain)
    start = opening.end() if opening else 0
    return plain[start:].rstrip(" #" + _CLOSING if plain.startswith("#") else _CLOSING) or plain
