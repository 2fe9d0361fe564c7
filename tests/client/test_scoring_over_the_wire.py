"""Both clients over real gRPC: order, offsets, parts, needs, and requests side by side."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pith
from pith.errors import InvalidInput
from tests.client.conftest import MakeClient
from tests.client.double import PARAMETERS, Double, Tensors, score

QUERY = "blue whales"


def check(scored: list[pith.ScoredDocument], texts: list[str], query: str = QUERY) -> None:
    """Every segment has the score of its own text, and no character that is not blank lacks a segment."""
    assert [one.document.text for one in scored] == texts
    for one, text in zip(scored, texts, strict=True):
        covered: set[int] = set()
        for segment in one.segments:
            assert segment.score == pytest.approx(score(query, text[segment.start : segment.end]), abs=1e-6)
            covered |= set(range(segment.start, segment.end))
        assert all(i in covered for i, character in enumerate(text) if not character.isspace())


def test_documents_come_back_in_the_order_given(double: Double, make_client: MakeClient) -> None:
    texts = ["Long text about blue whales. " * 50, "Short.", "", "Größe 鯨 👩\u200d👧 blue whales.", "Short."]
    scored = make_client(double.url).score(QUERY, texts)
    check(scored, texts)
    assert [one.status.name for one in scored] == ["OK", "OK", "EMPTY", "OK", "OK"]
    assert [one.document.id for one in scored] == ["0", "1", "2", "3", "4"]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.lists(
            st.sampled_from(["Blue whales sing. ", "Größe.\r\n", "鯨は歌う。", "👍🏽 ", "\n\n", "e\u0301 "]),
            max_size=60,
        ).map("".join),
        max_size=8,
    )
)
def test_whatever_is_split_comes_back_whole(double: Double, texts: list[str]) -> None:
    double.parameters = PARAMETERS | {"max_windows": "2", "max_document_bytes": "150", "max_documents": "3"}
    with pith.Compressor(double.url) as compressor:
        check(compressor.score(QUERY, texts), texts)


def test_refused_requests_are_halved_until_they_pass(double: Double, make_client: MakeClient) -> None:
    # Every letter is a token, far more than the estimate of windows expects.
    texts = ["a b c d e f g h. " * 200 + "blue whales.", "x. " * 30, "y z. " * 400]
    double.parameters = PARAMETERS | {"max_windows": "3"}
    result = make_client(double.url).compress(QUERY, texts, budget=50)
    check(make_client(double.url).score(QUERY, texts), texts)
    assert result.context == "[E1]\nblue whales."
    assert result.report.total == sum(len(text.replace(".", "").split()) for text in texts)


def test_what_the_server_did_not_read_is_sent_again_in_halves(
    double: Double, make_client: MakeClient
) -> None:
    double.most_read = 150
    texts = ["Nothing here. " * 400 + "Blue whales.", "Short."]
    scored = make_client(double.url).score(QUERY, texts)
    check(scored, texts)
    assert [one.unscored for one in scored] == [0, 0]


def test_what_cannot_be_read_is_reported(double: Double, make_client: MakeClient) -> None:
    double.most_read = 1
    assert make_client(double.url).compress(QUERY, ["Blue whales sing."]).report.unscored == 2


def test_parents_and_offsets_hold_across_parts(double: Double, make_client: MakeClient) -> None:
    text = "".join(f"# Überschrift {i}\nSatz eins. Satz zwei.\n\n" for i in range(40))
    double.parameters = PARAMETERS | {"max_document_bytes": "200"}
    (scored,) = make_client(double.url).score("Überschrift", [text])
    assert len(double.requests) + sum(map(len, double.requests)) > 8
    for segment in scored.segments:
        shown = text[segment.start : segment.end]
        if shown.startswith("# "):
            assert segment.kind is pith.Kind.HEADING
        elif segment.parent is not None:
            parent = scored.segments[segment.parent]
            assert parent.kind is pith.Kind.HEADING
            assert text[parent.end : segment.start].count("#") == 0


def test_lone_surrogates_spoil_their_own_document_only(double: Double, make_client: MakeClient) -> None:
    documents = ["Blue whales.", "bad \ud800 text", pith.Document("Fine.", title="bad \udfff title"), "More."]
    result = make_client(double.url).compress(QUERY, documents)
    assert [told.status.name for told in result.report.documents] == [
        "OK",
        "INVALID_TEXT",
        "INVALID_TEXT",
        "OK",
    ]
    assert "surrogates" in result.report.documents[1].reason
    assert result.context == "[E1]\nBlue whales."


def test_each_need_is_scored_like_a_query(double: Double, make_client: MakeClient) -> None:
    client = make_client(double.url)
    needs = ["rain tomorrow", "price"]
    (scored,) = client.score(QUERY, ["Blue whales sing. Rain tomorrow."], needs=needs)
    assert [segment.scores for segment in scored.segments] == [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]
    assert [segment.score for segment in scored.segments] == [1.0, 1.0]
    result = client.compress(QUERY, ["Blue whales sing. Nothing. Rain tomorrow."], needs=needs)
    assert result.context == "[E1]\nBlue whales sing.\nRain tomorrow."
    assert result.report.uncovered_needs == ("price",)


def test_more_needs_than_the_server_takes_are_told(double: Double, make_client: MakeClient) -> None:
    with pytest.raises(InvalidInput, match="16 needs are too many: the server takes 15"):
        make_client(double.url).score(QUERY, ["text"], needs=["n"] * 16)


def test_titles_reach_the_server_and_count(double: Double, make_client: MakeClient) -> None:
    documents = [pith.Document("Blue whales.", title="Three word title"), "Blue."]
    assert [one.title_tokens for one in make_client(double.url).score(QUERY, documents)] == [3, 0]


def test_version_and_address_reach_the_server_as_they_are_shown_and_are_counted(
    double: Double, make_client: MakeClient
) -> None:
    documents = [
        pith.Document("Blue whales.", version="2 \n beta", url="https://example.org/a"),
        "Blue.",
        pith.Document("Blue whales. " * 60, version="3"),
    ]
    double.parameters = PARAMETERS | {"max_document_bytes": "200"}
    scored = make_client(double.url).score(QUERY, documents)
    # The double counts words: "version", "2", "beta", "https", "example", "org", "a".
    assert [one.source_tokens for one in scored] == [7, 0, 2]
    sent = {source.decode() for request in double.received for source in request.get("SOURCE", [])}
    assert sent == {" · version 2 beta · https://example.org/a", "", " · version 3"}


def test_without_version_and_address_nothing_is_sent_to_be_counted(
    double: Double, make_client: MakeClient
) -> None:
    def leave_out(outputs: Tensors) -> None:
        del outputs["SOURCE_TOKENS"]

    double.spoil = leave_out
    (scored,) = make_client(double.url).score(QUERY, ["Blue whales."])
    assert scored.source_tokens == 0
    assert "SOURCE" not in double.received[0]


@pytest.mark.parametrize("announced", [{}, {"counts_source": "0"}])
def test_a_server_that_does_not_count_is_not_asked_to(
    double: Double, make_client: MakeClient, announced: dict[str, str]
) -> None:
    known = {name: value for name, value in PARAMETERS.items() if name != "counts_source"}
    double.parameters = known | announced
    (scored,) = make_client(double.url).score(QUERY, [pith.Document("Blue whales.", version="2")])
    assert scored.source_tokens is None
    assert "SOURCE" not in double.received[0]


def test_nothing_of_a_document_that_is_not_allowed_is_sent(double: Double, make_client: MakeClient) -> None:
    secret = pith.Document(
        "Secret whales. " * 60, id="secret", title="Secret", url="secret", version="secret", allowed=False
    )
    blank = pith.Document(" ", allowed=False)
    double.parameters = PARAMETERS | {"max_document_bytes": "200"}
    scored = make_client(double.url).score(QUERY, [secret, pith.Document("Blue whales.", url="u"), blank])
    assert [one.status.name for one in scored] == ["NOT_ALLOWED", "OK", "NOT_ALLOWED"]
    assert "not allowed" in scored[0].reason
    assert scored[0].segments == ()
    held = [data for request in double.received for values in request.values() for data in values]
    assert held
    assert not any(b"secret" in data.lower() for data in held)


def test_where_no_document_is_allowed_no_server_is_needed(make_client: MakeClient) -> None:
    (scored,) = make_client("127.0.0.1:1").score(QUERY, [pith.Document("Blue whales.", allowed=False)])
    assert scored.status is pith.Status.NOT_ALLOWED


def test_the_report_tells_what_the_call_took(double: Double, make_client: MakeClient) -> None:
    report = make_client(double.url).compress("w " * 70, ["Some text."], needs=["n " * 65]).report
    assert (report.requests, report.threshold, report.model) == (1, 0.2, "word-overlap")
    assert (report.query_cut, report.needs_cut) == (6, (1,))
    assert report.seconds > 0


def test_a_document_is_the_callers_own(double: Double, make_client: MakeClient) -> None:
    document = pith.Document("Blue whales.", id="a", title="T", url="https://example.org", version="3")
    (first, second) = make_client(double.url).score(QUERY, [document, document])
    assert first.document is document is second.document


def test_requests_go_side_by_side_but_no_more_than_allowed(double: Double, make_client: MakeClient) -> None:
    double.parameters = PARAMETERS | {"max_documents": "1"}
    double.delay = 0.03
    make_client(double.url, max_in_flight=3).score(QUERY, ["Blue whales."] * 12)
    assert len(double.requests) == 12
    assert 2 <= double.most_under_way <= 3


def test_requests_go_to_all_servers_behind_a_name(double: Double, make_client: MakeClient) -> None:
    other = Double()
    try:
        client = make_client(f"ipv4:{double.url},{other.url}")
        # The first address may be connected before the second; both are by the time of some of these.
        for _ in range(200):
            client.score("bread", ["Bread rises."])
            if double.requests and other.requests:
                break
        assert double.requests
        assert other.requests
    finally:
        other.stop()


def test_threads_share_a_compressor_without_mixing_their_answers(double: Double) -> None:
    def ask(number: int) -> None:
        texts = [f"The {word} number {number} is here. Not there." for word in ("first", "second", "third")]
        check(compressor.score(f"number {number}", texts), texts, f"number {number}")

    double.parameters = PARAMETERS | {"max_documents": "1"}
    with pith.Compressor(double.url) as compressor, ThreadPoolExecutor(8) as pool:
        list(pool.map(ask, range(80)))


async def test_coroutines_share_a_compressor_without_mixing_their_answers(double: Double) -> None:
    async def ask(number: int) -> None:
        texts = [f"The number {number} is here. Not there."]
        check(await compressor.score(f"number {number}", texts), texts, f"number {number}")

    async with pith.AsyncCompressor(double.url) as compressor:
        await asyncio.gather(*(ask(number) for number in range(40)))


async def test_cancelling_a_call_cancels_its_requests(double: Double) -> None:
    async with pith.AsyncCompressor(double.url) as compressor:
        await compressor.score(QUERY, ["Warm up."])
        double.delay = 30.0
        call = asyncio.create_task(compressor.score(QUERY, ["Blue whales."]))
        while not double.under_way:
            await asyncio.sleep(0.01)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert await asyncio.to_thread(double.cancelled.wait, 60)


def test_a_second_event_loop_is_told(double: Double) -> None:
    compressor = pith.AsyncCompressor(double.url)

    async def use() -> None:
        await compressor.score(QUERY, ["text"])

    with asyncio.Runner() as first:
        first.run(use())
        with pytest.raises(pith.errors.PithError, match="second event loop"), asyncio.Runner() as second:
            second.run(use())
        first.run(compressor.close())
