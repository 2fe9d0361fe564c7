"""The trimmed vocabulary: nothing becomes unknown that was not, specials cannot be spelled, classes fold."""

import numpy as np

from training.vocabulary import SPECIALS, choose, count_pieces, folded, lexical_tables, make_tokenizer

PIECES = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)] + [
    (piece, -float(i))
    for i, piece in enumerate(["▁", "a", "b", "c", "▁abc", "▁Abc", "bc", "▁xyz", "x", "y", "z", "."])
]


def test_pieces_that_occur_and_single_characters_stay_and_ids_keep_their_order() -> None:
    counts, _, texts = count_pieces(make_tokenizer(PIECES), ["abc abc", "abc abc.", "a"], len(PIECES))
    assert texts == 3
    keep = choose(PIECES, counts, 13)
    names = [PIECES[i][0] for i in keep]
    assert keep.tolist() == sorted(keep.tolist())
    assert names[:4] == ["<s>", "<pad>", "</s>", "<unk>"]
    assert {"a", "b", "c", "x", "y", "z", ".", "▁abc"} <= set(names)
    assert "▁xyz" not in names


def test_without_a_long_piece_the_text_falls_back_to_shorter_ones() -> None:
    short = make_tokenizer([piece for piece in PIECES if piece[0] != "▁xyz"])
    assert short.encode("xyz", add_special_tokens=False).tokens == ["▁", "x", "y", "z"]


def test_special_pieces_are_named_so_that_no_text_can_spell_them() -> None:
    tokenizer = make_tokenizer(PIECES)
    assert [tokenizer.id_to_token(i) for i in range(4)] == list(SPECIALS)
    ids = tokenizer.encode("\n<s> \n</s>", add_special_tokens=False).ids
    assert not {0, 1, 2} & set(ids)


def test_case_accents_and_word_marks_fold_to_one_class() -> None:
    assert folded("▁Été") == folded("ete")
    counts, with_piece, texts = count_pieces(make_tokenizer(PIECES), ["abc", "Abc", "xyz."], len(PIECES))
    assert counts.sum() > 0
    classes, weights = lexical_tables(PIECES, with_piece, texts)
    index = {piece: i for i, (piece, _) in enumerate(PIECES)}
    assert classes[index["▁abc"]] == classes[index["▁Abc"]]
    assert classes[index["▁xyz"]] != classes[index["▁abc"]]
    assert weights[index["."]] == weights[0] == 0.0
    assert 0 < weights[index["▁abc"]] < weights[index["▁xyz"]] <= 1
    assert weights.dtype == np.float32
