"""A question is split only where it surely asks two things."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pith.parts import split_question

SPLIT = [
    (
        "How long do I have to submit, and when is it paid?",
        ("How long do I have to submit?", "when is it paid?"),
    ),
    ("When was it built and who built it?", ("When was it built?", "who built it?")),
    ("When was it built? Who built it?", ("When was it built?", "Who built it?")),
    ("多久提交,多久付款？", ("多久提交？", "多久付款？")),
    ("什么时候提交，以及多久付款？", ("什么时候提交？", "多久付款？")),
    ("Cik ilgā laikā jāiesniedz un kad izmaksā?", ("Cik ilgā laikā jāiesniedz?", "kad izmaksā?")),
    (
        "Entro quando si presenta e quando viene pagato?",
        ("Entro quando si presenta?", "quando viene pagato?"),
    ),
    ("Was kostet es und wie lange dauert es?", ("Was kostet es?", "wie lange dauert es?")),
    ("Quand est-il dû et combien coûte-t-il?", ("Quand est-il dû?", "combien coûte-t-il?")),
    ("¿Cuándo se presenta y cuándo se paga?", ("¿Cuándo se presenta?", "cuándo se paga?")),
    ("Когда он родился и где он умер?", ("Когда он родился?", "где он умер?")),
    ("いつ提出しますか、いつ支払われますか？", ("いつ提出しますか？", "いつ支払われますか？")),
    ("Kiedy się składa i ile kosztuje?", ("Kiedy się składa?", "ile kosztuje?")),
]
WHOLE = [
    "Who were Romeo and Juliet?",
    "What is the difference between X and Y?",
    "Which river, which is long, flows through Paris?",
    "How are salt and pepper made?",
    "What did he say and do?",
    "Where do cats and dogs live?",
    "When and where was he born?",
    "What?",
    "Why not?",
    "how and why",
    "Tell me about Rome and Athens.",
    "Rome and Athens",
    "Kas ir Jānis un Anna?",
    "Chi sono Romolo e Remo?",
    "Was ist der Unterschied zwischen A und B?",
    "Qui sont Tristan et Iseut?",
    "¿Quiénes son Tristán e Isolda?",
    "Кто такие Ромео и Джульетта?",
    "北京和上海哪个更大？",
    "李白，字太白，是哪个朝代的诗人？",
    "「源氏物語」は誰が書きましたか？",
    "في أي عام ولد؟",
    "Ali ve Ayşe kimdir?",
    "Kim są Tristan i Izolda?",
    "Wie zijn Tristan en Isolde?",
    "",
    "?",
    "???",
    "Is it true? It is.",
]


@pytest.mark.parametrize(("query", "parts"), SPLIT)
def test_two_questions_are_two(query: str, parts: tuple[str, ...]) -> None:
    assert split_question(query) == parts


@pytest.mark.parametrize("query", WHOLE)
def test_one_question_stays_one(query: str) -> None:
    assert split_question(query) == ()


@given(st.text(alphabet="ab whenwho and,?？，多久e时 .", max_size=60) | st.text(max_size=60))
def test_any_text_gives_no_parts_or_several_that_say_something(query: str) -> None:
    parts = split_question(query)
    assert len(parts) != 1
    assert all(part.strip() and part[:-1].strip() in query for part in parts)
