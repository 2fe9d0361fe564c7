"""The command line's options."""

from __future__ import annotations

import argparse
import os
from typing import get_args

from pith.budget import PRESETS
from pith.switches import Order

_DEFAULT_URL = "localhost:8001"
_SWITCHES = ("duplicates", "near_duplicates", "dependencies", "split_question", "always_keep_title")
_EXIT_CODES = """\
exit codes:
  0  done
  1  done, but some files could not be read (each is named on standard error)
  2  nothing done: wrong options, or no file could be read
  3  the server is not there, overloaded, or not a Pith server of this version
  4  the time allowed ran out

Files are read as UTF-8. Offsets count code points from the start of the file, a byte order mark included.
"""


def parser() -> argparse.ArgumentParser:
    """The parser of ``pith compress``, ``pith inspect`` and ``pith score``."""
    root = argparse.ArgumentParser(
        prog="pith",
        description="Keep of documents what a question needs, with a Pith server.",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = root.add_subparsers(dest="command", required=True, metavar="{compress,inspect,score}")

    compress = commands.add_parser(
        "compress",
        help="show what is kept of the files within a budget",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _common(compress)
    _selection(compress)
    compress.add_argument("--json", action="store_true", help="print the whole result as JSON")
    compress.add_argument("--no-color", action="store_true", help="no colour (also: set NO_COLOR)")

    inspect = commands.add_parser(
        "inspect",
        help="write an HTML page that shows what is kept and dropped, with scores and reasons",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _common(inspect)
    _selection(inspect)
    inspect.add_argument(
        "--out",
        "-o",
        default="pith-inspect.html",
        metavar="FILE",
        help="the page; - is standard output (default: pith-inspect.html)",
    )

    score = commands.add_parser(
        "score",
        help="print every segment with its score, one JSON object per line",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _common(score)
    return root


def _selection(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--budget",
        type=_budget,
        default="medium",
        help=f"tokens to keep at most: a number or one of {', '.join(PRESETS)} (default: medium)",
    )
    command.add_argument(
        "--threshold",
        type=_threshold,
        help="least score that is evidence, 0 to 1, or a share of the evidence to find, as in recall=0.9 "
        "(default: the server's own)",
    )
    command.add_argument(
        "--order",
        choices=get_args(Order),
        default="source",
        help="order of the documents (default: source, as given)",
    )
    command.add_argument("--max-documents", type=int, metavar="N", help="keep of N documents at most")
    command.add_argument(
        "--per-document", type=int, metavar="TOKENS", help="keep at most so many tokens of one document"
    )
    command.add_argument(
        "--diversity",
        type=float,
        help="1: only by score, 0: only what is new (default: 0.7 for several needs)",
    )
    command.add_argument(
        "--off",
        action="append",
        default=[],
        choices=_SWITCHES,
        help="turn a step of the selection off; may be given several times",
    )


def _common(command: argparse.ArgumentParser) -> None:
    command.add_argument("--query", "-q", required=True, help="the question")
    command.add_argument("files", nargs="+", metavar="FILE", help="text files; - is standard input")
    command.add_argument(
        "--need",
        action="append",
        default=[],
        metavar="TEXT",
        help="a fact that the answer must contain; may be given several times",
    )
    command.add_argument(
        "--title",
        action="append",
        default=[],
        metavar="TEXT",
        help="title of a document; given several times, they go to the files in order",
    )
    command.add_argument(
        "--url",
        default=os.environ.get("PITH_URL") or _DEFAULT_URL,
        help=f"host:port of the server's gRPC port (default: PITH_URL or {_DEFAULT_URL})",
    )
    command.add_argument(
        "--timeout", type=float, default=60.0, metavar="SECONDS", help="time allowed (default: 60)"
    )


def _threshold(value: str) -> float | str:
    return value if value.startswith("recall") else float(value)


def _budget(value: str) -> str | int:
    return int(value) if value.lstrip("+-").isdecimal() else value
