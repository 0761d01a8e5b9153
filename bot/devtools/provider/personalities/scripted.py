"""A personality from a file: by task, by number and by words in the answers, a reply or a fault.

    replies:
      - {task: read_answers, number: 2, fault: 429, retry_after: 1}
      - {task: ask_and_propose, words: [refund], reply: {question: null, proposals: []}}
    otherwise: thoughtful

The first entry that is meant for a request answers it. `number` counts the requests of its task,
or all of them where it names none, from 1; without it an entry is meant for every one. A reply is
sent as it stands, whatever the schema asks for.
"""

import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Self

from pydantic import BeforeValidator, ConfigDict, model_validator
from pydantic_core import ErrorDetails

from bot.devtools.play.terms import Count, Wait, word
from bot.devtools.provider.entries import FaultName, Task, line_of, words_of
from bot.devtools.provider.exchange import ProviderRequest, StandInAnswer
from bot.devtools.provider.faults import SECONDS, StandInFault
from bot.devtools.provider.personalities.table import PERSONALITIES, Personality
from bot.devtools.yaml_file import FaultyFileError, loaded, text_of
from core.content.models.validation import fits, in_file_order, validated, wrong

NAMES: Final = tuple(PERSONALITIES)
EITHER: Final = "a reply or a fault is needed, and not both: {task: read_answers, fault: 429}"
REPLIES_NEEDED: Final = "a list of replies is needed, each on a line with a dash"

Words = Annotated[
    tuple[str, ...],
    fits(
        lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value),
        "a list of words is needed, like [refund, invoice]",
    ),
]
Mapped = Annotated[
    Mapping[str, Any],
    fits(lambda value: isinstance(value, Mapping), "the arguments of the call are needed"),
]


def _list(value: object) -> object:
    if isinstance(value, list):
        return value
    raise wrong(REPLIES_NEEDED)


@dataclass(frozen=True, slots=True)
class ScriptedReply:
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")
    task: Task | None = None
    number: Count | None = None
    words: Words = ()
    reply: Mapped | None = None
    fault: FaultName | None = None
    retry_after: Wait | None = None
    seconds: Wait = SECONDS

    @model_validator(mode="after")
    def _either(self) -> Self:
        if (self.reply is None) == (self.fault is None):
            raise wrong(EITHER)
        return self

    def is_meant_for(self, request: ProviderRequest, numbers: Mapping[str, int]) -> bool:
        text = " ".join(answer["text"] for answer in request.answers).casefold()
        return (
            self.task in (None, request.task)
            and self.number in (None, numbers[self.task or ""])
            and all(phrase.casefold() in text for phrase in self.words)
        )


@dataclass(frozen=True, slots=True)
class ReplyScript:
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")
    replies: Annotated[tuple[ScriptedReply, ...], BeforeValidator(_list)]
    otherwise: Annotated[str, word(NAMES, f"is nobody; it is one of {', '.join(NAMES)}")] = (
        "thoughtful"
    )


class ScriptedReplies:
    """Answers as a script says. Thread-safe."""

    def __init__(self, script: ReplyScript) -> None:
        self._script = script
        self._lock = threading.Lock()
        self._numbers: Counter[str] = Counter()

    def __call__(self, request: ProviderRequest, number: int) -> StandInAnswer | StandInFault:
        with self._lock:
            self._numbers.update(("", request.task))
            numbers = Counter(self._numbers)
        meant = (reply for reply in self._script.replies if reply.is_meant_for(request, numbers))
        entry = next(meant, None)
        if entry is None:
            return PERSONALITIES[self._script.otherwise](request, number)
        if entry.fault is not None:
            return StandInFault(entry.fault, retry_after=entry.retry_after, seconds=entry.seconds)
        return StandInAnswer(entry.reply)


def read(path: Path) -> Personality:
    """The personality of a file. Raises `FaultyFileError` with everything that is wrong."""
    return parse(text_of(path))


def parse(text: str) -> Personality:
    """The personality that `text` describes, or `FaultyFileError` with everything that is wrong."""
    faults, data = loaded(text)
    script = validated(ReplyScript, data, words=_words)
    if isinstance(script, tuple):
        flaws = sorted(script, key=lambda flaw: in_file_order(data, flaw.path))
        faults += map(line_of, flaws)
    if isinstance(script, tuple) or faults:
        raise FaultyFileError(faults)
    return ScriptedReplies(script)


def _words(error: ErrorDetails) -> str | None:
    """Ours for what pydantic finds by itself."""
    match error["type"], error["loc"]:
        case "dataclass_type", ():
            return "a script has replies: a list of them"
        case "dataclass_type", _:
            return EITHER
    return words_of(error)
