"""A question that asks two things, as two questions that can be scored each by itself.

The rules are few and shy: a split costs encoder time, and a wrong one brings in what nobody asked for. A question is
split between sentences that all end in a question mark, and within a sentence

- before "and" or "or" and a question word of its language ("How long …, and when …?"), in Chinese, Japanese and Korean
  at a comma before a clause with a question word, in English also at a comma before "how long does", "when is" …;
- only where both sides are clauses. "In which city and in what year was he born?" shares its verb: after which, how
  many … a clause shows by a common verb of its language;
- only where the first side opens with its question word and holds no other. In "the man who wrote it and who died" and
  "when to stop and when to go", "and" joins what depends on the first question.

Nothing within a quotation or brackets is split, and "Who were A and B?" asks one thing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

_MOST = 4
_LEAST_WORDS, _LEAST_WIDE = 2, 2
_WIDE = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
_WIDE_LETTER = re.compile(f"[{_WIDE}]")
_GREEK_LETTER = re.compile("[\u0370-\u037d\u037f-\u03ff\u1f00-\u1fff]")
_MARKS = "?？؟"
# A narrow mark ends a sentence before white space, a wide letter or "¿", and not within an address.
_END = re.compile(rf"(?<=[?؟])(?:\s+|(?=[¿{_WIDE}]))|(?<=？)(?!？)\s*")
_GREEK_END = re.compile(r"(?<=[?;\u037e])\s+")
_PAIRS = (("(", ")"), ("[", "]"), ("（", "）"), ("「", "」"), ("『", "』"), ("《", "》"), ("«", "»"))


@dataclass(frozen=True, slots=True)
class _Words:
    """Words of one language, each group as alternatives of a pattern.

    ``who`` opens a clause with one word more, ``adverb`` with two, ``degree`` (which, how many) with a verb.
    """

    joints: str
    before: str
    who: str
    adverb: str
    degree: str
    verbs: str
    comma: str = ""


_LANGUAGES = (
    # en
    _Words(
        "and|or",
        "by|for|from|in|on|to|at|with|of|under|until|since",
        "who",
        "",
        "what|when|where|whom|whose|which|why|how",
        r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|must|may|might|wo|ca)"
        r"(?:n['’]t)?|am|happens?|happened|causes?|caused|makes?|made"
        r"|(?:what|when|where|who|why|how)['’](?:s|re|d|ll)",
        # A comma before a relative clause ("a river, which is long") is not followed by an inversion.
        r"(?:how(?:\s+\w+)?|what|why|when|where)\s+(?:is|are|was|were|do|does|did|has|have|can|will|should|must)",
    ),
    # lv
    _Words(
        "un|vai",
        "ar|no|līdz|pēc|kopš|par|pie|uz",
        "",
        "kas|ko|kad|kur|kam|kāpēc|kā",
        "kurš|kura|kuri|kuras|kuru|kurā|cik|kāds|kāda|kādi|kādas|kādā|kādu",
        r"ir|bija|būs|var|varu|drīkst|vajag|maksā|notiek|notika|sauc|nozīmē|jā(?!ni)\w{3,}",
    ),
    # it
    _Words(
        "e|ed|o",
        "da|di|a|in|entro|per|con|su|fino a",
        "chi",
        "che cosa|cosa|quando|dove|perché|come",
        "quale|quali|quanto|quanta|quanti|quante",
        "è|sono|era|erano|fu|ha|hanno|si|viene|vengono|può|posso|possono|deve|devo|devono|costa|costano|dura|vale",
    ),
    # de
    _Words(
        "und|oder",
        "bis|seit|ab|von|mit|in|an|auf|zu|für|nach|unter|um",
        "wer|wen|wem",
        "was|wann|wo|wohin|woher|warum|wieso|weshalb",
        "wie|wie viel|wie viele|wessen|welche|welcher|welches|welchem|welchen",
        "ist|sind|war|waren|bin|hat|haben|habe|hatte|kann|können|darf|muss|müssen|soll|sollen|wird|werden|wurde|wurden"
        "|kostet|kosten|dauert|gilt|gibt|heißt|bekomme",
    ),
    # fr
    _Words(
        "et|ou",
        "à|de|depuis|en|dans|pour|par|sur|avec|sous",
        "qui|qui est-ce qui",
        "que|qu'est-ce que|qu'est-ce qui|quand|où|d'où|pourquoi|comment",
        "quel|quelle|quels|quelles|combien",
        "est|sont|était|étaient|fut|sera|a|ont|peut|puis|peuvent|doit|dois|doivent|faut|coûte|coûtent|dure|vaut",
    ),
    # es
    _Words(
        "y|e|o",
        "a|de|desde|en|para|por|con|hasta|sobre",
        "quién|quiénes",
        "cuándo|dónde|cómo",
        "qué|cuál|cuáles|cuánto|cuánta|cuántos|cuántas",
        "es|son|era|fue|está|están|ha|han|hay|se|puede|puedo|pueden|debe|debo|tiene|tengo|cuesta|cuestan|dura|vale",
    ),
    # pt
    _Words(
        "e|ou",
        "a|de|desde|em|para|por|com|até|sobre",
        "quem",
        "o que|quando|onde|por que|como",
        "qual|quais|quanto|quanta|quantos|quantas",
        "é|são|era|foi|está|estão|há|se|pode|posso|deve|devo|tem|tenho|custa|custam|dura|vale",
    ),
    # ru
    _Words(
        "и|или",
        "в|на|с|до|от|из|для|о|за|по|к|у",
        "кто",
        "что|когда|где|куда|откуда|почему|зачем",
        "как|как(?:ой|ая|ое|ие|ую|их|им|ом|ого|ому|ими)|сколько|чей",
        "есть|был|была|было|были|будет|стоит|стоят|длится|можно|нужно|надо|может|могут|должен|должна|должны|находится"
        "|называется|действует|он|она|оно|они|я|мы",
    ),
    # pl
    _Words(
        "i|oraz|lub",
        "w|na|z|do|od|za|po|dla|o",
        "kto",
        "co|kiedy|gdzie|dlaczego",
        "jak|jaki|jaka|jakie|jakim|jakiej|który|która|które|którym|której|ile",
        "jest|są|był|była|było|były|będzie|ma|mają|może|można|trzeba|należy|musi|się|kosztuje|kosztują|trwa|działa",
    ),
    # nl
    _Words(
        "en|of",
        "in|op|van|tot|sinds|met|voor|aan",
        "wie",
        "wat|wanneer|waar|waarom",
        "welke|welk|hoeveel|hoelang|hoe",
        "is|zijn|was|waren|ben|heeft|hebben|heb|kan|kunnen|mag|moet|moeten|wordt|worden|werd|zal|kost|kosten|duurt|geldt",
    ),
    # tr; the verb is the last word
    _Words(
        "ve|veya",
        "",
        "kim",
        "",
        "ne zaman|ne kadar|nerede|nereye|hangi|kaç|niçin|neden|nasıl",
        r"\w+(?:[ıiuü]r|[ea]r|d[ıiuü]|t[ıiuü]|yor|[ea]c[ea][kğ]|m[ıiuü]ş|m[ea]l[ıi])$",
    ),
    # ar; "and" is written together with its word, and "from" and "who" are spelled alike
    _Words(
        "و",
        "في|من|إلى|منذ",
        "من",
        "ماذا|متى|أين|لماذا|كيف",
        "ما|أي|كم",
        r"هو|هي|هم|كان|كانت|يمكن|يجب|تكلف|تستغرق|تم|ي(?!وم)\w{2,}",
    ),
)
# These join clauses that are no question: "est-ce que" and "é que" only mark one.
_IDIOMS = re.compile(r"(?<!\w)(?:est-ce qu(?:e|i)?|é que)(?!\w)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Rules:
    """The patterns of a language: where it may be cut, how a clause opens, what asks, and what is a verb."""

    joint: re.Pattern[str]
    opening: re.Pattern[str]
    asks: re.Pattern[str]
    verb: re.Pattern[str]

    def asks_once(self, piece: str) -> bool:
        """Whether the piece opens with a question word and holds no other."""
        opening = self.opening.match(piece)
        return opening is not None and not self.asks.search(_IDIOMS.sub(" ", piece[opening.end() :]))

    def is_clause(self, piece: str, last: bool) -> bool:
        """Whether the piece has a verb, as far as can be told; the last one has what all share."""
        opening = self.opening.match(piece)
        if opening is None:
            return False
        more = len(piece[opening.end() :].split())
        if self.verb.search(piece) and len(piece.split()) >= _LEAST_WORDS:
            return True
        if opening["who"]:
            return more >= 1
        return more >= (1 if last else 2) if opening["adverb"] else last and more >= 3


@cache
def _spaced() -> tuple[_Rules, ...]:
    """The rules of the languages that put spaces between words, compiled when the first question is split."""
    return tuple(map(_rules, _LANGUAGES))


def _rules(words: _Words) -> _Rules:
    never = "(?!)"
    before = rf"(?:(?:{words.before})\s+)?" if words.before else ""
    kinds = (
        f"(?:(?P<who>{words.who or never})|(?P<adverb>{words.adverb or never})|(?P<degree>{words.degree}))"
    )
    asked = "|".join(filter(None, (words.who, words.adverb, words.degree)))
    ahead = rf"(?={before}(?:{asked})(?!\w))"
    # Each white space is tried from its first character only: a query of spaces takes no longer than its length.
    joint = rf"(?<!\s)\s+(?:{words.joints})\s+{ahead}"
    if words.joints == "و":
        joint = r"(?<!\s)\s+و\s*(?=(?:(?:ماذا|متى|أين|لماذا|كيف|كم|أي)|(?:من|ما)\s+(?:هو|هي|هم|الذي))(?!\w))"
    if words.comma:
        joint += rf"|,\s+(?={words.comma}(?!\w))"
    # A sentence that asks nothing may stand before the question, and "In Germany," at its begin.
    lead = r"(?:[^?]*[.!:]\s+)?[¿\s]*" + (
        rf"(?:(?:{words.before})\s[^,]{{1,60}},\s+)?" if words.before else ""
    )
    return _Rules(
        re.compile(joint, re.IGNORECASE),
        re.compile(rf"{lead}(?:(?:{words.joints})\s+)?{before}{kinds}(?!\w)", re.IGNORECASE),
        re.compile(rf"(?<!\w)(?:{asked})(?!\w)", re.IGNORECASE),
        re.compile(rf"(?<!\w)(?:{words.verbs})(?!\w)", re.IGNORECASE),
    )


# Question words that a noun may follow, with their units; then those that stand for themselves.
_WIDE_DEGREE = re.compile(
    "哪[个個些种種位年天国國里裡儿兒]?|[几幾][个個天年月点點号號]?|多少|何年|何月|何|どの|어느|몇|무슨"
)
_WIDE_OTHER = re.compile(
    "什么时候|什麼時候|什么|甚麼|什麼|谁|誰|多久|多长|多長|多大|多高|多远|多遠|何时|何時|何地|为何|為何|为什么|為什麼"
    "|怎么|怎麼|怎样|怎樣|如何|いつ|どこ|だれ|なぜ|どう|いくら|いくつ|どれ|언제|어디|누구|누가|무엇|왜|얼마|어떻게"
)
# Spelled with a question word, and no question: however, almost, whatever, somebody.
_WIDE_NO_QUESTION = re.compile(
    "无论|無論|不论|不論|不管|几乎|幾乎|任何|如何に|[何誰]か|[何誰]も|だれ[かも]|どこ[かも]|いつ[かも]|どう?[しせ]て?も"
    "|누군가|언젠가|어딘가|무엇이든|누구나"
)
_WIDE_JOINT = re.compile(r"[,，、；;]\s*(?:以及|和|并且|而且|또는|그리고|また|そして)?")
# A piece that ends so is a part of a clause: "in which town, in what year was he born".
_WIDE_PARTICLE = re.compile("(?:[にでとをへがはもの]|から|まで|에서|에게?|까지|부터|[와과의를을은는])$")
_WIDE_BEFORE = re.compile("^[在从從到于於自]")


def split_question(query: str) -> tuple[str, ...]:
    """The parts of a question that asks for two to four things, as questions; () for one that asks one thing.

    Each part is text of the query, in its order, ended by a question mark of the query.
    """
    greek = len(_GREEK_LETTER.findall(query)) * 2 > sum(map(str.isalpha, query))
    end, marks = (_GREEK_END, _MARKS + ";\u037e") if greek else (_END, _MARKS)
    sentences = [part.strip() for part in end.split(query.strip()) if part.strip()]
    if not sentences or not all(part[-1] in marks and _closed(part) for part in sentences):
        return ()
    parts = [part for sentence in sentences for part in _clauses(sentence, marks)]
    distinct = tuple(dict.fromkeys(parts))
    return distinct if 2 <= len(distinct) <= _MOST and all(map(_long_enough, distinct)) else ()


def _clauses(sentence: str, marks: str) -> list[str]:
    """A sentence that ends in a question mark, cut where a further question of its own begins."""
    body = sentence.rstrip(marks + " ")
    if _WIDE_LETTER.search(body):
        pieces = _wide_pieces(body)
    else:
        pieces = next(filter(None, (_spaced_pieces(body, rules) for rules in _spaced())), [])
    whole = not pieces or not all(_long_enough(piece) and _closed(piece) for piece in pieces)
    return [sentence] if whole else [piece + sentence[-1] for piece in pieces]


def _spaced_pieces(body: str, rules: _Rules) -> list[str]:
    heads, start = [], 0
    for cut in rules.joint.finditer(body):
        # What asks nothing belongs to the question behind it: "In Germany, when is it due?"
        if rules.asks.search(body, start, cut.start()):
            heads.append(body[start : cut.start()].strip(" ,،;"))
            start = cut.end()
    last = body[start:].strip(" ,،;")
    asked = bool(heads) and all(rules.asks_once(head) and rules.is_clause(head, last=False) for head in heads)
    return [*heads, last] if asked and rules.is_clause(last, last=True) else []


def _wide_pieces(body: str) -> list[str]:
    """Cut at the commas before a clause that asks; a comma within a clause stays in its piece."""
    cuts = [match for match in _WIDE_JOINT.finditer(body) if match.start()]
    pieces, start = [], 0
    for i, cut in enumerate(cuts):
        after = cuts[i + 1].start() if i + 1 < len(cuts) else len(body)
        if _asks_wide(body[cut.end() : after]):
            pieces.append(body[start : cut.start()].strip())
            start = cut.end()
    last = body[start:].strip()
    asked = bool(pieces) and all(_is_wide_clause(piece) for piece in pieces)
    return [*pieces, last] if asked and _says_more(last, _LEAST_WIDE) else []


def _asks_wide(piece: str) -> bool:
    if _WIDE_NO_QUESTION.search(piece):
        return False
    return bool(_WIDE_OTHER.search(piece) or _WIDE_DEGREE.search(piece))


def _is_wide_clause(piece: str) -> bool:
    if not _asks_wide(piece) or _WIDE_PARTICLE.search(piece):
        return False
    # "Which" with a noun is no clause yet.
    return _says_more(piece, _LEAST_WIDE + bool(_WIDE_DEGREE.search(_WIDE_OTHER.sub("", piece))))


def _says_more(piece: str, letters: int) -> bool:
    rest = _WIDE_BEFORE.sub("", _WIDE_DEGREE.sub("", _WIDE_OTHER.sub("", piece)))
    return sum(map(str.isalnum, rest)) >= letters


def _closed(piece: str) -> bool:
    """Whether every quotation and bracket that begins in the piece ends in it."""
    quotes = (piece.count('"'), sum(map(piece.count, "“”„")))
    return not any(n % 2 for n in quotes) and all(piece.count(a) == piece.count(b) for a, b in _PAIRS)


def _long_enough(piece: str) -> bool:
    wide = len(_WIDE_LETTER.findall(piece))
    words = sum(any(map(str.isalnum, word)) for word in piece.split())
    return wide >= _LEAST_WIDE if wide else words >= _LEAST_WORDS
