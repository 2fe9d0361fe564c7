"""What stops a run. What is wrong with one pair stops nothing: it is a dead letter with a reason."""

from __future__ import annotations


class LabellingError(Exception):
    """Base of the errors of this package; the text says what was wrong and what to do."""


class InvalidSettings(LabellingError):
    """Options that make no sense, or that differ from those a folder was begun with."""


class InvalidInput(LabellingError):
    """A file that cannot be read at all, or that lacks its columns."""


class MissingPackage(LabellingError):
    """A package of the `label` extra is not installed."""


class EndpointRefused(LabellingError):
    """The endpoint will refuse every call: wrong key, unknown model, nobody there."""
