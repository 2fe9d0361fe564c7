from __future__ import annotations

import textwrap

import pytest

from preprocessing.segments import segment

ENGLISH = (
    "The ferry left the harbour at noon with all of its passengers and their goods. Nobody had waited for us, "
    "although President Obama himself had promised that we would be taken along. We therefore walked to the bridge, "
    "which is further up the river than anyone had told us, and arrived late."
)
GERMAN = (
    "Die Fähre verließ den Hafen gegen Mittag mit allen Reisenden und ihren Waren. Niemand hatte auf uns gewartet, "
    "obwohl der Kapitän selbst versprochen hatte, dass wir mitgenommen würden. Wir gingen also zu Fuß zur Brücke, "
    "die weiter flussaufwärts liegt, als uns jemand gesagt hatte, und kamen zu spät an."
)
ARABIC = (
    "غادرت العبارة الميناء عند الظهر مع جميع ركابها وبضائعهم. لم ينتظرنا أحد على الرغم من أن القبطان نفسه كان قد وعدنا "
    "بأن يأخذنا معه. لذلك مشينا إلى الجسر الذي يقع أعلى النهر أبعد مما قيل لنا ووصلنا متأخرين جدا إلى البيت."
)
CHINESE = (
    "渡船在中午离开了港口，带走了所有的乘客和他们的货物。虽然船长亲自答应过要带我们一起走，但是没有人等我们。"
    "于是我们步行前往那座桥，它比别人告诉我们的还要远得多，我们很晚才回到家里，大家都非常疲倦。"
)


def pieces(text: str) -> list[str]:
    segments = segment(text)
    return [
        text[start:end] for start, end in zip(segments.start.tolist(), segments.end.tolist(), strict=True)
    ]


@pytest.mark.parametrize("text", [ENGLISH, GERMAN, ARABIC], ids=["English", "German", "Arabic"])
@pytest.mark.parametrize("width", [60, 72, 100])
def test_hard_wrapped_prose_gives_the_sentences_of_the_unwrapped_text(text: str, width: int) -> None:
    wrapped = textwrap.fill(text, width)
    assert [" ".join(piece.split()) for piece in pieces(wrapped)] == pieces(text)


@pytest.mark.parametrize("columns", [20, 30, 40])
def test_hard_wrapped_chinese_gives_the_sentences_of_the_unwrapped_text(columns: int) -> None:
    wrapped = "\n".join(CHINESE[i : i + columns] for i in range(0, len(CHINESE), columns))
    assert [piece.replace("\n", "") for piece in pieces(wrapped)] == pieces(CHINESE)


@pytest.mark.parametrize("prefix", ["> ", "  ", "\t"])
def test_wrapped_quotes_and_indented_paragraphs_are_joined_too(prefix: str) -> None:
    wrapped = textwrap.indent(textwrap.fill(ENGLISH, 70), prefix)
    assert len(pieces(wrapped)) == len(pieces(ENGLISH))


def test_two_lines_follow_the_width_of_the_text_above() -> None:
    short = "The whole of the voyage was later described at length by Captain\nOkonkwo in his memoirs."
    assert len(pieces(short)) == 2
    above = textwrap.fill(ENGLISH, 66)
    assert len(pieces(f"{above}\n\n{short}")) == len(pieces(ENGLISH)) + 1


@pytest.mark.parametrize(
    "lines",
    [
        [
            "Ferry captain refuses to wait for passengers",
            "Bridge closed for repairs until late autumn",
            "Walkers",
        ],
        ["Home", "News", "sport", "weather", "Sign in"],
        ["12 Harbour Street", "Port Ellen", "PA42 7DF", "Scotland"],
        [
            "[@anna](https://example.org/anna-a)",
            "[@bert](https://example.org/bert-b)",
            "[@cleo](https://example.org/c)",
        ],
        [
            "เรือข้ามฟากที่ท่าน้ำใหญ่ริมแม่น้ำสายหลักของเมืองหลวงเก่า",
            "สะพานไม้เก่าที่ปลายถนนหลังตลาดใหญ่ของเมืองหลวงเก่า",
            "ท่าเรือ",
        ],
        ["渡船公司拒绝等待乘客", "大桥维修至深秋", "行人太多", "天气"],
    ],
)
def test_lists_of_lines_are_not_joined(lines: list[str]) -> None:
    assert pieces("\n".join(lines)) == lines


def test_a_hard_break_is_kept() -> None:
    text = "the quick brown fox jumps over the lazy dog and  \nruns away from it as fast as it can go."
    assert len(pieces(text)) == 2


def test_a_long_line_that_stops_amid_a_sentence_goes_on_in_lower_case() -> None:
    text = (
        "A line that is long enough to be prose and has no mark at its end\nbut goes on here in lower case."
    )
    assert len(pieces(text)) == 1
    assert len(pieces(text.replace("\nbut goes", "\nBut goes"))) == 2
    assert len(pieces(text.replace("its end", "its end."))) == 2
