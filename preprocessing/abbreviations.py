"""Small word tables that decide whether a full stop ends a sentence.

A full stop ends nothing when the next word is lower-case, so only abbreviations that stand before capitals,
names or numbers need listing. Words are lower-case, without the final full stop.
"""

from __future__ import annotations


def _words(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


# A name, a title or the rest of the term follows: never the end of a sentence.
BEFORE_NAME = _words(
    # English
    "mr mrs ms dr prof st mt messrs mme rev hon gen col capt cpt cmdr lt sgt maj adm gov sen rep pres supt det",
    "insp vs viz cf eg ie ca fr br msgr",
    # German, Dutch, Scandinavian
    "hr fr frl dipl ing med phil jur habil bzw bspw evtl ggf inkl zzgl sog vgl geb kath evang dhr mevr mw drs",
    "skt bl.a f.eks jf hhv",
    # Romance
    "sr sra srta sres dra av lic dña mlle mgr sig sigg dott avv arch geom rag on egr gent spett prof.ssa dott.ssa",
    "sig.ra sig.na sig.re ecc.mo pág núm párr párrf admón ej exc exma exmo dir amm psicol ee",
    # Slavic, Baltic, Greek, Turkish, Hungarian
    "г гг ул им пр просп пер пл пгт пос д-р проф акад доц стр рис табл напр тов гр св вул вкл",
    "np tzw ul płk gen ks inż mgr dr.hab tj tzn napr tzv ing arch mudr judr phdr mvdr",
    "piem sk prof doc gadsk kk στρ κ αρ αριθ βλ πχ yrd doç sn bkz hz ör pl ún",
    # Armenian, Amharic, Hindi, Marathi, Arabic
    "ակադ պրոֆ ዓክልበ डॉ प्रो श्री सुश्री रु د أ م",
)

# The end of a sentence unless a number follows.
BEFORE_NUMBER = _words(
    "approx no nos nr num n° nº № art arts fig figs p pp s vol ch sec sect par abs kap bd bl str tel ext cra cl pt",
    "piso tālr mob tlf av núm cap tab eq ver ed jan feb febr mar apr jun jul aug sep sept oct okt nov dec dez",
    "ene abr ago dic gen mag giu lug set ott lun mer gio ven sab dom янв февр апр авг сент окт нояб дек ст с п",
    "гл кв д",
)

# The end of a sentence only before a word that often starts one.
BEFORE_STARTER = _words(
    "inc co corp ltd jr bros dept univ assn est gmbh ag cie plc llc a.s s.a s.r.o s.p.a mio mrd",
    "a.m p.m u.s u.k u.n d.c ph.d b.a m.a ee.uu ave blvd rd nov dec oct sept sep jan feb apr aug",
)

# Abbreviations that look like initials but often end a sentence, in their own case.
OFTEN_FINAL = _words("a.C d.C u.c u.t.t т.д т.п e.Kr f.Kr e.v")

# Words that often start a sentence and are rarely a name or a title.
STARTERS = _words(
    # English
    "a an the this that these those he she it they we you i his her its their our your my there here what when",
    "where who why how which if in on at as but and so or for after before while although however since because",
    "during did do does is are was were can could would should will may not no yes both all some many most each",
    "one two with by from to then now also such despite according",
    # German, Dutch, Scandinavian
    "der die das ein eine er sie es wir ihr dies diese dieser dieses auch aber und wenn als nach bei seit mit für",
    "het een hij zij wij deze dit maar hun han hun det den de en et vi jeg dette disse hvad hvor når men og på i",
    # Romance
    "le la les un une il elle ils elles ce cette ces nous vous mais et dans en pour avec",
    "el los las una uno ella ellos este esta estos estas pero y por con para su sus se",
    "lo gli i essi questo questa questi ma e nel nella per o os as um uma ele ela isso isto não no na",
    # Slavic, Baltic
    "он она оно они мы вы это этот эта но и в на по с для как когда если так той тя то те ние",
    "to ten ta on ona oni jest ale w na po dla jak viņš viņa tas tā tie bet un ja kad",
)

# Words before a day or a rank written with a full stop ("am 3. Tag", "im 19. Jahrhundert").
BEFORE_ORDINAL = _words(
    "am vom der die das den dem des im zum zur ab bis seit beim ins ein eine einen einem einer jeder jeden und",
    "til fra på i na od do dňa dnia",
)

# First letters of month names, enough to tell "7. Apríla" from "He was 7. After".
MONTH_PREFIXES = tuple(
    _words(
        "jan jän feb fév mär mar maa mart apr avr abr mai maj may máj mei jun jui jul lug giu gen aug avg aoû ago",
        "sep set oct okt ott out nov noe dec dez des dic déc ene sty lut kwi cze lip sie wrz paź lis gru",
        "янв фев мар апр мая май июн июл авг сен окт ноя дек maijs jūn jūl",
    )
)
