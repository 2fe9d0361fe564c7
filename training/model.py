"""The encoder that scores tokens: a bidirectional backbone, a lexical mark, and two linear heads.

Input is one row of token ids, `<s> query </s> context </s> body </s>` and padding; everything else (the attention
mask, which tokens are the query's) is derived from the ids inside the graph, so that the exported model has a single
input.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from training.backbones import empty_backbone, keep_layers, layers_of, load_backbone

PAD_ID = 1
SEP_ID = 2
MARK_LENGTH = 0.5


class BadCheckpoint(ValueError):
    """A folder that does not hold what `EvidenceEncoder.save` writes."""


class EvidenceEncoder(nn.Module):
    """Keep logit of every token and relevance logit of every row.

    The lexical mark: a token whose class (its piece without case, accents and word mark) also occurs in the query
    has a learned vector, times the class's inverse document frequency, added to its word embedding. Exact matches
    are what a small encoder sees worst and BM25 sees best.
    """

    def __init__(self, backbone: Any, classes: Tensor, weights: Tensor) -> None:
        super().__init__()
        hidden = backbone.config.hidden_size
        self.backbone = backbone
        self.mark = nn.Parameter(torch.zeros(hidden))
        words = self.words.weight
        with torch.no_grad():
            # Half as long as a word: short enough to leave the word readable, long enough to be read from the first
            # step on. From zero, a whole training moved it by a fifteenth of a word's length.
            self.mark.normal_().mul_(MARK_LENGTH * words.norm(dim=1).mean() / self.mark.norm())
        self.keep = nn.Linear(hidden, 1)
        self.relevance = nn.Linear(hidden, 1)
        self.register_buffer("classes", classes.to(torch.int64))
        self.register_buffer("weights", weights.to(torch.float32))
        for head in (self.keep, self.relevance):
            nn.init.normal_(head.weight, std=0.02)
            nn.init.zeros_(head.bias)

    @classmethod
    def from_backbone(cls, folder: str | Path, layers: int, *, attention: str = "sdpa") -> EvidenceEncoder:
        """The first `layers` layers of a backbone folder (training.backbone, training.hub) with fresh heads.

        Lower layers are kept because dropping the top ones costs a fine-tuned encoder least (Sajjad et al., 2020,
        "On the Effect of Dropping Layers of Pre-trained Transformer Models").
        """
        backbone: Any = load_backbone(folder, attention=attention)
        if not 0 < layers <= len(layers_of(backbone)):
            raise ValueError(f"The backbone has {len(layers_of(backbone))} layers, {layers} were asked for.")
        keep_layers(backbone, range(layers))
        tables = _lexical(Path(folder), backbone.config.vocab_size)
        return cls(backbone, *tables)

    @classmethod
    def load(cls, folder: Path, *, attention: str = "sdpa") -> EvidenceEncoder:
        """Load what `save` wrote; raises `BadCheckpoint` for a folder that does not hold such a model."""
        if not (folder / "model.safetensors").is_file() or not (folder / "config.json").is_file():
            raise BadCheckpoint(
                f"{folder} has no config.json with model.safetensors; training.train writes both."
            )
        settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        backbone: Any = empty_backbone(settings, attention=attention)
        empty = torch.zeros(backbone.config.vocab_size)
        model = cls(backbone, empty, empty)
        state = load_file(folder / "model.safetensors")
        own = model.state_dict()
        odd = [
            f"{name} {tuple(state[name].shape) if name in state else 'missing'}, expected {tuple(own[name].shape)}"
            for name in own
            if name not in state or state[name].shape != own[name].shape
        ]
        odd += [f"{name} is not known" for name in state if name not in own]
        if odd:
            raise BadCheckpoint(
                f"{folder} is not a checkpoint of Pith's encoder with this configuration: {'; '.join(odd[:3])}"
                f"{f' and {len(odd) - 3} more' if len(odd) > 3 else ''}. Train it with training.train."
            )
        model.load_state_dict(state)
        model.eval()
        return model

    @property
    def layers(self) -> nn.ModuleList:
        """The layers of the backbone, lowest first."""
        return layers_of(self.backbone)

    @property
    def words(self) -> nn.Embedding:
        """The word embedding."""
        return self.backbone.get_input_embeddings()

    def save(self, folder: Path) -> None:
        """Write `config.json` and `model.safetensors`."""
        folder.mkdir(parents=True, exist_ok=True)
        settings = self.backbone.config.to_diff_dict()
        (folder / "config.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
        save_file(
            {name: value.contiguous() for name, value in self.state_dict().items()},
            folder / "model.safetensors",
        )

    def lexical_mark(self, input_ids: Tensor) -> Tensor:
        """Weight of each token that occurs in the row's query, else 0; float32 [B, L]."""
        is_sep = (input_ids == SEP_ID).to(torch.int64)
        in_query = (torch.cumsum(is_sep, dim=1) == 0).unsqueeze(1)
        classes = self.classes[input_ids]
        same = (classes.unsqueeze(2) == classes.unsqueeze(1)) & in_query
        return same.any(dim=2).to(torch.float32) * self.weights[input_ids]

    def forward(self, input_ids: Tensor) -> tuple[Tensor, Tensor]:
        """`input_ids` int [B, L] to keep logits float32 [B, L] and relevance logits float32 [B]."""
        words = self.words(input_ids)
        words = words + self.lexical_mark(input_ids).to(words.dtype).unsqueeze(2) * self.mark
        mask = (input_ids != PAD_ID).to(torch.int64)
        hidden = self.backbone(inputs_embeds=words, attention_mask=mask).last_hidden_state
        return self.keep(hidden).squeeze(2), self.relevance(hidden[:, 0]).squeeze(1)


def _lexical(folder: Path, vocabulary: int) -> tuple[Tensor, Tensor]:
    with np.load(folder / "lexical.npz") as tables:
        classes, weights = torch.from_numpy(tables["classes"]), torch.from_numpy(tables["weights"])
    if classes.numel() != vocabulary:
        raise ValueError(
            f"lexical.npz has {classes.numel()} pieces, the backbone {vocabulary}; write both together."
        )
    return classes, weights
