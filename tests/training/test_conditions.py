"""Conditions are evidence together with the sentence that they limit."""

import numpy as np
import pytest

from preprocessing.segments import segment
from training.conditions import bound_to_previous, opens_with_condition, with_conditions


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("Only if it was booked before May.", "en"),
        ("(Except on Sundays.)", "en"),
        ("Tranne la domenica.", "it"),
        ("Izņemot svētdienas.", "lv"),
        ("除非下雨。", "zh-Hant"),
        ("ただし、日曜日を除く。", "ja"),
        ("Salvo los domingos.", ""),
    ],
)
def test_a_condition_is_known_by_how_it_opens(sentence: str, language: str) -> None:
    assert opens_with_condition(sentence, language)


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("The bridge was opened in 1932.", "en"),
        ("Exceptional cases are rare.", "en"),
        ("Salvo is a name.", "en"),
        ("Only if it rains.", "xx"),
        ("", "en"),
    ],
)
def test_other_sentences_are_none(sentence: str, language: str) -> None:
    assert not opens_with_condition(sentence, language)


def bound(text: str) -> list[bool]:
    return [bool(flag) for flag in bound_to_previous(text, segment(text), "en")]


def test_it_is_bound_to_a_neighbour_of_its_paragraph_alone() -> None:
    assert bound("You may fly business class. Only if it takes six hours. Ask first.") == [False, True, False]
    assert bound("You may fly business class.\n\nOnly if it takes six hours.") == [False, False]
    assert bound("- You may fly.\n- Only if it takes six hours.") == [False, False]


@pytest.mark.parametrize(
    ("hit", "expected"),
    [([1, 0, 0, 0], [1, 1, 1, 0]), ([0, 1, 0, 0], [1, 1, 1, 0]), ([0, 0, 0, 1], [0, 0, 0, 1])],
)
def test_evidence_takes_its_condition_along_and_a_condition_its_sentence(
    hit: list[int], expected: list[int]
) -> None:
    flags = np.array([False, True, True, False])
    assert with_conditions(np.array(hit, bool), flags).astype(int).tolist() == expected
