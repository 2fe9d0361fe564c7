"""Units that stand with a number, in the main languages; "_" joins the words of a phrase.

``PHRASES`` also count without a number beside them: they say which days are meant. ``WIDE_UNITS`` are those of texts
without spaces (and of Korean, whose endings cling to the word), found right behind the number.
"""

from __future__ import annotations

from collections.abc import Mapping

PHRASES: Mapping[str, str] = {
    "working day": """
        working_day working_days business_day business_days workday workdays werktag werktage werktagen werktags
        arbeitstag arbeitstage arbeitstagen geschäftstage geschäftstagen werkdag werkdagen arbetsdag arbetsdagar
        vardagar virkedag virkedager arbeidsdager jour_ouvré jours_ouvrés jour_ouvrable jours_ouvrables día_hábil
        días_hábiles días_laborables dia_útil dias_úteis giorno_lavorativo giorni_lavorativi giorni_feriali
        zile_lucrătoare zi_lucrătoare darba_diena darba_dienas darba_dienu darba_dienām darbdienas darbdienu рабочий_день
        рабочих_дня рабочих_дней рабочие_дни dzień_roboczy dni_robocze dni_roboczych εργάσιμη_ημέρα εργάσιμες_ημέρες
        εργάσιμων_ημερών iş_günü ngày_làm_việc कार्य_दिवस कार्य_दिवसों कार्यदिवस أيام_عمل يوم_عمل ימי_עסקים ימי_עבודה
    """,
    "calendar day": """
        calendar_day calendar_days consecutive_days kalendertag kalendertage kalendertagen kalenderdag kalenderdagen
        kalenderdagar kalenderdager jour_calendaire jours_calendaires jours_calendrier días_naturales días_corridos
        días_calendario dias_corridos dias_consecutivos giorni_di_calendario giorni_solari giorni_consecutivi
        zile_calendaristice kalendāra_dienas kalendāra_dienu kalendāra_dienām kalendārās_dienas kalendāro_dienu
        kalendārajām_dienām календарный_день календарных_дня календарных_дней календарные_дни dni_kalendarzowe
        dni_kalendarzowych ημερολογιακές_ημέρες ημερολογιακών_ημερών takvim_günü ngày_lịch ngày_dương_lịch
        कैलेंडर_दिन कैलेंडर_दिवस أيام_تقويمية يوما_تقويميا ימים_קלנדריים ימי_לוח
    """,
}

