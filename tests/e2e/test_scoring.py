"""Scoring against the real server: the wire, both clients, both ways of packing, hostile input."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from tritonclient.grpc import InferenceServerClient, InferInput
from tritonclient.utils import InferenceServerException

import pith
from demo.pages import bundled_pages
from preprocessing.tokenizer import TextTokenizer
from serving.find import MODEL_REPOSITORY
from serving.server import LocalServer

QUERY = "How long does the refund take?"
ANSWER = "Refunds are paid within ten working days of the return."
PAGE = (
    f"# Returns\n\nHome | Shop | Cart\n\nSubscribe to our newsletter!\n\n{ANSWER} Shipping is free in May.\n"
)


@pytest.fixture(scope="module")
def compressor(server: LocalServer) -> Iterator[pith.Compressor]:
    with pith.Compressor(server.grpc_url, timeout=300.0) as client:
        yield client


def text_tensor(name: str, values: list[bytes]) -> InferInput:
    tensor = InferInput(name, [len(values)], "BYTES")
    tensor.set_data_from_numpy(np.array(values, np.object_))
    return tensor


def covers(scored: pith.ScoredDocument) -> bool:
    text = scored.document.text
    shown = "".join(text[segment.start : segment.end] for segment in scored.segments)
    return "".join(shown.split()) == "".join(text.split())


def test_any_kserve_client_may_leave_the_titles_out(server: LocalServer) -> None:
    with InferenceServerClient(server.grpc_url) as triton:
        documents = [PAGE.encode(), b"", b"\xff\xfe"]
        answer = triton.infer(
            "compressor", [text_tensor("QUERY", [QUERY.encode()] * 2), text_tensor("DOCUMENT", documents)]
        )
    segment, score = answer.as_numpy("SEGMENT"), answer.as_numpy("SEGMENT_SCORE")
    assert segment.shape[1] == 5
    assert score.shape == (len(segment), 2)
    assert score[:, 0] == pytest.approx(score[:, 1], abs=1e-3)
    assert answer.as_numpy("STATUS").tolist() == [0, 1, 2]
    assert answer.as_numpy("RELEVANCE").shape == (3, 2)
    assert answer.as_numpy("UNSCORED").tolist() == [0, 0, 0]
    assert ANSWER in [documents[0][a:b].decode() for a, b in segment[:, 1:3].tolist()]


@pytest.mark.parametrize(
    ("queries", "documents", "code"),
    [
        ([b" "], [b"text"], "empty_query"),
        ([b"\xff"], [b"text"], "invalid_query"),
        ([b"q"] * 17, [b"text"], "too_many_queries"),
        ([b"q"], [b"text"] * 257, "too_many_documents"),
        ([b"q"] * 2, [b"some text"] * 129, "too_many_windows"),
    ],
)
def test_a_refused_request_names_its_limit(
    server: LocalServer, queries: list[bytes], documents: list[bytes], code: str
) -> None:
    with (
        InferenceServerClient(server.grpc_url) as triton,
        pytest.raises(InferenceServerException, match=f"PITH:{code}: ") as refused,
    ):
        triton.infer("compressor", [text_tensor("QUERY", queries), text_tensor("DOCUMENT", documents)])
    assert refused.value.status() == "StatusCode.INVALID_ARGUMENT"


def test_evidence_scores_above_navigation_and_adverts(compressor: pith.Compressor) -> None:
    (scored,) = compressor.score(QUERY, [pith.Document(PAGE, title="Returns")])
    best = max(scored.segments, key=lambda segment: segment.score)
    assert PAGE[best.start : best.end] == ANSWER
    assert covers(scored)


def test_version_and_address_are_counted_and_change_no_score(compressor: pith.Compressor) -> None:
    plain = pith.Document(PAGE, title="Returns")
    sourced = replace(plain, version="2", url="https://shop.example/returns?lang=en")
    (alone,) = compressor.score(QUERY, [plain])
    scored, other = compressor.score(QUERY, [sourced, plain])
    assert alone.source_tokens == other.source_tokens == 0
    assert (scored.source_tokens or 0) > 8
    assert scored.title_tokens == alone.title_tokens
    assert [s.score for s in scored.segments] == pytest.approx([s.score for s in alone.segments], abs=0.02)


def test_the_budget_holds_the_whole_first_line(compressor: pith.Compressor) -> None:
    document = pith.Document(PAGE, title="Returns", version="2", url="https://shop.example/returns?lang=en")
    tokenizer = TextTokenizer.load(MODEL_REPOSITORY / "tokenize" / "1" / "tokenizer.json")
    for budget in range(20, 80, 10):
        result = compressor.compress(QUERY, [document], budget=budget, threshold=0.0)
        assert int(tokenizer.encode([result.context]).lengths[0]) <= result.report.context_tokens <= budget


def test_a_share_of_the_evidence_is_a_threshold_that_the_server_states(compressor: pith.Compressor) -> None:
    low, high = (
        compressor.compress(QUERY, [PAGE], threshold=f"recall={recall}").report.threshold
        for recall in (0.95, 0.8)
    )
    assert low is not None
    assert high is not None
    assert 0.0 < low < high < 1.0


def test_both_clients_give_the_same_scores(server: LocalServer, compressor: pith.Compressor) -> None:
    documents = [page.document() for page in bundled_pages()]

    async def ask() -> list[pith.ScoredDocument]:
        async with pith.AsyncCompressor(server.grpc_url, timeout=300.0) as client:
            return await client.score(QUERY, documents)

    for one, other in zip(compressor.score(QUERY, documents), asyncio.run(ask()), strict=True):
        assert [(s.start, s.end, s.parent) for s in one.segments] == [
            (s.start, s.end, s.parent) for s in other.segments
        ]
        assert [s.score for s in one.segments] == pytest.approx([s.score for s in other.segments], abs=0.02)


def test_many_small_documents_share_requests_and_keep_their_order(compressor: pith.Compressor) -> None:
    documents = [f"Parcel {i} weighs {i} kilograms." for i in range(300)]
    result = compressor.compress("How heavy is parcel 117?", documents, budget="low", threshold=0.0)
    assert result.report.requests < 10
    assert len(result.report.documents) == 300
    for snippet in result.snippets:
        assert snippet.text == documents[int(snippet.document.id or -1)]


def test_a_document_over_many_requests_is_scored_whole(compressor: pith.Compressor) -> None:
    page = next(page for page in bundled_pages() if page.language == "en").text
    filler = "\n\n".join([page] * 35)
    middle = filler.index("\n", len(filler) // 2)
    text = filler[:middle] + f"\n\n{ANSWER}\n\n" + filler[middle:]
    result = compressor.compress(QUERY, [text], budget="low", threshold=0.0, timeout=900.0)
    assert result.report.requests > 1
    assert result.report.unscored == 0
    assert any(ANSWER in text[span.start : span.end] for span in result.snippets[0].spans)


def test_one_line_of_fifty_thousand_characters_is_read_to_its_end(compressor: pith.Compressor) -> None:
    text = "lorem ipsum dolor sit amet " * 1850
    (scored,) = compressor.score(QUERY, [text], timeout=300.0)
    assert scored.unscored == 0
    assert covers(scored)
    assert all(segment.score > 0 for segment in scored.segments)


def test_bad_documents_leave_their_neighbours_alone(compressor: pith.Compressor) -> None:
    result = compressor.compress(QUERY, ["", PAGE, " \n ", "lone \ud83d surrogate"], threshold=0.0)
    assert [document.status.name for document in result.report.documents] == [
        "EMPTY", "OK", "EMPTY", "INVALID_TEXT",
    ]  # fmt: skip
    assert all(document.reason for document in result.report.documents if document.status)
    assert ANSWER in result.context


def test_no_documents_give_an_empty_result(compressor: pith.Compressor) -> None:
    assert compressor.score(QUERY, []) == []
    result = compressor.compress(QUERY, [])
    assert result.context == ""
    assert result.report.reason == "no_documents"


def test_an_empty_query_is_refused_with_a_sentence(compressor: pith.Compressor) -> None:
    with pytest.raises(pith.errors.InvalidInput, match="query"):
        compressor.score(" \n", [PAGE])


def test_a_query_over_its_limit_is_cut_and_reported(compressor: pith.Compressor) -> None:
    result = compressor.compress("why " * 1000, [PAGE], threshold=0.0)
    assert result.report.query_cut > 0


@pytest.mark.parametrize("page", bundled_pages(), ids=lambda page: page.language)
def test_a_real_page_is_compressed_to_its_answer(compressor: pith.Compressor, page: object) -> None:
    (given,) = [p for p in bundled_pages() if p is page]
    result = compressor.compress(given.query, [given.document()], budget=450)
    assert given.answer in result.context
    assert result.report.context_tokens <= 450
    assert result.report.total > 4 * result.report.kept
    for snippet in result.snippets:
        for span in snippet.spans:
            assert given.text[span.start : span.end] in result.context
