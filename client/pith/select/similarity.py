"""How alike two texts are: the share of character trigrams that they have in common (Jaccard, 1912).

Trigrams of the normalised text, its edges and spaces included, tell words apart in scripts with and without spaces.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pith.select.normal import normalised

# Hashed columns of the matrix. Two texts of 120 trigrams share about 14 of them by chance, so that it says a little
# too much, and hardly ever too little by more than the slack.
_COLUMNS = 1024
_SLACK = 0.04
_MOST = 4
_MULTIPLIERS = np.array([1, 1_000_003, 998_244_353], np.uint64)
_PRIME = np.uint64(0x9E3779B97F4A7C15)
_HASH_BITS = np.uint64(44)
_HASH_MASK = np.uint64(2**44 - 1)


def gram_similarity(a: str, b: str) -> float:
    """Jaccard similarity of two texts, 0 to 1; 1 for texts with the same normal form."""
    first, second = (frozenset(_all_grams([normalised(text)])[1].tolist()) for text in (a, b))
    return _jaccard(first, second)


def similarity_matrix(normals: Sequence[str]) -> NDArray[np.float32]:
    """Similarity of all pairs of normalised texts, float32 [n, n], symmetric with ones on the diagonal; a little
    high, see above."""
    return _matrix(*_all_grams(normals), len(normals))


def near_pairs(normals: Sequence[str], least: float) -> list[tuple[int, int, float]]:
    """(i, j, similarity) with i < j of normalised texts that are at least so similar, in order.

    For each text the four most similar ones before it, at most: rows of one pattern are all alike, and their pairs
    would be too many.
    """
    if len(normals) < 2:
        return []
    owner, gram = _all_grams(normals)
    matrix = np.triu(_matrix(owner, gram, len(normals)), 1)
    near = matrix >= least - _SLACK
    for j in np.flatnonzero(near.sum(axis=0) > _MOST).tolist():
        near[np.argsort(-matrix[:, j], kind="stable")[_MOST:], j] = False
    first, second = np.nonzero(near)
    bounds = np.searchsorted(owner, np.arange(len(normals) + 1)).tolist()
    named = {
        i: frozenset(gram[bounds[i] : bounds[i + 1]].tolist()) for i in {*first.tolist(), *second.tolist()}
    }
    found = []
    for i, j in zip(first.tolist(), second.tolist(), strict=True):
        similarity = _jaccard(named[i], named[j])
        if similarity >= least:
            found.append((i, j, similarity))
    return found


def _matrix(owner: NDArray[np.int64], gram: NDArray[np.uint64], n: int) -> NDArray[np.float32]:
    held = np.zeros((n, _COLUMNS), np.float32)
    held[owner, (gram % np.uint64(_COLUMNS)).astype(np.int64)] = 1.0
    common = held @ held.T
    sizes = held.sum(axis=1)
    union = sizes[:, None] + sizes[None, :] - common
    matrix: NDArray[np.float32] = common / np.maximum(union, 1.0)
    np.fill_diagonal(matrix, 1.0)
    return matrix


def _hashed(codes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    a, b, c = codes[:-2], codes[1:-1], codes[2:]
    mixed = a * _MULTIPLIERS[0] + b * _MULTIPLIERS[1] + c * _MULTIPLIERS[2]
    hashed: NDArray[np.uint64] = (mixed ^ (mixed >> np.uint64(29))) * _PRIME >> (np.uint64(64) - _HASH_BITS)
    return hashed


def _all_grams(normals: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Distinct trigrams of every text: whose, int64 [g], ascending, and which, uint64 [g], ascending in each."""
    if not normals:
        return np.zeros(0, np.int64), np.zeros(0, np.uint64)
    padded = [f" {normal} " if normal else "   " for normal in normals]
    lengths = np.array([len(text) for text in padded])
    codes = np.frombuffer("".join(padded).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    hashed = _hashed(codes)
    owner = np.repeat(np.arange(len(normals)), lengths)[:-2]
    # Trigrams that begin in one text and end in the next belong to none.
    inside = owner == np.repeat(np.arange(len(normals)), lengths)[2:]
    owner, hashed = owner[inside], hashed[inside]
    # Owner and hash in one number: one sort finds the distinct pairs.
    pairs = np.sort((owner.astype(np.uint64) << _HASH_BITS) | hashed)
    pairs = pairs[np.append(True, pairs[1:] != pairs[:-1])]
    return (pairs >> _HASH_BITS).astype(np.int64), pairs & _HASH_MASK


def _jaccard(first: frozenset[int], second: frozenset[int]) -> float:
    common = len(first & second)
    return common / (len(first) + len(second) - common)
