"""Words that decide what a sentence claims: negations, conditions and scope, in the main languages.

Each concept lists its words over all languages; "_" joins the words of a phrase. The languages, in this order: English,
German, Dutch, Swedish, Norwegian, French, Spanish, Portuguese, Italian, Romanian, Latvian, Russian, Polish, Greek,
Turkish, Vietnamese, Hindi, Arabic, Hebrew. ``WIDE`` holds what is found within running text: Chinese, Japanese,
Korean (whose endings cling to the word) and Thai. A word with different roles in two languages costs a merge at most.
"""

from __future__ import annotations

from collections.abc import Mapping

NEGATIONS: Mapping[str, str] = {
    "not": """
        not no never none nor neither nobody nothing cannot can't don't doesn't didn't isn't aren't wasn't weren't won't
        wouldn't shouldn't couldn't mustn't hasn't haven't hadn't needn't
        nicht kein keine keinen keinem keiner keines nie niemals weder nichts
        niet geen nooit inte ej aldrig ingen inget inga ikke aldri intet
        pas jamais aucun aucune ni rien nunca jamás ningún ninguna ninguno tampoco não nenhum nenhuma nem
        non mai nessun nessuno nessuna né nu niciun nicio niciodată
        nav nevar nedrīkst netiek nebūs nebija nesedz neattiecas nepiemēro neietver neiekļauj neizmaksā nemaksā
        neatmaksā neatlīdzina neļauj neviens neviena nekāds nekāda nekad nepienākas nenodrošina nepārsniedz nepieņem
        nesniedz nedod nesaņem nevajag
        не нет нельзя никогда ни никакой никакие nie nigdy żaden żadna żadne brak
        δεν δε μην όχι ποτέ κανένα κανένας καμία ούτε değil yok hayır asla không chưa chẳng
        नहीं न मत لا ليس ليست لم لن لא אין אינו אינה אינם אינן
    """,
    "without": """
        without ohne zonder utan uten sans sin sem senza fără bez без χωρίς δίχως olmadan बिना بدون بلا ללא בלי
    """,
    "forbidden": """
        forbidden prohibited verboten untersagt verboden förbjudet forbudt interdit interdite prohibido prohibida
        proibido proibida vietato vietata interzis interzisă aizliegts aizliegta запрещено запрещается zabronione
        zabroniony απαγορεύεται yasak yasaktır cấm वर्जित ممنوع محظور אסור
    """,
    "excluded": """
        excluded ausgeschlossen uitgesloten undantagna exclu exclue exclus excluido excluida excluídos excluído escluso
        esclusa esclusi exclus исключено исключены wykluczone wyłączone εξαιρείται εξαιρούνται
    """,
}

CONDITIONS: Mapping[str, str] = {
    "if": """
        if when whenever provided wenn falls sofern als indien wanneer om hvis dersom si lorsque cuando se quando qualora
        dacă ja если когда jeśli jeżeli gdy αν εάν όταν eğer ise nếu khi यदि अगर जब إذا اذا عندما אם כאשר
    """,
    "unless": """
        unless es_sei_denn tenzij såvida_inte med_mindre à_moins a_menos salvo_que a_meno_che cu_excepția_cazului ja_vien
        если_только chyba_że εκτός_αν εκτός_εάν trừ_khi जब_तक_कि ما_لم אלא_אם
    """,
    "except": """
        except excepting excluding except_for other_than apart_from außer ausgenommen mit_ausnahme behalve uitgezonderd
        utom förutom bortsett_fra unntatt sauf excepté hormis salvo excepto exceto tranne eccetto ad_eccezione
        cu_excepția exceptând izņemot kromě кроме исключая за_исключением z_wyjątkiem oprócz poza εκτός hariç dışında
        ngoại_trừ trừ सिवाय छोड़कर باستثناء إلا الا למעט פרט_ל מלבד
    """,
    "after": """
        after following nach na efter etter après después tras após depois dopo după pēc после po μετά sonra sau बाद بعد
        אחרי לאחר
    """,
    "before": """
        before prior vor voor före innan før avant antes prima înainte pirms до przed πριν önce trước पहले قبل לפני
    """,
    "until": """
        until till bis tot till_och_med inntil jusque jusqu hasta até fino pană până līdz do μέχρι έως kadar đến_khi तक
        حتى עד
    """,
    "but": """
        but however aber jedoch maar echter dock dog imidlertid mais cependant toutefois pero sino embargo porém
        contudo però tuttavia dar însă bet taču tomēr но однако ale jednak lecz αλλά όμως ama ancak fakat nhưng
        tuy_nhiên लेकिन किन्तु परंतु لكن ولكن אבל אולם אך
    """,
    "otherwise": """
        otherwise sonst andernfalls anders annars ellers sinon autrement contrario altrimenti altfel citādi иначе
        inaczej αλλιώς διαφορετικά aksi nếu_không अन्यथा وإلا אחרת
    """,
    "instead": "instead stattdessen plutôt au_lieu en_lugar invece în_loc vietā вместо zamiast αντί yerine thay_vì",
    "during": """
        during while während tijdens terwijl under_tiden pendant durant tandis mientras durante mentre laikā_no во_время
        podczas κατά sırasında trong_khi दौरान أثناء خلال_فترة במהלך
    """,
    "although": "although though obwohl hoewel trots quoique aunque embora sebbene deși хотя chociaż αν_και rağmen mặc_dù",
}

