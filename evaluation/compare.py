"""The student beside its teacher, itself without distillation, and itself in float: evidence kept, and encoder time.

usage: python -m evaluation.compare --data DIR --teacher PATH --student PATH [--undistilled PATH] [--float PATH]

The student is what is shipped (int8), `--float` the same weights unquantised, `--undistilled` one of the same layers
and data without a teacher. All are measured on the same questions at 5, 10 and 20 % of the text (evaluation.evidence),
each with the weights of relevance and lexical match that the folds of other sets give it (evaluation.weights), beside
BM25. Encoder time is compared between the teacher and a student of the same form only. Writes `<out>.json` and
`<out>.md`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.baselines import bm25
from evaluation.encoder_time import LENGTH, encoder_times, form_of
from evaluation.evidence import SHARES, gain, kept
from evaluation.models import add_data
from evaluation.scored_sets import Asked, asked_of, scored_sets
from evaluation.weights import evidence_kept, unseen_scores

ROLES = ("teacher", "student", "undistilled", "float")
# In points of 100: least lead over BM25, most behind the teacher, most between int8 and float.
LEADS = (15.0, 14.0, 11.0)
BEHIND_TEACHER, BEHIND_FLOAT = 1.0, 0.5
LESS_TIME = (0.35, 0.45)
# A model's evidence kept of each result set at each share, float64 [n, shares].
Kept = Mapping[str, np.ndarray[Any, np.dtype[np.float64]]]


def by_set(asked: Sequence[Asked], kept_of: Kept) -> list[dict[str, Any]]:
    """One row a set: language, questions, and the mean of every model at each share."""
    names = np.array([one.name for one in asked])
    rows = []
    for name in dict.fromkeys(names.tolist()):
        use = names == name
        figures = {model: _rounded_mean(values[use]) for model, values in kept_of.items()}
        language = next(one.language for one in asked if one.name == name)
        rows.append({"set": name, "language": language, "questions": int(use.sum()), "kept": figures})
    return rows


def mean(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[float]]:
    """The mean over sets of every model at each share."""
    return {model: _rounded_mean([row["kept"][model] for row in rows]) for model in rows[0]["kept"]}


def _rounded_mean(values: Any) -> list[float]:
    return [round(float(value), 4) for value in np.mean(values, axis=0)]


def checks(
    rows: Sequence[Mapping[str, Any]], times: Mapping[str, float], forms: Mapping[str, str]
) -> list[dict[str, Any]]:
    """What must hold, what was measured, and whether it does; only of the models that were given."""
    of = mean(rows)

    def points(a: str, b: str) -> list[float]:
        return [round(100 * (x - y), 2) for x, y in zip(of[a], of[b], strict=True)]

    lead = points("student", "BM25")
    out = [
        {
            "what": f"student ahead of BM25 by at least {' / '.join(f'{x:g}' for x in LEADS)} points",
            "measured": lead,
            "holds": all(x >= least for x, least in zip(lead, LEADS, strict=True)),
        }
    ]
    behind = [
        language
        for language in sorted({row["language"] for row in rows})
        if any(
            x < y
            for part in [mean([row for row in rows if row["language"] == language])]
            for x, y in zip(part["student"], part["BM25"], strict=True)
        )
    ]
    out.append({"what": "student not behind BM25 in any language", "measured": behind, "holds": not behind})
    if "teacher" in of:
        gap = points("student", "teacher")
        out.append(
            {
                "what": f"student within {BEHIND_TEACHER:g} point of the teacher",
                "measured": gap,
                "holds": min(gap) >= -BEHIND_TEACHER,
            }
        )
    if "undistilled" in of:
        gain_ = points("float" if "float" in of else "student", "undistilled")
        out.append({"what": "distilled above undistilled", "measured": gain_, "holds": min(gain_) > 0})
    if "float" in of:
        loss = points("student", "float")
        out.append(
            {
                "what": f"int8 within {BEHIND_FLOAT:g} point of float",
                "measured": loss,
                "holds": min(loss) >= -BEHIND_FLOAT,
            }
        )
    if twin := same_form(forms):
        less = round(1 - times[twin] / times["teacher"], 4)
        out.append(
            {
                "what": f"encoder time below the teacher's by {LESS_TIME[0]:.0%} to {LESS_TIME[1]:.0%} "
                f"({twin}, {forms[twin]})",
                "measured": less,
                "holds": LESS_TIME[0] <= less <= LESS_TIME[1],
            }
        )
    return out


def same_form(forms: Mapping[str, str]) -> str | None:
    """A student that runs as the teacher does; None where there is none."""
    students = (role for role in ("student", "float", "undistilled") if role in forms)
    return next((role for role in students if forms[role] == forms.get("teacher")), None)


def markdown(report: Mapping[str, Any]) -> str:
    """The tables for people."""
    means, rows = report["mean"], report["rows"]
    head = " | ".join(f"{share:.0%}" for share in SHARES).replace("%", " %")
    lines = [
        "# Student against teacher",
        "",
        f"{sum(row['questions'] for row in rows)} questions of {len(rows)} development sets. Written by "
        "`python -m evaluation.compare`, where the models and rules are described.",
        "",
        f"| evidence kept | {head} | ms a row of {LENGTH} | run as |",
        "|---|---|---|---|---|---|",
    ]
    for name, values in means.items():
        cells = " | ".join(f"{value:.3f}" for value in values)
        lines.append(
            f"| {name} | {cells} | {report['ms_a_row'].get(name, '')} | {report['form'].get(name, '')} |"
        )
    lines += ["", "| what must hold | measured | |", "|---|---|---|"]
    for check in report["checks"]:
        measured = check["measured"]
        if isinstance(measured, list):
            told = " / ".join(f"{x:+.2f}" if isinstance(x, float) else x for x in measured) or "none"
        else:
            told = f"{measured:.1%}"
        lines.append(f"| {check['what']} | {told} | {'yes' if check['holds'] else 'no'} |")
    lines += [
        "",
        f"| set | language | n | {' | '.join(f'{name} {head}'.replace(' | ', ' / ') for name in means)} |",
        "|---|---|---|" + "---|" * len(means),
    ]
    for row in rows:
        cells = " | ".join(" / ".join(f"{value:.2f}" for value in values) for values in row["kept"].values())
        lines.append(f"| {row['set']} | {row['language']} | {row['questions']} | {cells} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_data(parser, questions=4)
    for role in ROLES:
        parser.add_argument(f"--{role}", type=Path, required=role == "student")
    parser.add_argument("--out", type=Path, default=Path("docs/reports/compare"))
    options = parser.parse_args()
    models = {role: path for role in ROLES if (path := getattr(options, role)) is not None}
    asked = asked_of(options.data, options.questions, options.sets)
    kept_of: dict[str, Any] = {}
    for role, path in models.items():
        sets = scored_sets(asked, role, path, options.cache)
        scores = unseen_scores(sets)
        kept_of[role] = np.array([evidence_kept(one, score) for one, score in zip(sets, scores, strict=True)])
    kept_of["BM25"] = np.array([_bm25(one) for one in asked])
    times, forms = encoder_times(models), {role: form_of(path) for role, path in models.items()}
    rows = by_set(asked, kept_of)
    report = {
        "mean": mean(rows),
        "ms_a_row": times,
        "form": forms,
        "checks": checks(rows, times, forms),
        "rows": rows,
    }
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.with_suffix(".json").write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    options.out.with_suffix(".md").write_text(markdown(report))
    print(json.dumps({"mean": report["mean"], "ms_a_row": times, "checks": report["checks"]}))


def _bm25(one: Asked) -> list[float]:
    pieces = bm25(one.case.question.text, one.texts)
    total = sum(map(len, one.texts))
    return [gain(kept(pieces, share * total), one.case) for share in SHARES]


if __name__ == "__main__":
    main()
