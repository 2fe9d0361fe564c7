"""A tokenizer of fewer pieces for the same encoder.

XLM-R's vocabulary has 250,002 pieces; its embedding alone would be 96 MB in int8. The pieces that the corpora use
are kept, then every single character (so that a Unigram model can always fall back to shorter pieces), then the
likeliest others. The order of ids is kept.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

Pieces = Sequence[tuple[str, float]]

# Raw text never holds a line feed after normalisation, so no text can spell a special token.
SPECIALS = ("\n<s>", "\n<pad>", "\n</s>", "\n<unk>")
UNKNOWN = 3


def make_tokenizer(pieces: Pieces) -> Tokenizer:
    """A Unigram tokenizer whose first four pieces are the special ones."""
    named = [(SPECIALS[i] if i < len(SPECIALS) else piece, score) for i, (piece, score) in enumerate(pieces)]
    tokenizer = Tokenizer(models.Unigram(named, unk_id=UNKNOWN, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace("▁", prepend_scheme="always")
    return tokenizer


def count_pieces(
    tokenizer: Tokenizer, texts: Iterable[str], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """How often each piece occurs, in how many texts, and how many texts there were."""
    total = np.zeros(size, np.int64)
    texts_with = np.zeros(size, np.int64)
    number = 0
    batch: list[str] = []

    def flush() -> None:
        for encoding in tokenizer.encode_batch_fast(batch, add_special_tokens=False):
            ids = np.asarray(encoding.ids, np.int64)
            np.add.at(total, ids, 1)
            texts_with[np.unique(ids)] += 1
        batch.clear()

    for text in texts:
        batch.append(text)
        number += 1
        if len(batch) == 2000:
            flush()
    flush()
    return total, texts_with, number


def choose(pieces: Pieces, counts: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Ids of the pieces to keep, ascending, int64 [size]."""
    scores = np.array([score for _, score in pieces])
    single = np.array([len(piece.lstrip("▁")) <= 1 for piece, _ in pieces])
    # Three classes, best first: special or single character, seen in the corpora, anything else by likelihood.
    rank = np.where(single, 1e9, 0.0) + np.where(counts >= 3, 1e6 + np.log1p(counts) * 1e3, 0.0) + scores
    rank[: len(SPECIALS)] = np.inf
    return np.sort(np.argsort(-rank, kind="stable")[:size])


def folded(piece: str) -> str:
    """What a piece is compared by: no word mark, no case, no accents."""
    plain = unicodedata.normalize("NFKD", piece.replace("▁", "")).casefold()
    return "".join(c for c in plain if not unicodedata.combining(c))


def lexical_tables(
    pieces: Pieces, texts_with: NDArray[np.int64], texts: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Class and weight of every piece, for marking document tokens that occur in the query.

    Class: int64 [V], the least id of the pieces that fold to the same string. Weight: float32 [V] in 0..1, inverse
    document frequency of the class over its largest value; 0 for pieces without a letter or digit.
    """
    first: dict[str, int] = {}
    class_of = np.zeros(len(pieces), np.int64)
    for i, (piece, _) in enumerate(pieces):
        key = folded(piece) if i >= len(SPECIALS) else f"special {i}"
        class_of[i] = first.setdefault(key, i)
    with_class = np.zeros(len(pieces), np.int64)
    np.add.at(with_class, class_of, texts_with)
    weight = np.log((texts + 1) / (np.minimum(with_class, texts) + 1)) / np.log(texts + 1)
    weight = weight[class_of].astype(np.float32)
    wordless = np.array([not any(c.isalnum() for c in piece) for piece, _ in pieces])
    wordless[: len(SPECIALS)] = True
    weight[wordless] = 0.0
    return class_of, weight
