"""A reply to each task, in the shape of the schema that the request brings."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.devtools.provider.exchange import ProviderRequest, StandInAnswer
from bot.devtools.provider.personalities.thoughtful import asking, reading, speaking
from bot.devtools.provider.schema import fitted

MEANINGS: Final[Mapping[str, Callable[[ProviderRequest], dict[str, Any]]]] = {
    "read_answers": reading.meaning,
    "ask_and_propose": asking.meaning,
    "take_turn": speaking.turn,
    "contribute": speaking.contribution,
    "find_cause": speaking.cause,
}


def reply(request: ProviderRequest, _: int) -> StandInAnswer:
    meaning = MEANINGS.get(request.task, speaking.turn)(request)
    arguments = fitted(meaning, request.schema, request.schema) if request.schema else meaning
    return StandInAnswer(arguments)
