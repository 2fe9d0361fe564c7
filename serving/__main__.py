"""Command line: `pith-serve` starts the server, watches it, and stops it on SIGINT or SIGTERM."""

import argparse
import logging
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from serving.errors import PortInUse, RequirementMissing, ServingError, StartCancelled
from serving.find import MODEL_REPOSITORY
from serving.server import LocalServer
from serving.watcher import Policy, Watcher

OK, FAILED, MISSING = 0, 1, 3
EXIT_CODES = """exit codes:
  0  stopped by SIGINT or SIGTERM, or --check found nothing missing
  1  the server did not start, or kept failing
  2  wrong arguments
  3  something that the server needs is missing, or a port is taken"""


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(arguments)
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    stop = threading.Event()
    server = LocalServer(
        options.repository,
        grpc_port=options.grpc_port,
        http_port=options.http_port,
        metrics_port=options.metrics_port,
        host=options.host,
        config_name=options.config_name,
        log=options.log,
        log_verbose=options.log_verbose,
        start_timeout=options.start_timeout,
        cancel=stop,
    )
    if options.check:
        return check(server)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    try:
        return serve(server, stop, Policy(interval=options.probe_interval))
    except StartCancelled:
        return OK
    except (RequirementMissing, PortInUse) as error:
        return fail(error, MISSING)
    except ServingError as error:
        return fail(error, FAILED)


def serve(server: LocalServer, stop: threading.Event, policy: Policy) -> int:
    """Runs the server until `stop` is set."""
    print("Starting the server ...", flush=True)
    with server:
        print(
            f"Pith is ready.\n"
            f"  gRPC     {server.grpc_url}\n"
            f"  HTTP     {server.http_url}\n"
            f"  metrics  {server.metrics_url}\n"
            "Ctrl-C stops it.",
            flush=True,
        )
        Watcher(server, stop, policy).run()
        print("Stopping the server ...", flush=True)
    return OK


def check(server: LocalServer) -> int:
    """Says what is missing, without starting anything."""
    problems = server.problems()
    for problem in problems:
        print(problem)
    if not problems:
        print("Nothing is missing: the server can start.")
    return MISSING if problems else OK


def fail(error: ServingError, code: int) -> int:
    print(f"pith-serve: {error}", file=sys.stderr)
    return code


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="pith-serve",
        description="Run the Pith server on this machine, restart it when it fails, stop it on Ctrl-C.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--grpc-port", type=port, default=8001, help="default 8001; 0 takes any free one")
    parser.add_argument("--http-port", type=port, default=8000, help="default 8000")
    parser.add_argument("--metrics-port", type=port, default=8002, help="default 8002")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
    parser.add_argument("--repository", type=Path, default=MODEL_REPOSITORY, help="model repository folder")
    parser.add_argument(
        "--config-name",
        choices=("auto", "cpu", "gpu"),
        default="auto",
        help="which model configurations to load (default auto: GPU if there is one that can be used)",
    )
    parser.add_argument("--log", type=Path, help="file to add the server's log to")
    parser.add_argument("--log-verbose", type=int, default=0, help="Triton's verbosity, 0 to 2 (default 0)")
    parser.add_argument("--start-timeout", type=float, default=180.0, help="seconds (default 180)")
    parser.add_argument("--probe-interval", type=float, default=5.0, help="seconds between health checks")
    parser.add_argument("--check", action="store_true", help="say what is missing on this machine, and end")
    return parser.parse_args(arguments)


def port(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{number} is not a port: give 0 to 65535")
    return number


if __name__ == "__main__":
    sys.exit(main())
