"""Training rows as whole batches, in one order that a seed fixes, with what a teacher thinks of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import Dataset, Sampler

BATCH_TOKENS = 2048


class RowBatches(Dataset[dict[str, Tensor]]):
    """Whole batches of rows of one length, so that no row is padded to the length of another.

    With `teacher`, the file of training.teach, only batches that the teacher has seen whole are there, and each
    holds its logits. `skip` leaves the first batches of the order out, which a teacher was trained on.
    """

    def __init__(self, rows: Path, seed: int, *, teacher: Path | None = None, skip: int = 0) -> None:
        with np.load(rows) as file:
            self._arrays = {name: file[name] for name in file.files}
        if teacher is not None:
            with np.load(teacher) as file:
                self._arrays |= {f"teacher_{name}": file[name] for name in file.files}
        rng = np.random.default_rng(seed)
        batches: list[tuple[int, NDArray[np.int64]]] = []
        for length in sorted(int(name[4:]) for name in self._arrays if name.startswith("ids_")):
            size = BATCH_TOKENS // length
            order = rng.permutation(len(self._arrays[f"ids_{length}"]))
            batches += [(length, order[at : at + size]) for at in range(0, len(order) - size + 1, size)]
        turns = rng.permutation(len(batches))[skip:]
        self.order = [batches[i] for i in turns]
        if teacher is not None:
            self.order = [(n, rows) for n, rows in self.order if self._taught(n, rows)]
            if not self.order:
                raise ValueError(f"{teacher} holds no logits for any batch of these rows with seed {seed}.")

    def _taught(self, length: int, rows: NDArray[np.int64]) -> bool:
        known = self._arrays.get(f"teacher_relevance_{length}")
        return known is not None and bool(np.isfinite(known[rows]).all())

    def __len__(self) -> int:
        return len(self.order)

    def __getitem__(self, index: int) -> dict[str, Tensor]:
        length, rows = self.order[index]
        batch = {
            "input_ids": torch.from_numpy(self._arrays[f"ids_{length}"][rows].astype(np.int64)),
            "labels": torch.from_numpy(self._arrays[f"labels_{length}"][rows].astype(np.int64)),
        }
        for name in ("keep", "relevance"):
            if f"teacher_{name}_{length}" in self._arrays:
                logits = self._arrays[f"teacher_{name}_{length}"][rows].astype(np.float32)
                batch[f"teacher_{name}"] = torch.from_numpy(logits)
        return batch


class InOrder(Sampler[int]):
    """The dataset is shuffled when it is read, so that a resumed run sees the same order."""

    def __init__(self, size: int) -> None:
        self._size = size

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[int]:
        return iter(range(self._size))
