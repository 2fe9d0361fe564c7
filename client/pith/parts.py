"""A question that asks two things, as two questions that can be scored each by itself.

The rules are few and shy: a split costs encoder time, and a wrong one brings in what nobody asked for. A question is
split between sentences that both end in a question mark, and where "and" (in Chinese, Japanese and Korean a comma)
stands before a second question word of its language ("How long …, and when …?"). "Who were A and B?" asks one thing.
"""

from __future__ import annotations

import re

_MOST = 4
_LEAST_WORDS, _LEAST_WIDE = 2, 2
_MARK = re.compile(r"(?<=[?？؟])\s*")

# Conjunction and question words of a language. A question word may have a preposition before it.
_LANGUAGES: dict[str, tuple[str, str, str]] = {
    "en": (
        "and|or",
        "by|for|from|in|on|to|at|with|of|under|until|since",
        "what|when|where|who|whom|whose|which|why|how",
    ),
    "lv": (
        "un|vai",
        "ar|no|līdz|pēc|kopš|par|pie|uz",
        "kas|ko|kad|kur|kurš|kura|kuri|kuras|kuru|kam|kāpēc|kā|cik|kāds|kāda|kādi|kādas|kādā|kādu",
    ),
    "it": (
        "e|ed|o",
        "da|di|a|in|entro|per|con|su|fino a",
        "chi|che cosa|cosa|quando|dove|quale|quali|quanto|quanta|quanti|quante|perché|come",
    ),
    "de": (
        "und|oder",
        "bis|seit|ab|von|mit|in|an|auf|zu|für|nach|unter",
        "wer|wen|wem|wessen|was|wann|wo|wohin|woher|warum|wie|welche|welcher|welches|welchem|welchen|wieso|weshalb",
    ),
    "fr": (
        "et|ou",
        "à|de|depuis|en|dans|pour|par|sur|avec|sous|d'",
        "qui|que|qu'est-ce|quand|où|quel|quelle|quels|quelles|combien|pourquoi|comment",
    ),
    "es": (
        "y|e|o",
        "a|de|desde|en|para|por|con|hasta|sobre",
        "quién|quiénes|qué|cuándo|dónde|cuál|cuáles|cuánto|cuánta|cuántos|cuántas|cómo",
    ),
    "pt": (
        "e|ou",
        "a|de|desde|em|para|por|com|até|sobre",
        "quem|o que|quando|onde|qual|quais|quanto|quanta|quantos|quantas|por que|como",
    ),
    "ru": (
        "и|или",
        "в|на|с|до|от|из|для|о|за|по|к|у",
        "кто|что|когда|где|куда|откуда|какой|какая|какое|какие|какую|каких|каком|сколько|почему|зачем|как|чей",
    ),
    "pl": (
        "i|oraz|lub",
        "w|na|z|do|od|za|po|dla|o",
        "kto|co|kiedy|gdzie|jaki|jaka|jakie|który|która|które|ile|dlaczego|jak",
    ),
    "nl": (
        "en|of",
        "in|op|van|tot|sinds|met|voor|aan",
        "wie|wat|wanneer|waar|welke|welk|hoeveel|hoelang|waarom|hoe",
    ),
    "tr": ("ve|veya", "", "kim|ne zaman|nerede|nereye|hangi|kaç|niçin|neden|nasıl|ne kadar"),
    "ar": ("و|أو", "في|من|إلى|منذ", "من|ما|ماذا|متى|أين|أي|كم|لماذا|كيف"),
}


def _patterns(conjunctions: str, before: str, words: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    asked = rf"(?:(?:{before})\s+)?(?:{words})" if before else f"(?:{words})"
    # Arabic writes "and" together with the word after it.
    # A comma alone opens a relative clause as well: "Which river, which is long, ...?"
    joint = rf"\s*[,;]?\s+(?:{conjunctions})\s+"
    if conjunctions.startswith("و"):
        joint = r"\s*[,،;]?\s+و\s*"
    split = re.compile(rf"(?:{joint})(?=(?:{asked})(?!\w))", re.IGNORECASE)
    return split, re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


_SPACED = tuple(_patterns(*rules) for rules in _LANGUAGES.values())
_WIDE_WORDS = (
    "什么|甚麼|什麼|谁|誰|哪|几|幾|多少|多久|多长|多長|多大|多高|多远|何时|何時|何地|为何|為何|为什么|為什麼|怎么|怎麼|怎样|怎樣|如何|是否|"
    "いつ|どこ|だれ|何|なぜ|どの|どう|いくら|いくつ|どれ|언제|어디|누구|무엇|왜|얼마|어떻게|어느|몇"
)
_WIDE = (
    re.compile(
        rf"[,，、；;]\s*(?:以及|和|并且|而且|또는|그리고|また|そして)?(?=[^,，、；;]*(?:{_WIDE_WORDS}))"
    ),
    re.compile(_WIDE_WORDS),
)
_WIDE_SCRIPT = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


def split_question(query: str) -> tuple[str, ...]:
    """The parts of a question that asks for two to four things, as questions; () for one that asks one thing.

    Each part is text of the query, in its order, ended by a question mark.
    """
    sentences = [part.strip() for part in _MARK.split(query.strip()) if part.strip()]
    if not sentences or not all(part[-1] in "?？؟" for part in sentences):
        return ()
    parts = [part for sentence in sentences for part in _clauses(sentence)]
    return tuple(parts) if 2 <= len(parts) <= _MOST and all(map(_long_enough, parts)) else ()


def _clauses(sentence: str) -> list[str]:
    """A sentence that ends in a question mark, cut at conjunctions before a further question word."""
    mark = sentence[-1]
    body = sentence[:-1].rstrip(" ?？؟")
    rules = (_WIDE,) if _WIDE_SCRIPT.search(body) else _SPACED
    for split, asks in rules:
        pieces = [piece.strip() for piece in split.split(body)]
        if len(pieces) > 1 and all(asks.search(piece) and _long_enough(piece) for piece in pieces):
            return [f"{piece}{mark}" for piece in pieces]
    return [sentence]


def _long_enough(part: str) -> bool:
    wide = len(_WIDE_SCRIPT.findall(part))
    return wide >= _LEAST_WIDE if wide else len(part.split()) >= _LEAST_WORDS
