"""Proof downstream.

usage: python -m evaluation.answers kept ...     is the answer still there? needs no model that answers
       python -m evaluation.answers run ...      does an answer model answer as well from less?
       python -m evaluation.answers report ...   accuracy against tokens, from what `run` wrote

Each has its own --help.
"""

from __future__ import annotations

import importlib
import sys

from evaluation.answers.errors import AnswersError

COMMANDS = {
    "kept": "evaluation.answers.kept_command",
    "run": "evaluation.answers.run_command",
    "report": "evaluation.answers.report_command",
}


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name in ("-h", "--help"):
        print(__doc__)
        return
    if name not in COMMANDS:
        sys.exit(f"Say which of {', '.join(COMMANDS)}; --help describes them.")
    try:
        importlib.import_module(COMMANDS[name]).main(sys.argv[2:])
    except AnswersError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
