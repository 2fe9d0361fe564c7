"""What differs between the backbones: where their layers are, and how their attention is made bidirectional.

BERT, XLM-R and ModernBERT are bidirectional by themselves. Qwen3 is a decoder: loaded plainly it runs, silently
causal. With `is_causal` off in its configuration and in every layer, `transformers` builds the full mask that its
bidirectional fine-tunings (such as `pplx-embed`) were trained with.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import AutoConfig, AutoModel

BIDIRECTIONAL = frozenset({"bert", "xlm-roberta", "roberta", "modernbert"})
DECODERS = frozenset({"qwen3"})
# ModernBERT's configuration says which attention a layer has by its number; pruned layers keep theirs.
_PER_LAYER = ("layer_types", "mlp_layer_types")


class UnsupportedBackbone(ValueError):
    """A configuration that is no encoder that Pith can train or export."""


def load_backbone(folder: str | Path, *, attention: str = "sdpa") -> Any:
    """A backbone from a local folder, or from the hub by name, in float32, with bidirectional attention."""
    config = AutoConfig.from_pretrained(folder)
    prepare(config)
    model = AutoModel.from_pretrained(
        folder, config=config, attn_implementation=attention, dtype=torch.float32
    )
    return bidirectional(model)


def empty_backbone(settings: dict[str, Any], *, attention: str = "sdpa") -> Any:
    """A backbone with random weights from the settings of a `config.json`.

    Raises `UnsupportedBackbone` for a checkpoint whose attention is causal: it was trained to see only what stands
    before a token, so that nothing before the evidence could know of it.
    """
    model_type = settings.get("model_type")
    if model_type in DECODERS and settings.get("is_causal", True):
        raise UnsupportedBackbone(
            f"This {model_type} checkpoint has causal attention; train it with `is_causal: false` in its "
            "config.json (training.model sets it), or take a bidirectional backbone."
        )
    named = {key: value for key, value in settings.items() if key != "model_type"}
    config = (
        AutoConfig.for_model(model_type, **named) if model_type else AutoConfig.for_model("bert", **named)
    )
    prepare(config)
    return bidirectional(AutoModel.from_config(config, attn_implementation=attention))


def prepare(config: Any) -> None:
    """Refuse what is not supported; turn dropout, caching and causality off in a configuration."""
    if config.model_type not in BIDIRECTIONAL | DECODERS:
        known = ", ".join(sorted(BIDIRECTIONAL | DECODERS))
        raise UnsupportedBackbone(
            f"A backbone of type {config.model_type!r} is not supported; known are {known}."
        )
    for name in vars(config):
        if "dropout" in name and isinstance(getattr(config, name), int | float):
            setattr(config, name, 0.0)
    if config.model_type in DECODERS:
        config.is_causal = False
        config.use_cache = False


def bidirectional(backbone: Any) -> Any:
    """Switch causality off in every attention layer, where a mask of None would else mean a causal one.

    The pooler of BERT's kind, which nothing here reads, goes.
    """
    if getattr(backbone, "pooler", None) is not None:
        backbone.pooler = None
    for module in backbone.modules():
        if hasattr(module, "is_causal"):
            module.is_causal = False
    return backbone


def layers_of(backbone: Any) -> nn.ModuleList:
    """The list of a backbone's layers."""
    holder = backbone.encoder if hasattr(backbone, "encoder") else backbone
    layers: nn.ModuleList = holder.layer if hasattr(holder, "layer") else holder.layers
    return layers


def keep_layers(backbone: Any, kept: Sequence[int]) -> None:
    """Drop all layers but `kept` (ascending indices), in place; the configuration follows."""
    layers = layers_of(backbone)
    depth = len(layers)
    if not kept or list(kept) != sorted(set(kept)) or not 0 <= kept[0] <= kept[-1] < depth:
        raise ValueError(
            f"The backbone has layers 0 to {depth - 1}; {list(kept)} are not some of them in order."
        )
    chosen = nn.ModuleList(layers[i] for i in kept)
    for index, layer in enumerate(chosen):
        for module in layer.modules():
            if hasattr(module, "layer_idx"):
                module.layer_idx = index
    holder = backbone.encoder if hasattr(backbone, "encoder") else backbone
    setattr(holder, "layer" if hasattr(holder, "layer") else "layers", chosen)
    config = backbone.config
    for name in _PER_LAYER:
        per_layer = getattr(config, name, None)
        if per_layer is not None:
            setattr(config, name, [per_layer[i] for i in kept])
    config.num_hidden_layers = len(chosen)
