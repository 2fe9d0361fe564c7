"""Write the model card from what the steps of a training recorded, and from measured reports.

usage: python -m training.card [--work build] [--reports docs/reports] [--notice NOTICE] [--out docs/model-card.md]

Nothing in the card is computed here, and nothing is dated: the same records give the same card. A figure whose report
is not there reads "not measured".
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ABSENT = "not measured"
SHARES = ("0.05", "0.10", "0.20")
OWN = "labels of the user's own"
LIMITS = """\
- It marks evidence; it does not judge whether a text is true or current.
- A window holds at most 512 tokens. What ties an answer to a question across more than that is seen only where the
  title or headings say it.
- Languages without training data are covered by the backbone's pretraining alone.
- Questions that share hardly a word with their evidence, on texts unlike the training sets, are missed more often.
- The sets are mostly encyclopaedic; contracts, code, transcripts and forms are not among them.
"""


def card(work: Path, reports: Path, notice: Path) -> str:
    """The model card as Markdown."""
    rows = _read(work / "rows.json")
    parts = [
        "# Model card",
        "Pith's encoder scores the tokens of a document for a query; [model.md](model.md) describes it. This page is\n"
        "written by `python -m training.card` from the records of the training and the reports in `docs/reports`.",
        "## Backbone",
        _table(("", ""), _backbone(work)),
        "## Training data",
        _data(rows, licences(notice)),
        "## Training",
        _training(work),
        "## Choice of layers",
        _layers(_read(work / "layers.json")),
        "## Measured",
        _measured(reports),
        "## Limits",
        LIMITS.rstrip(),
    ]
    return "\n\n".join(parts) + "\n"


def licences(notice: Path) -> dict[str, str]:
    """Licence of every set that a NOTICE file lists as `name  address  licence`, columns two spaces apart."""
    found = {}
    text = notice.read_text(encoding="utf-8") if notice.is_file() else ""
    for line in text.splitlines():
        columns = re.split(r"\s{2,}", line.strip())
        if len(columns) == 3 and columns[1].startswith("http"):
            found[columns[0]] = columns[2]
    return found


def _backbone(work: Path) -> list[tuple[str, str]]:
    settings = _read(work / "backbone" / "backbone.settings.json")
    vocabulary = _read(work / "backbone" / "vocabulary.json")
    config = _read(work / "backbone" / "config.json")
    return [
        ("from", str(settings.get("from", "not recorded"))),
        ("layers", str(config.get("num_hidden_layers", "not recorded"))),
        ("hidden size", str(config.get("hidden_size", "not recorded"))),
        ("pieces", _number(config.get("vocab_size"))),
        ("share of the corpora's pieces kept", _figure(vocabulary.get("share_of_corpus_pieces_kept"))),
    ]


def _data(rows: dict[str, Any], known: dict[str, str]) -> str:
    if not rows:
        return "Not recorded."
    by_set: dict[str, int] = defaultdict(int)
    for name, number in rows["rows"].items():
        by_set[name.split("/")[0]] += number
    lines = [(name, _number(number), known.get(name, OWN)) for name, number in sorted(by_set.items())]
    with_evidence = ", ".join(
        f"{share:.0%} of those of {n}" for n, share in rows["rows_with_evidence"].items()
    )
    tokens = _number(sum(rows["tokens"].values()))
    return _table(("set", "rows", "licence"), lines) + (
        f"\n\n{_number(sum(by_set.values()))} rows of {tokens} tokens. Rows that hold evidence: {with_evidence}."
    )


def _training(work: Path) -> str:
    records = [_read(work / name / "training.json") for name in ("teacher", "model")]
    if not any(records):
        return "Not recorded."
    names = {
        "layers": "layers",
        "kept_layers": "layers kept of the teacher",
        "frozen_layers": "lowest layers frozen",
        "steps": "steps",
        "tokens_seen": "tokens seen",
        "learning_rate": "learning rate",
        "alpha": "share of the teacher's probabilities in the targets",
        "bf16": "bfloat16",
        "seed": "seed",
        "first_loss": "loss at the beginning",
        "last_loss": "loss at the end",
    }
    lines = [(name, *(_plain(record.get(key)) for record in records)) for key, name in names.items()]
    return _table(("", "teacher", "student"), lines)


def _layers(found: dict[str, Any]) -> str:
    if not found:
        return "Not recorded."
    lines = [("the whole teacher", "all", _figure(found["teacher_loss"]))]
    for rule, name in (("even", "evenly spaced"), ("measured", "least missed go first")):
        lines.append((name, _plain(found["rules"][rule]["layers"]), _figure(found["rules"][rule]["loss"])))
    return _table(("rule", "layers", "loss before training"), lines) + (
        f"\n\nThe student has those of the rule `{found['rule']}`. Measured on {found['batches']} batches that train "
        "nothing."
    )


def _measured(reports: Path) -> str:
    evidence = _read(reports / "evidence.json").get("mean", {})
    lines = []
    for name in sorted({key.split("@")[0] for key in evidence}):
        lines.append((name, *(_figure(evidence.get(f"{name}@{share}"), 3) for share in SHARES)))
    kept = (
        _table(("evidence kept at", "5 %", "10 %", "20 %"), lines) if lines else f"Evidence kept: {ABSENT}."
    )
    calibration, export = (_read(reports / name) for name in ("calibration.json", "export.json"))
    fitted = calibration.get("fitted_on", {})
    other = [
        (
            "expected calibration error, left-out articles",
            _figure(_get(fitted, "expected_calibration_error")),
        ),
        ("default threshold", _figure(_get(calibration, "default_threshold"))),
        ("evidence segments kept at it", _figure(_get(fitted, "evidence_segments_kept"))),
        ("megabytes in int8", _figure(_get(export, "megabytes"), 1)),
        ("tokens on the same side in int8 and in float", _figure(_get(export.get("int8", {}), "same_side"))),
    ]
    drawn = [kept, _table(("", ""), other), _frontier(_read(reports / "frontier.json"))]
    return "\n\n".join([*drawn, _noise(_read(reports / "noise.json"))])


def _frontier(report: dict[str, Any]) -> str:
    """Tokens sent on for 90 % of the evidence, a line for each model and baseline."""
    lines = report.get("lines", {})
    if not lines:
        return f"Tokens sent on for 90 % of the evidence: {ABSENT}."
    found = [(name, _figure(_get(line, "tokens_for_90_percent"), 0)) for name, line in lines.items()]
    head = ("tokens sent on for 90 % of the evidence", f"of {_figure(_get(report, 'mean_tokens'), 0)}")
    return _table(head, found)


def _noise(report: dict[str, Any]) -> str:
    """How each category's share of tokens changes against the same budget without compression."""
    ways = {name: way["change"] for name, way in report.get("ways", {}).items() if "change" in way}
    if not ways:
        return f"Share of tokens by category of text, with and without compression: {ABSENT}."
    categories = sorted({category for change in ways.values() for category in change})
    lines = [
        (
            category,
            *(f"{change[category]:+.0%}" if category in change else ABSENT for change in ways.values()),
        )
        for category in categories
    ]
    head = ("change of the share of tokens", *ways)
    return _table(head, lines)


def _get(found: dict[str, Any], name: str) -> Any:
    value = found.get(name)
    return value if isinstance(value, int | float) else None


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    found = json.loads(path.read_text(encoding="utf-8"))
    return found if isinstance(found, dict) else {}


def _figure(value: Any, digits: int = 4) -> str:
    return ABSENT if value is None else f"{value:.{digits}f}"


def _number(value: Any) -> str:
    return "not recorded" if value is None else f"{value:,}"


def _plain(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return (
        f"{value:,}" if isinstance(value, int) else f"{value:g}" if isinstance(value, float) else str(value)
    )


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    drawn = [
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in [head, *lines]
    ]
    return "\n".join([drawn[0], "|" + "---|" * len(head), *drawn[1:]])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, default=Path("build"))
    parser.add_argument("--reports", type=Path, default=Path("docs/reports"))
    parser.add_argument("--notice", type=Path, default=Path("NOTICE"))
    parser.add_argument("--out", type=Path, default=Path("docs/model-card.md"))
    options = parser.parse_args(arguments)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(card(options.work, options.reports, options.notice), encoding="utf-8")
    print(f"{options.out} is written.")


if __name__ == "__main__":
    main()
