"""What a server or a network does to a call becomes the right error after the right number of tries."""

from __future__ import annotations

import socket
import threading
from typing import Any

import grpc
import numpy as np
import pytest

import pith
from pith.errors import (
    DeadlineExceeded,
    IncompatibleServer,
    InvalidInput,
    Overloaded,
    PithError,
    ServerUnavailable,
)
from tests.client.conftest import MakeClient
from tests.client.double import PARAMETERS, Double, Tensors

QUERY = "blue whales"
TEXTS = ["Blue whales sing. Rain falls.", "Nothing here."]
UNAVAILABLE = (grpc.StatusCode.UNAVAILABLE, "Socket closed")


def test_one_unavailable_answer_is_tried_again(double: Double, make_client: MakeClient) -> None:
    double.failures.append(UNAVAILABLE)
    result = make_client(double.url).compress(QUERY, TEXTS)
    assert result.report.requests == 2
    assert [snippet.text for snippet in result.snippets] == ["Blue whales sing."]


def test_a_second_unavailable_answer_is_final(double: Double, make_client: MakeClient) -> None:
    double.failures.extend([UNAVAILABLE] * 2)
    with pytest.raises(ServerUnavailable, match="Socket closed") as caught:
        make_client(double.url).score(QUERY, TEXTS)
    assert caught.value.documents == (0, 1)
    assert len(double.requests) == 2


def test_no_server_at_all_is_told_with_the_address(make_client: MakeClient) -> None:
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        url = f"127.0.0.1:{reserved.getsockname()[1]}"
        with pytest.raises(ServerUnavailable, match=url):
            make_client(url).score(QUERY, TEXTS)


def test_a_full_queue_is_tried_again_and_then_overloaded(double: Double, make_client: MakeClient) -> None:
    full = (grpc.StatusCode.UNAVAILABLE, "in ensemble 'compressor', Exceeds maximum queue size")
    double.failures.extend([full] * 2)
    with pytest.raises(Overloaded, match="full queue"):
        make_client(double.url).score(QUERY, TEXTS)
    assert len(double.requests) == 2


def test_a_timeout_in_the_queue_is_overloaded_without_another_try(
    double: Double, make_client: MakeClient
) -> None:
    double.failures.append((grpc.StatusCode.UNAVAILABLE, "Request timeout expired"))
    with pytest.raises(Overloaded):
        make_client(double.url).score(QUERY, TEXTS)
    assert len(double.requests) == 1


def test_a_slow_server_runs_into_the_deadline(double: Double, make_client: MakeClient) -> None:
    client = make_client(double.url, timeout=20)
    client.score(QUERY, TEXTS)
    double.delay = 30.0
    with pytest.raises(DeadlineExceeded, match=r"0\.3 s"):
        client.score(QUERY, TEXTS, timeout=0.3)


def test_the_server_is_told_to_give_up_before_the_client(double: Double, make_client: MakeClient) -> None:
    make_client(double.url, timeout=10).score(QUERY, TEXTS)
    (told,) = double.timeouts
    assert 0 < told <= 9_000_000


def test_a_model_that_was_never_there_says_how_to_start_one(double: Double, make_client: MakeClient) -> None:
    double.config_failures.append(
        (grpc.StatusCode.NOT_FOUND, "Request for unknown model: 'compressor' is not found")
    )
    with pytest.raises(IncompatibleServer, match=r"no model `compressor`.*pith-serve"):
        make_client(double.url).score(QUERY, TEXTS)


def test_a_model_that_goes_away_means_that_the_server_drains(double: Double, make_client: MakeClient) -> None:
    client = make_client(double.url)
    client.score(QUERY, TEXTS)
    double.failures.extend([(grpc.StatusCode.NOT_FOUND, "Request for unknown model: 'compressor'")] * 2)
    with pytest.raises(ServerUnavailable) as caught:
        client.score(QUERY, TEXTS)
    assert caught.value.code == "draining"


def test_reading_the_configuration_is_tried_again(double: Double, make_client: MakeClient) -> None:
    double.config_failures.append(UNAVAILABLE)
    assert len(make_client(double.url).score(QUERY, TEXTS)) == 2


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"pith_wire": "2"}, "version '2'"),
        ({"pith_wire": None}, "not a Pith model repository"),
        ({"max_windows": None}, "max_windows"),
        ({"default_threshold": "high"}, "default_threshold"),
        ({"default_threshold": "1.5"}, "from 0 to 1"),
        ({"max_documents": "0"}, "at least 1"),
        ({"recall_thresholds": "much"}, "recall_thresholds = 'much'"),
        ({"recall_thresholds": "0.9"}, "recall:threshold"),
        ({"recall_thresholds": "0.8:0.02,0.9:nan"}, "recall:threshold"),
        ({"recall_thresholds": "0.9:1.5"}, "recall:threshold"),
        ({"recall_thresholds": "1.0:0.1"}, "recall:threshold"),
        ({"recall_thresholds": "0.9:0.02,0.9:0.01"}, "recall:threshold"),
        ({"recall_thresholds": "0.8:0.01,0.9:0.02"}, "falling as recall rises"),
    ],
)
def test_a_server_of_another_kind_is_incompatible(
    double: Double, make_client: MakeClient, change: dict[str, str | None], words: str
) -> None:
    changed = PARAMETERS | change
    double.parameters = {name: value for name, value in changed.items() if value is not None}
    with pytest.raises(IncompatibleServer, match=words):
        make_client(double.url).score(QUERY, TEXTS)


