"""Spelled numbers, months and weekdays, in the main languages.

Each list is in the order of the values; "/" parts the spellings of one value. A missing one costs a merge at most.
Articles that also mean "one" (a, ein, un, una, um) are left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_TO_TWENTY = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen"
    " nineteen twenty",
    "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn"
    " neunzehn zwanzig",
    "één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien"
    " negentien twintig",
    "ett två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton tjugo",
    "- to tre fire fem seks sju åtte ni ti elleve tolv tretten fjorten femten seksten sytten atten nitten tjue",
    "- deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize - - - vingt",
    "- dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho"
    " diecinueve veinte",
    "- dois/duas três quatro cinco seis sete oito nove dez onze doze treze catorze/quatorze quinze dezesseis dezessete"
    " dezoito dezenove vinte",
    "- due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette"
    " diciotto diciannove venti",
    "- doi/două trei patru cinci șase șapte opt nouă zece unsprezece doisprezece treisprezece paisprezece cincisprezece"
    " șaisprezece șaptesprezece optsprezece nouăsprezece douăzeci",
    "viens/viena/vienu divi/divas/divu/diviem/divām trīs/triju četri/četras/četru piecas/pieci/piecu seši/sešas/sešu"
    " septiņi/septiņas/septiņu astoņi/astoņas/astoņu deviņi/deviņas/deviņu desmit vienpadsmit divpadsmit trīspadsmit"
    " četrpadsmit piecpadsmit sešpadsmit septiņpadsmit astoņpadsmit deviņpadsmit divdesmit",
    "один/одна/одного/одной два/две/двух три/трёх/трех четыре/четырёх/четырех пять/пяти шесть/шести семь/семи"
    " восемь/восьми девять/девяти десять/десяти одиннадцать/одиннадцати двенадцать/двенадцати тринадцать/тринадцати"
    " четырнадцать/четырнадцати пятнадцать/пятнадцати шестнадцать семнадцать восемнадцать девятнадцать"
    " двадцать/двадцати",
    "jeden/jedna/jednego/jednej dwa/dwie/dwóch trzy/trzech cztery/czterech pięć/pięciu sześć/sześciu siedem/siedmiu"
    " osiem/ośmiu dziewięć/dziewięciu dziesięć/dziesięciu jedenaście/jedenastu dwanaście/dwunastu trzynaście"
    " czternaście/czternastu piętnaście/piętnastu szesnaście siedemnaście osiemnaście dziewiętnaście"
    " dwadzieścia/dwudziestu",
    "- δύο τρεις/τρία τέσσερις/τέσσερα πέντε έξι επτά/εφτά οκτώ/οχτώ εννέα/εννιά δέκα έντεκα δώδεκα δεκατρία δεκατέσσερα"
    " δεκαπέντε δεκαέξι δεκαεπτά δεκαοκτώ δεκαεννέα είκοσι",
    "bir iki üç dört beş altı yedi sekiz dokuz on - - - - - - - - - yirmi",
    "một hai ba bốn năm sáu bảy tám chín mười",
    "एक दो तीन चार पांच/पाँच छह/छः सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस बीस",
    "واحد اثنان/اثنين/يومين ثلاثة/ثلاث أربعة/أربع خمسة/خمس ستة/ست سبعة/سبع ثمانية/ثماني تسعة/تسع عشرة/عشر - - - - - - - - -"
    " عشرون/عشرين",
    "אחד/אחת שניים/שני/שתי/שתיים שלושה/שלוש ארבעה/ארבע חמישה/חמש שישה/שש שבעה/שבע שמונה תשעה/תשע עשרה/עשר - - - - - - - - -"
    " עשרים",
)
# Thirty to ninety by tens, hundred, thousand.
_TENS = (
    "thirty forty fifty sixty seventy eighty ninety hundred thousand",
    "dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert/einhundert tausend/eintausend",
    "dertig veertig vijftig zestig zeventig tachtig negentig honderd duizend",
    "trettio fyrtio femtio sextio sjuttio åttio nittio hundra/etthundra tusen/ettusen",
    "tretti førti femti seksti sytti åtti nitti hundre tusen",
    "trente quarante cinquante soixante soixante-dix quatre-vingt/quatre-vingts quatre-vingt-dix cent/cents mille",
    "treinta cuarenta cincuenta sesenta setenta ochenta noventa cien/ciento mil",
    "trinta quarenta cinquenta sessenta setenta oitenta noventa cem/cento mil",
    "trenta quaranta cinquanta sessanta settanta ottanta novanta cento mille",
    "treizeci patruzeci cincizeci șaizeci șaptezeci optzeci nouăzeci - -",
    "trīsdesmit četrdesmit piecdesmit sešdesmit septiņdesmit astoņdesmit deviņdesmit simts/simt/simtu tūkstotis/tūkstoš",
    "тридцать/тридцати сорок/сорока пятьдесят/пятидесяти шестьдесят/шестидесяти семьдесят восемьдесят"
    " девяносто сто/ста тысяча",
    "trzydzieści/trzydziestu czterdzieści pięćdziesiąt sześćdziesiąt/sześćdziesięciu siedemdziesiąt osiemdziesiąt"
    " dziewięćdziesiąt/dziewięćdziesięciu sto/stu tysiąc",
    "τριάντα σαράντα πενήντα εξήντα εβδομήντα ογδόντα ενενήντα εκατό χίλια",
    "otuz kırk elli altmış yetmiş seksen doksan yüz bin",
    "तीस चालीस पचास साठ सत्तर अस्सी नब्बे सौ हज़ार/हजार",
    "ثلاثون/ثلاثين أربعون/أربعين خمسون/خمسين ستون/ستين سبعون/سبعين ثمانون/ثمانين تسعون/تسعين مئة/مائة ألف",
    "שלושים ארבעים חמישים שישים שבעים שמונים תשעים מאה אלף",
)
_GERMAN_UNITS = "ein zwei drei vier fünf sechs sieben acht neun"
_DUTCH_UNITS = "een twee drie vier vijf zes zeven acht negen"
_ITALIAN_UNITS = "uno due tre quattro cinque sei sette otto nove"

_MONTHS = (
    "january/jan february/feb march april/apr may june/jun july/jul august/aug september/sep/sept october/oct november/nov"
    " december/dec",
    "januar/jänner februar märz april mai juni juli august september oktober november dezember",
    "januari februari maart/mars april mei/maj juni juli augustus/augusti september oktober november december/desember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
    "janvāris/janvāra/janvārī februāris/februāra/februārī marts/marta/martā aprīlis/aprīļa/aprīlī maijs/maija/maijā"
    " jūnijs/jūnija/jūnijā jūlijs/jūlija/jūlijā augusts/augusta/augustā septembris/septembra/septembrī"
    " oktobris/oktobra/oktobrī novembris/novembra/novembrī decembris/decembra/decembrī",
    "январь/января/январе февраль/февраля/феврале март/марта/марте апрель/апреля/апреле май/мая/мае июнь/июня/июне"
    " июль/июля/июле август/августа/августе сентябрь/сентября/сентябре октябрь/октября/октябре ноябрь/ноября/ноябре"
    " декабрь/декабря/декабре",
    "styczeń/stycznia luty/lutego marzec/marca kwiecień/kwietnia maj/maja czerwiec/czerwca lipiec/lipca sierpień/sierpnia"
    " wrzesień/września październik/października listopad/listopada grudzień/grudnia",
    "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου",
    "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
    "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
    "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר",
)
_WEEKDAYS = (
    "monday tuesday wednesday thursday friday saturday sunday",
    "montag dienstag mittwoch donnerstag freitag samstag/sonnabend sonntag",
    "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    "måndag/mandag tisdag/tirsdag onsdag torsdag fredag lördag/lørdag söndag/søndag",
    "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "lunes martes miércoles jueves viernes sábado domingo",
    "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    "pirmdiena/pirmdien otrdiena/otrdien trešdiena/trešdien ceturtdiena/ceturtdien piektdiena/piektdien"
    " sestdiena/sestdien svētdiena/svētdien",
    "понедельник вторник среда/среду четверг пятница/пятницу суббота/субботу воскресенье",
    "poniedziałek wtorek środa czwartek piątek sobota niedziela",
    "δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή",
    "pazartesi salı çarşamba perşembe cuma cumartesi pazar",
)
WIDE_WEEKDAYS = re.compile("(?:星期|礼拜|周|週)[一二三四五六日天]|[月火水木金土日]曜日|[월화수목금토일]요일")
# Words of other meanings too: months only with a number beside them.
UNSURE_MONTHS = frozenset(
    "may march mars mai maj mart marts jan dec sep oct ekim ocak luty май mei मई".split()
)


def _by_value(lists: Sequence[str], values: Sequence[int]) -> dict[str, int]:
    return {
        spelling: value
        for words in lists
        for value, word in zip(values, words.split(), strict=False)
        for spelling in word.split("/")
        if spelling != "-"
    }


def _joined_tens() -> dict[str, int]:
    """Numbers that are one word: "einunddreißig", "eenendertig", "trentuno"."""
    made = {}
    for units, tens, pattern in (
        (_GERMAN_UNITS, f"zwanzig {_TENS[1]}", "{unit}und{ten}"),
        (_DUTCH_UNITS, f"twintig {_TENS[2]}", "{unit}en{ten}"),
        (_ITALIAN_UNITS, f"venti {_TENS[8]}", "{ten}{unit}"),
    ):
        for unit_value, unit in enumerate(units.split(), start=1):
            for ten_value, ten in enumerate(tens.split()[:8], start=2):
                stem = ten[:-1] if pattern[1] == "t" and unit[0] in "uo" else ten
                made[pattern.format(unit=unit, ten=stem)] = 10 * ten_value + unit_value
    return made


NUMBERS = (
    _by_value(_TO_TWENTY, range(1, 21)) | _by_value(_TENS, [*range(30, 100, 10), 100, 1000]) | _joined_tens()
)
MONTHS = _by_value(_MONTHS, range(1, 13))
WEEKDAYS = {
    word: day
    for words in _WEEKDAYS
    for day, names in zip(
        ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        words.split(),
        strict=True,
    )
    for word in names.split("/")
}
