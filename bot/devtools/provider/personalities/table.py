"""The personalities by name."""

from collections.abc import Callable, Mapping
from typing import Final

from bot.devtools.provider.exchange import ProviderRequest, StandInAnswer
from bot.devtools.provider.faults import StandInFault
from bot.devtools.provider.personalities import lazy, malicious
from bot.devtools.provider.personalities.thoughtful import replies as thoughtful

Personality = Callable[[ProviderRequest, int], StandInAnswer | StandInFault]
"""Answers a request; its number counts from 1."""

PERSONALITIES: Final[Mapping[str, Personality]] = {
    "thoughtful": thoughtful.reply,
    "lazy": lazy.reply,
    "malicious": malicious.reply,
}
