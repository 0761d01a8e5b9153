"""What a session has used of language models."""

from dataclasses import dataclass

from core.domain.model_calls import Usage


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What a session has used of language models. The default is a session that has none."""

    script_only: bool = False  # somebody said so
    usage: Usage = Usage(usd=0.0)
    calls: int = 0
    allowed: int = 0  # how often the owner allowed as much again
