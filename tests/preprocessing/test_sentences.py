from __future__ import annotations

import pytest

from preprocessing.sentences import sentences


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


# Each example is written as its sentences; `_` joins those that follow without a space.
LANGUAGES = {
    "English": "The ferry left at noon.|Nobody waited for us!|Was that fair?|We think not.",
    "German": "Die Fähre fuhr um zwölf.|Niemand wartete!|War das fair?",
    "French": "Le bac est parti à midi.|Personne ne nous a attendus !|Était-ce juste ?|Non.",
    "Spanish": "El barco salió a mediodía.|¡Nadie nos esperó!|¿Fue justo?",
    "Italian": "Il traghetto è partito.|Nessuno ci ha aspettato!|È giusto?",
    "Portuguese": "O barco partiu ao meio-dia.|Ninguém esperou!|Foi justo?",
    "Dutch": "De pont vertrok om twaalf uur.|Niemand wachtte!|Was dat eerlijk?",
    "Polish": "Prom odpłynął w południe.|Nikt nie czekał!|Czy to uczciwe?",
    "Czech": "Trajekt odplul v poledne.|Nikdo nečekal!|Bylo to fér?",
    "Latvian": "Prāmis aizgāja pusdienlaikā.|Neviens negaidīja!|Vai tas ir godīgi?",
    "Norwegian": "Ferga gikk klokka tolv.|Ingen ventet!|Var det rettferdig?",
    "Turkish": "Vapur öğlen kalktı.|Kimse beklemedi!|Bu adil miydi?",
    "Vietnamese": "Phà rời bến lúc trưa.|Không ai đợi chúng tôi!|Có công bằng không?",
    "Russian": "Паром ушёл в полдень.|Никто не ждал!|Это честно?",
    "Greek": "Το πλοίο έφυγε το μεσημέρι.|Κανείς δεν περίμενε!|Ήταν δίκαιο;|Μάλλον όχι.",
    "Armenian": "Լաստանավը մեկնեց կեսօրին:|Ոչ ոք չսպասեց։|Արդյո՞ք արդար էր:",
    "Hebrew": "המעבורת יצאה בצהריים.|איש לא חיכה לנו!|האם זה הוגן?",
    "Arabic": "غادرت العبارة عند الظهر.|لم ينتظرنا أحد!|هل كان ذلك عدلاً؟|لا أظن.",
    "Urdu": "کشتی دوپہر کو روانہ ہوئی۔|کسی نے انتظار نہیں کیا۔|کیا یہ درست تھا؟",
    "Persian": "کشتی ظهر حرکت کرد.|کسی منتظر نماند!|آیا منصفانه بود؟",
    "Hindi": "नाव दोपहर में चली गई।|किसी ने हमारा इंतज़ार नहीं किया।|क्या यह ठीक था?",
    "Marathi": "नाव दुपारी निघाली.|कोणीही थांबले नाही!|हे योग्य होते का?",
    "Bengali": "নৌকা দুপুরে ছেড়ে গেল।|কেউ অপেক্ষা করেনি।|এটা কি ঠিক?",
    "Amharic": "ጀልባው እኩለ ቀን ላይ ሄደ።_ማንም አልጠበቀንም።_ይህ ተገቢ ነው፧",
    "Burmese": "လှေသည် မွန်းတည့်ချိန်တွင် ထွက်သွားသည်။_ဘယ်သူမှ မစောင့်ပါ။",
    "Khmer": "កាណូតបានចេញដំណើរ។|គ្មាននរណារង់ចាំទេ។",
    "Chinese": "渡船中午开走了。_没有人等我们！_这公平吗？_不公平。",
    "Japanese": "船は正午に出た。_誰も待たなかった！_それは公平ですか？",
    "Korean": "배는 정오에 떠났다.|아무도 기다리지 않았다!|그게 공평한가?",
    "Tibetan": "གྲུ་གཟིངས་ཕྱིན་སོང་།",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_of_a_language_end_at_its_marks(language: str) -> None:
    written = LANGUAGES[language]
    assert split(written.replace("|", " ").replace("_", "")) == written.replace("_", "|").split("|")


@pytest.mark.parametrize(
    "text",
    [
        "Ask Dr. Okafor about it.",
        "We met Mr. and Mrs. Lindqvist at St. Olav's.",
        "J. R. R. Tolkien wrote it.",
        "The U.S. Navy bought 3.5 tons at approx. 2.10 each.",
        "See fig. 4, pp. 12–15, and No. 7 of vol. 2.",
        "They use plants, e.g. Salvia, i.e. sage.",
        "Das gilt z. B. Montags und am 3. Tag, d. h. selten.",
        "Er kam am 12. Januar im 19. Jahrhundert an.",
        "Il a vu M. et Mme. Durand av. J.-C.",
        "El Sr. Gómez vive en la Av. Colón.",
        "L'Avv. Bruni abita qui.",
        "Л. Н. Толстой жил в г. Тула на ул. Мира.",
        "Zona nr. 5 jest tzw. Parkiem.",
        "The file is at https://example.org/a.b/C.html?x=1.2&Y=3 now.",
        "Write to ann.lee@example.org today.",
        "Version 2.10.3 of Node.js runs on 127.0.0.1.",
        "He paid $1,200.50 (i.e. a lot) at 5 p.m. on Monday.",
        "It was ... well, strange.",
        "She asked, 'Why?' and left.",
        "Louis XIV. Straße heißt sie nicht.",
        "डॉ. शर्मा और एम. एस. राव आए।",
        "พ.ศ. 2540 เป็นปีแห่งการเปลี่ยนแปลง",
        "[...] and so on.",
    ],
)
def test_a_full_stop_inside_a_sentence_does_not_end_it(text: str) -> None:
    assert split(text) == [text]


@pytest.mark.parametrize(
    "written",
    [
        "They live in the U.S. The other house is in the U.K.|Nobody is home.",
        "It was built by Apex Inc. It fell down.",
        "He left at 5 p.m. She stayed.",
        "Take vitamin C. It helps.",
        "He was born in 1984. Nothing else is known.",
        "It fell by 12%. Then it rose.",
        "We ate bread, cheese, etc. Then we slept.",
    ],
)
def test_an_abbreviation_or_number_ends_a_sentence_where_the_next_word_starts_one(written: str) -> None:
    assert len(split(written.replace("|", " "))) > 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("“Go home.” She left.", ["“Go home.”", "She left."]),
        ("He said “go home.” and left.", ["He said “go home.” and left."]),
        ("(It was late.) We went home.", ["(It was late.)", "We went home."]),
        ("We went (it was late. very late.) home.", ["We went (it was late. very late.) home."]),
        ("„Komm heim.“ Sie ging.", ["„Komm heim.“", "Sie ging."]),
        ("« Rentre. » Elle partit.", ["« Rentre. »", "Elle partit."]),
        ("彼は「行く。」と言った。そうだ。", ["彼は「行く。」と言った。", "そうだ。"]),
        ("她说：“走吧。”他没动。", ["她说：“走吧。”", "他没动。"]),
        ("我喜欢《你好！李焕英》这部电影。真的。", ["我喜欢《你好！李焕英》这部电影。", "真的。"]),
        ("It is so.[12] It was so.[a]", ["It is so.[12]", "It was so.[a]"]),
        ("**Note.** Read *this.* Then go.", ["**Note.**", "Read *this.*", "Then go."]),
    ],
)
def test_closing_marks_stay_with_their_sentence(text: str, expected: list[str]) -> None:
    assert split(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What?! No... Yes…  Well!!!", ["What?!", "No...", "Yes…", "Well!!!"]),
        ("Wait . . . and then . . . nothing.", ["Wait . . . and then . . . nothing."]),
        ("The end.Next came spring, they say.", ["The end.", "Next came spring, they say."]),
        ("the end . the next one . and on .", ["the end .", "the next one .", "and on ."]),
        ("Price: 5 EUR. ¿Y qué? «Так.» — Да.", ["Price: 5 EUR.", "¿Y qué?", "«Так.»", "— Да."]),
        ("３．１４は円周率です．次の文です．", ["３．１４は円周率です．", "次の文です．"]),
        ("好吗?好!走吧", ["好吗?", "好!", "走吧"]),
    ],
)
def test_runs_spaced_and_missing_spaces(text: str, expected: list[str]) -> None:
    assert split(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We sell: • apples • pears • plums", ["We sell:", "• apples", "• pears", "• plums"]),
        ("1) Open it. 2) Close it. 3) Lock it.", ["1) Open it.", "2) Close it.", "3) Lock it."]),
        ("1. Open it 2. Close it", ["1. Open it", "2. Close it"]),
        ("a) wool b) silk c) flax", ["a) wool", "b) silk", "c) flax"]),
        ("1. Go to step 2. then stop", ["1. Go to step 2. then stop"]),
        ("Three kinds: - red ones. - Blue ones.", ["Three kinds:", "- red ones.", "- Blue ones."]),
        ("12. März war ein Tag.", ["12. März war ein Tag."]),
    ],
)
def test_flattened_lists_are_split_at_their_items(text: str, expected: list[str]) -> None:
    assert split(text) == expected


def test_white_space_of_any_kind_separates_sentences_and_belongs_to_none() -> None:
    text = "\u3000One is here.\u2003 \t Two is here.\u00a0\u2028Three is here.\r\n"
    assert split(text) == ["One is here.", "Two is here.", "Three is here."]


@pytest.mark.parametrize("text", ["", " ", "\n\t\u3000"])
def test_blank_text_has_no_sentences(text: str) -> None:
    assert sentences(text) == []


def test_spans_are_offsets_into_the_whole_text() -> None:
    text = "Skip this. Take this. And this. Not this."
    start = text.index("Take")
    assert [text[a:b] for a, b in sentences(text, start, start + 20)] == ["Take this.", "And this."]


def test_marks_stay_with_their_character() -> None:
    assert split("Was?\u0301 Ja!\ufe0f Da.") == ["Was?\u0301", "Ja!\ufe0f", "Da."]
    assert split("好。\u3099好") == ["好。\u3099", "好"]
