"""What a run made: how many pairs, where the quotes were found, what it took and cost."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from training.labelling.endpoint import Usage
from training.labelling.journal import DEAD
from training.labelling.skeleton import Form

MILLION = 1_000_000


@dataclass(frozen=True)
class Prices:
    """Per million tokens, in whatever money; cost is unknown where neither is given."""

    prompt: float = 0.0
    completion: float = 0.0

    def cost(self, usage: Usage) -> float:
        return (usage.prompt_tokens * self.prompt + usage.completion_tokens * self.completion) / MILLION


@dataclass
class Tally:
    """Sums over outcomes."""

    labelled: int = 0
    dead: Counter[str] = field(default_factory=Counter)
    forms: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    quotes: int = 0
    spans: Counter[str] = field(default_factory=Counter)
    characters: Counter[str] = field(default_factory=Counter)
    usage: Usage = field(default_factory=Usage)

    def add(self, outcome: Mapping[str, Any]) -> None:
        """Count one line of a journal."""
        self.usage.add(Usage(**outcome["usage"]))
        if outcome["status"] == DEAD:
            # The reason up to the first particulars, so that like reasons are counted together.
            self.dead[outcome["reason"].split(":")[0]] += 1
            return
        self.labelled += 1
        self.quotes += outcome["quotes"]
        self.forms.update(outcome["forms"])
        self.lost.update(lost["reason"] for lost in outcome["lost"])
        for span in outcome["spans"]:
            self.spans[span["category"]] += 1
            self.characters[span["category"]] += span["end"] - span["start"]

    def matching(self) -> dict[str, Any]:
        """Share of the quotes that has a place after each pass, and why the others have none."""
        placed = 0
        shares = {}
        for form in Form:
            placed += self.forms[form.value]
            shares[form.value] = round(placed / self.quotes, 5) if self.quotes else None
        return {
            "quotes": self.quotes,
            "share_after": shares,
            "without_place": dict(sorted(self.lost.items())),
        }

    def as_json(self, prices: Prices) -> dict[str, Any]:
        return {
            "labelled": self.labelled,
            "dead": sum(self.dead.values()),
            "dead_reasons": dict(self.dead.most_common()),
            "matching": self.matching(),
            "spans": dict(sorted(self.spans.items())),
            "characters": dict(sorted(self.characters.items())),
            "usage": self.usage.as_json(),
            "cost": round(prices.cost(self.usage), 6) if prices != Prices() else None,
        }


def write(path: Path, content: Mapping[str, Any]) -> None:
    """Write a report whole or not at all."""
    new = path.with_suffix(".new")
    new.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    new.replace(path)


def render(content: Mapping[str, Any]) -> str:
    """A report for reading."""
    matching, usage = content["matching"], content["usage"]
    shares = ", ".join(f"{n} {s:.2%}" for n, s in matching["share_after"].items() if s is not None)
    lines = [
        f"pairs      {content['labelled']} labelled, {content['dead']} dead letters",
        f"quotes     {matching['quotes']}, with a place after each pass: {shares or 'none'}",
        f"spans      {', '.join(f'{n} {count}' for n, count in content['spans'].items()) or 'none'}",
        f"usage      {usage['requests']} requests, {usage['prompt_tokens']} tokens in, "
        f"{usage['completion_tokens']} out",
    ]
    lines += [f"dead       {count} x {reason}" for reason, count in content["dead_reasons"].items()]
    lines += [f"no place   {count} x {reason}" for reason, count in matching["without_place"].items()]
    if content["cost"] is not None:
        lines.append(f"cost       {content['cost']:.2f}")
    return "\n".join(lines)
