"""What can go wrong with a local server. Every message is one sentence or two: what is wrong, what to do."""


class ServingError(Exception):
    """Base of all errors of this package."""


class RequirementMissing(ServingError):
    """This machine lacks something that the server needs."""


class PortInUse(ServingError):
    """A port that was asked for is taken, or asked for twice."""


class StartFailed(ServingError):
    """The server ended, or did not answer, while it was being started. The message ends with its log."""


class StartCancelled(ServingError):
    """The server was told to stop while it was being started."""


class ProbeFailed(ServingError):
    """The server did not answer an inference as it should."""


class ServerBusy(ProbeFailed):
    """The server is alive, but too loaded to answer the probe."""


class ServerBroken(ProbeFailed):
    """The server is in a state that it does not recover from by itself."""
