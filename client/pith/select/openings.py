"""How sentences open and end, as signs that one depends on another: word lists of about twenty languages.

Only the first words and the last characters are looked at. A sign too many costs some tokens of background, one too
few leaves a sentence without what it refers to; the lists hold what is common and clear.
"""

from __future__ import annotations

import re

# Marks that may stand before the first word: quotes, brackets, bullets, emphasis, numbering.
_LEAD = r"[\s\"'“”„‘’«»「『（(\[*_>•·–—-]*(?:\d{1,3}[.)]\s+)?"

_BACK = """
it its this that these those they them their he she his her such both neither the_former the_latter
however therefore thus hence moreover furthermore nevertheless nonetheless otherwise instead consequently
accordingly similarly likewise but also then and yet still in_that_case in_this_case in_addition in_contrast
as_a_result for_this_reason on_the_other_hand at_that_time afterwards there here
tas tā tie tās to tam šis šī šie šās šo viņš viņa viņi viņas tomēr tādēļ tāpēc turklāt savukārt bet arī tad
šādā_gadījumā tādā_gadījumā līdz_ar_to turpretī vienlaikus
questo questa questi queste esso essa essi esse ciò lui lei loro tale tali tuttavia pertanto quindi inoltre invece
però dunque infatti perciò in_tal_caso in_questo_caso anche ma
dies dieser diese dieses diesem diesen er sie es ihr sein jener jene solche jedoch daher deshalb deswegen außerdem
dennoch allerdings somit aber auch dann dabei dazu dafür dagegen in_diesem_fall stattdessen
ce cet cette ces cela ceci il elle ils elles celui-ci celle-ci cependant toutefois donc ainsi ensuite en_outre
néanmoins mais aussi dans_ce_cas par_conséquent
este esta estos estas esto ese esa eso él ella ellos ellas dicho dicha sin_embargo además también
por_tanto por_lo_tanto así entonces pero en_este_caso en_ese_caso no_obstante
este isto isso esse essa ele ela eles elas porém contudo portanto assim também além_disso mas nesse_caso entretanto
это этот эта эти он она оно они такой такая такие его её их однако поэтому кроме_того также тогда но затем
таким_образом в_этом_случае в_таком_случае
ten ta to te ci on ona ono oni one taki taka jednak dlatego ponadto także wówczas ale zatem w_takim_przypadku
dit dat deze die hij zij ze het echter daarom bovendien ook maar dus in_dat_geval
det den detta denna dessa han hon de dock därför dessutom också men då i_så_fall
det den dette denne disse han hun de imidlertid derfor dessuten også men da i_så_fall
acesta aceasta aceștia acestea el ea ei ele totuși însă deci prin_urmare de_asemenea dar în_acest_caz
αυτό αυτός αυτή αυτοί αυτές αυτά ωστόσο όμως επομένως επίσης αλλά στην_περίπτωση_αυτή
bu bunlar o onlar şu ancak fakat bununla_birlikte ayrıca dolayısıyla bu_nedenle bu_durumda
यह ये वह वे इस इसके उस उसके लेकिन हालांकि इसलिए इसके_अलावा
điều_này nó họ chúng tuy_nhiên do_đó vì_vậy ngoài_ra nhưng trong_trường_hợp_này
هذا هذه هو هي هم ذلك تلك هؤلاء لكن ولكن ومع_ذلك لذلك كما وهو وهي بالإضافة
זה זאת זו הוא היא הם הן אלה אולם לכן לפיכך אך אבל בנוסף כמו_כן
"""
_BACK_WIDE = (
    "这 這 该 該 其 它 他 她 此 上述 前者 后者 後者 因此 所以 但是 但 然而 不过 不過 此外 另外 而且 并且 "
    "於是 于是 同时 同時 那么 "
    "これ それ この その あれ 彼 彼女 しかし したがって そのため また さらに そして だが ただ なお 一方 "
    "이 그 이것 그것 이는 그는 그러나 하지만 따라서 또한 그리고 그래서 "
    "มัน เขา เธอ นี่ นั่น สิ่งนี้ อย่างไรก็ตาม ดังนั้น นอกจากนี้ แต่"
)
_EXCEPT = """
except excepting excluding unless provided_that provided,_however only_if save_for other_than this_does_not_apply
does_not_apply this_shall_not_apply the_exception exceptions an_exception not_included not_covered
izņemot ja_vien ja_vien_ne tas_neattiecas tas_nav_attiecināms izņēmums izņēmumi taču
salvo tranne eccetto ad_eccezione a_meno_che fatta_eccezione ciò_non_vale fanno_eccezione
außer es_sei_denn ausgenommen mit_ausnahme dies_gilt_nicht das_gilt_nicht sofern_nicht ausnahmen
sauf excepté hormis à_moins_que à_l'exception à_l’exception cela_ne_s'applique_pas
excepto salvo_que a_menos_que con_excepción con_la_excepción esto_no_se_aplica
exceto salvo_se a_menos_que a_não_ser_que com_exceção isto_não_se_aplica
кроме за_исключением если_только исключение исключения исключением это_не_относится
z_wyjątkiem chyba_że poza oprócz nie_dotyczy wyjątek wyjątkiem
tenzij behalve met_uitzondering uitgezonderd dit_geldt_niet
förutom utom såvida_inte med_undantag detta_gäller_inte
unntatt bortsett_fra med_mindre med_unntak dette_gjelder_ikke
cu_excepția exceptând dacă_nu
εκτός με_εξαίρεση εξαιρούνται
hariç dışında meğer_ki
सिवाय के_अलावा जब_तक
trừ ngoại_trừ trừ_khi
باستثناء إلا ما_عدا ما_لم ولا_ينطبق
למעט אלא_אם חוץ_מ בכפוף
"""
_EXCEPT_WIDE = "除非 除了 除外 但不包括 但是不 例外 但书 但 ただし 但し 例外 除く 단, 다만 예외 ยกเว้น เว้นแต่"


