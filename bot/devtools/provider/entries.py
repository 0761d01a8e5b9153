"""A fault as JSON or YAML has it: `{fault: 429, times: 2, retry_after: 3}`, and what is wrong."""

from dataclasses import asdict, dataclass
from typing import Annotated, ClassVar, Final

from pydantic import BeforeValidator, ConfigDict, Field
from pydantic_core import ErrorDetails

from bot.devtools.play.terms import TIMES_MAX, Count, Wait, shown, word
from bot.devtools.provider.faults import KINDS, SECONDS, StandInFault
from bot.devtools.yaml_file import FaultyFileError
from core.content.models.validation import Flaw, validated, wrong

TASKS: Final = ("read_answers", "ask_and_propose", "take_turn", "contribute", "find_cause")
ALWAYS: Final = "always"
KNOWN_KEYS: Final = "nothing of that name belongs here"


def _often(value: object) -> object:
    if value == ALWAYS:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= TIMES_MAX:
        return value
    raise wrong(f"{shown(value)} is neither {ALWAYS} nor a number from 1 to {TIMES_MAX}")


Task = Annotated[str, word(TASKS, f"is no task; tasks are {', '.join(TASKS)}")]
Often = Annotated[int | None, BeforeValidator(_often)]
FaultName = Annotated[str, word(KINDS, f"is no fault; faults are {', '.join(KINDS)}")]


class FaultyEntryError(FaultyFileError):
    """What describes a fault cannot be used. `faults` are all of them, one line each."""


@dataclass(frozen=True, slots=True)
class FaultEntry:
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")
    fault: FaultName
    times: Often = 1
    start: Annotated[Count, Field(alias="from")] = 1
    retry_after: Wait | None = None
    seconds: Wait = SECONDS
    task: Task | None = None
    model: str = ""


def fault_of(data: object) -> StandInFault:
    """The fault that `data` describes. Raises `FaultyEntryError`."""
    entry = validated(FaultEntry, data, words=words_of)
    if isinstance(entry, tuple):
        raise FaultyEntryError([line_of(flaw) for flaw in entry])
    fields = asdict(entry) | {"task": entry.task or ""}
    return StandInFault(fields.pop("fault"), **fields)


def words_of(error: ErrorDetails) -> str | None:
    """Ours for what pydantic finds by itself."""
    match error["type"]:
        case "missing":
            return "it is missing"
        case "unexpected_keyword_argument":
            return KNOWN_KEYS
        case "dataclass_type":
            return "a mapping like {fault: 429, times: 2} is needed"
    return None


def line_of(flaw: Flaw) -> str:
    """One line: where, and what."""
    place = flaw.place()
    return f"{place}: {flaw.hint}." if place else f"{flaw.hint[:1].upper()}{flaw.hint[1:]}."
