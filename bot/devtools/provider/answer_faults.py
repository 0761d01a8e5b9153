"""What can be wrong with an answer that arrives: each a change of the one that would have come."""

import json
from typing import Any, Final

from bot.devtools.provider.exchange import Json, StandInAnswer

LONG_CHARS: Final = 200_000
REFUSAL: Final = "I can't help with that request."
UNSURE: Final = "The answers do not say which of the two is meant."
NONSENSE: Final[Json] = {"not": "what was asked for"}


def changed(answer: StandInAnswer, kind: str) -> StandInAnswer:
    """The answer as that fault leaves it; other faults change nothing."""
    match kind:
        case "empty":
            return StandInAnswer(None, "")
        case "wrong-schema":
            return StandInAnswer(NONSENSE)
        case "cut-at-max-tokens":
            return StandInAnswer(answer.arguments, answer.text, "cut")
        case "refusal":
            return StandInAnswer(None, REFUSAL, "refused")
        case "200-kB":
            return StandInAnswer(_filled(answer.arguments or {}, [LONG_CHARS]), answer.text)
        case "in-content":
            return StandInAnswer(None, json.dumps(answer.arguments, ensure_ascii=False))
        case "no-usage":
            return StandInAnswer(answer.arguments, answer.text, has_usage=False)
        case "cannot-tell":
            return StandInAnswer({**(answer.arguments or {}), "lines": [], "cannot_tell": UNSURE})
    return answer


def _filled(value: Any, chars_left: list[int]) -> Any:
    """The arguments with their first text made as long as `chars_left` says."""
    if isinstance(value, dict):
        return {key: _filled(inner, chars_left) for key, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, chars_left) for inner in value]
    if isinstance(value, str) and chars_left[0]:
        size, chars_left[0] = chars_left[0], 0
        return f"{value} " + "long " * (size // 5)
    return value
