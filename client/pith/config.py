"""What the server says about itself: the parameters of its model configuration."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from pith.errors import IncompatibleServer

WIRE_VERSION = "1"


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """The server's limits and defaults. Limits hold for one request; the client splits what is larger.

    ``max_documents`` and ``max_windows`` bound one request, ``max_document_bytes`` one document (UTF-8) and
    ``max_queries`` the query with its needs. ``max_document_windows`` is how much of one document the server
    reads for one query; it leaves the rest unscored. ``recall_thresholds`` says which threshold keeps which share
    of the evidence; empty where the server does not state it. ``counts_source``: it counts the tokens of version
    and url.
    """

    default_threshold: float
    max_documents: int
    max_document_bytes: int
    max_windows: int
    max_document_windows: int
    max_queries: int
    model_name: str
    recall_thresholds: Mapping[float, float] = field(default_factory=dict)
    counts_source: bool = False


def read_config(parameters: Mapping[str, str], *, model: str) -> ServerConfig:
    """Build a :class:`ServerConfig` from the string parameters of the served model.

    Raises :class:`IncompatibleServer` when a parameter is missing or senseless, or the wire version differs.
    """
    wire = parameters.get("pith_wire")
    if wire is None:
        raise IncompatibleServer(
            f"the server's model `{model}` has no parameter `pith_wire`: it is not a Pith model repository, "
            "or an older one",
            code="missing_parameter",
        )
    if wire != WIRE_VERSION:
        raise IncompatibleServer(
            f"the server speaks version {wire!r} of the wire contract and this client version "
            f"{WIRE_VERSION!r}: install the matching pith-client or update the server",
            code="wire_version",
        )
    threshold = _number(parameters, "default_threshold", model)
    if not 0.0 <= threshold <= 1.0:
        raise _senseless(parameters, "default_threshold", model, "a number from 0 to 1")
    max_windows = _limit(parameters, "max_windows", model)
    # Not part of the first servers' parameters; what they leave unscored is sent again in halves.
    of_document = "max_document_windows"
    return ServerConfig(
        default_threshold=threshold,
        max_documents=_limit(parameters, "max_documents", model),
        max_document_bytes=_limit(parameters, "max_document_bytes", model),
        max_windows=max_windows,
        max_document_windows=_limit(parameters, of_document, model)
        if of_document in parameters
        else max_windows,
        max_queries=_limit(parameters, "max_queries", model),
        model_name=parameters.get("model_name", model),
        recall_thresholds=_recall_thresholds(parameters, model),
        counts_source=parameters.get("counts_source") == "1",
    )


def _recall_thresholds(parameters: Mapping[str, str], model: str) -> dict[float, float]:
    """``"0.8:0.02,0.9:0.008"`` → {0.8: 0.02, 0.9: 0.008}."""
    name = "recall_thresholds"
    wanted = "recall:threshold pairs, thresholds falling as recall rises,"
    table: dict[float, float] = {}
    for pair in filter(None, parameters.get(name, "").split(",")):
        try:
            recall, threshold = map(float, pair.split(":"))
        except ValueError as error:
            raise _senseless(parameters, name, model, wanted) from error
        if recall in table or not (0.0 < recall < 1.0 and 0.0 <= threshold <= 1.0):
            raise _senseless(parameters, name, model, wanted)
        table[recall] = threshold
    falling = [table[recall] for recall in sorted(table)]
    if falling != sorted(falling, reverse=True):
        raise _senseless(parameters, name, model, wanted)
    return table


def _text(parameters: Mapping[str, str], name: str, model: str) -> str:
    value = parameters.get(name)
    if value is None:
        raise IncompatibleServer(
            f"the server's model `{model}` lacks the parameter `{name}` that this client needs: update the "
            "server's model repository",
            code="missing_parameter",
        )
    return value


def _number(parameters: Mapping[str, str], name: str, model: str) -> float:
    try:
        value = float(_text(parameters, name, model))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise _senseless(parameters, name, model, "a number")
    return value


def _limit(parameters: Mapping[str, str], name: str, model: str) -> int:
    value = _number(parameters, name, model)
    if value < 1 or value != int(value):
        raise _senseless(parameters, name, model, "a whole number of at least 1")
    return int(value)


def _senseless(parameters: Mapping[str, str], name: str, model: str, wanted: str) -> IncompatibleServer:
    return IncompatibleServer(
        f"the server's model `{model}` says {name} = {parameters[name]!r}, where {wanted} is needed",
        code="bad_parameter",
    )
