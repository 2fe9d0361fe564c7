"""Pages put together keep the evidence where they say it is, whatever stands around it."""

import random

from hypothesis import given
from hypothesis import strategies as st

from preprocessing.kinds import Kind
from preprocessing.segments import segment
from training.pages import Part, assemble

TEXTS = st.text("abc .|\n#-除非é", min_size=1, max_size=30)


@st.composite
def parts(draw: st.DrawFn) -> Part:
    text = draw(TEXTS)
    start = draw(st.integers(0, len(text) - 1))
    end = draw(st.integers(start + 1, len(text)))
    return Part(text, draw(st.text("xyz \n", max_size=8)), draw(st.sampled_from([(), ((start, end),)])))


@given(st.lists(parts(), min_size=1, max_size=4), st.lists(TEXTS, max_size=9), st.integers())
def test_evidence_is_found_again_at_the_offsets_given(made: list[Part], lines: list[str], seed: int) -> None:
    text, evidence = assemble(made, lines, random.Random(seed))
    wanted = sorted(part.text[a:b] for part in made for a, b in part.evidence)
    assert sorted(text[a:b] for a, b in evidence) == wanted
    for part in made:
        assert part.text in text


def test_headings_repeats_lists_and_tables_all_occur() -> None:
    lines = [f"Menu entry {i}" for i in range(6)]
    passages = [Part("It opened in 1932.", "Bridge", ((0, 18),)), Part("Boats go by.", "Boats", ())]
    kinds: set[int] = set()
    repeated = 0
    for seed in range(60):
        text, _ = assemble(passages, lines, random.Random(seed))
        kinds |= set(segment(text).kind.tolist())
        repeated += text.count("Boats go by.") == 2
        assert text.count("It opened in 1932.") == 1
    assert {Kind.SENTENCE, Kind.HEADING, Kind.LIST_ITEM, Kind.TABLE_HEADER, Kind.TABLE_ROW} <= kinds
    assert 0 < repeated < 30
