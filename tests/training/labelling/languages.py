"""Small pages in twelve languages, written for these tests: headings, lists, links, quotation marks, dashes, and a
line that stands more than once."""

from __future__ import annotations

PAGES = {
    "en": """# Opening hours of the **swimming hall**

The hall opens at 6:30 – except on Sundays, when it opens at 9:00.
Children under 7 don't pay; for everyone else a ticket costs €4.50.
Please shower first.
> “Nobody swims alone,” says the [lifeguard](https://example.org/guard "Staff").
- The **warm pool** is 32 °C, the long pool 26 °C.
- The sauna is closed until 15 March…
Please shower first.
The water is changed every night — that takes about five hours.
Lost keys (for the lockers 101–250) are kept at the desk for 14 days.
Is the café open? Yes, from noon to 8 p.m.
""",
    "de": """# Öffnungszeiten der *Stadtbücherei*

Die Bücherei öffnet um 10 Uhr – außer montags, da bleibt sie geschlossen.
Ein Ausweis kostet 15 € im Jahr; wer jünger als 18 ist, zahlt nichts.
Bitte leise sein!
„Wir verleihen auch Werkzeug“, sagt die [Leiterin](https://example.org/leitung).
- Bücher dürfen Sie **vier Wochen** behalten, Filme nur eine.
- Für jeden Tag Verspätung fallen 0,20 € an…
Bitte leise sein!
Die Straße hinter dem Gebäude ist gesperrt — parken Sie am Fluss.
Größere Gruppen melden sich mindestens drei Tage vorher an.
""",
    "fr": """# La fromagerie du **vieux port**

L’atelier se visite le mardi et le jeudi ; il faut réserver deux jours à l’avance.
« Le lait vient de douze fermes », explique la [patronne](https://example.org/patronne).
Dégustation comprise.
- Un fromage mûrit entre 4 et 18 mois – jamais moins.
- Les enfants de moins de 10 ans n’ont pas accès à la cave…
Dégustation comprise.
Le prix d'une visite est de 6,50 € ; c'est gratuit pour les habitants.
Où se garer ? Derrière l'église, à 200 mètres.
""",
    "es": """# Cómo llegar al **refugio**

El refugio está a 1.850 metros; desde el pueblo se tarda unas tres horas.
«No subáis sin agua», advierte el [guarda](https://example.org/guarda).
Prohibido encender fuego.
- Hay 24 camas – las mantas están incluidas.
- En invierno el camino está cerrado entre noviembre y abril…
Prohibido encender fuego.
¿Se puede pagar con tarjeta? No, sólo en efectivo.
La cena se sirve a las 20:00; quien llegue más tarde encontrará sopa.
""",
    "ru": """# Правила **проката лодок**

Лодку дают на два часа – дольше только по будням.
«Без жилета на воду нельзя», — говорит [смотритель](https://example.org/lodki).
Залог возвращается.
- Час стоит 350 рублей, за вёсла отдельно не берут.
- При ветре сильнее 10 м/с прокат закрыт…
Залог возвращается.
Дети младше 12 лет садятся только со взрослыми.
Йод и бинты лежат в ящике под скамейкой.
""",
    "tr": """# Çömlek **atölyesi**

Kurs her cumartesi saat 10.30'da başlar – son giriş 11.00'dedir.
“Çamur evde kurutulmaz,” diyor [usta](https://example.org/usta).
Önlük getiriniz.
- Malzeme ücreti 120 liradır, fırın ücreti buna dahildir.
- Sekiz yaşından küçükler yalnız katılamaz…
Önlük getiriniz.
Bitmiş işler iki hafta sonra gişeden alınır.
""",
    "zh": """# 山村**茶园**参观须知

茶园每天上午九点开放——下雨天除外。
“新茶要在清明以前采摘，”[园主](https://example.org/tea)说。
请勿踩踏茶树。
- 成人票二十五元，一米二以下的儿童免票。
- 炒茶表演每周三和周六各一场……
请勿踩踏茶树。
从车站步行到这里大约需要四十分钟。
带走的茶叶不能超过两公斤。
""",
    "ja": """# 港の**朝市**のご案内

朝市は六時に始まり、売り切れたところから閉まります。
「氷は自分で持ってきてください」と[組合](https://example.org/asaichi)は言っています。
駐車場はありません。
- カニは一ぱい千八百円――十一月から三月までの間だけです。
- 料理教室は第二土曜日に開かれます……
駐車場はありません。
雨の日でも市場は休みになりません。
コーヒーの屋台は、橋のたもとに移りました。
""",
    "ar": """# مواعيد **المتحف**

يفتح المتحف أبوابه في التاسعة صباحًا – ما عدا يوم الاثنين.
«لا تلمسوا المعروضات»، هكذا تقول [المرشدة](https://example.org/guide).
التصوير ممنوع.
- ثمن التذكرة 30 درهمًا، والدخول مجاني للطلاب.
- القاعة الثالثة مغلقة حتى نهاية الصيف…
التصوير ممنوع.
تبدأ الجولة الأخيرة قبل الإغلاق بساعة واحدة.
""",
    "hi": """# गाँव का **पुस्तकालय**

पुस्तकालय सुबह दस बजे खुलता है – रविवार को बंद रहता है।
“किताबें पंद्रह दिन तक रख सकते हैं,” [पुस्तकपाल](https://example.org/kitab) कहती हैं।
कृपया शांति रखें।
- सदस्यता का शुल्क साल भर का 200 रुपये है।
- देर होने पर हर दिन दो रुपये देने होंगे…
कृपया शांति रखें।
बच्चों का कमरा पहली मंज़िल पर है।
""",
    "th": """# ล่องเรือใน**คลองเก่า**

เรือออกทุกครึ่งชั่วโมง – เที่ยวสุดท้ายห้าโมงเย็น
“ห้ามให้อาหารลิง” [คนขับเรือ](https://example.org/ruea)บอกทุกเที่ยว
กรุณาสวมเสื้อชูชีพ
- ค่าโดยสารคนละ 60 บาท เด็กสูงไม่เกิน 90 เซนติเมตรไม่ต้องจ่าย
- หน้าฝนเรือหยุดวิ่งสองสัปดาห์…
กรุณาสวมเสื้อชูชีพ
ตลาดริมน้ำอยู่ห่างจากท่าเรือสามร้อยเมตร
""",
    "vi": """# Xưởng **làm nón**

Xưởng mở cửa lúc tám giờ sáng – trừ ngày mùng một.
“Lá phải phơi ba nắng,” [bà chủ](https://example.org/non) nói.
Xin đừng hút thuốc.
- Một chiếc nón giá 90.000 đồng, thêu tên thì thêm 20.000 đồng.
- Lớp học cho trẻ em bắt đầu từ tháng sáu…
Xin đừng hút thuốc.
Từ bến xe đi bộ đến đây mất khoảng mười lăm phút.
""",
}
