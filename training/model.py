"""The encoder that scores tokens: a bidirectional backbone, a lexical mark, and two linear heads.

Input is one row of token ids, `<s> query </s> context </s> body </s>` and padding; everything else (the attention
mask, which tokens are the query's) is derived from the ids inside the graph, so that the exported model has a single
input.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from transformers import AutoModel, BertConfig, BertModel

PAD_ID = 1
SEP_ID = 2
MARK_LENGTH = 0.5


class EvidenceEncoder(nn.Module):
    """Keep logit of every token and relevance logit of every row.

    The lexical mark: a token whose class (its piece without case, accents and word mark) also occurs in the query
    has a learned vector, times the class's inverse document frequency, added to its word embedding. Exact matches
    are what a small encoder sees worst and BM25 sees best.
    """

    def __init__(self, backbone: BertModel, classes: Tensor, weights: Tensor) -> None:
        super().__init__()
        hidden = backbone.config.hidden_size
        self.backbone = backbone
        self.mark = nn.Parameter(torch.zeros(hidden))
        words = backbone.embeddings.word_embeddings.weight
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
        """The first `layers` layers of a backbone folder (training.backbone) with fresh heads.

        Lower layers are kept because dropping the top ones costs a fine-tuned encoder least (Sajjad et al., 2020,
        "On the Effect of Dropping Layers of Pre-trained Transformer Models").
        """
        backbone = AutoModel.from_pretrained(folder, add_pooling_layer=False, attn_implementation=attention)
        if not 0 < layers <= backbone.config.num_hidden_layers:
            raise ValueError(
                f"The backbone has {backbone.config.num_hidden_layers} layers, {layers} were asked for."
            )
        backbone.encoder.layer = backbone.encoder.layer[:layers]
        backbone.config.num_hidden_layers = layers
        tables = _lexical(Path(folder), backbone.config.vocab_size)
        return cls(backbone, *tables)

    @classmethod
    def load(cls, folder: Path, *, attention: str = "sdpa") -> EvidenceEncoder:
        """Load what `save` wrote."""
        config = BertConfig(**json.loads((folder / "config.json").read_text()))
        config._attn_implementation = attention
        empty = torch.zeros(config.vocab_size)
        model = cls(BertModel(config, add_pooling_layer=False), empty, empty)
        model.load_state_dict(load_file(folder / "model.safetensors"))
        model.eval()
        return model

    def save(self, folder: Path) -> None:
        """Write `config.json` and `model.safetensors`."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_text(json.dumps(self.backbone.config.to_diff_dict(), indent=1) + "\n")
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
        words = self.backbone.embeddings.word_embeddings(input_ids)
        words = words + self.lexical_mark(input_ids).unsqueeze(2) * self.mark
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
