"""A reader's own question of his own page: what is wrong is said before a server is started."""

import io
from pathlib import Path

import pytest

from demo import __main__ as demo
from demo.pages import bundled_pages
from demo.questions import questions


@pytest.fixture(autouse=True)
def no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(*_: object, **__: object) -> None:
        raise AssertionError("a server was started")

    monkeypatch.setattr(demo, "LocalServer", start)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "my page.md"
    path.write_bytes("# Café\r\n\r\nIt opens at 8.\r\n".encode())
    return path


def test_without_variables_the_bundled_pages_are_asked() -> None:
    bundled = bundled_pages()

    assert [page.language for page in bundled] == ["en", "it", "zh"]
    assert [question.query for question in questions({})] == [page.query for page in bundled]
    assert questions({"PITH_QUERY": "", "PITH_FILE": ""}) == questions({})


def test_a_file_is_taken_as_it_is_whatever_its_name_contains(page: Path) -> None:
    (question,) = questions({"PITH_QUERY": "When does it open?", "PITH_FILE": str(page)})

    assert question.query == "When does it open?"
    assert [document.text for document in question.documents] == [page.read_bytes().decode()]
    assert question.notes == []


def test_several_files_are_asked_together(page: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("Closed on Mondays.", encoding="utf-8")

    (question,) = questions({"PITH_QUERY": "When?", "PITH_FILE": f"'{page}' {other}"})

    assert [document.id for document in question.documents] == [str(page), str(other)]


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("Geöffnet ab 8 Uhr.".encode())))

    (question,) = questions({"PITH_QUERY": "Wann?", "PITH_FILE": "-"})

    assert question.documents[0].text == "Geöffnet ab 8 Uhr."


def test_html_is_asked_but_comes_with_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text('<!DOCTYPE html>\n<HTML lang="en"><body>It opens at 8.</body></HTML>', encoding="utf-8")

    (question,) = questions({"PITH_QUERY": "When?", "PITH_FILE": str(path)})

    assert len(question.documents) == 1
    assert "extract the text first" in question.notes[0]


@pytest.mark.parametrize(
    ("environ", "sentence"),
    [
        ({"PITH_QUERY": "When?"}, "QUERY was given without a file to ask it of"),
        ({"PITH_FILE": "page.md"}, "FILE was given without a question"),
        ({"PITH_QUERY": " \t", "PITH_FILE": "page.md"}, "QUERY is blank"),
        ({"PITH_QUERY": "When?", "PITH_FILE": "no/such page.md"}, "no/such: cannot be read: No such file"),
        ({"PITH_QUERY": "When?", "PITH_FILE": "it's"}, "it's: cannot be read: No such file"),
    ],
)
def test_wrong_input_is_told_in_a_sentence_and_ends_with_2(
    environ: dict[str, str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert demo.main(environ) == 2
    assert sentence in capsys.readouterr().err


def test_a_file_in_another_encoding_is_refused_with_its_first_wrong_byte(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "latin-1.txt"
    path.write_bytes("Caffè".encode("latin-1"))

    assert demo.main({"PITH_QUERY": "When?", "PITH_FILE": str(path)}) == 2
    assert "latin-1.txt: is not UTF-8 (byte 4 is 0xe8)" in capsys.readouterr().err


def test_a_server_that_is_not_there_ends_with_3(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.main({"PITH_URL": "localhost:1"}) == 3
    assert "no server answers at localhost:1" in capsys.readouterr().err
