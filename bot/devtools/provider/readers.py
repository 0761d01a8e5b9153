"""Who reads in a demo or a play besides the script: a stand-in on this machine, or a provider.

docs/reference/model-protocol.md says what a provider is asked.
"""

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from pydantic_core import PydanticCustomError

from bot.devtools.provider.personalities.table import Personality
from bot.devtools.provider.server import StandIn
from bot.server.configuration.model_names import OWN_KEY, providers
from bot.server.configuration.model_settings import OF_TIER
from core.domain.model_calls import TIERS, ModelTier

STAND_IN: Final = "stand-in"
TOKENS: Final = "ROUNDTABLE_MODEL_TOKENS"
EXAMPLE: Final = "--model NAME, or --model fast=A,middle=B,strong=C"
NO_NAME: Final = f"--provider-url needs the model's name as well: {EXAMPLE}."
NO_MODELS: Final = f"--model names no model for each tier. Write {EXAMPLE}."
UNUSABLE: Final = "--provider-url and --model cannot be used: {why}."
ANY_URL: Final = "http://127.0.0.1/v1"
WHOSE: Final = "a stand-in without a model"


class FaultyReadersError(Exception):
    """The options name no model that could be asked. Its text is one line."""


@dataclass(frozen=True, slots=True)
class StandInReaders:
    """The models of each tier, and the address that they are asked at: None is the stand-in's.

    `fallback`: the stand-in's model that is asked where another one fails; `tokens`: what a
    session may use.
    """

    models: Mapping[ModelTier, str]
    url: str | None = None
    fallback: str = ""
    tokens: int | None = None

    def told(self, url: str) -> str:
        """Who reads, in a line, where the models are asked at this address."""
        models = WHOSE if self.url is None else ", ".join(self._names())
        return f"The script reads, and {models} refines ({url})."

    def settings(self, url: str) -> dict[str, str]:
        """What the bot is told, where the models are asked at this address."""
        names = {OF_TIER[tier]: self._in_order(name, url) for tier, name in self.models.items()}
        key = os.environ.get(OWN_KEY) if self.url is not None else None  # a stand-in needs none
        tokens = {TOKENS: str(self.tokens)} if self.tokens else {}
        return names | tokens | ({OWN_KEY: key} if key else {})

    def _in_order(self, name: str, url: str) -> str:
        names = (name, self.fallback) if self.fallback and self.url is None else (name,)
        return ",".join(_setting(model, url) for model in names)

    def _names(self) -> Iterator[str]:
        if len(set(self.models.values())) == 1:
            yield self.models["fast"]
        else:
            yield from (f"{name} ({tier})" for tier, name in self.models.items())


@dataclass(frozen=True, slots=True)
class RunningReaders:
    """What a demo's bot is told of its models, and what people are told of them.

    `provider`: the stand-in, where one reads.
    """

    settings: Mapping[str, str] = field(default_factory=dict)
    told: str = ""
    provider: StandIn | None = None


def readers(url: str | None, models: str | None) -> StandInReaders:
    """Who reads, as the options say it. Raises `FaultyReadersError`."""
    if url is not None and models is None:
        raise FaultyReadersError(NO_NAME)
    names = _models(models or STAND_IN)
    try:
        for name in names.values():
            providers(_setting(name, url or ANY_URL))
    except PydanticCustomError as error:
        raise FaultyReadersError(UNUSABLE.format(why=error.message())) from error
    return StandInReaders(names, url.rstrip("/") if url else None)


@contextlib.contextmanager
def running(
    reading: StandInReaders | None, personality: Personality | None = None
) -> Iterator[RunningReaders]:
    """Start the stand-in if it reads. `personality`: thoughtful without one. None: script alone."""
    if reading is None:
        yield RunningReaders()
    elif reading.url is not None:
        yield RunningReaders(reading.settings(reading.url), reading.told(reading.url))
    else:
        with StandIn(personality) as provider:
            url = provider.url
            yield RunningReaders(reading.settings(url), reading.told(url), provider)


def _setting(name: str, url: str) -> str:
    return f"openai-chat:{name}@{url}"


def _models(text: str) -> dict[ModelTier, str]:
    """NAME for all tiers, or one for each. Raises `FaultyReadersError`."""
    if "=" not in text and "," not in text and text.strip():
        return dict.fromkeys(TIERS, text.strip())
    pairs = [part.partition("=")[::2] for part in text.split(",")]
    models = {tier.strip(): name.strip() for tier, name in pairs}
    if len(pairs) != len(TIERS) or set(models) != set(TIERS) or not all(models.values()):
        raise FaultyReadersError(NO_MODELS)
    return {tier: models[tier] for tier in TIERS}
