"""A local tritonserver as an object: start it, ask it, stop it."""

import os
import secrets
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from serving.checks import free_ports, problems
from serving.environment import make_backend_folder, make_variables
from serving.errors import ProbeFailed, ServerBroken, ServingError, StartCancelled, StartFailed
from serving.find import MODEL_REPOSITORY, Installation, find_installation
from serving.probe import probe
from serving.process import ServerProcess

PORTS = ("grpc", "http", "metrics")
POLL = 0.2
ANY_HOST = "0.0.0.0"
EXIT_TIMEOUT = 8


class LocalServer:
    """Runs tritonserver on a model repository, from construction's settings, as often as it is started.

    A port of 0 is replaced by a free one, which then stays the same for every restart. `config_name` is
    "cpu", "gpu" or "auto" (the GPU if there is one and this tritonserver has TensorRT). `log` is the file
    that the server's output is added to; without one it goes to a temporary file that ends with the server.
    `health` takes a gRPC address and raises ProbeFailed while the server does not work: a start ends when it
    passes. `cancel` ends a start early, from another thread or a signal handler.
    """

    def __init__(
        self,
        repository: Path = MODEL_REPOSITORY,
        *,
        grpc_port: int = 0,
        http_port: int = 0,
        metrics_port: int = 0,
        host: str = "127.0.0.1",
        config_name: str = "auto",
        log: Path | None = None,
        log_verbose: int = 0,
        start_timeout: float = 180.0,
        stop_grace: float = 10.0,
        health: Callable[[str], None] = probe,
        cancel: threading.Event | None = None,
    ) -> None:
        self.repository = repository.resolve()
        self.host = host
        self.log = log
        self._ports = dict(zip(PORTS, (grpc_port, http_port, metrics_port), strict=True))
        self._config_name = config_name
        self._log_verbose = log_verbose
        self._start_timeout = start_timeout
        self._stop_grace = stop_grace
        self._health = health
        self._cancel = cancel or threading.Event()
        self._process: ServerProcess | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def grpc_url(self) -> str:
        """host:port, as gRPC clients take it."""
        return f"{self._reachable_host}:{self._ports['grpc']}"

    @property
    def http_url(self) -> str:
        return f"http://{self._reachable_host}:{self._ports['http']}"

    @property
    def metrics_url(self) -> str:
        return f"http://{self._reachable_host}:{self._ports['metrics']}/metrics"

    @property
    def pid(self) -> int:
        """The process id of tritonserver, which is also its process group."""
        return self._running().pid

    def problems(self) -> list[ServingError]:
        """All that stands in the way of a start on this machine; empty when nothing does."""
        try:
            installation = find_installation()
        except ServingError as error:
            return [error]
        return list(self._problems(installation))

    def start(self) -> None:
        """Starts the server and returns once an inference has succeeded.

        Raises RequirementMissing or PortInUse before anything is started, StartFailed with the log's tail
        when the server ends or stays silent, StartCancelled. After an error nothing is left running.
        """
        if self._process is not None:
            raise ServingError("This server is running already: stop it before starting it again.")
        installation = find_installation()
        problem = next(iter(self._problems(installation)), None)
        if problem is not None:
            raise problem
        self._choose_ports()
        self._process = self._launch(installation)
        try:
            self._wait_until_healthy(self._process)
        except BaseException:
            self.stop(grace=1.0)
            raise

    def stop(self, grace: float | None = None) -> None:
        """Ends the server and all that belongs to it. Does nothing when it is not running."""
        process, self._process = self._process, None
        if process is not None:
            process.stop(self._stop_grace if grace is None else grace)

    def restart(self) -> None:
        """Starts the server anew on the same ports, without waiting for work that it may never finish."""
        self.stop(grace=1.0)
        self.start()

    def check_health(self) -> None:
        """Raises ProbeFailed unless the server does what it is there for."""
        process = self._process
        if process is None or process.exit_code is not None:
            raise ServerBroken("The server process has ended.")
        self._health(self.grpc_url)

    def log_tail(self) -> str:
        return self._running().log_tail()

    @property
    def _reachable_host(self) -> str:
        return "127.0.0.1" if self.host == ANY_HOST else self.host

    def _running(self) -> ServerProcess:
        if self._process is None:
            raise ServingError("The server is not running: start it first.")
        return self._process

    def _problems(self, installation: Installation) -> list[ServingError]:
        config_name = self._resolved_config(installation)
        return list(
            problems(
                installation, self.repository, host=self.host, ports=self._ports, config_name=config_name
            )
        )

    def _resolved_config(self, installation: Installation) -> str:
        if self._config_name != "auto":
            return self._config_name
        has_gpu = Path("/dev/nvidiactl").exists() and (installation.backends / "tensorrt").is_dir()
        return "gpu" if has_gpu else "cpu"

    def _choose_ports(self) -> None:
        wanted = [name for name in PORTS if self._ports[name] == 0]
        self._ports.update(zip(wanted, free_ports(self.host, len(wanted)), strict=True))

    def _launch(self, installation: Installation) -> ServerProcess:
        folder = Path(tempfile.mkdtemp(prefix="pith-serve-"))
        shm_prefix = f"pith_{os.getpid()}_{secrets.token_hex(4)}_"
        try:
            variables = make_variables(installation, folder)
            backends = make_backend_folder(installation, folder)
            command = self._command(installation, backends, shm_prefix)
            log = self.log or folder / "tritonserver.log"
            return ServerProcess(command, variables, log=log, shm_prefix=shm_prefix, folder=folder)
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise StartFailed(f"tritonserver could not be started: {error}") from error
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def _command(self, installation: Installation, backends: Path, shm_prefix: str) -> list[str]:
        command = [
            str(installation.binary),
            f"--model-repository={self.repository}",
            f"--backend-directory={backends}",
            "--model-control-mode=none",
            "--exit-on-error=true",
            "--strict-readiness=true",
            "--allow-gpu-metrics=false",
            f"--exit-timeout-secs={EXIT_TIMEOUT}",
            f"--log-verbose={self._log_verbose}",
            f"--backend-config=python,shm-region-prefix-name={shm_prefix}",
        ]
        for name in PORTS:
            command += [f"--{name}-address={self.host}", f"--{name}-port={self._ports[name]}"]
        config_name = self._resolved_config(installation)
        if config_name == "cpu":
            command.append(f"--model-config-name={config_name}")
        return command

    def _wait_until_healthy(self, process: ServerProcess) -> None:
        give_up = time.monotonic() + self._start_timeout
        while True:
            if self._cancel.is_set():
                raise StartCancelled("The server was told to stop while it was starting.")
            if process.exit_code is not None:
                raise StartFailed(
                    f"tritonserver ended with code {process.exit_code} while it was starting. "
                    f"The end of its log:\n{process.log_tail()}"
                )
            try:
                self._health(self.grpc_url)
                return
            except ServerBroken as error:
                raise StartFailed(f"{error} The end of its log:\n{process.log_tail()}") from error
            except ProbeFailed as error:
                if time.monotonic() > give_up:
                    raise StartFailed(
                        f"tritonserver did not pass a health check within {self._start_timeout:g} s: {error} "
                        f"The end of its log:\n{process.log_tail()}"
                    ) from error
            self._cancel.wait(POLL)
