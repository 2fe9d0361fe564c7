"""A result for people to read in a terminal."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TextIO

from pith.report import Conflict, DocumentReport, Report, Result
from pith.types import Address, Snippet, SpanReason, Status

_RESET = "\x1b[0m"
_BOLD, _DIM, _RED, _GREEN, _YELLOW = (f"\x1b[{code}m" for code in (1, 2, 31, 32, 33))
_SURE, _LIKELY = 0.66, 0.33

_ESCAPES = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"}
# Overrides of the writing direction would show a text in another order than it has.
_ESCAPES |= {code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}
_REASONS = {
    "no_documents": "there were no documents",
    "all_documents_empty": "all documents are empty",
    "no_readable_documents": "no document could be scored",
    "nothing_above_threshold": "no segment reaches the threshold",
    "budget_too_small": "the budget is too small for any segment that reaches the threshold",
}


def wants_color(stream: TextIO, refused: bool) -> bool:
    """Colour is for terminals, unless refused by option or by NO_COLOR (set and not empty)."""
    return not refused and not os.environ.get("NO_COLOR") and stream.isatty()


@dataclass(frozen=True, slots=True)
class Page:
    """Renders results as lines, with or without colour."""

    color: bool

    def lines(self, result: Result) -> Iterator[str]:
        for snippet in result.snippets:
            yield from self._snippet(snippet)
            yield ""
        for document in result.report.documents:
            yield self._document(document)
        yield from self._totals(result.report)

    def _snippet(self, snippet: Snippet) -> Iterator[str]:
        source = snippet.document
        name = " · ".join(part for part in (source.id, source.title) if part)
        label = self._paint(_BOLD, f"[{snippet.label}]")
        yield f"{label}  {printable(name)}  {self._score(snippet.score)}"
        section = " › ".join(source.text[span.start : span.end] for span in snippet.section)
        if section:
            yield self._paint(_DIM, f"  under {printable(section)}")
        for address in snippet.also_in:
            yield self._paint(_DIM, f"  also in {_place(address)}")
        end = 0
        for span in snippet.spans:
            if span.start > end:
                yield self._paint(_DIM, f"  … {span.start - end:,} characters dropped")
            why = "" if span.reason is SpanReason.EVIDENCE else f" {span.reason.replace('_', ' ')}"
            yield f"  {self._paint(_DIM, f'[{span.start}:{span.end}]')} {self._score(span.score)}{why}"
            for line in printable(source.text[span.start : span.end]).split("\n"):
                yield f"  {line}"
            end = span.end
        if len(source.text) > end:
            yield self._paint(_DIM, f"  … {len(source.text) - end:,} characters dropped")

    def _document(self, document: DocumentReport) -> str:
        if document.status is not Status.OK:
            return f"{document.id}: {self._paint(_RED, document.reason)}"
        dropped = [
            f"{tokens:,} {why}"
            for tokens, why in (
                (document.below_threshold, "below the threshold"),
                (document.duplicate, "said elsewhere"),
                (document.over_documents, "of a document too many"),
                (document.over_budget, "over the budget"),
            )
            if tokens
        ]
        line = f"{document.id}: kept {document.kept:,} of {document.total:,} tokens"
        if dropped:
            line += f" ({', '.join(dropped)})"
        if document.unscored:
            line += self._paint(_RED, f"; {document.unscored:,} tokens were not read (a limit was hit)")
        return line

    def _totals(self, report: Report) -> Iterator[str]:
        if report.reason is not None:
            yield self._paint(_YELLOW, f"Nothing kept: {_REASONS[report.reason]}.")
        for need in report.needs:
            if need.reason == "no_evidence" and need.asked:
                yield self._paint(_YELLOW, f"Not covered: {need.text}")
            elif need.covered and len(report.needs) > 1:
                yield f"[{need.label}] {printable(need.text)} {self._score(need.score)}"
        if report.unfit is not None:
            yield self._paint(
                _YELLOW,
                f"Does not fit: {'; '.join(report.unfit.missing)} (all that is necessary takes "
                f"{report.unfit.tokens:,} tokens)",
            )
        for conflict in report.conflicts:
            yield self._paint(_YELLOW, _conflict(conflict))
        if report.query_cut:
            yield self._paint(_YELLOW, f"The last {report.query_cut:,} tokens of the query were not read.")
        share = f" ({report.kept / report.total:.1%})" if report.total else ""
        yield self._paint(_BOLD, f"{report.total:,} → {report.kept:,} tokens{share}")
        threshold = "" if report.threshold is None else f" · threshold {report.threshold:g}"
        yield self._paint(
            _DIM,
            f"context {report.context_tokens:,} of {report.budget:,} tokens{threshold} · "
            f"{report.requests} {'request' if report.requests == 1 else 'requests'} · {report.seconds:.2f} s",
        )

    def _score(self, score: float) -> str:
        color = _GREEN if score >= _SURE else _YELLOW if score >= _LIKELY else _DIM
        return self._paint(color, f"{score:.2f}")

    def _paint(self, code: str, text: str) -> str:
        return f"{code}{text}{_RESET}" if self.color else text


def _place(address: Address) -> str:
    name = printable(address.id or str(address.document))
    version = f" version {printable(address.version)}" if address.version else ""
    return f"{name}{version} [{address.start}:{address.end}]"


def _conflict(conflict: Conflict) -> str:
    first, second = (" ".join(values) or "none" for values in conflict.values)
    return (
        f"Conflict ({', '.join(conflict.kinds)}): {_place(conflict.first)} says {printable(first)}, "
        f"{_place(conflict.second)} says {printable(second)}"
    )


def printable(text: str) -> str:
    """Control characters as escapes, so that a text cannot steer the terminal; line ends and tabs stay."""
    return text.replace("\r\n", "\n").translate(_ESCAPES)
