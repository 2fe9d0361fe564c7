"""Pages put together from passages and web lines, as text, so that segments are drawn from them as from any page."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

# How often a passage stands under its title, a passage without evidence is repeated, and web lines are a list or a
# table. Real pages in the sets are plain paragraphs for the most part; search results are not.
HEADED, REPEATED = 0.35, 0.15
AS_LIST, AS_TABLE = 0.35, 0.15
COLUMNS = 3


@dataclass(frozen=True)
class Part:
    """A passage with its evidence, spans `[start, end)` in code points of `text`; `title` may be empty."""

    text: str
    title: str
    evidence: tuple[tuple[int, int], ...]


def assemble(
    parts: Sequence[Part], lines: Sequence[str], rng: random.Random
) -> tuple[str, list[tuple[int, int]]]:
    """The text of a page that holds `parts` and web `lines` in random order, and where the evidence is in it."""
    blocks = [_headed(part, rng) for part in parts]
    plain = [part for part in parts if not part.evidence]
    if plain and rng.random() < REPEATED:
        blocks.append(rng.choice(plain))
    if lines:
        # Navigation stands above the text as often as below it, and then in more than one piece.
        cut = rng.randrange(len(lines)) if len(lines) > 4 else 0
        blocks += [Part(_block(piece, rng), "", ()) for piece in (lines[:cut], lines[cut:]) if piece]
    rng.shuffle(blocks)
    text = ""
    evidence: list[tuple[int, int]] = []
    for block in blocks:
        text += "\n\n" if text else ""
        evidence += [(start + len(text), end + len(text)) for start, end in block.evidence]
        text += block.text
    return text, evidence


def _headed(part: Part, rng: random.Random) -> Part:
    title = " ".join(part.title.split())
    if not title or rng.random() >= HEADED:
        return part
    lead = f"{rng.choice(('#', '##', '###'))} {title}\n\n"
    shifted = tuple((start + len(lead), end + len(lead)) for start, end in part.evidence)
    return Part(lead + part.text, part.title, shifted)


def _block(lines: Sequence[str], rng: random.Random) -> str:
    clean = [" ".join(line.split()) for line in lines]
    draw = rng.random()
    if draw < AS_LIST:
        return "\n".join(f"- {line}" for line in clean)
    if draw < AS_LIST + AS_TABLE and len(clean) >= COLUMNS and not any("|" in line for line in clean):
        rows = [clean[at : at + COLUMNS] for at in range(0, len(clean), COLUMNS)]
        rows[-1] += [""] * (COLUMNS - len(rows[-1]))
        drawn = [f"| {' | '.join(row)} |" for row in rows]
        return "\n".join([drawn[0], "|" + " --- |" * COLUMNS, *drawn[1:]])
    return "\n".join(clean)
