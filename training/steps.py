"""Steps of a chain: each runs a command unless its result is there, and records its settings beside the result."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Run = Callable[[Sequence[str]], None]


class OtherSettings(ValueError):
    """A result that was made, or begun, with settings that are not those asked for now."""


@dataclass(frozen=True)
class Step:
    """One step: `result` is the file whose presence means that it is done.

    settings: what the result depends on, JSON values. command: what is run, after `python -m`. resume: what is added
    to the command where `partial` matches a file beside the result, so that the step goes on where it stopped.
    """

    name: str
    result: Path
    settings: dict[str, Any]
    command: tuple[str, ...]
    resume: tuple[str, ...] = ()
    partial: str = ""

    @property
    def record(self) -> Path:
        """Where the settings are written."""
        folder = self.result.parent
        return folder / f"{self.name}.settings.json"


def run_module(arguments: Sequence[str]) -> None:
    """Run a module with this interpreter; raises `CalledProcessError` when it fails."""
    subprocess.run([sys.executable, "-m", *arguments], check=True)


def carry_out(step: Step, run: Run = run_module) -> bool:
    """Run a step unless its result is there; returns whether it ran.

    Raises `OtherSettings` where the recorded settings are others: a result of other settings would pass for this one,
    and a training would go on with a schedule that it was not begun with.
    """
    settings = json.loads(json.dumps(step.settings))
    if step.record.exists():
        found = json.loads(step.record.read_text(encoding="utf-8"))
        if found != settings:
            differing = sorted(k for k in found.keys() | settings.keys() if found.get(k) != settings.get(k))
            raise OtherSettings(
                f"{step.result} was made or begun with {_shown(found, differing)}, now it is "
                f"{_shown(settings, differing)}. Use those settings, another --work, or remove {step.record} "
                f"and {step.result} with everything that came after."
            )
    if step.result.exists():
        print(f"{step.name}: {step.result} is there.", flush=True)
        return False
    step.record.parent.mkdir(parents=True, exist_ok=True)
    begun = step.record.exists() and bool(step.partial) and any(step.result.parent.glob(step.partial))
    step.record.write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
    print(f"{step.name}: {'going on' if begun else 'starting'}", flush=True)
    run([*step.command, *(step.resume if begun else ())])
    if not step.result.exists():
        raise FileNotFoundError(f"{step.name} ended without writing {step.result}.")
    return True


def _shown(settings: dict[str, Any], names: Sequence[str]) -> str:
    return ", ".join(f"{name} {json.dumps(settings.get(name))}" for name in names)
