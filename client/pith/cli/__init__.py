"""The command ``pith``: what is kept of files for a question, and why."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any

from pith.cli.files import read_files
from pith.cli.options import parser
from pith.cli.show import Page, wants_color
from pith.compressor import Compressor
from pith.errors import DeadlineExceeded, InvalidInput, PithError
from pith.inspect import inspect
from pith.types import Document, Status


class ExitCode(IntEnum):
    """What the command tells the shell."""

    DONE = 0
    SOME_FILES_UNREADABLE = 1
    NOTHING_DONE = 2
    SERVER_TROUBLE = 3
    OUT_OF_TIME = 4
    INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; wrong options exit with 2, as argparse does."""
    command_line = parser()
    options = command_line.parse_args(arguments)
    if len(options.title) > len(options.files):
        command_line.error("there are more titles than files")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that cannot show a character is no reason to stop.
        sys.stdout.reconfigure(errors="backslashreplace")
    documents, problems = read_files(options.files, options.title)
    for problem in problems:
        _complain(problem)
    if not documents:
        return ExitCode.NOTHING_DONE
    try:
        with Compressor(options.url, timeout=options.timeout) as compressor:
            if options.command == "compress":
                _compress(compressor, documents, options)
            elif options.command == "inspect":
                _inspect(compressor, documents, options)
            else:
                _score(compressor, documents, options)
        sys.stdout.flush()
    except InvalidInput as error:
        _complain(str(error))
        return ExitCode.NOTHING_DONE
    except DeadlineExceeded as error:
        _complain(str(error))
        return ExitCode.OUT_OF_TIME
    except PithError as error:
        _complain(str(error))
        return ExitCode.SERVER_TROUBLE
    except BrokenPipeError:
        # The reader, such as `head`, has seen enough; Python would complain once more while it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    return ExitCode.SOME_FILES_UNREADABLE if problems else ExitCode.DONE


def _compress(compressor: Compressor, documents: Sequence[Document], options: argparse.Namespace) -> None:
    result = compressor.compress(**_selection(documents, options))
    if options.json:
        print(json.dumps(result.to_dict(), ensure_ascii=False, indent=2))
        return
    for line in Page(wants_color(sys.stdout, options.no_color)).lines(result):
        print(line)


def _inspect(compressor: Compressor, documents: Sequence[Document], options: argparse.Namespace) -> None:
    seen = inspect(compressor, **_selection(documents, options))
    if options.out == "-":
        print(seen.page())
        return
    try:
        Path(options.out).write_text(seen.page(), encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"{options.out}: cannot be written: {error.strerror or error}") from error
    report = seen.result.report
    print(f"{options.out}: {report.kept:,} of {report.total:,} tokens kept")


def _selection(documents: Sequence[Document], options: argparse.Namespace) -> dict[str, Any]:
    """The arguments of a compression."""
    return {
        "query": options.query,
        "documents": documents,
        "budget": options.budget,
        "threshold": options.threshold,
        "needs": options.need,
        "order": options.order,
        "max_documents": options.max_documents,
        "per_document_tokens": options.per_document,
        "diversity": options.diversity,
        **dict.fromkeys(options.off, False),
    }


def _score(compressor: Compressor, documents: Sequence[Document], options: argparse.Namespace) -> None:
    for scored in compressor.score(options.query, documents, needs=options.need):
        if scored.status is not Status.OK:
            _complain(f"{scored.document.id}: {scored.reason}")
        for segment in scored.segments:
            row = {
                "document": scored.document.id,
                "start": segment.start,
                "end": segment.end,
                "kind": segment.kind.name.lower(),
                "score": segment.score,
                "scores": segment.scores,
                "tokens": segment.tokens,
                "parent": segment.parent,
                "text": scored.document.text[segment.start : segment.end],
            }
            print(json.dumps(row, ensure_ascii=False))


def _complain(problem: str) -> None:
    print(f"pith: {problem}", file=sys.stderr)
