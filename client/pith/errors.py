"""What can go wrong in a call, as types: catch :class:`PithError` for all of it.

Every error says what was wrong and what to do about it. ``code`` is a short, stable word for programs
(the server's own code where the server spoke, such as ``too_many_queries``), ``documents`` holds the
positions, in the list that was passed in, of the documents whose request failed.
"""

from __future__ import annotations

from collections.abc import Sequence

_NAMED_AT_MOST = 8


class PithError(Exception):
    """Base of all errors that this package raises on purpose."""

    def __init__(self, message: str, *, code: str | None = None, documents: Sequence[int] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.documents = tuple(documents)

    def __str__(self) -> str:
        if not self.documents:
            return self.message
        named = ", ".join(str(index) for index in self.documents[:_NAMED_AT_MOST])
        more = len(self.documents) - _NAMED_AT_MOST
        return f"{self.message} (documents {named}{f' and {more} more' if more > 0 else ''})"


class InvalidInput(PithError):
    """The call cannot be answered as it was made: a wrong type, an empty query, a number out of range."""


class ServerUnavailable(PithError):
    """No server answered, it is shutting down, or it failed while it worked. Trying again later may help."""


class Overloaded(PithError):
    """The server is there but has more work than it can queue. Try again later, or send less at once."""


class DeadlineExceeded(PithError):
    """The time allowed for the call ran out before all documents were scored."""


class IncompatibleServer(PithError):
    """What answered is not a Pith server, or one that speaks another version of the wire contract."""
