"""The options that say which judge is asked and how fast, the same for every command that asks one."""

from __future__ import annotations

import argparse
import os

from training.labelling.prompts import LATEST
from training.labelling.settings import RESPONSE_FORMATS, Settings


def add_judge_options(parser: argparse.ArgumentParser) -> None:
    """Options of the endpoint, the judge and the pace."""
    own = Settings("http://", "-")
    judge = parser.add_argument_group("judge")
    judge.add_argument("--base-url", required=True, help="OpenAI-compatible endpoint, up to /v1")
    judge.add_argument("--model", required=True)
    judge.add_argument("--api-key-env", default="OPENAI_API_KEY", help="variable that holds the key")
    judge.add_argument("--temperature", type=float, default=own.temperature)
    judge.add_argument("--stages", type=int, choices=(1, 2), default=own.stages)
    judge.add_argument("--prompts", default=LATEST, help="version of the prompts")
    judge.add_argument("--response-format", choices=RESPONSE_FORMATS, default=own.response_format)
    judge.add_argument("--max-output-tokens", type=int, default=own.max_output_tokens)
    judge.add_argument("--part-characters", type=int, default=own.part_characters, help="most of one call")
    judge.add_argument(
        "--least-matched",
        type=float,
        default=own.least_matched,
        help="share of vital quotes that need a place",
    )
    pace = parser.add_argument_group("pace")
    pace.add_argument(
        "--requests-per-minute", type=float, default=own.requests, help="of all workers; 0: no limit"
    )
    pace.add_argument(
        "--tokens-per-minute", type=float, default=own.tokens, help="of all workers; 0: no limit"
    )
    pace.add_argument("--concurrency", type=int, default=own.concurrency, help="calls in flight of a worker")
    pace.add_argument("--timeout", type=float, default=own.timeout, help="seconds of one call")
    pace.add_argument("--tries", type=int, default=own.tries, help="calls for one answer")
    pace.add_argument("--backoff", type=float, default=own.backoff, help="seconds, doubled with each try")
    pace.add_argument(
        "--longest-wait", type=float, default=own.longest_wait, help="seconds between two tries"
    )


def judge_settings(options: argparse.Namespace) -> Settings:
    """What the options say. Raises :class:`~training.labelling.errors.InvalidSettings`."""
    return Settings(
        base_url=options.base_url,
        model=options.model,
        # Endpoints without keys still want the header to hold something.
        api_key=os.environ.get(options.api_key_env) or "none",
        temperature=options.temperature,
        stages=options.stages,
        prompts=options.prompts,
        response_format=options.response_format,
        timeout=options.timeout,
        tries=options.tries,
        max_output_tokens=options.max_output_tokens,
        part_characters=options.part_characters,
        least_matched=options.least_matched,
        requests=options.requests_per_minute,
        tokens=options.tokens_per_minute,
        concurrency=options.concurrency,
        backoff=options.backoff,
        longest_wait=options.longest_wait,
    )
