"""In a long sentence one other word makes another claim, however alike the two are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pith.select.candidates import candidates
from pith.select.duplicates import deduplicate
from pith.select.normal import normalised
from pith.select.wording import same_words
from tests.client.strategies import scored_document

OTHER_CLAIMS = [
    (
        "The employee shall pay all costs of the proceedings within 30 days.",
        "The employer shall pay all costs of the proceedings within 30 days.",
    ),
    (
        "Delivery to customers in Germany takes three working days after the order is confirmed by us.",
        "Delivery to customers in Austria takes three working days after the order is confirmed by us.",
    ),
    (
        "Plan A costs 5 euros a month and plan B 10 euros.",
        "Plan A costs 10 euros a month and plan B 5 euros.",
    ),
    (
        "Parts are covered by the warranty but labour is not covered by it.",
        "Parts are not covered by the warranty but labour is covered by it.",
    ),
    (
        "Transfers from the savings account to the current account are executed on the same day.",
        "Transfers from the current account to the savings account are executed on the same day.",
    ),
    (
        "The account fee is charged once a month by direct debit from your account.",
        "The account fee is charged once a year by direct debit from your account.",
    ),
    ("Is water damage covered by this policy?", "Is water damage covered by this policy."),
    ("The pump needs 5 mW of power in standby.", "The pump needs 5 MW of power in standby."),
    ("Store the product at -5 degrees at most.", "Store the product at 5 degrees at most."),
    ("The pressure must stay ≤ 5 bar at all times.", "The pressure must stay ≥ 5 bar at all times."),
    (
        "Der Mieter trägt die Kosten aller Reparaturen in der Wohnung bis 100 Euro.",
        "Der Vermieter trägt die Kosten aller Reparaturen in der Wohnung bis 100 Euro.",
    ),
    ("甲方应在合同签订后30天内向乙方支付全部款项。", "乙方应在合同签订后30天内向甲方支付全部款项。"),
    (
        "Il locatore paga tutte le spese di manutenzione dell'appartamento entro 30 giorni.",
        "Il locatario paga tutte le spese di manutenzione dell'appartamento entro 30 giorni.",
    ),
    (
        "Piegāde klientiem Latvijā notiek trīs darba dienu laikā pēc pasūtījuma apstiprināšanas.",
        "Piegāde klientiem Lietuvā notiek trīs darba dienu laikā pēc pasūtījuma apstiprināšanas.",
    ),
    (
        "Покупатель оплачивает все расходы на доставку товара в течение 30 дней.",
        "Продавец оплачивает все расходы на доставку товара в течение 30 дней.",
    ),
]


@pytest.mark.parametrize(("one", "other"), OTHER_CLAIMS)
def test_another_claim_in_almost_the_same_words_is_kept(one: str, other: str) -> None:
    scored = [scored_document([(one, 0.9)], id="a"), scored_document([(other, 0.8)], id="b")]
    assert len(deduplicate(scored, candidates(scored, None)).kept) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Claims are due within thirty days of a trip", "the claim is due within 30 days of the trip"),
        ("Employees can ask for leave", "the employees may ask for leave"),
        ("申请须在30天内提交", "该申请须在30天之内提交"),
        ("la garantía cubre el daño", "la garantia cubre los daños"),
        ("pieteikums jāiesniedz pēc brauciena", "pieteikums ir jāiesniedz pēc brauciena"),
    ],
)
def test_small_words_endings_and_spelled_guards_change_nothing(one: str, other: str) -> None:
    assert same_words(normalised(one), normalised(other))


def test_rows_of_one_pattern_make_few_pairs() -> None:
    rows = [f"The fee for region {i} is due within {i + 7} days of the delivery of goods." for i in range(60)]
    scored = [scored_document([(row, 0.9)], id=str(i)) for i, row in enumerate(rows)]
    found = deduplicate(scored, candidates(scored, None))
    assert len(found.kept) == 60
    assert len(found.conflicts) < 300


@given(st.text(max_size=60), st.text(max_size=60))
def test_the_order_of_the_two_does_not_matter(one: str, other: str) -> None:
    assert same_words(one, one)
    assert same_words(one, other) == same_words(other, one)
