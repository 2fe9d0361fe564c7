"""Embedding top-k: chunks ranked by the cosine of their vector and the query's, as most RAG does it today.

The model is a backbone folder of training.backbone (multilingual-e5-small; Wang et al., Multilingual E5 text
embeddings, 2024) or of training.hub. Needs torch.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.answers.errors import InvalidInput
from evaluation.baselines import Piece, pieces
from preprocessing.tokenizer import TextTokenizer

CHUNK_TOKENS = 128
# Tokens of a batch, padding included, and of a text at most.
_BATCH_TOKENS = 4_096
_LONGEST = 512
# What the texts of E5 begin with.
_QUERY, _PASSAGE = "query: ", "passage: "


def chunks(text: str, tokenizer: TextTokenizer, most: int = CHUNK_TOKENS) -> list[tuple[int, int]]:
    """Where the chunks of a text stand, in code points: whole sentences, up to `most` tokens, within a paragraph."""
    found = pieces([text])
    lengths = tokenizer.encode([text[p.start : p.end] for p in found]).lengths.tolist()
    out: list[tuple[int, int]] = []
    size = 0
    for piece, tokens in zip(found, lengths, strict=True):
        joins = bool(out) and size + tokens <= most and "\n\n" not in text[out[-1][1] : piece.start]
        if joins:
            out[-1] = out[-1][0], piece.end
            size += tokens
        else:
            out.append((piece.start, piece.end))
            size = tokens
    return out


class Embeddings:
    """Ranks chunks. Vectors are means over tokens, of length 1; what was embedded once is not embedded again.

    Raises :class:`InvalidInput` where torch or the backbone is missing.
    """

    def __init__(self, backbone: Path, chunk_tokens: int = CHUNK_TOKENS) -> None:
        try:
            from training.backbones import load_backbone
        except ImportError as error:
            raise InvalidInput(
                f"Embedding top-k needs torch and transformers ({error}): run it in the environment of `make train`."
            ) from error
        weights = backbone / "model.safetensors"
        if not weights.is_file():
            raise InvalidInput(
                f"There is no backbone in {backbone}; `python -m training.backbone` makes one."
            )
        self._model: Any = load_backbone(backbone).eval()
        self._tokenizer = TextTokenizer.load(backbone / "tokenizer.json")
        self._chunk_tokens = chunk_tokens
        self._known: dict[str, NDArray[np.float32]] = {}
        self.digest = hashlib.sha256(weights.read_bytes() + Path(__file__).read_bytes()).hexdigest()[:16]

    def __call__(self, query: str, texts: Sequence[str]) -> list[Piece]:
        found = [
            (n, start, end)
            for n, text in enumerate(texts)
            for start, end in chunks(text, self._tokenizer, self._chunk_tokens)
        ]
        passages = [texts[n][start:end] for n, start, end in found]
        new = list(dict.fromkeys(passage for passage in passages if passage not in self._known))
        self._known.update(zip(new, self.vectors([_PASSAGE + text for text in new]), strict=True))
        asked = self.vectors([_QUERY + query])[0]
        return [
            Piece(n, start, end, float(self._known[passage] @ asked))
            for (n, start, end), passage in zip(found, passages, strict=True)
        ]

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """float32 [texts, H], each of length 1."""
        import torch

        from training.precision import autocast

        runs = self._tokenizer.encode(texts)
        lengths = np.minimum(runs.lengths + 2, _LONGEST)
        out = np.zeros((len(texts), self._model.config.hidden_size), np.float32)
        order = np.argsort(-lengths, kind="stable")
        first = 0
        while first < len(order):
            longest = int(lengths[order[first]])
            batch = order[first : first + max(1, _BATCH_TOKENS // longest)]
            first += len(batch)
            ids = np.full((len(batch), longest), TextTokenizer.pad_id, np.int64)
            for row, index in enumerate(batch):
                body = runs.of(int(index))[: _LONGEST - 2]
                ids[row, : len(body) + 2] = [TextTokenizer.bos_id, *body, TextTokenizer.sep_id]
            mask = torch.from_numpy((ids != TextTokenizer.pad_id).astype(np.int64))
            with torch.inference_mode(), autocast("cpu"):
                hidden = self._model(input_ids=torch.from_numpy(ids), attention_mask=mask).last_hidden_state
            weights = mask[:, :, None].to(torch.float32)
            means = (hidden.to(torch.float32) * weights).sum(1) / weights.sum(1)
            out[batch] = torch.nn.functional.normalize(means, dim=1).numpy()
        return out
