"""What must agree before two sentences say the same: found in any language, and compared as values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pith.select.guards import KINDS, differences, signature

DIFFERENT = [
    ("within 30 days", "within 60 days", "number"),
    ("paid within 5 working days", "paid within 5 calendar days", "unit"),
    ("costs 20 EUR", "costs 20 USD", "unit"),
    ("Damage is covered.", "Damage is not covered.", "negation"),
    ("You may leave if approved.", "You may leave unless approved.", "condition"),
    ("All members vote.", "Some members vote.", "scope"),
    ("Model X has a battery.", "Model Y has a battery.", "version"),
    ("Requires v2.1 or newer.", "Requires v2.3 or newer.", "version"),
    ("The fair is on 3 May 2024.", "The fair is on 3 June 2024.", "date"),
    ("30天内提交", "60天内提交", "number"),
    ("5个工作日内付款", "5个自然日内付款", "unit"),
    ("可以退款", "不可以退款", "negation"),
    ("三十天内", "六十天内", "number"),
    ("30 dienu laikā", "60 dienu laikā", "number"),
    ("5 darba dienu laikā", "5 kalendāra dienu laikā", "unit"),
    ("Izmaksa ir atļauta.", "Izmaksa nav atļauta.", "negation"),
    ("entro trenta giorni", "entro sessanta giorni", "number"),
    ("La perdita non è coperta.", "La perdita è coperta.", "negation"),
    ("innerhalb von 30 Tagen", "innerhalb von 14 Tagen", "number"),
    ("Das gilt nicht für Kinder.", "Das gilt für Kinder.", "negation"),
    ("dans les 30 jours ouvrables", "dans les 30 jours calendaires", "unit"),
    ("Plazo de 30 días", "Plazo de 45 días", "number"),
    ("в течение 30 дней", "в течение 10 дней", "number"),
    ("30日以内に提出", "60日以内に提出", "number"),
    ("خلال ٣٠ يوما", "خلال ٦٠ يوما", "number"),
]
SAME = [
    ("It takes 1,000.50 EUR.", "It takes 1.000,5 €."),
    ("It takes 1 000 days.", "It takes 1000 days."),
    ("within thirty days", "within 30 days"),
    ("三十天内", "30天内"),
    ("３０天内", "30天内"),
    ("trīsdesmit dienu laikā", "30 dienu laikā"),
    ("The claim is sent to the office.", "Claims are sent to an office."),
]


@pytest.mark.parametrize(("one", "other", "kind"), DIFFERENT)
def test_a_difference_that_matters_is_found_and_named(one: str, other: str, kind: str) -> None:
    assert kind in differences(signature(one), signature(other))


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_value_in_another_form_is_no_difference(one: str, other: str) -> None:
    assert differences(signature(one), signature(other)) == {}


def test_differences_say_what_each_side_has() -> None:
    found = differences(signature("within 30 days"), signature("within 60 days"))
    assert found == {"number": (("30",), ("60",))}


@given(st.text(max_size=200))
def test_any_text_has_a_signature_and_always_the_same(text: str) -> None:
    one = signature(text)
    assert one == signature(text)
    assert all(list(getattr(one, kind)) == sorted(getattr(one, kind)) for kind in KINDS)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_different_numbers_never_agree(one: int, other: int) -> None:
    found = differences(signature(f"The fee is {one} EUR."), signature(f"The fee is {other} EUR."))
    assert bool(found) == (one != other)
