"""What a container probe is told."""

import pytest

from docker.health import main
from serving.errors import ProbeFailed, ServerBroken, ServerBusy
from tests.docker.files import PORTS


class Server:
    """Answers a probe with an error, or with none."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.asked: list[tuple[str, float]] = []

    def probe(self, url: str, deadline: float) -> None:
        self.asked.append((url, deadline))
        if self.error is not None:
            raise self.error


def test_a_server_that_works_is_healthy() -> None:
    server = Server()
    assert main(["--deadline=15"], server.probe) == 0
    assert server.asked == [(f"127.0.0.1:{PORTS['grpc']}", 15.0)]


def test_a_busy_server_is_not_restarted() -> None:
    assert main([], Server(ServerBusy("queue full")).probe) == 0


@pytest.mark.parametrize("error", [ProbeFailed("no answer"), ServerBroken("stub died")])
def test_a_server_that_does_not_work_is_not_healthy(
    error: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([], Server(error).probe) == 1
    assert str(error) in capsys.readouterr().err