def test_the_servers_own_sentence_reaches_the_caller(double: Double, make_client: MakeClient) -> None:
    double.failures.append(
        (
            grpc.StatusCode.INTERNAL,
            "in ensemble 'compressor', Failed to process the request(s) for model 'tokenize_0_0', message: "
            "TritonModelException: PITH:invalid_query: query 0 is not UTF-8.\n\n"
            "At:\n  /model.py(12): execute",
        )
    )
    with pytest.raises(InvalidInput) as caught:
        make_client(double.url).score(QUERY, TEXTS)
    assert caught.value.code == "invalid_query"
    assert caught.value.message == "query 0 is not UTF-8."


def test_another_failure_of_the_server_is_unavailable_with_its_words(
    double: Double, make_client: MakeClient
) -> None:
    double.failures.append((grpc.StatusCode.INTERNAL, "Stub process 'tokenize_0_0' is not healthy."))
    with pytest.raises(ServerUnavailable, match="is not healthy"):
        make_client(double.url).score(QUERY, TEXTS)


def _set(name: str, value: Any) -> Any:
    def spoil(outputs: Tensors) -> None:
        outputs[name] = value(outputs[name])

    return spoil


def _edited(row: int, column: int, value: int) -> Any:
    def edit(segment: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        segment[row, column] = value
        return segment

    return edit


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda outputs: outputs.pop("RELEVANCE"), id="output missing"),
        pytest.param(_set("SEGMENT", lambda a: a[:, :4]), id="column missing"),
        pytest.param(_set("SEGMENT_SCORE", lambda a: a[:-1]), id="row missing"),
        pytest.param(_set("SEGMENT_SCORE", lambda a: a * np.float32("nan")), id="not a number"),
        pytest.param(_set("RELEVANCE", lambda a: a + 2), id="not a probability"),
        pytest.param(_set("SEGMENT", _edited(0, 0, 7)), id="unknown document"),
        pytest.param(_set("SEGMENT", _edited(0, 2, 10_000)), id="end outside of the text"),
        pytest.param(_set("SEGMENT", _edited(0, 2, 3)), id="inside a character"),
        pytest.param(_set("SEGMENT", _edited(1, 1, 0)), id="overlap"),
        pytest.param(_set("SEGMENT", _edited(0, 3, 77)), id="unknown kind"),
        pytest.param(_set("SEGMENT", _edited(0, 4, 2)), id="parent in another document"),
        pytest.param(_set("SEGMENT", lambda a: a[::-1].copy()), id="wrong order"),
        pytest.param(_set("STATUS", lambda a: a + 9), id="unknown status"),
        pytest.param(_set("STATUS", lambda a: a + 4), id="a status that only the client gives"),
        pytest.param(lambda outputs: outputs.pop("SOURCE_TOKENS"), id="what was sent to be counted is not"),
        pytest.param(_set("SOURCE_TOKENS", lambda a: a[:-1]), id="a count missing"),
    ],
)
def test_an_answer_that_makes_no_sense_is_not_trusted(
    double: Double, make_client: MakeClient, spoil: Any
) -> None:
    double.spoil = spoil
    with pytest.raises(IncompatibleServer, match="breaks the wire contract"):
        make_client(double.url).score(
            QUERY,
            [pith.Document("Größe zählt. Zwei.", version="2"), "Drei Sätze sind das nicht, nur einer."],
        )


def test_when_one_request_fails_for_good_the_others_are_cancelled(
    double: Double, make_client: MakeClient
) -> None:
    double.parameters = PARAMETERS | {"max_documents": "1"}
    client = make_client(double.url, max_in_flight=3)
    client.score(QUERY, ["Warm up."])
    double.failures.append((grpc.StatusCode.INTERNAL, "broken"))
    double.fail_among = 3
    double.delay = 30.0
    with pytest.raises(ServerUnavailable, match="broken") as caught:
        client.score(QUERY, [*TEXTS, "More text."])
    assert len(caught.value.documents) == 1
    assert double.cancelled.wait(60)


def test_a_closed_compressor_says_so(double: Double) -> None:
    compressor = pith.Compressor(double.url)
    compressor.close()
    compressor.close()
    with pytest.raises(PithError, match="closed"):
        compressor.score(QUERY, TEXTS)


async def test_a_closed_async_compressor_says_so(double: Double) -> None:
    compressor = pith.AsyncCompressor(double.url)
    await compressor.score(QUERY, TEXTS)
    await compressor.close()
    with pytest.raises(PithError, match="closed"):
        await compressor.score(QUERY, TEXTS)


def test_closing_ends_the_calls_under_way(double: Double) -> None:
    compressor = pith.Compressor(double.url)
    compressor.score(QUERY, TEXTS)
    double.delay = 30.0
    threading.Timer(0.2, compressor.close).start()
    with pytest.raises(PithError, match="closed"):
        compressor.score(QUERY, TEXTS)
