"""Text to token ids: a thin layer over `tokenizers` that is safe to share between threads.

A fast tokenizer whose truncation or padding is changed while another thread encodes raises "Already borrowed". Both
are switched off once at load and never touched again, so concurrent calls only read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

Ids = NDArray[np.int32]


@dataclass(frozen=True)
class TokenRuns:
    """Token ids of several texts, end to end.

    ids: int32 [T]. bounds: int64 [n + 1]; text `i` has the ids `ids[bounds[i]:bounds[i + 1]]`.
    """

    ids: Ids
    bounds: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Tokens of each text, int64 [n]."""
        return np.diff(self.bounds)

    def of(self, index: int) -> Ids:
        """The ids of text `index`."""
        return self.ids[self.bounds[index] : self.bounds[index + 1]]

    def slice(self, first: int, last: int) -> TokenRuns:
        """The texts `first` to `last` (exclusive) as runs of their own."""
        begin, end = self.bounds[first], self.bounds[last]
        return TokenRuns(self.ids[begin:end], self.bounds[first : last + 1] - begin)


class TextTokenizer:
    """Encodes texts without special tokens. The special ids are those of the XLM-R vocabulary."""

    bos_id = 0
    pad_id = 1
    sep_id = 2

    def __init__(self, tokenizer: Tokenizer) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        for name, expected in (("\n<s>", self.bos_id), ("\n<pad>", self.pad_id), ("\n</s>", self.sep_id)):
            found = tokenizer.token_to_id(name)
            if found != expected:
                raise ValueError(
                    f"The tokenizer gives {name!r} the id {found}, Pith's encoder needs {expected}."
                )

    @classmethod
    def load(cls, path: Path) -> TextTokenizer:
        """Load a `tokenizer.json`; raises `FileNotFoundError` with the path when it is missing."""
        if not path.is_file():
            raise FileNotFoundError(f"No tokenizer at {path}; `make model` writes it.")
        return cls(Tokenizer.from_file(str(path)))

    def encode(self, texts: Sequence[str]) -> TokenRuns:
        """Token ids of each text, without special tokens."""
        if not texts:
            return TokenRuns(np.zeros(0, np.int32), np.zeros(1, np.int64))
        encodings = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        parts = [np.asarray(encoding.ids, np.int32) for encoding in encodings]
        bounds = np.zeros(len(parts) + 1, np.int64)
        np.cumsum([part.size for part in parts], out=bounds[1:])
        return TokenRuns(np.concatenate(parts), bounds)
