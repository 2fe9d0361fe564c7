"""Evidence kept against tokens sent on, as the threshold moves: models side by side, with BM25 and first lines.

usage: python -m evaluation.frontier --data DIR --model "7 layers=build/student" --model "12 layers=build/teacher" ...

A model is a checkpoint folder or an ONNX file (evaluation.encoder). Its scores are calibrated on the folds of sets that
they are not in (evaluation.weights), one threshold holds for all questions, and a point of its line is the mean over
sets of tokens sent on and of evidence kept (evaluation.evidence). BM25 and first lines give no scores that mean the
same in every result set, so there the best segments are kept up to a share of the text, and the share moves.

Writes `<out>.json`, `<out>.md` and `<out>.png`. Scores are kept in `--cache`, so a run can go on.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.baselines import Piece, bm25, first_lines
from evaluation.encoder import MODEL_REPOSITORY
from evaluation.evidence import SHARES, gain, kept
from evaluation.models import Named, add_data, add_models
from evaluation.scored_sets import Asked, ScoredSet, asked_of, scored_sets
from evaluation.weights import unseen_scores
from preprocessing.tokenizer import TextTokenizer

STEPS = 60
WANTED = 0.9
BASELINES: Mapping[str, Callable[[str, Sequence[str]], list[Piece]]] = {
    "BM25": bm25,
    "first lines": first_lines,
}
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sweep:
    """What each result set sends on and keeps at each step, from least to most: tokens, share of its tokens, and
    evidence kept, each float64 [n, steps]. step: the threshold or share of the text behind each column."""

    step: Floats
    tokens: Floats
    share: Floats
    evidence: Floats


def model_sweep(sets: Sequence[ScoredSet], scores: Sequence[Floats]) -> Sweep:
    """One threshold for all result sets, from one that keeps nothing to 0, which keeps all."""
    pooled = np.concatenate(scores)
    # Steps closer together among high scores, where few segments are kept.
    shares = np.geomspace(1e-3, 1.0, STEPS - 1)
    steps = np.unique(np.append(np.quantile(pooled, 1 - shares), [0.0, 2.0]))[::-1]
    tokens, evidence = np.zeros((len(sets), steps.size)), np.zeros((len(sets), steps.size))
    for i, (one, score) in enumerate(zip(sets, scores, strict=True)):
        pieces = one.pieces(score)
        for j, threshold in enumerate(steps.tolist()):
            tokens[i, j] = one.tokens[score >= threshold].sum()
            evidence[i, j] = gain([p for p in pieces if p.score >= threshold], one.asked.case)
    total = np.array([[one.tokens.sum()] for one in sets], np.float64)
    return Sweep(steps, tokens, tokens / total, evidence)


def baseline_sweep(
    asked: Sequence[Asked], scorer: Callable[[str, Sequence[str]], list[Piece]], tokenizer: TextTokenizer
) -> Sweep:
    """The best segments up to a share of the characters, from none to all."""
    steps = np.append(0.0, np.geomspace(5e-3, 1.0, STEPS - 1))
    tokens, evidence = np.zeros((len(asked), STEPS)), np.zeros((len(asked), STEPS))
    total = np.zeros((len(asked), 1))
    for i, one in enumerate(asked):
        pieces = scorer(one.case.question.text, one.texts)
        runs = tokenizer.encode([one.texts[p.document][p.start : p.end] for p in pieces])
        cost = {(p.document, p.start): n for p, n in zip(pieces, runs.lengths.tolist(), strict=True)}
        total[i] = sum(cost.values())
        characters = sum(map(len, one.texts))
        for j, share in enumerate(steps.tolist()):
            chosen = kept(pieces, share * characters)
            tokens[i, j] = sum(cost[p.document, p.start] for p in chosen)
            evidence[i, j] = gain(chosen, one.case)
    return Sweep(steps, tokens, tokens / total, evidence)


def mean_over_sets(asked: Sequence[Asked], values: Floats, rows: NDArray[np.bool_] | None = None) -> Floats:
    """Mean of [n, steps] over the questions of each set, then over sets, float64 [steps]; of some rows only."""
    names = np.array([one.name for one in asked])
    use = np.ones(len(asked), np.bool_) if rows is None else rows
    result: Floats = np.mean(
        [values[use & (names == name)].mean(axis=0) for name in np.unique(names[use])], axis=0
    )
    return result


def summary(asked: Sequence[Asked], sweep: Sweep) -> dict[str, Any]:
    """The line of a sweep, evidence kept where 5, 10 and 20 % of the tokens are sent on, in all and by language, and
    the tokens that keep `WANTED` of the evidence (None where nothing does)."""
    language = np.array([one.language for one in asked])
    rows = {name: language == name for name in sorted(set(language.tolist()))}
    tokens, evidence = mean_over_sets(asked, sweep.tokens), mean_over_sets(asked, sweep.evidence)
    return {
        "line": [
            {"step": _short(s), "tokens": round(t, 1), "evidence": round(e, 4)}
            for s, t, e in zip(sweep.step.tolist(), tokens.tolist(), evidence.tolist(), strict=True)
        ],
        "evidence_at_share_of_tokens": _at_shares(asked, sweep, None),
        "tokens_for_90_percent": _reach(tokens, evidence),
        "languages": {name: _at_shares(asked, sweep, use) for name, use in rows.items()},
    }


def _short(value: float) -> float:
    return float(f"{value:.4g}")


def _at_shares(asked: Sequence[Asked], sweep: Sweep, rows: NDArray[np.bool_] | None) -> dict[str, float]:
    share, evidence = (mean_over_sets(asked, part, rows) for part in (sweep.share, sweep.evidence))
    return {f"{at:.2f}": round(float(np.interp(at, share, evidence)), 4) for at in SHARES}


def _reach(tokens: Floats, evidence: Floats) -> float | None:
    """Tokens at which the line first reaches `WANTED`, linear between its points."""
    above = np.flatnonzero(evidence >= WANTED)
    if not above.size:
        return None
    last = int(above[0])
    if last == 0:
        return round(float(tokens[0]), 1)
    return round(float(np.interp(WANTED, evidence[last - 1 : last + 1], tokens[last - 1 : last + 1])), 1)


def markdown(report: Mapping[str, Any]) -> str:
    """The tables: all sets, then by language."""
    lines_of = report["lines"]
    names = list(lines_of)
    out = [
        "# Evidence kept against tokens sent on",
        "",
        f"{report['questions']} questions of {report['sets']} development sets, ten documents each (long ones alone), "
        f"{report['mean_tokens']:,.0f} tokens in the mean. Written by `python -m evaluation.frontier`; the rules are "
        "stated there.",
        "",
        "![Evidence kept against tokens sent on](frontier.png)",
        "",
        "| | evidence kept at 5 % of the tokens | 10 % | 20 % | tokens that keep 90 % |",
        "|---|---|---|---|---|",
    ]
    for name in names:
        at, needed = lines_of[name]["evidence_at_share_of_tokens"], lines_of[name]["tokens_for_90_percent"]
        cells = " | ".join(f"{value:.3f}" for value in at.values())
        out.append(f"| {name} | {cells} | {'–' if needed is None else f'{needed:,.0f}'} |")
    out += [
        "",
        "## By language",
        "",
        "Evidence kept where 5 / 10 / 20 % of the tokens of the language's sets are sent on; n is questions.",
        "",
        "| language | n | " + " | ".join(names) + " |",
        "|---|---|" + "---|" * len(names),
    ]
    for language, count in report["languages"].items():
        of_language = [lines_of[name]["languages"][language].values() for name in names]
        cells = " | ".join(" / ".join(f"{value:.2f}" for value in values) for values in of_language)
        out.append(f"| {language} | {count} | {cells} |")
    return "\n".join(out) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_models(parser)
    add_data(parser, questions=4)
    parser.add_argument("--out", type=Path, default=Path("docs/reports/frontier"))
    options = parser.parse_args()
    models: list[Named] = options.model
    asked = asked_of(options.data, options.questions, options.sets)
    lines: dict[str, Any] = {}
    mean_tokens = 0.0
    for name, path in models:
        sets = scored_sets(asked, name, path, options.cache)
        lines[name] = summary(asked, model_sweep(sets, unseen_scores(sets)))
        mean_tokens = lines[name]["line"][-1]["tokens"]
        print(json.dumps({name: lines[name]["evidence_at_share_of_tokens"]}), flush=True)
    tokenizer = TextTokenizer.load(MODEL_REPOSITORY / "tokenize" / "1" / "tokenizer.json")
    for name, scorer in BASELINES.items():
        lines[name] = summary(asked, baseline_sweep(asked, scorer, tokenizer))
    languages = [one.language for one in asked]
    report = {
        "questions": len(asked),
        "sets": len({one.name for one in asked}),
        "mean_tokens": mean_tokens,
        "languages": {name: languages.count(name) for name in sorted(set(languages))},
        "lines": lines,
    }
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.with_suffix(".json").write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    options.out.with_suffix(".md").write_text(markdown(report))
    from evaluation.plots import draw_frontier

    draw_frontier(report, options.out.with_suffix(".png"))


if __name__ == "__main__":
    main()
