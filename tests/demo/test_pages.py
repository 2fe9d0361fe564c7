"""The bundled pages are whole, are owed to somebody, and answer the questions that they come with."""

import pytest

from demo.pages import FOLDER, Page, bundled_pages

ATTRIBUTION = (FOLDER / "ATTRIBUTION.md").read_text(encoding="utf-8")
ALL = pytest.mark.parametrize("page", bundled_pages(), ids=lambda page: page.file)


def section(page: Page) -> str:
    """What ATTRIBUTION.md says of one page."""
    _, found, rest = ATTRIBUTION.partition(f"## {page.file}\n")
    assert found, f"ATTRIBUTION.md has no section on {page.file}"
    return rest.partition("\n## ")[0]


def test_every_file_in_the_folder_is_a_page() -> None:
    assert {path.name for path in FOLDER.glob("*.txt")} == {page.file for page in bundled_pages()}


@ALL
def test_the_document_is_the_file_to_the_last_byte(page: Page) -> None:
    document = page.document()

    assert document.text.encode() == page.path.read_bytes()
    assert "\r" not in document.text
    assert (document.id, document.title, document.url) == (page.file, page.title, page.url)


@ALL
def test_a_page_is_long_enough_to_be_worth_compressing(page: Page) -> None:
    assert 5_000 <= page.path.stat().st_size <= 40_000


@ALL
def test_the_answer_stands_once_and_between_other_text(page: Page) -> None:
    text = page.text

    assert page.query.strip()
    assert text.count(page.answer) == 1
    assert len(text) / 10 < text.index(page.answer) < len(text) * 9 / 10


@ALL
def test_the_attribution_names_title_author_address_licence_and_changes(page: Page) -> None:
    said = section(page)

    assert f"- Title: {page.title}\n" in said
    assert f"- Address: {page.url}\n" in said
    assert "- Author and publisher: " in said
    assert "https://creativecommons.org/licenses/by-sa/" in said
    assert "- Retrieved from: " in said
    assert "- Changed besides: " in said
