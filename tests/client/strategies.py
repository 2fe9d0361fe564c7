"""Scored documents out of nothing, for tests of what happens after the server has answered."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

import pith

# Words without white space, in several scripts, and the gaps that may lie between segments.
_words = st.sampled_from(
    ["plain", "Größe", "鯨は歌う。", "👩\u200d👧", "ไทย", "e\u0301t\u00e9", "x" * 30, "| a | b |", "-7.5%"]
)
_segment_texts = st.lists(_words, min_size=1, max_size=4).map(" ".join)
_gaps = st.sampled_from(["", " ", "\n", "\n\n", "\r\n", "\u3000", " " * 20])
_scores = st.sampled_from([0.0, 0.1, 0.2, 0.5, 0.5, 0.9, 1.0])


def scored_document(
    segments: Sequence[tuple[str, float]],
    *,
    gaps: Sequence[str] = (),
    title: str | None = None,
    id: str = "d",
    needs: Sequence[Sequence[float]] = (),
) -> pith.ScoredDocument:
    """A document of (text, score) segments with a token a word; ``needs[j]`` adds scores to the j-th."""
    text = ""
    made = []
    for j, (own, score) in enumerate(segments):
        text += gaps[j] if j < len(gaps) else ("" if j == 0 else " ")
        scores = (score, *(needs[j] if needs else ()))
        made.append(
            pith.Segment(
                start=len(text),
                end=len(text) + len(own),
                kind=pith.Kind.SENTENCE,
                score=max(scores),
                tokens=len(own.split()),
                parent=None,
                scores=scores,
            )
        )
        text += own
    return pith.ScoredDocument(
        pith.Document(text, id=id, title=title),
        segments=tuple(made),
        relevance=max((segment.score for segment in made), default=0.0),
        title_tokens=len((title or "").split()),
    )


@st.composite
def scored_documents(draw: st.DrawFn) -> list[pith.ScoredDocument]:
    """Up to six documents of up to eight segments."""
    documents = []
    for i in range(draw(st.integers(0, 6))):
        segments = draw(st.lists(st.tuples(_segment_texts, _scores), min_size=1, max_size=8))
        documents.append(
            scored_document(
                segments,
                gaps=[draw(_gaps) for _ in segments],
                title=draw(st.sampled_from([None, "", "A title", "Zwei\nZeilen", "標題"])),
                id=str(i),
            )
        )
    return documents


_more_words = st.sampled_from(
    ["alpha", "beta", "gamma", "delta", "épsilon", "ζήτα", "一", "二", "три", "four", "5", "six", "km", "%"]
)


@st.composite
def distinct_scores(draw: st.DrawFn) -> list[pith.ScoredDocument]:
    """Documents in which no two segments have the same score."""
    documents = []
    taken: set[float] = set()
    for i in range(draw(st.integers(1, 5))):
        segments = []
        for _ in range(draw(st.integers(1, 6))):
            score = draw(st.integers(0, 10_000).filter(lambda n: n / 10_000 not in taken)) / 10_000
            taken.add(score)
            segments.append((" ".join(draw(st.lists(_more_words, min_size=1, max_size=7))), score))
        documents.append(
            scored_document(segments, gaps=[draw(_gaps) for _ in segments], id=str(i), title=f"Title {i}")
        )
    return documents


@st.composite
def with_needs(draw: st.DrawFn) -> list[pith.ScoredDocument]:
    """Documents scored for a query and three needs."""
    documents = []
    for i in range(draw(st.integers(1, 4))):
        segments, needs = [], []
        for _ in range(draw(st.integers(1, 6))):
            segments.append((" ".join(draw(st.lists(_more_words, min_size=1, max_size=9))), draw(_scores)))
            needs.append([draw(_scores) for _ in range(3)])
        documents.append(
            scored_document(segments, gaps=[draw(_gaps) for _ in segments], id=str(i), needs=needs)
        )
    return documents
