"""How a run asks its judge; what of it decides the labels is recorded with them."""

from __future__ import annotations

from dataclasses import dataclass, field

from training.labelling.errors import InvalidSettings
from training.labelling.prompts import LATEST

RESPONSE_FORMATS = ("schema", "object", "none")


@dataclass(frozen=True)
class Settings:
    """base_url, model, api_key: the endpoint. stages: 2 asks for intents first, 1 asks for all at once.

    timeout: seconds of one call. tries: calls for one answer at most. max_output_tokens: of one answer, doubled once
    when an answer was cut off. part_characters: longer documents are labelled in parts. least_matched: share of the
    vital quotes that must have a place, or the pair is a dead letter: a vital span that is lost would be trained as
    noise. requests, tokens: most a minute over all workers, 0 for no limit. concurrency: calls in flight of a worker.
    longest_wait: most seconds that a "Retry-After" or a backoff may take.
    """

    base_url: str
    model: str
    api_key: str = field(default="none", repr=False)
    temperature: float = 0.0
    stages: int = 2
    prompts: str = LATEST
    response_format: str = "schema"
    timeout: float = 120.0
    tries: int = 5
    max_output_tokens: int = 4096
    part_characters: int = 24_000
    least_matched: float = 1.0
    requests: float = 0.0
    tokens: float = 0.0
    concurrency: int = 16
    backoff: float = 1.0
    longest_wait: float = 120.0

    def __post_init__(self) -> None:
        checks = {
            "base_url": (self.base_url.startswith(("http://", "https://")), "begin with http:// or https://"),
            "model": (bool(self.model.strip()), "name a model"),
            "temperature": (0 <= self.temperature <= 2, "be from 0 to 2"),
            "stages": (self.stages in (1, 2), "be 1 or 2"),
            "response_format": (self.response_format in RESPONSE_FORMATS, f"be of {RESPONSE_FORMATS}"),
            "timeout": (self.timeout > 0, "be positive"),
            "tries": (self.tries >= 1, "be at least 1"),
            "max_output_tokens": (self.max_output_tokens >= 1, "be at least 1"),
            "part_characters": (self.part_characters >= 200, "be at least 200"),
            "least_matched": (0 <= self.least_matched <= 1, "be from 0 to 1"),
            "requests": (self.requests >= 0, "be 0 or more"),
            "tokens": (self.tokens >= 0, "be 0 or more"),
            "concurrency": (self.concurrency >= 1, "be at least 1"),
            "backoff": (self.backoff >= 0, "be 0 or more"),
            "longest_wait": (self.longest_wait >= 0, "be 0 or more"),
        }
        for name, (right, must) in checks.items():
            if not right:
                raise InvalidSettings(f"{name} must {must}, not {getattr(self, name)!r}.")

    @property
    def deciding(self) -> dict[str, object]:
        """What decides the labels; a folder holds labels of one such configuration."""
        names = ("model", "temperature", "stages", "prompts", "part_characters", "least_matched")
        return {name: getattr(self, name) for name in names}