SCOPES: Mapping[str, str] = {
    "all": """
        all every each entire whole any alle allen aller alles jede jeder jedes jeden jedem sämtliche elke ieder iedere
        alla allt varje alt hver tout tous toute toutes chaque todo todos toda todas cada tutti tutto tutta tutte ogni
        toți toate tot fiecare visi visas visu visiem visām ikviens katrs katra katru все всё всех всем каждый каждая
        каждые любой wszystkie wszyscy wszystkich każdy każda każde όλα όλοι όλες κάθε tüm bütün her tất_cả mọi mỗi सभी
        प्रत्येक हर جميع كل כל
    """,
    "some": """
        some several certain few einige manche mehrere bestimmte sommige enkele några vissa noen visse quelques certains
        certaines plusieurs algunos algunas ciertos alguns algumas certos alcuni alcune certi unii unele anumite daži
        dažas dažiem некоторые несколько niektóre niektórzy kilka μερικά μερικοί ορισμένα ορισμένοι bazı kimi một_số vài
        कुछ बعض بعض חלק כמה
    """,
    "most": "most majority meisten mehrheit meeste flesta fleste plupart mayoría maioria maggior_parte majoritatea",
    "only": """
        only solely exclusively merely just nur ausschließlich lediglich slechts alleen uitsluitend endast bara enbart
        kun bare seulement uniquement exclusivement solo sólo solamente únicamente exclusivamente somente apenas só
        unicamente soltanto esclusivamente doar numai tikai vienīgi vien только лишь исключительно tylko wyłącznie
        jedynie μόνο αποκλειστικά sadece yalnızca yalnız chỉ केवल सिर्फ فقط حصرا רק בלבד
    """,
    "at least": """
        at_least minimum minimal no_less_than not_less_than mindestens wenigstens minstens ten_minste minst åtminstone
        au_moins minimale por_lo_menos al_menos como_mínimo mínimo pelo_menos no_mínimo almeno minimo cel_puțin minim
        vismaz ne_mazāk не_менее минимум как_минимум co_najmniej przynajmniej τουλάχιστον ελάχιστο en_az asgari ít_nhất
        tối_thiểu कम_से_कम न्यूनतम على_الأقل لا_يقل لפחות לפחות
    """,
    "at most": """
        at_most maximum maximal up_to no_more_than not_more_than not_exceed höchstens maximal bis_zu ten_hoogste hoogstens
        högst upp_till høyst inntil opptil au_plus maximale jusqu'à como_máximo máximo hasta_un no_máximo até_um
        al_massimo massimo fino_a cel_mult maxim până_la ne_vairāk maksimāli augstākais līdz_pat не_более максимум
        как_максимум co_najwyżej maksymalnie nie_więcej το_πολύ μέγιστο έως_και en_fazla azami en_çok nhiều_nhất tối_đa
        अधिकतम ज़्यादा_से_ज़्यादा كحد_أقصى على_الأكثر لכל_היותר לכל_היותר
    """,
    "more": """
        more_than over above exceeding exceeds greater mehr_als über meer_dan mer_än över mer_enn plus_de más_de mais_de
        acima più_di oltre mai_mult_de peste vairāk_nekā vairāk_par virs более больше свыше więcej_niż powyżej ponad
        περισσότερο πάνω_από fazla nhiều_hơn से_अधिक أكثر_من יותר_מ מעל
    """,
    "less": """
        less_than fewer_than under below lower weniger_als unter minder_dan mindre_än mindre_enn moins_de menos_de
        abaixo meno_di inferiore mai_puțin_de sub mazāk_nekā mazāk_par zem менее меньше ниже mniej_niż poniżej λιγότερο
        κάτω_από az_az ít_hơn से_कम أقل_من פחות_מ
    """,
    "must": """
        must shall required mandatory obliged have_to has_to need_to needs_to muss müssen musst verpflichtet
        erforderlich moeten moet verplicht måste ska skal må doit doivent obligatoire debe deben obligatorio deve devem
        obrigatório devono deve_essere obbligatorio trebuie obligatoriu jābūt obligāti jāiesniedz jāmaksā jāsaņem
        должен должны должна обязан обязаны обязательно musi muszą obowiązkowo obowiązkowe πρέπει υποχρεωτικό zorunlu
        zorundadır gerekir phải bắt_buộc अनिवार्य चाहिए يجب إلزامي חייב חייבים חובה
    """,
    "may": """
        may can might could allowed permitted optional kann können darf dürfen könnte kan mogen mag får kan_få peut
        peuvent puede pueden pode podem può possono poate pot var drīkst может могут можно вправе może mogą można μπορεί
        μπορούν olabilir edebilir có_thể được_phép सकता सकते सकती يمكن يجوز يحق יכול יכולים רשאי רשאים מותר
    """,
    "should": """
        should recommended sollte sollten empfohlen zou aanbevolen bör bør devrait devraient debería deberían deveria
        dovrebbe dovrebbero ar_trebui vajadzētu ieteicams следует рекомендуется powinien powinna powinny θα_πρέπει
        önerilir nên يفضل ينصح מומלץ
    """,
    "EU": """
        eu e.u eea european_union europäischen_union ue eee union_européenne unión_europea união_europeia unione_europea
        uniunea_europeană eiropas_savienīb ес европейского_союза unii_europejskiej εε الاتحاد_الأوروبي
        האיחוד_האירופי
    """,
    "UK": "uk u.k great_britain united_kingdom",
    "US": "us usa u.s u.s.a united_states eeuu сша",
    "domestic": """
        domestic inland inländisch binnenland binnenlandse inrikes innenlands national nationale nationaux nacional
        nacionales nacionais nazionale nazionali intern interne național iekšzemes vietējais внутренний внутри krajowy
        krajowe εγχώριο yurtiçi yurt_içi trong_nước nội_địa घरेलू محلي داخلي מקומי
    """,
    "abroad": """
        abroad foreign international overseas ausland international internationale ausländisch buitenland buitenlandse
        utrikes utomlands utenlands étranger internationaux extranjero internacional internacionales exterior
        internacionais estero internazionale internazionali străinătate internațional ārvalstu ārzemēs starptautisks
        за_рубежом международный зарубежный zagraniczny zagranicą międzynarodowy εξωτερικό διεθνές yurtdışı yurt_dışı
        uluslararası nước_ngoài quốc_tế विदेश अंतरराष्ट्रीय دولي خارج בינלאומי חול
    """,
    "both": "both beide beides båda begge ambos ambas entrambi entrambe ambele abi abas abiem оба обе oba obie",
    "free": "free kostenlos gratis gratuit gratuite gratuito gratuita bezmaksas бесплатно bezpłatnie darmowy δωρεάν ücretsiz",
}

