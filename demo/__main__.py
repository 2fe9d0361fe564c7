"""`python -m demo`: starts a server, asks it, prints what is kept. PITH_URL names one that runs already."""

import contextlib
import io
import os
import sys
import time
from collections.abc import Iterator, Mapping

from demo.questions import Question, WrongInput, questions
from pith import Compressor
from pith.cli import ExitCode
from pith.cli.show import Page, printable, wants_color
from pith.errors import PithError
from serving.errors import ServingError
from serving.server import LocalServer

BUDGET = "low"
# Seconds; a machine that is busy or slow should still show the result.
TIMEOUT = 300.0
WIDTH = 80
MEASURED = "from the call to the finished result: request, inference, selection; after one warm-up request"


def main(environ: Mapping[str, str] = os.environ) -> int:
    """Run the demo and return its exit code, which means what it means for the command `pith`."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that cannot show a character is no reason to stop.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        asked = questions(environ)
        with server_url(environ) as url, Compressor(url, timeout=TIMEOUT) as compressor:
            # The first request also opens the connection and reads the server's limits.
            compressor.score("warm-up", ["The server is warm."])
            for number, question in enumerate(asked, start=1):
                answer(compressor, question, f"{number}/{len(asked)}")
    except WrongInput as error:
        return complain(error, ExitCode.NOTHING_DONE)
    except (ServingError, PithError) as error:
        return complain(error, ExitCode.SERVER_TROUBLE)
    except BrokenPipeError:
        # The reader, such as `head`, has seen enough; Python would complain once more while it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    return ExitCode.DONE


@contextlib.contextmanager
def server_url(environ: Mapping[str, str]) -> Iterator[str]:
    """The address of the server to ask: the one in PITH_URL, else one that lives as long as the context."""
    if url := environ.get("PITH_URL"):
        yield url
        return
    print("Starting the server ...", flush=True)
    with LocalServer() as server:
        yield server.grpc_url


def answer(compressor: Compressor, question: Question, number: str) -> None:
    """Ask one question and print it with its result."""
    characters = sum(len(document.text) for document in question.documents)
    print(f"\n{f'── {number} '.ljust(WIDTH, '─')}")
    print(f"Page: {printable(question.about)}, {characters:,} characters")
    print(f"Question: {printable(question.query)}")
    for note in question.notes:
        print(f"Note: {printable(note)}")
    print()
    started = time.perf_counter()
    result = compressor.compress(question.query, question.documents, budget=BUDGET)
    seconds = time.perf_counter() - started
    for line in Page(wants_color(sys.stdout, refused=False)).lines(result):
        print(line)
    print(f"{seconds * 1000:,.0f} ms {MEASURED}", flush=True)


def complain(error: Exception, code: ExitCode) -> ExitCode:
    print(f"demo: {error}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
