"""What the demo asks: of the bundled pages, or of the files that PITH_QUERY and PITH_FILE name."""

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from demo.pages import bundled_pages
from pith import Document
from pith.cli.files import read_files

USAGE = 'make demo QUERY="..." FILE=page.md'
HTML_SEARCHED = 4096


class WrongInput(Exception):
    """The demo cannot run as it was asked to; the message has one sentence for each thing that is wrong."""


@dataclass(frozen=True)
class Question:
    """A query and the documents that it is asked of; `about` names them, `notes` are warnings."""

    query: str
    documents: Sequence[Document]
    about: str
    notes: Sequence[str] = ()


def questions(environ: Mapping[str, str]) -> list[Question]:
    """The user's own question where both variables are set, else those of the bundled pages.

    Raises WrongInput for one variable without the other, a blank query, and files that cannot be read.
    """
    query, files = environ.get("PITH_QUERY", ""), environ.get("PITH_FILE", "")
    if not query and not files:
        return [
            Question(page.query, [page.document()], f"{page.title} ({page.language})")
            for page in bundled_pages()
        ]
    if not query:
        raise WrongInput(f"FILE was given without a question: {USAGE}")
    if not files:
        raise WrongInput(f"QUERY was given without a file to ask it of: {USAGE}")
    if not query.strip():
        raise WrongInput(f"QUERY is blank: say what you are looking for, {USAGE}")
    return [own_question(query, names(files))]


def own_question(query: str, files: Sequence[str]) -> Question:
    documents, problems = read_files(files, titles=())
    if problems:
        raise WrongInput("\n".join(problems))
    notes = [html_note(document) for document in documents if looks_like_html(document.text)]
    return Question(query, documents, ", ".join(files), notes)


def names(files: str) -> list[str]:
    """One path, blanks and all, where there is such a file; else several, quoted as for a shell."""
    if os.path.exists(files):
        return [files]
    try:
        return shlex.split(files) or [files]
    except ValueError:
        return [files]


def looks_like_html(text: str) -> bool:
    return "<html" in text[:HTML_SEARCHED].lower()


def html_note(document: Document) -> str:
    return (
        f"{document.id} is HTML, and its tags are taken for text: extract the text first, as plain text or "
        "Markdown, for a result that means something."
    )
