"""Measure the Python steps around the encoder on the bundled pages, in CPU time, which other work moves little."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from demo.pages import bundled_pages
from perf.bench import jobs
from perf.capacity.rows import TOKENIZE, window_settings, windows_of
from perf.machine import this_cpu
from preprocessing.request import Preprocessor
from preprocessing.scores import Calibration, document_relevance, segment_logits, segment_scores
from preprocessing.windows import SPECIAL_TOKENS

AGGREGATE = TOKENIZE.parents[1] / "aggregate/1"
MEASURED_TOKENS = (250, 1000, 4000)
# Of 4,000 tokens each, more would not fit in a request.
MEASURED_DOCUMENTS = 5


def measure(seconds: float = 3.0) -> dict[str, Any]:
    """The contents of docs/reports/capacity.json; each step is timed for about `seconds`."""
    preprocessor, settings = Preprocessor.load(TOKENIZE), window_settings()
    calibration = Calibration.load(AGGREGATE / "calibration.json")
    rng = np.random.default_rng(0)
    page = next(page for page in bundled_pages() if page.language == "en")
    words = [page.text]
    while sum(map(len, words)) < 12 * max(MEASURED_TOKENS):
        words.append(page.text)
    text = "\n\n".join(words)

    def seconds_of(call: Callable[[], object]) -> float:
        call()
        taken: list[float] = []
        until = time.perf_counter() + seconds
        while time.perf_counter() < until or len(taken) < 5:
            began = time.process_time()
            call()
            taken.append(time.process_time() - began)
        return sorted(taken)[len(taken) // 2]

    def prepared(query: str, documents: Sequence[str], title: str) -> Any:
        return preprocessor.prepare(
            [query.encode()], [d.encode() for d in documents], [title.encode()] * len(documents)
        )

    by_tokens, ratios, contexts = [], [], []
    per_token = len(page.text) / float(prepared(page.query, [page.text], page.title).segment_tokens.sum())
    for tokens in MEASURED_TOKENS:
        size = round(tokens * per_token)
        documents = [text[i * 997 : i * 997 + size] for i in range(MEASURED_DOCUMENTS)]
        ready = prepared(page.query, documents, page.title)
        found = int(ready.segment_tokens.sum())
        rows = ready.windows.input_ids
        logits = rng.normal(size=rows.shape).astype(np.float32)

        def aggregate(ready: Any = ready, logits: Any = logits) -> None:
            windows, lexical = ready.windows, ready.lexical
            found = segment_logits(
                logits, logits[:, 0], windows.token_segment, windows.window, *lexical.shape
            )
            segment_scores(found, lexical, calibration)
            document_relevance(logits[:, 0], ready.windows.window, MEASURED_DOCUMENTS, 1, calibration)

        tokenize = seconds_of(lambda documents=documents: prepared(page.query, documents, page.title))  # type: ignore[misc]
        query = int(np.argmax(rows[0] == 2)) - 1
        bodies = (ready.windows.token_segment >= 0).sum(axis=1)
        filled = (rows != 1).sum(axis=1)
        contexts.append(float((filled - bodies).mean()) - query - SPECIAL_TOKENS)
        formula = sum(
            windows_of(
                int(ready.segment_tokens[ready.segment[:, 0] == n].sum()), query, contexts[-1], settings
            ).count
            for n in range(MEASURED_DOCUMENTS)
        )
        if len(rows) > MEASURED_DOCUMENTS:
            ratios.append(len(rows) / formula)
        answer = (ready.segment, ready.segment_tokens, ready.lexical)
        by_tokens.append(
            {
                "tokens": tokens,
                "tokenize_microseconds": round(1e6 * tokenize / found, 4),
                "aggregate_microseconds": round(1e6 * seconds_of(aggregate) / rows.size, 5),
                "request_bytes": round(sum(len(d.encode()) for d in documents) / found, 3),
                "response_bytes": round(sum(array.nbytes for array in answer) / found, 3),
            }
        )
    job = jobs()[0]
    ten = preprocessor.prepare(
        [job.query.encode()],
        [d.text.encode() for d in job.documents],
        [(d.title or "").encode() for d in job.documents],
    )
    return {
        "cpu": this_cpu(),
        "by_tokens": by_tokens,
        "rows_over_formula": round(sum(ratios) / len(ratios), 4),
        "context_tokens": round(sum(contexts) / len(contexts), 1),
        "ten_pages": {
            "document_tokens": int(ten.segment_tokens.sum()),
            "rows": len(ten.windows.input_ids),
            "row_tokens": int(ten.windows.input_ids.size),
        },
    }
