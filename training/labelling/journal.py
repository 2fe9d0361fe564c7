"""What is done, written line by line as it happens, so that a run that was killed goes on where it was.

A journal is a file of JSON lines for one chunk: each answer of the judge as it comes, then the outcome of the pair.
A line that was half written when the process died is dropped when the journal is opened again.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from training.labelling.endpoint import Usage
from training.labelling.judge import Labels

LABELLED, DEAD, ANSWER = "labelled", "dead", "answer"


@dataclass
class Done:
    """What a journal holds: `outcomes` by id, and of pairs without one the `answers` by id and step."""

    outcomes: dict[str, dict[str, Any]] = field(default_factory=dict)
    answers: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    usage: dict[str, Usage] = field(default_factory=dict)


def journal_file(out: Path, number: int) -> Path:
    """The journal of a chunk."""
    return out / "journal" / f"{number:06d}.jsonl"


class Journal:
    """Appends to one chunk's journal. `done` is what it held when it was opened."""

    def __init__(self, out: Path, number: int, *, retry_dead: bool = False) -> None:
        path = journal_file(out, number)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("ab")
        # A worker of a run that was killed may live a moment longer; what it still writes counts.
        fcntl.flock(self._file, fcntl.LOCK_EX)
        self._file.truncate(_whole_lines(path))
        self.done = read_done(path)
        if retry_dead:
            for identity in [i for i, row in self.done.outcomes.items() if row["status"] == DEAD]:
                del self.done.outcomes[identity]
                # What made it a dead letter may be in its last answers; the intents were fine.
                answers = self.done.answers.get(identity, {})
                self.done.answers[identity] = {s: a for s, a in answers.items() if s == "intents"}

    def close(self) -> None:
        os.fsync(self._file.fileno())
        self._file.close()

    def answer(self, identity: str, step: str, answer: dict[str, Any], usage: Usage) -> None:
        """An answer of the judge, and what the pair has taken so far."""
        self._write(
            {"id": identity, "status": ANSWER, "step": step, "answer": answer, "usage": usage.as_json()}
        )

    def labelled(self, identity: str, labels: Labels, usage: Usage) -> None:
        self._write({"id": identity, "status": LABELLED, **asdict(labels), "usage": usage.as_json()})

    def dead(self, identity: str, reason: str, usage: Usage) -> None:
        self._write({"id": identity, "status": DEAD, "reason": reason, "usage": usage.as_json()})

    def _write(self, line: dict[str, Any]) -> None:
        # One write a line, and straight to the system: what was paid for outlives the process.
        self._file.write(json.dumps(line).encode() + b"\n")
        self._file.flush()


def lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The whole lines of a journal with their byte offsets."""
    if not path.exists():
        return
    with path.open("rb") as file:
        at = 0
        for line in file:
            if line.endswith(b"\n"):
                yield at, json.loads(line)
            at += len(line)


def read_done(path: Path) -> Done:
    """What a journal holds; of several outcomes of one pair the last counts."""
    done = Done()
    for _, line in lines(path):
        identity = line["id"]
        done.usage[identity] = Usage(**line["usage"])
        if line["status"] == ANSWER:
            done.answers.setdefault(identity, {})[line["step"]] = line["answer"]
        else:
            done.outcomes[identity] = line
    return done


def _whole_lines(path: Path) -> int:
    """How many bytes of a journal are whole lines."""
    return path.read_bytes().rfind(b"\n") + 1