class _Opening:
    """Tells whether a text opens with one of the listed words; "_" joins the words of a phrase."""

    def __init__(self, spaced: str, wide: str) -> None:
        listed = [tuple(word.split("_")) for word in spaced.split()]
        self._single = frozenset(words[0] for words in listed if len(words) == 1)
        self._phrases: dict[str, list[str]] = {}
        for words in listed:
            if len(words) > 1:
                self._phrases.setdefault(words[0], []).append(" ".join(words))
        self._wide = tuple(wide.split())

    def of(self, text: str) -> bool:
        match = _FIRST_WORD.match(text)
        if match is None:
            return False
        word = match["word"].lower().rstrip(",")
        if word in self._single:
            return True
        if word in self._phrases:
            start = " ".join(text[match.start("word") : match.start("word") + _LONGEST].lower().split())
            return any(
                start.startswith(phrase) and not start[len(phrase) : len(phrase) + 1].isalnum()
                for phrase in self._phrases[word]
            )
        return text.startswith(self._wide, match.start("word"))


_LONGEST = 48
_FIRST_WORD = re.compile(rf"{_LEAD}(?P<word>[^\W\d_]+(?:['’-][^\W\d_]+)*,?)")
_POINTS_BACK = _Opening(_BACK, _BACK_WIDE)
_TAKES_BACK = _Opening(_EXCEPT, _EXCEPT_WIDE)
_CLOSING = "\"'”’»」』）)]}*_"
_ENDS = ".!?…。！？．｡।॥։؟።၊။៖。:：;；"
_HANGS = ",，、،-–—([（「『«"
_JOINS = re.compile(
    r"(?:^|\s)(?:and|or|but|of|the|a|to|with|for|that|which|if|und|oder|der|die|das|dass|mit|e|ed|o|che|di|del|con|"
    r"et|ou|de|la|le|que|y|un|vai|ka|ar|и|или|что|с)$",
    re.IGNORECASE,
)
_FIRST = re.compile(rf"{_LEAD}(?P<first>\S)")


def points_back(text: str) -> bool:
    """Whether a sentence opens with a pronoun or connective that means what was said before."""
    return _POINTS_BACK.of(text)


def takes_back(text: str) -> bool:
    """Whether a sentence opens as an exception to the one before."""
    return _TAKES_BACK.of(text)


def ends_whole(text: str) -> bool:
    """Whether a text ends as a sentence does: with its mark, closing quotes and brackets aside."""
    bare = text.rstrip().rstrip(_CLOSING).rstrip()
    return bool(bare) and bare[-1] in _ENDS


def ends_open(text: str) -> bool:
    """Whether a text breaks off: at a comma, a dash, an opening bracket or a word that joins."""
    bare = text.rstrip()
    return bool(bare) and (bare[-1] in _HANGS or _JOINS.search(bare[-12:]) is not None)


def opens_inside(text: str) -> bool:
    """Whether a text opens in the middle of a sentence: with a lower-case letter, a comma or a closing bracket."""
    match = _FIRST.match(text)
    if match is None:
        return False
    first = match["first"]
    return first.islower() or first in ",，、;；)）]」』"
