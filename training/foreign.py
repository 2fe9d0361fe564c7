"""Tokenizers of other models, rewritten so that the start of a row, padding and the separator are ids 0, 1 and 2.

Works on the JSON form of the `tokenizers` library (WordPiece, BPE, Unigram). Special and added tokens are no longer
matched in text, the special pieces get names that no text can spell, and post-processing goes: rows are laid out by
preprocessing.windows.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from training.vocabulary import SPECIALS, UNKNOWN


class NoSpecials(ValueError):
    """A tokenizer that lacks special tokens which a row needs."""


@dataclass(frozen=True)
class Specials:
    """Old ids of the special tokens; `unknown` may be None (byte-level vocabularies have none)."""

    start: int
    pad: int
    separator: int
    unknown: int | None


def permutation(specials: Specials, size: int) -> NDArray[np.int64]:
    """Old id of every new id, int64 [size]: the special ones first, each changed places with what was there."""
    order = np.arange(size)
    wanted = [specials.start, specials.pad, specials.separator]
    if specials.unknown is not None and specials.unknown not in wanted:
        wanted.append(specials.unknown)
    for new, old in enumerate(wanted):
        if not 0 <= old < size:
            raise NoSpecials(f"The special token {old} has no embedding; the model has {size}.")
        at = int(np.flatnonzero(order == old)[0])
        order[[new, at]] = order[[at, new]]
    return order


def convert(
    spec: dict[str, Any], order: NDArray[np.int64], keep: NDArray[np.int64] | None = None
) -> Tokenizer:
    """A tokenizer from the JSON of another, with ids by `order`, of a Unigram vocabulary the new ids `keep` alone."""
    spec = json.loads(json.dumps(spec))
    model = spec["model"]
    if model["type"] == "Unigram":
        _renumber_list(model, order, keep)
        # Not all of these collapse white space, and a name with a line end in it must not be spelled.
        collapse = {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "}
        given = spec.get("normalizer")
        spec["normalizer"] = {"type": "Sequence", "normalizers": [*([given] if given else []), collapse]}
    elif model["type"] in {"WordPiece", "BPE"}:
        _renumber_table(model, order)
    else:
        raise ValueError(
            f"A tokenizer of type {model['type']} is not supported; WordPiece, BPE and Unigram are."
        )
    spec |= {"added_tokens": [], "post_processor": None, "truncation": None, "padding": None}
    tokenizer = Tokenizer.from_str(json.dumps(spec, ensure_ascii=False))
    spelled = set(tokenizer.encode(" ".join(SPECIALS), add_special_tokens=False).ids) & {0, 1, 2}
    if spelled:
        raise ValueError(
            f"Text can spell the special ids {sorted(spelled)} of this tokenizer; it cannot be used."
        )
    return tokenizer


def _renumber_list(model: dict[str, Any], order: NDArray[np.int64], keep: NDArray[np.int64] | None) -> None:
    old = model["vocab"]
    unknown = model["unk_id"]
    # Rows of an embedding that is longer than the vocabulary, and special tokens outside it, have no piece.
    entries = [old[i] if i < len(old) else [f"\n<{i}>", -1e3] for i in order.tolist()]
    names = SPECIALS if unknown is not None and order[UNKNOWN] == unknown else SPECIALS[:3]
    for new, name in enumerate(names):
        entries[new] = [name, 0.0]
    at = int(np.flatnonzero(order == unknown)[0]) if unknown is not None else None
    if keep is not None:
        entries = [entries[i] for i in keep.tolist()]
        at = None if at is None else int(np.searchsorted(keep, at))
    model |= {"vocab": entries, "unk_id": at}


def _renumber_table(model: dict[str, Any], order: NDArray[np.int64]) -> None:
    new_of = np.empty(order.size, np.int64)
    new_of[order] = np.arange(order.size)
    vocabulary = {piece: int(new_of[i]) for piece, i in model["vocab"].items()}
    vocabulary = {piece: i for piece, i in vocabulary.items() if i > 2}
    model["vocab"] = vocabulary | dict(zip(SPECIALS[:3], range(3), strict=True))


def surfaces(tokenizer: Tokenizer, size: int) -> list[str]:
    """What each piece is in text, with `▁` where it begins a word; empty for ids without a piece."""
    spec = json.loads(tokenizer.to_str())
    model = spec["model"]
    pieces = [""] * size
    entries = (
        enumerate(piece for piece, _ in model["vocab"])
        if model["type"] == "Unigram"
        else ((i, piece) for piece, i in model["vocab"].items())
    )
    byte_level = "ByteLevel" in json.dumps([spec.get("pre_tokenizer"), spec.get("decoder")])
    for i, piece in entries:
        if model["type"] == "WordPiece":
            prefix = model["continuing_subword_prefix"]
            pieces[i] = piece.removeprefix(prefix) if piece != prefix else piece
        elif byte_level and i > 2:
            pieces[i] = _decoded(piece)
        else:
            pieces[i] = piece
    return pieces


def _decoded(piece: str) -> str:
    """A byte-level piece as text; bytes that are no whole character become U+FFFD, which holds no letter."""
    data = bytes(_BYTES[char] for char in piece if char in _BYTES)
    return data.decode("utf-8", "replace").replace(" ", "▁")


def _byte_of_char() -> dict[str, int]:
    """Which byte each character of a byte-level vocabulary stands for (Radford et al., 2019): printable bytes stand
    for themselves, the others are numbered from U+0100 on."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in set(plain)]
    return {chr(byte): byte for byte in plain} | {chr(0x100 + n): byte for n, byte in enumerate(others)}


_BYTES = _byte_of_char()
