"""How many encoder rows a question takes."""

from __future__ import annotations

import json
import math
from pathlib import Path

from perf.capacity.load import Load, Rows
from perf.capacity.units import Measured
from preprocessing.windows import SPECIAL_TOKENS, WindowSettings

TOKENIZE = Path(__file__).parents[2] / "model_repository/tokenize/1"


def windows_of(tokens: int, query_tokens: int, context_tokens: float, settings: WindowSettings) -> Rows:
    """Rows of one document by the formula: 1 + ceil((tokens - room) / (room - overlap)), room being what the query,
    the context and the special tokens leave of a row.
    """
    length = settings.row_length(query_tokens, tokens + round(context_tokens))
    room = length - query_tokens - round(context_tokens) - SPECIAL_TOKENS
    if room <= settings.overlap_tokens:
        raise ValueError(
            f"A query of {query_tokens} tokens leaves {room} tokens of a row of {length} to the document, no more than "
            f"the overlap of {settings.overlap_tokens}; give a shorter query or longer rows (windows.json)."
        )
    rest = max(0, tokens - room)
    return Rows(length, 1 + math.ceil(rest / (room - settings.overlap_tokens)))


def rows_of(load: Load, measured: Measured, settings: WindowSettings) -> Rows:
    """Rows of one question; documents that need several take more than the formula says, since rows end with
    sentences."""
    one = windows_of(load.tokens, load.query_tokens, measured.context_tokens, settings)
    each = one.count * (measured.rows_over_formula if one.count > 1 else 1.0)
    return Rows(one.length, math.ceil(each * load.documents * load.passes))


def window_settings() -> WindowSettings:
    """What the server is configured with."""
    windows = json.loads((TOKENIZE / "windows.json").read_text())["windows"]
    return WindowSettings(**windows | {"buckets": tuple(windows["buckets"])})
