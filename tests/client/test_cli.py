"""The command line, end to end against the double."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import pith
from pith.cli import main
from tests.client.double import Double

TEXT = "Rain falls.\r\nBlue whales sing. Nothing else.\n"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.md"
    path.write_bytes(TEXT.encode())
    return path


def test_compress_shows_labels_offsets_and_counts(
    double: Double, page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["compress", "--url", double.url, "-q", "blue whales", "--title", "Sea", str(page)])
    output = capsys.readouterr().out
    assert code == 0
    assert f"[E1]  {page} · Sea  1.00" in output
    assert "[13:30] 1.00\n  Blue whales sing." in output
    assert "13 characters dropped" in output
    assert "7 → 3 tokens (42.9%)" in output
    assert "\x1b" not in output


def test_json_is_the_whole_result(double: Double, page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["compress", "--url", double.url, "-q", "blue whales", "--json", "--budget", "100", str(page)])
    result = json.loads(capsys.readouterr().out)
    (span,) = result["snippets"][0]["spans"]
    assert TEXT[span["start"] : span["end"]] == span["text"] == "Blue whales sing."
    assert (result["report"]["budget"], result["snippets"][0]["document"]["id"]) == (100, str(page))


def test_score_prints_a_line_for_each_segment(
    double: Double, page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", "--url", double.url, "-q", "blue whales", "--need", "rain", str(page)]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["text"] for row in rows] == ["Rain falls.", "Blue whales sing.", "Nothing else."]
    assert [row["scores"] for row in rows] == [[0.0, 1.0], [1.0, 0.0], [0.0, 0.0]]
    assert rows[0]["kind"] == "sentence"


def test_a_bad_file_is_named_and_the_others_are_done(
    double: Double, page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "latin.txt").write_bytes("Größe".encode("latin-1"))
    files = [str(tmp_path / "latin.txt"), str(tmp_path / "absent.txt"), str(page)]
    assert main(["compress", "--url", double.url, "-q", "blue whales", *files]) == 1
    told = capsys.readouterr()
    assert "latin.txt: is not UTF-8 (byte 2 is 0xf6)" in told.err
    assert "absent.txt: cannot be read" in told.err
    assert "Blue whales sing." in told.out


def test_without_a_readable_file_nothing_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compress", "--url", "127.0.0.1:9", "-q", "q", "/no/such/file"]) == 2


def test_standard_input_is_read_as_it_is(
    double: Double, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"\xef\xbb\xbfBlue whales.\r\n")))
    main(["score", "--url", double.url, "-q", "blue whales", "-"])
    row = json.loads(capsys.readouterr().out)
    assert (row["document"], row["text"], row["start"]) == ("-", "\ufeffBlue whales.", 0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-q", " "], "blank"),
        (["-q", "q", "--budget", "-3"], "budget"),
        (["-q", "q", "--budget", "huge"], "low, medium, high"),
        (["-q", "q", "--threshold", "2"], "threshold"),
        (["-q", "q", "--url", "http://localhost:8000"], "scheme"),
    ],
)
def test_senseless_options_exit_with_2(
    page: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    assert main(["compress", "--url", "127.0.0.1:9", *arguments, str(page)]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [[], ["compress"], ["compress", "-q", "q", "f", "--title=a", "--title=b"]]
)
def test_wrong_usage_exits_with_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2


def test_no_server_exits_with_3(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compress", "--url", "127.0.0.1:9", "-q", "q", str(page)]) == 3
    assert "no server answers at 127.0.0.1:9" in capsys.readouterr().err


def test_running_out_of_time_exits_with_4(double: Double, page: Path) -> None:
    double.delay = 30.0
    assert main(["compress", "--url", double.url, "--timeout", "1", "-q", "q", str(page)]) == 4


def test_the_address_can_come_from_the_environment(
    double: Double, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITH_URL", double.url)
    assert main(["score", "-q", "q", str(page)]) == 0


def test_color_is_for_terminals_that_want_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from pith.cli.show import Page, wants_color

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert wants_color(Terminal(), refused=False)
    assert not wants_color(Terminal(), refused=True)
    assert not wants_color(io.StringIO(), refused=False)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_color(Terminal(), refused=False)
    empty = pith.select_evidence([], budget="low", threshold=None)
    assert "\x1b[" in "\n".join(Page(color=True).lines(empty))


def test_a_document_cannot_steer_the_terminal(double: Double, tmp_path: Path) -> None:
    path = tmp_path / "evil.txt"
    path.write_text("Blue whales \x1b[2J sing\x9b.")
    run = subprocess.run(
        [sys.executable, "-m", "pith", "compress", "--url", double.url, "-q", "blue whales", str(path)],
        capture_output=True,
        check=True,
        text=True,
        encoding="utf-8",
    )
    assert r"Blue whales \x1b[2J sing\x9b." in run.stdout
