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
    ("Quanto custa o bilhete e onde se compra?", ("Quanto custa o bilhete?", "onde se compra?")),
    ("Quando é que se paga e quem paga tudo?", ("Quando é que se paga?", "quem paga tudo?")),
    ("Wat kost het en hoe lang duurt het?", ("Wat kost het?", "hoe lang duurt het?")),
    ("Ne zaman ödenir ve kim öder?", ("Ne zaman ödenir?", "kim öder?")),
    ("متى ولد الشاعر وأين مات؟", ("متى ولد الشاعر؟", "أين مات؟")),
    ("언제 제출하고, 언제 지급되나요?", ("언제 제출하고?", "언제 지급되나요?")),
    ("什么是AI，什么是ML？", ("什么是AI？", "什么是ML？")),
    ("多久提交?多久付款?", ("多久提交?", "多久付款?")),
    ("Ποιος το έγραψε; Πότε εκδόθηκε;", ("Ποιος το έγραψε;", "Πότε εκδόθηκε;")),
    ("¿Cuánto cuesta?¿Cuándo se paga?", ("¿Cuánto cuesta?", "¿Cuándo se paga?")),
    ("Qu'est-ce que c'est et comment ça marche ?", ("Qu'est-ce que c'est?", "comment ça marche?")),
    ("What's the deadline and when's it paid?", ("What's the deadline?", "when's it paid?")),
    ("In Germany, when is it due and who pays?", ("In Germany, when is it due?", "who pays?")),
    ("I moved. When is it due and who pays?", ("I moved. When is it due?", "who pays?")),
    (
        "What does it cost, how long does it take, and who pays?",
        ("What does it cost?", "how long does it take?", "who pays?"),
    ),
    ("When is it due? Who pays and how is it paid?", ("When is it due?", "Who pays?", "how is it paid?")),
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
    # "And" joins what depends on the first question.
    "What is the name of the man who wrote it and who died in 1990?",
    "What happened when the wall fell and when the union dissolved?",
    "How do I know when to stop and when to go?",
    "Tell me who wrote it and when it appeared?",
    "Was weiß man darüber, wie Vögel schlafen und wie sie essen?",
    "Wat is bekend over hoe vogels slapen en hoe ze eten?",
    "Quel est le film qui a gagné et qui a été tourné à Paris?",
    "Come si chiama il luogo dove visse e dove morì?",
    "Кто сказал, что земля круглая и что она вертится?",
    "Kas ir cilvēks, kas uzrakstīja grāmatu un kas nomira Rīgā?",
    "Jaka jest książka, która wygrała i która została sfilmowana?",
    # Two question phrases share one verb.
    "In which city and in what year was he born?",
    "How many cats and how many dogs live here?",
    "In welchem Jahr und wo wurde er geboren?",
    "En quelle année et où est-il né?",
    "¿En qué año y dónde nació?",
    "Em quantos dias e onde se paga?",
    "В каком году и где родился Пушкин?",
    "W którym roku i gdzie urodził się Chopin?",
    "Kurā gadā un kur viņš dzimis?",
    "In welk jaar en waar is hij geboren?",
    "Hangi yılda ve nerede doğdu?",
    "في أي عام وأين ولد الشاعر؟",
    "在哪个城市，哪一年出生？",
    "什么时候，在哪里出生？",
    "どの年に、どこで生まれましたか？",
    "어느 도시에서, 몇 년에 태어났나요?",
    # Question words that ask nothing.
    "متى سافر من مصر ومن سوريا؟",
    "哪个国家，无论多大，都可以加入？",
    "How many cats are there and how many dogs?",
    "What is it and why not?",
    # Question marks that end no question, and what stands in quotation marks or brackets.
    "See https://example.org/?q=a what is it?",
    'What does "Who are you? Who am I?" mean?',
    "The song 'Who are you?' was written by whom?",
    'Is "What are you and why are you" a book?',
    "Where is the house (where he lived and where he died)?",
    "「誰が書いた？いつ書いた？」という本は何ですか？",
    # The same twice, and more than can be meant.
    "Who is it? Who is it?",
    "Who is A? Who is B? Who is C? Who is D? Who is E?",
]


@pytest.mark.parametrize(("query", "parts"), SPLIT)
def test_two_questions_are_two(query: str, parts: tuple[str, ...]) -> None:
    assert split_question(query) == parts


@pytest.mark.parametrize("query", WHOLE)
def test_one_question_stays_one(query: str) -> None:
    assert split_question(query) == ()


@pytest.mark.parametrize("run", [" ", "，", "what is, ", "in. ", "and who is ", "a" * 9, "?", "什么，"])
def test_a_long_query_takes_no_longer_than_its_length(run: str) -> None:
    """Patterns that look at every run from each of its characters would not end within hours."""
    for query in (f"what is{run * 20_000}x?", f"{run * 20_000}?", f"什么{run * 20_000}?"):
        assert split_question(query) == () or len(split_question(query)) <= 4


@given(
    st.lists(
        st.sampled_from(
            [
                *' ,.?？؟;()"，、',
                " and ",
                " und ",
                " و",
                "who ",
                "when is ",
                "wie viele ",
                "多久",
                "提交",
                "何か",
                "ب",
                "α",
                "x ",
            ]
        )
    ).map("".join)
)
def test_parts_of_questions_are_text_of_the_query_in_its_order(query: str) -> None:
    parts = split_question(query)
    assert len(parts) != 1
    at = 0
    for part in parts:
        assert part[-1] in query
        assert any(map(str.isalnum, part))
        at = query.index(part[:-1], at) + len(part) - 1


@given(st.text(alphabet="ab whenwho and,?？，多久e时 .", max_size=60) | st.text(max_size=60))
def test_any_text_gives_no_parts_or_several_that_say_something(query: str) -> None:
    parts = split_question(query)
    assert len(parts) != 1
    assert all(part.strip() and part[:-1].strip() in query for part in parts)