# What a single capital letter or a number names when it follows one of these words ("Plan A", "version 2").
LABELS = frozenset(
    """
    model plan type class version option annex appendix group category zone level tier phase section part grade series
    edition release schedule exhibit article chapter modell typ klasse variante anhang gruppe kategorie stufe modèle
    classe groupe catégorie annexe niveau modelo tipo clase opción grupo categoría anexo nivel versão opção categoria
    modello classe versione opzione gruppo allegato livello modelis tips klase versija grupa kategorija pielikums модель
    тип класс версия группа категория приложение wersja klasa załącznik kategoria τύπος έκδοση sürüm tür sınıf المستوى
""".split()
)
VERSION_WORDS = frozenset(
    "version versions v ver release edition versione versión versão versiune versija версия версии wersja έκδοση sürüm"
    " phiên_bản संस्करण الإصدار إصدار גרסה".split()
)
# Capitals for emphasis or in a hint: they name nothing.
NO_CODES = frozenset(
    "note important warning caution and or the to of for in on is are be a i faq ok nb ps eg ie".split()
)

WIDE: Mapping[tuple[str, str], str] = {
    (
        "",
        "",
    ): "不同 不仅 不僅 不但 不断 不斷 不过于 不久 不管 不论 不論 分别 分別 特别 特別 个别 個別 类别 類別 级别 別途 無料 未来 非常 少ない",
    ("negation", "not"): """
        不得 不可 不能 不会 不會 不是 不予 不包括 不 没有 沒有 没 沒 無 无 未 非 勿 別に ません ない なく なかった ず、 ぬ
        않 없 못하 못합 못한 아니 아닌 안_됩 안_된 안됩 ไม่ มิได้ มิ
    """,
    ("negation", "without"): "无需 無需 无须 無須 ไม่ต้อง โดยไม่ ปราศจาก なしに なしで 없이",
    ("negation", "forbidden"): "禁止 严禁 嚴禁 금지 불가 ห้าม",
    (
        "condition",
        "if",
    ): "如果 若 倘若 假如 只要 的话 當 场合 場合 もし たら れば 만약 경우 하면 되면 หาก ถ้า เมื่อ กรณีที่",
    ("condition", "unless"): "除非 ない限り 않는_한 않으면 เว้นแต่",
    ("condition", "except"): "除外 除了 除 以外 を除き を除く 제외 ยกเว้น นอกจาก",
    ("condition", "after"): "之后 之後 以后 以後 后 後 の後 후 뒤 이후 หลังจาก หลัง ภายหลัง",
    ("condition", "before"): "之前 以前 前 まえ 전에 이전 ก่อน",
    ("condition", "until"): "直到 为止 為止 まで 까지 จนถึง จนกว่า",
    ("condition", "but"): "但是 但 然而 不过 不過 可是 ただし しかし ですが 그러나 하지만 다만 แต่",
    ("condition", "otherwise"): "否则 否則 さもなければ 그렇지_않으면 มิฉะนั้น",
    (
        "scope",
        "all",
    ): "所有 全部 一切 任何 每 各 均 すべて 全て 全ての あらゆる 各 모든 모두 전체 매 ทั้งหมด ทุก",
    ("scope", "some"): "部分 一些 某些 若干 一部 いくつか 일부 몇몇 บาง",
    ("scope", "only"): "仅限 僅限 仅 僅 只有 只能 只 のみ だけ に限り 限り 만_ 오직 뿐 เท่านั้น เพียง",
    ("scope", "at least"): "至少 最少 不少于 不少於 以上 少なくとも 最低 최소 이상 อย่างน้อย ขั้นต่ำ",
    ("scope", "at most"): "至多 最多 不超过 不超過 以下 最大 大で 최대 이하 ไม่เกิน สูงสุด อย่างมาก",
    ("scope", "more"): "超过 超過 多于 多於 より多 초과 มากกว่า เกินกว่า",
    ("scope", "less"): "少于 少於 低于 低於 未満 未满 미만 น้อยกว่า ต่ำกว่า",
    ("scope", "must"): "必须 必須 应当 應當 务必 しなければ 必要があ 해야 하여야 필수 의무 ต้อง",
    ("scope", "may"): "可以 可能 可 ことができ できます 可能です 할_수_있 될_수_있 가능 สามารถ อาจ",
    ("scope", "should"): "应该 應該 建议 建議 べき 권장 ควร",
    ("scope", "EU"): "欧盟 歐盟 유럽연합 สหภาพยุโรป",
    ("scope", "domestic"): "国内 國內 境内 境內 국내 ในประเทศ",
    ("scope", "abroad"): "国外 國外 境外 海外 国际 國際 해외 국제 ต่างประเทศ",
    ("scope", "free"): "免费 免費 무료 ฟรี",
}
