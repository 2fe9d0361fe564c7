"""How well a segment's words match a query's: BM25 with fixed statistics.

The encoder and exact matching err in different places, so a segment's score adds this to the encoder's logit. Unlike
BM25 over a result set, document frequencies and the mean length are constants, so that a segment's score depends on
nothing but itself and the query, however a caller packs its documents into requests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from preprocessing.tokenizer import Ids, TokenRuns

# BM25's usual constants (Robertson and Zaragoza, 2009), and the tokens of a usual sentence.
K1, B, MEAN_TOKENS = 1.2, 0.75, 30.0


@dataclass(frozen=True)
class LexicalTables:
    """Class of every piece, int64 [V] (pieces that differ in case, accents or word mark share one), and weight of
    every piece, float32 [V] in 0..1 (inverse document frequency; 0 for pieces without a letter or digit)."""

    classes: NDArray[np.int64]
    weights: NDArray[np.float32]

    @classmethod
    def load(cls, path: Path) -> LexicalTables:
        """Read `lexical.npz`, which training.backbone writes beside the tokenizer."""
        with np.load(path) as tables:
            return cls(tables["classes"], tables["weights"])

    def match(self, queries: Sequence[Ids], segments: TokenRuns) -> NDArray[np.float32]:
        """Match of every segment with every query, float32 [S, Q].

        0 without a common word, 1 for a sentence of usual length that holds each word of the query once.
        """
        number = len(segments.bounds) - 1
        out = np.zeros((number, len(queries)), np.float32)
        lengths = segments.lengths
        owner = np.repeat(np.arange(number), lengths)
        classes = self.classes[segments.ids]
        norm = K1 * (1 - B + B * lengths / MEAN_TOKENS)
        for q, query in enumerate(queries):
            terms = np.unique(self.classes[query])
            terms = terms[self.weights[terms] > 0]
            if not terms.size or not classes.size:
                continue
            column = np.minimum(np.searchsorted(terms, classes), terms.size - 1)
            hit = terms[column] == classes
            # One cell for each (segment, term) that occurs, so that memory follows the text and not the product.
            cell, count = np.unique(owner[hit] * terms.size + column[hit], return_counts=True)
            row, weight = cell // terms.size, self.weights[terms[cell % terms.size]]
            gain = weight * count * (K1 + 1) / (count + norm[row])
            out[:, q] = np.bincount(row, gain, number) / self.weights[terms].sum()
        return out
