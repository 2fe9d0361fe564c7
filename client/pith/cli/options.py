"""The command line's options."""

from __future__ import annotations

import argparse
import os

from pith.budget import PRESETS

_DEFAULT_URL = "localhost:8001"
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
    """The parser of ``pith compress`` and ``pith score``."""
    root = argparse.ArgumentParser(
        prog="pith",
        description="Keep of documents what a question needs, with a Pith server.",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = root.add_subparsers(dest="command", required=True, metavar="{compress,score}")

    compress = commands.add_parser(
        "compress",
        help="show what is kept of the files within a budget",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _common(compress)
    compress.add_argument(
        "--budget",
        type=_budget,
        default="medium",
        help=f"tokens to keep at most: a number or one of {', '.join(PRESETS)} (default: medium)",
    )
    compress.add_argument(
        "--threshold", type=float, help="least score to keep, 0 to 1 (default: the server's own)"
    )
    compress.add_argument("--json", action="store_true", help="print the whole result as JSON")
    compress.add_argument("--no-color", action="store_true", help="no colour (also: set NO_COLOR)")

    score = commands.add_parser(
        "score",
        help="print every segment with its score, one JSON object per line",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _common(score)
    return root


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


def _budget(value: str) -> str | int:
    return int(value) if value.lstrip("+-").isdecimal() else value
