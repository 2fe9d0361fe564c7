"""The options that every comparison of models shares: which models, on which questions, and where scores are kept."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

Named = tuple[str, Path]
# A name is also that of a file.
_NAME = re.compile(r"[\w][\w .,+-]*")


def named_model(text: str) -> Named:
    """`name=path`, checked: the path exists and the name can name a file."""
    name, equals, path = text.partition("=")
    if not equals or not _NAME.fullmatch(name):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not name=path; a name has letters, digits, spaces and . , + - only"
        )
    if not Path(path).exists():
        raise argparse.ArgumentTypeError(f"there is nothing at {path}")
    return name, Path(path)


def parts(text: str) -> list[str]:
    """A list with commas."""
    return [part for part in text.split(",") if part]


def add_data(parser: argparse.ArgumentParser, questions: int) -> None:
    """Add `--data`, `--questions`, `--sets` and `--cache`."""
    parser.add_argument("--data", type=Path, required=True, help="folder of sets, see corpora/sets.py")
    parser.add_argument("--questions", type=int, default=questions, help="most questions of each set")
    parser.add_argument(
        "--sets", type=parts, default=[], help="only sets whose name holds one of these, comma-separated"
    )
    parser.add_argument(
        "--cache", type=Path, default=Path("build/scores"), help="folder of the models' scores"
    )


def add_models(parser: argparse.ArgumentParser) -> None:
    """Add `--model name=path`, once for each model."""
    parser.add_argument(
        "--model", type=named_model, action="append", required=True, help="name=path; give it for each"
    )
