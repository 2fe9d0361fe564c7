"""One tritonserver process with all that belongs to it: its children, its log and its shared memory."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path

from serving.checks import SHARED_MEMORY

POLL = 0.05
TAIL = 40


class ServerProcess:
    """Runs `command` in a process group of its own and leaves nothing behind when it is stopped.

    The group holds tritonserver and the stubs that it starts. `shm_prefix` names the shared-memory regions
    that belong to this process, `folder` its files; both are removed with it. Its output is added to `log`.
    """

    def __init__(
        self,
        command: Sequence[str],
        variables: Mapping[str, str],
        *,
        log: Path,
        shm_prefix: str,
        folder: Path,
    ) -> None:
        self.log = log
        self._shm_prefix = shm_prefix
        self._folder = folder
        self._log_start = log.stat().st_size if log.exists() else 0
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                list(command),
                env=dict(variables),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """None while it runs; negative for the signal that ended it."""
        return self._process.poll()

    def stop(self, grace: float) -> None:
        """SIGTERM, at most `grace` seconds to finish, then SIGKILL to whatever of the group is left."""
        if self._process.poll() is None:
            self._process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(grace)
        self._kill_group()
        self._process.wait()
        self._remove_leftovers()

    def log_tail(self, lines: int = TAIL) -> str:
        """The last lines that this process logged."""
        with self.log.open("rb") as stream:
            stream.seek(self._log_start)
            return b"".join(deque(stream, maxlen=lines)).decode(errors="replace").strip()

    def _kill_group(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        # Orphaned stubs are reaped by init, not by us: wait until they are gone, so that their memory is too.
        give_up = time.monotonic() + 5.0
        while time.monotonic() < give_up and group_members(self.pid):
            self._process.poll()
            time.sleep(POLL)

    def _remove_leftovers(self) -> None:
        for region in SHARED_MEMORY.glob(f"{self._shm_prefix}*"):
            region.unlink(missing_ok=True)
        shutil.rmtree(self._folder, ignore_errors=True)


def group_members(group: int) -> list[int]:
    """The living processes of a process group; zombies hold nothing and are left out."""
    members = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            # The name in parentheses may hold blanks: the fields follow the last parenthesis.
            state, _, member_of = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
            if int(member_of) == group and state != "Z":
                members.append(int(entry.name))
    return members
