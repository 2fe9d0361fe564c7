"""Tiny random checkpoints of every supported kind, with the tables that go with them."""

from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers

from training.backbones import bidirectional, prepare
from training.model import EvidenceEncoder

PIECES = 64_000
KINDS = ("bert", "modernbert", "qwen3")


def backbone(kind: str, pieces: int = PIECES, layers: int = 4) -> Any:
    """A random backbone of hidden size 32 with bidirectional attention."""
    shared = {
        "vocab_size": pieces,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": layers,
        "num_attention_heads": 4,
        "max_position_embeddings": 512,
        "pad_token_id": 1,
    }
    if kind == "bert":
        config, make = transformers.BertConfig(**shared), transformers.BertModel
    elif kind == "modernbert":
        shared |= {"bos_token_id": 0, "eos_token_id": 2, "cls_token_id": 0, "sep_token_id": 2}
        config, make = transformers.ModernBertConfig(**shared), transformers.ModernBertModel
    else:
        shared |= {"num_key_value_heads": 2, "head_dim": 8}
        config, make = transformers.Qwen3Config(**shared), transformers.Qwen3Model
    prepare(config)
    return bidirectional(make(config))


def checkpoint(folder: Path, kind: str, pieces: int = PIECES, layers: int = 4) -> Path:
    """A checkpoint whose logits spread as those of a trained model do."""
    torch.manual_seed(3)
    encoder = EvidenceEncoder(backbone(kind, pieces, layers), torch.arange(pieces), torch.ones(pieces))
    with torch.no_grad():
        encoder.keep.weight.normal_(std=0.5)
        encoder.relevance.weight.normal_(std=0.5)
    encoder.save(folder)
    return folder


def rows(path: Path, pieces: int = PIECES) -> Path:
    """Rows to calibrate on, as training.dataset writes them."""
    rng = np.random.default_rng(5)
    ids = rng.integers(5, pieces, (16, 128)).astype(np.uint16)
    ids[:, 0], ids[:, 12], ids[:, 16], ids[:, -1] = 0, 2, 2, 2
    ids[::3, 100:] = 1
    np.savez(path, ids_128=ids)
    return path
