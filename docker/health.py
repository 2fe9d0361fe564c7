"""Health by a real inference, for container probes: exit code 0 when the server works, 1 with a sentence otherwise.

A server that is only busy is healthy: to restart it, or to take it out of service, would make the load worse.

usage: health.py [--url HOST:PORT] [--deadline SECONDS]
"""

import argparse
import sys
from collections.abc import Callable, Sequence

from serving.errors import ProbeFailed, ServerBusy
from serving.probe import probe


def main(arguments: Sequence[str] | None = None, probe: Callable[[str, float], None] = probe) -> int:
    parser = argparse.ArgumentParser(description="Ask the server for one inference.")
    parser.add_argument("--url", default="127.0.0.1:8001")
    parser.add_argument("--deadline", type=float, default=5.0)
    options = parser.parse_args(arguments)
    try:
        probe(options.url, options.deadline)
    except ServerBusy as busy:
        print(busy)
    except ProbeFailed as failed:
        print(failed, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
