"""What stops a run. What goes wrong with one question is a line of the journal with its reason."""

from __future__ import annotations


class AnswersError(Exception):
    """Base of the errors of this package; the text says what was wrong and what to do."""


class InvalidInput(AnswersError):
    """A file or an option that makes no sense."""


class ServerUnusable(AnswersError):
    """The Pith server cannot be reached, or serves something else."""