UNITS: Mapping[str, str] = {
    "day": """
        day days tag tage tagen tages dag dagen dagar dager jour jours día días dia dias giorno giorni zi zile diena
        dienas dienu dienām день дня дней dzień dni ημέρα ημέρες ημερών μέρες gün günü ngày दिन दिनों يوم يوما أيام ايام
        יום ימים
    """,
    "week": """
        week weeks woche wochen weken vecka veckor uke uker semaine semaines semana semanas settimana settimane săptămână
        săptămâni nedēļa nedēļas nedēļu nedēļām неделя недели недель tydzień tygodnie tygodni εβδομάδα εβδομάδες hafta
        tuần सप्ताह हफ्ते أسبوع أسابيع שבוע שבועות
    """,
    "month": """
        month months monat monate monaten maand maanden månad månader måned måneder mois mes meses mês mese mesi lună luni
        mēnesis mēneši mēnešu mēnešiem mēnešus месяц месяца месяцев miesiąc miesiące miesięcy μήνας μήνες μηνών ay tháng
        महीने माह شهر أشهر شهرا חודש חודשים
    """,
    "year": """
        year years yr yrs jahr jahre jahren jaar jaren år an ans année années año años ano anos anno anni ani gads gadi
        gadu gadiem gadus год года лет rok lata lat έτος έτη ετών χρόνια yıl năm वर्ष साल سنة سنوات عام שנה שנים
    """,
    "hour": """
        hour hours hr hrs h stunde stunden uur uren timme timmar time timer heure heures hora horas ora ore oră stunda
        stundas stundu stundām час часа часов godzina godziny godzin ώρα ώρες ωρών saat giờ घंटे घंटा ساعة ساعات שעה שעות
    """,
    "minute": """
        minute minutes min mins minuten minuut minuter minutter minuto minutos minuti minūte minūtes minūšu минута минуты
        минут minuta minuty minut λεπτά dakika phút मिनट دقيقة دقائق דקה דקות
    """,
    "second": "second seconds sec s sekunde sekunden seconden sekunder seconde secondes segundos secondi секунд sekund",
    "%": "% percent pct prozent procent prosent pour_cent por_ciento por_cento per_cento procenti procentu процентов"
    " процента procenta yüzde phần_trăm प्रतिशत بالمئة אחוז אחוזים",
    "‰": "‰",
    "EUR": "€ eur euro euros eiro евро ευρώ यूरो يورو אירו",
    "USD": "$ usd us$ dollar dollars dólares dollari долларов dolarów dolar đô_la डॉलर دولار דולר",
    "GBP": "£ gbp pound pounds pfund livres libras",
    "JPY": "¥ jpy yen",
    "CNY": "cny rmb yuan",
    "INR": "₹ inr rupees रुपये",
    "RUB": "₽ rub рублей рубля рубль",
    "KRW": "₩ krw won",
    "PLN": "pln zł złotych",
    "CHF": "chf franken",
    "SEK": "sek kronor",
    "NOK": "nok kroner",
    "TRY": "₺ try tl lira",
    "ILS": "₪ ils שקלים",
    "VND": "₫ vnd đồng",
    "RON": "ron lei",
    "BRL": "brl r$ reais",
    "km": "km kilometer kilometers kilometre kilometres kilometern kilómetros quilômetros chilometri километров किमी كم",
    "m": "m meter meters metre metres metern mètres metros metri метров μέτρα mét मीटर متر מטר",
    "cm": "cm centimetre centimetres centimeter zentimeter см εκ",
    "mm": "mm millimetre millimetres millimeter мм",
    "mile": "mile miles mi",
    "kg": "kg kilogram kilograms kilo kilos kilogramm кг किलो كجم",
    "g": "g gram grams gramm грамм",
    "mg": "mg milligram milligrams",
    "t": "t tonne tonnes tons tonnen тонн",
    "l": "l litre litres liter liters litros litri литров λίτρα",
    "ml": "ml millilitre millilitres",
    "°": "° °c degrees grad",
    "million": "million millions mln mio millionen miljoen miljoner millones milhões milioni miljoni миллионов milionów",
    "billion": "billion billions bn mrd milliarden miljard miljarder milliards miliardi миллиардов miliardów tỷ",
    "kWh": "kwh",
}

# Case tells these apart.
EXACT_UNITS: Mapping[str, str] = {
    unit: unit
    for unit in ("MW", "mW", "MB", "Mb", "GB", "Gb", "kB", "KB", "Kb", "kb", "TB", "Tb", "Mbit", "Gbit")
}

CURRENCIES = frozenset(
    "EUR USD GBP JPY CNY INR RUB KRW PLN CHF SEK NOK TRY ILS VND RON BRL".split()
)  # may stand before the number

WIDE_UNITS: Mapping[str, str] = {
    "working day": "工作日 工作天 营业日 營業日 영업일 근무일 วันทำการ วันทำงาน",
    "calendar day": "自然日 日历日 日曆日 日历天 曆日 暦日 역일 วันตามปฏิทิน วันปฏิทิน",
    "day": "天 日間 日间 日 일 วัน",
    "week": "星期 周 週間 週 주 สัปดาห์",
    "month": "个月 個月 か月間 か月 ヶ月 カ月 月 개월 달 เดือน",
    "year": "年間 年 년 ปี",
    "hour": "小时 小時 時間 시간 ชั่วโมง",
    "minute": "分钟 分鐘 分間 分 분 นาที",
    "second": "秒 초 วินาที",
    "%": "% 퍼센트 เปอร์เซ็นต์ パーセント",
    "EUR": "欧元 歐元 ユーロ 유로 ยูโร €",
    "USD": "美元 美金 ドル 달러 ดอลลาร์ $",
    "CNY": "人民币 元 圆",
    "JPY": "円 日元 엔",
    "KRW": "원",
    "THB": "บาท",
    "km": "公里 千米 キロメートル 킬로미터 กิโลเมตร",
    "m": "米 メートル 미터 เมตร",
    "kg": "公斤 千克 キログラム 킬로그램 กิโลกรัม",
    "times": "次 回 회 ครั้ง",
    "person": "名 人 位 명 คน",
    "item": "件 项 項 个 個 개",
    "years old": "岁 歳 세",
}
