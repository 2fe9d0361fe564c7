"""The travel policy: a worked example of what a result set should come to, in three languages.

A says within how many days a claim is due, B is a copy of A elsewhere, C (in two chunks that overlap) says when it is
paid and on which condition, D is the whole chapter with both and more. The question asks for both periods.
"""

from __future__ import annotations

from dataclasses import dataclass

import pith


@dataclass(frozen=True)
class Policy:
    """The texts of one language. ``due`` and ``paid`` are the sentences that must be shown whole."""

    question: str
    due: str
    paid: str
    halves: tuple[str, str]
    chapter: str

    def documents(self) -> list[pith.Document]:
        """A, B, both chunks of C, and D."""
        first, second = self.halves
        return [
            pith.Document(self.due, id="A", url="https://intranet.example/travel/claims", version="2026-03"),
            pith.Document(self.due, id="B", url="https://intranet.example/faq/claims", version="2026-03"),
            pith.Document(
                first, id="C", url="https://intranet.example/travel/pay", version="2026-03", start=0
            ),
            pith.Document(
                second,
                id="C",
                url="https://intranet.example/travel/pay",
                version="2026-03",
                start=self.paid.index(second),
            ),
            pith.Document(self.chapter, id="D", url="https://intranet.example/handbook", version="2026-03"),
        ]


ENGLISH = Policy(
    question="How long do I have to submit a travel expense claim, and when is it paid?",
    due="Travel expense claims must be submitted within 30 days after the end of the trip.",
    paid="After approval of the claim by the line manager, the travel expenses are paid within 5 working days.",
    halves=(
        "After approval of the claim by the line manager,",
        "by the line manager, the travel expenses are paid within 5 working days.",
    ),
    chapter="""# 4 Travel

## 4.1 Booking

Flights and trains are booked through the travel desk. Seats are second class.

## 4.2 Claims

Travel expense claims must be submitted within 30 days after the end of the trip.
After approval of the claim by the line manager, the travel expenses are paid within 5 working days.

## 4.3 Hotels

The company has agreements with hotels in twelve cities. Breakfast is included.
""",
)

CHINESE = Policy(
    question="差旅报销要在多久内提交，多久付款？",
    due="差旅报销申请须在出差结束后30天内提交。",
    paid="差旅报销申请经直属经理批准后，差旅费用在5个工作日内付款。",
    halves=("差旅报销申请经直属经理批准后，", "批准后，差旅费用在5个工作日内付款。"),
    chapter="""# 4 差旅

## 4.1 预订

机票和火车票由差旅服务台统一预订。座位为二等座。

## 4.2 报销

差旅报销申请须在出差结束后30天内提交。
差旅报销申请经直属经理批准后，差旅费用在5个工作日内付款。

## 4.3 酒店

公司与十二个城市的酒店签有协议。房价含早餐。
""",
)

LATVIAN = Policy(
    question="Cik ilgā laikā jāiesniedz komandējuma izdevumu pieteikums, un kad to izmaksā?",
    due="Komandējuma izdevumu pieteikums jāiesniedz 30 dienu laikā pēc brauciena beigām.",
    paid="Pēc tam, kad tiešais vadītājs pieteikumu apstiprinājis, komandējuma izdevumus izmaksā 5 darba dienu laikā.",
    halves=(
        "Pēc tam, kad tiešais vadītājs pieteikumu apstiprinājis,",
        "pieteikumu apstiprinājis, komandējuma izdevumus izmaksā 5 darba dienu laikā.",
    ),
    chapter="""# 4 Komandējumi

## 4.1 Rezervēšana

Lidmašīnas un vilciena biļetes pasūta ceļojumu birojs. Sēdvietas ir otrajā klasē.

## 4.2 Pieteikumi

Komandējuma izdevumu pieteikums jāiesniedz 30 dienu laikā pēc brauciena beigām.
Pēc tam, kad tiešais vadītājs pieteikumu apstiprinājis, komandējuma izdevumus izmaksā 5 darba dienu laikā.

## 4.3 Viesnīcas

Uzņēmumam ir līgumi ar viesnīcām divpadsmit pilsētās. Brokastis ir iekļautas.
""",
)

POLICIES = {"en": ENGLISH, "zh": CHINESE, "lv": LATVIAN}
