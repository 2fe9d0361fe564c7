"""Label search results with an LLM judge, plan that, and measure it against people.

usage: pith-label run INPUT... --out DIR --base-url URL --model NAME
       pith-label plan --pairs 750000
       pith-label agreement --marked marked.jsonl NAME=DIR...

INPUT is JSON lines or Parquet with query and document, and where known id, url, title and summary. A run that was
stopped goes on when the same command is given again. docs/labelling.md says how to get from search logs to a model.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from training.labelling import agreement, plan, report
from training.labelling.cluster import label_with_ray
from training.labelling.errors import InvalidSettings, LabellingError
from training.labelling.options import add_judge_options, judge_settings
from training.labelling.output import finish
from training.labelling.pairs import input_files
from training.labelling.report import Prices
from training.labelling.run import Manifest, Progress, label_here, locked
from training.labelling.select import select
from training.labelling.worker import Job


def _run_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", type=Path, nargs="+", help="files, or folders of them: .jsonl, .parquet")
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    add_judge_options(parser)
    scale = parser.add_argument_group("scale")
    scale.add_argument("--workers", type=int, default=2, help="Ray actors")
    scale.add_argument("--ray-address", help="a running cluster; by default Ray is started on this machine")
    scale.add_argument("--no-ray", action="store_true", help="one worker, in this process")
    scale.add_argument("--sample", type=int, help="label so many pairs, chosen by --seed")
    scale.add_argument("--seed", type=int, default=7)
    scale.add_argument("--chunk", type=int, default=256, help="pairs that a worker takes at a time")
    scale.add_argument("--shard-rows", type=int, default=10_000, help="rows of an output file")
    scale.add_argument("--retry-dead", action="store_true", help="ask again for pairs that are dead letters")
    prices = parser.add_argument_group("prices")
    prices.add_argument("--prompt-price", type=float, default=0.0, help="per million tokens")
    prices.add_argument("--completion-price", type=float, default=0.0, help="per million tokens")


def _run(options: argparse.Namespace) -> None:
    for name in ("workers", "chunk", "shard_rows", "sample"):
        value = getattr(options, name)
        if value is not None and value < 1:
            raise InvalidSettings(f"--{name.replace('_', '-')} must be at least 1, not {value}.")
    out = options.out.absolute()
    files = [file.absolute() for file in input_files(options.input)]
    job = Job(judge_settings(options), out, 1 if options.no_ray else options.workers, options.retry_dead)
    with locked(out):
        chosen = select(files, options.chunk, options.sample, options.seed)
        if not chosen.pairs and not chosen.unreadable:
            raise InvalidSettings("The input holds no pair.")
        manifest = Manifest.of(job, chosen, options.seed, options.sample, options.chunk)
        manifest.claim(out)
        progress = Progress(chosen.pairs)
        if options.no_ray:
            label_here(job, chosen.chunks, progress)
        else:
            label_with_ray(job, chosen.chunks, progress, options.ray_address)
        recorded = {
            name: manifest.content[name]
            for name in ("model", "temperature", "stages", "prompts", "prompts_digest")
        }
        tally = finish(out, files, chosen.chunks, options.shard_rows, recorded)
        content = tally.as_json(Prices(options.prompt_price, options.completion_price))
        content |= {"rows": chosen.rows, "repeated": chosen.repeated, "unreadable": chosen.unreadable}
        content["run"] = manifest.content
        report.write(out / "report.json", content)
        print(report.render(content))
        print(f"Labels are in {out / 'labels'}, dead letters in {out / 'dead_letters.jsonl'}.")


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="pith-label", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = made.add_subparsers(dest="command", required=True)
    shape = argparse.RawDescriptionHelpFormatter
    _run_options(commands.add_parser("run", help="label pairs", formatter_class=shape))
    for name, module, text in (
        ("plan", plan, "time, cost and storage of a run"),
        ("agreement", agreement, "judges against spans that people marked"),
    ):
        module.add_options(
            commands.add_parser(name, help=text, description=module.__doc__, formatter_class=shape)
        )
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `pith-label`; returns its exit status: 0, or 2 for what the caller can put right."""
    options = parser().parse_args(arguments)
    try:
        {"run": _run, "plan": plan.main, "agreement": agreement.main}[options.command](options)
    except LabellingError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
