"""The invariants of segments, and strategies for texts that try to break them."""

from __future__ import annotations

from hypothesis import strategies as st

from preprocessing.segments import Segments

_CHARACTERS = st.one_of(
    st.characters(),
    st.characters(categories=["Cs"]),
    st.sampled_from(
        list(
            " \t\n\r\x0b\x0c\x1c\x1f\x85\u00a0\u2028\u2029\u3000\u200b\ufeff\0.!?…:;,#*-_=+|>`~()[]<>\"'“”«»"
        )
    ),
    st.sampled_from(
        list("。！？「」『』（）《》、．؟۔।॥።፧։·•①一十éß\u0301\u0e33\u200d\ufe0f👍🏽👩🇫aA1กขมကހ漢あ한")
    ),
)
any_text = st.text(_CHARACTERS, max_size=120)

_WORD_LIST = (
    "the Cat sat on Dr. U.S. 3.14 z.B. e.g. No. 1. 2) a) A. etc. “Yes.” (see ... What? No! end. **bold** `code.x` "
    "[a](b.c) 漢字。 「はい。」 है। ไทย ภาษา 👩\u200d👩\u200d👧. é. : | — • http://a.b/c?d=e."
)
_WORDS = st.sampled_from(_WORD_LIST.split())
_LINE = st.builds(
    lambda lead, words, tail: lead + " ".join(words) + tail,
    st.sampled_from(
        [
            "",
            "",
            "",
            "# ",
            "### ",
            "- ",
            "  - ",
            "      * ",
            "1. ",
            "2) ",
            "(a) ",
            "• ",
            "①",
            "> ",
            ">> ",
            "> - ",
            "| ",
            "|",
            "    ",
            "\t",
            "```",
            "~~~",
            "> ```",
            "    x = ",
            "一、",
            "（二）",
            "---",
            "===",
            "|---|---|",
            "* * *",
            "\ufeff---",
        ]
    ),
    st.lists(_WORDS, max_size=8),
    st.sampled_from(["", "", "", ".", ":", "  ", "\\", " |", " | b |", "```"]),
)
marked_text = st.builds(
    lambda pairs: "".join(line + end for line, end in pairs),
    st.lists(
        st.tuples(_LINE, st.sampled_from(["\n", "\n", "\n\n", "\r\n", "\r", "\u2028", "\n\n\n"])), max_size=25
    ),
)


def assert_sound(text: str, segments: Segments) -> None:
    """Disjoint, in order, trimmed, covering every non-blank character, every parent before its children."""
    starts, ends = segments.start.tolist(), segments.end.tolist()
    position = 0
    for start, end in zip(starts, ends, strict=True):
        assert position <= start < end, (start, end)
        assert not text[position:start].strip(), f"not covered: {text[position:start]!r}"
        assert text[start:end] == text[start:end].strip(), f"not trimmed: {text[start:end]!r}"
        position = end
    assert not text[position:].strip(), f"not covered: {text[position:]!r}"
    assert len(segments.kind) == len(segments.parent) == len(starts)
    for index, parent in enumerate(segments.parent.tolist()):
        assert -1 <= parent < index
