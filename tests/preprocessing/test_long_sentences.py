from __future__ import annotations

from preprocessing.long_sentences import LONG, UNSPACED_TARGET
from preprocessing.sentences import sentences


def pieces(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


THAI = (
    "เรือข้ามฟากออกเดินทางตั้งแต่ตอนเที่ยงวันโดยไม่มีใครรอพวกเราเลยแม้แต่คนเดียว "
    "ต่อมาเราจึงต้องเดินเท้าอ้อมไปตามริมฝั่งแม่น้ำเป็นระยะทางไกลมากกว่าจะถึงสะพาน "
    "อย่างไรก็ตามทุกคนก็กลับถึงบ้านอย่างปลอดภัยในตอนค่ำของวันเดียวกันนั้นเอง"
)


def test_thai_is_cut_where_a_clause_begins() -> None:
    found = pieces(THAI)
    assert [piece[:5] for piece in found] == ["เรือข", "ต่อมา", "อย่าง"]


def test_thai_is_not_cut_inside_a_date_or_a_bracket() -> None:
    clause = "เรือข้ามฟากออกเดินทางตั้งแต่ตอนเที่ยงวันโดยไม่มีใครรอพวกเราเลย"
    text = f"{clause}เมื่อวันที่ 5 ธันวาคม พ.ศ. 2500 (ในปีนั้น {clause} {clause}) เป็นวันสำคัญมากของทุกคนในหมู่บ้านนี้"
    for piece in pieces(text):
        assert piece.count("(") == piece.count(")")
        assert not piece.startswith("พ.ศ.")


def test_short_thai_stays_whole() -> None:
    text = "เรือออกตอนเที่ยง ไม่มีใครรอ"
    assert len(text) < UNSPACED_TARGET
    assert pieces(text) == [text]


def test_a_long_line_is_cut_at_soft_marks_only_when_far_too_long() -> None:
    clause = "the quick brown fox jumps over the lazy dog and runs on; "
    short, long = clause * 10, clause * 100
    assert len(short) < LONG < len(long)
    assert len(pieces(short)) == 1
    found = pieces(long)
    assert len(found) > 5
    assert all(piece.endswith(";") and len(piece) < LONG for piece in found)


def test_a_long_line_without_soft_marks_stays_one_piece() -> None:
    for text in ("word " * 2000, "漢" * 5000, "a" * 50_000):
        assert pieces(text) == [text.strip()]


def test_long_chinese_is_cut_at_full_width_commas() -> None:
    found = pieces("这是一个没有句号的很长的句子，" * 200)
    assert len(found) > 3
    assert all(piece.endswith("，") for piece in found)


def test_zero_width_spaces_are_covered() -> None:
    text = THAI.replace(" ", " \u200b ")
    covered = "".join(pieces(text))
    assert "".join(covered.split()) == "".join(text.split())
