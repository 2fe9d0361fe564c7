"""The bundled pages: real ones, navigation, banners and footers included. ATTRIBUTION.md says whose."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pith import Document

FOLDER = Path(__file__).parent / "pages"


@dataclass(frozen=True)
class Page:
    """A page, a question that it answers, and the words in it that do.

    `file` is a name in `FOLDER`: UTF-8, one visible line of the page a line, as a crawler hands it over.
    `language` is an ISO 639-1 code.
    """

    file: str
    language: str
    title: str
    url: str
    query: str
    answer: str

    @property
    def path(self) -> Path:
        return FOLDER / self.file

    @cached_property
    def text(self) -> str:
        # As bytes: reading as text would turn line ends into others and move every offset after them.
        return self.path.read_bytes().decode("utf-8")

    def document(self) -> Document:
        return Document(self.text, id=self.file, title=self.title, url=self.url)


def bundled_pages() -> tuple[Page, ...]:
    """The English, the Italian and the Chinese page."""
    return _PAGES


_PAGES = (
    Page(
        file="wikimedia-en-turkey.txt",
        language="en",
        title="Access to Wikipedia restored in Turkey after more than two and a half years",
        url="https://wikimediafoundation.org/news/2020/01/15/"
        "access-to-wikipedia-restored-in-turkey-after-more-than-two-and-a-half-years/",
        query="How many articles does the Turkish Wikipedia have?",
        answer="the Turkish Wikipedia’s more than 335,000 articles",
    ),
    Page(
        file="wikipedia-it-hpc.txt",
        language="it",
        title="High performance computing",
        url="https://it.wikipedia.org/wiki/High_performance_computing",
        query="Quali tecnologie combina la maggior parte dei produttori di hardware?",
        answer="combina adesso le tecnologie DMP e SMP",
    ),
    Page(
        file="wikipedia-zh-markdown.txt",
        language="zh",
        title="Markdown",
        url="https://zh.wikipedia.org/wiki/Markdown",
        query="在 Markdown 中怎样强制换行？",
        answer="如果想强迫换行，可以在行尾插入至少两个空格。",
    ),
)
