"""What a play file says that people and the world do, as values, and what each may hold.

A field is called as in the file, or by its alias. Nothing here reads or does anything.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Final, Literal, get_args

from pydantic import ConfigDict, Field, TypeAdapter

from bot.devtools.play.terms import (
    DeletedReply,
    EditedReply,
    Fail,
    FileName,
    InsidePath,
    Kill,
    Line,
    Person,
    Refuse,
    RemovedPath,
    Seconds,
    Sent,
    Text,
    Times,
    Wait,
    counted_reply,
    like,
    said_of,
    word,
)
from bot.devtools.provider.entries import Often, Task
from bot.devtools.provider.faults import KINDS, SECONDS, StandInFault
from bot.devtools.workspace import FaultKind
from bot.interactions.command_line import SUBCOMMANDS
from core import patterns
from core.domain.ids import Depth, PersonaKey

SlackTrouble = FaultKind | Literal["unrevoke"]
BrainTrouble = Literal["crash", "silent", "invalid", "refuse", "chatty"]
COUNCIL_ALONE: Final[frozenset[BrainTrouble]] = frozenset({"refuse", "chatty"})
CHOICES: Final = (
    "continue", "confirm", "skip-step", "skip", "back",
    *(f"depth:{depth}" for depth in get_args(Depth)),
    "accept", "short", "amend", "elaborate", "done", "pause", "cancel", "retry", "classic",
    "redact", "party", "changes", "leave", "take-over", "keep-all", "take", "allow",
)  # fmt: skip
STEP_VERBS: Final = ("keep", "again", "amend", "back")  # keep:01-02, amend:01-01
_OF_A_STEP: Final = patterns.compile(rf"(?:{'|'.join(STEP_VERBS)}):\d\d-\d\d")
_BRAINS: Final = get_args(BrainTrouble)
WELL: Final = "well"
_PROVIDER: Final = (*KINDS, WELL)
_SLACK: Final = ("429", "500", "drop", "accept-then-drop", "redeliver", "revoke", "unrevoke")


class PlayEntry:
    """A mapping of the file. It has no further keys.

    `told` says it in words for whoever watches: never what people say.
    """

    __slots__ = ()
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")
    words: ClassVar[str]  # {0} is the entry
    unmet: ClassVar[str] = ""  # why nothing happened, of what may have nothing to happen to

    def told(self) -> str:
        return f"{self.words.format(self)}{_often(getattr(self, 'times', 1))}"


def _often(times: int | None) -> str:
    if times is None:
        return ", from now on"
    return f", {times} times" if times > 1 else ""


# ── what people do ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class PlayReplies(PlayEntry):
    words: ClassVar = "{0.by} replies"
    by: Person
    text: Annotated[Sent, counted_reply, Field(alias="reply")]


@dataclass(frozen=True, slots=True)
class Edits(PlayEntry):
    """`number` counts that person's replies to this step, from 1."""

    words: ClassVar = "{0.by} edits reply {0.number}"
    by: Person
    number: Annotated[EditedReply, Field(alias="edit")]
    text: Sent


@dataclass(frozen=True, slots=True)
class Deletes(PlayEntry):
    words: ClassVar = "{0.by} deletes reply {0.number}"
    by: Person
    number: Annotated[DeletedReply, Field(alias="delete")]


@dataclass(frozen=True, slots=True)
class Clicks(PlayEntry):
    words: ClassVar = "{0.by} clicks {0.choice}"
    by: Person
    choice: Annotated[
        str,
        said_of(
            lambda value: (
                isinstance(value, str)
                and (value in CHOICES or _OF_A_STEP.fullmatch(value) is not None)
            ),
            f"is no choice; it is one of {', '.join(CHOICES)}",
        ),
        Field(alias="click"),
    ]


@dataclass(frozen=True, slots=True)
class Commands(PlayEntry):
    """A slash command, or a mention in the channel."""

    by: Person
    line: Annotated[Line, Field(alias="command")]

    def told(self) -> str:
        """The command without what follows it: titles are people's words."""
        first, _, arguments = self.line.partition(" ")
        words = arguments.split(maxsplit=1)
        subcommand = f" {words[0]}" if words and words[0] in SUBCOMMANDS else ""
        return f"{self.by} types {first}{subcommand}"


Act = PlayReplies | Edits | Deletes | Clicks | Commands


# ── what the world does ────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class SlackFails(PlayEntry):
    kind: Annotated[
        SlackTrouble, word(_SLACK, f"is none of {', '.join(_SLACK)}"), Field(alias="slack")
    ]
    method: (
        Annotated[str, like(r"[a-zA-Z]+(?:\.[a-zA-Z]+)+", "is no method like chat.postMessage")]
        | None
    ) = None
    retry_after_s: Annotated[Wait, Field(alias="retry_after")] = 1.0
    times: Times = 1

    def told(self) -> str:
        method = f" for {self.method}" if self.method else ""
        return f"Slack: {self.kind}{method}{_often(self.times)}"


@dataclass(frozen=True, slots=True)
class BrainFails(PlayEntry):
    kind: Annotated[
        BrainTrouble, word(_BRAINS, f"is none of {', '.join(_BRAINS)}"), Field(alias="brain")
    ]
    persona: (
        Annotated[
            PersonaKey, like("[a-z0-9][a-z0-9-]{0,39}", "is no persona like business-analyst")
        ]
        | None
    ) = None
    times: Times = 1

    def told(self) -> str:
        return f"the brain of {self.persona or 'anybody'}: {self.kind}{_often(self.times)}"


@dataclass(frozen=True, slots=True)
class ProviderFails(PlayEntry):
    """What the stand-in for a provider of language models does; `well` ends all of it."""

    words: ClassVar = "the provider: {0.kind}"
    unmet: ClassVar = "no stand-in reads here"
    kind: Annotated[
        str, word(_PROVIDER, f"is none of {', '.join(_PROVIDER)}"), Field(alias="provider")
    ]
    retry_after: Wait | None = None
    seconds: Wait = SECONDS
    task: Task | None = None
    model: str = ""
    times: Often = 1

    def fault(self) -> StandInFault | None:
        """What is planned; None where everything is to be well."""
        if self.kind == WELL:
            return None
        more = (self.retry_after, self.seconds, self.task or "", self.model)
        return StandInFault(self.kind, self.times, 1, *more)


@dataclass(frozen=True, slots=True)
class TeamRefuses(PlayEntry):
    """The party's team cannot be made."""

    words: ClassVar = "the team cannot be made"
    failing: ClassVar = "team"
    team: Refuse = field(default="refuse", kw_only=True)
    times: Times = 1


@dataclass(frozen=True, slots=True)
class CleanupFails(PlayEntry):
    """The party's team cannot be removed."""

    words: ClassVar = "the team cannot be removed"
    failing: ClassVar = "cleanup"
    cleanup: Fail = field(default="fail", kw_only=True)
    times: Times = 1


@dataclass(frozen=True, slots=True)
class WriteFails(PlayEntry):
    """The bot cannot write that file of the artifact folder."""

    words: ClassVar = "{0.failing} cannot be written"
    failing: Annotated[FileName, Field(alias="write-fails")]
    times: Times = 1


@dataclass(frozen=True, slots=True)
class Writes(PlayEntry):
    words: ClassVar = "{0.path} is written"
    path: Annotated[InsidePath, Field(alias="write")]
    text: Text


@dataclass(frozen=True, slots=True)
class Removes(PlayEntry):
    words: ClassVar = "{0.path} is removed"
    unmet: ClassVar = "there was nothing to remove"
    path: Annotated[RemovedPath, Field(alias="remove")]


@dataclass(frozen=True, slots=True)
class Restarts(PlayEntry):
    """The bot's process is killed and started again."""

    words: ClassVar = "the bot is killed and started again"
    restart: Kill = "kill"


@dataclass(frozen=True, slots=True)
class ClockMoves(PlayEntry):
    words: ClassVar = "the clock moves on by {0.seconds:g} s"
    seconds: Annotated[Seconds, Field(alias="clock")]


FolderTrouble = TeamRefuses | CleanupFails | WriteFails
Mishap = (
    SlackFails
    | BrainFails
    | ProviderFails
    | FolderTrouble
    | Writes
    | Removes
    | Restarts
    | ClockMoves
)

ACTS: Final[Mapping[str, type]] = {
    "reply": PlayReplies,
    "edit": Edits,
    "delete": Deletes,
    "click": Clicks,
    "command": Commands,
}
MISHAPS: Final[Mapping[str, type]] = {
    "slack": SlackFails,
    "brain": BrainFails,
    "provider": ProviderFails,
    "team": TeamRefuses,
    "cleanup": CleanupFails,
    "write-fails": WriteFails,
    "write": Writes,
    "remove": Removes,
    "restart": Restarts,
    "clock": ClockMoves,
}


def kind_of(value: object, kinds: Mapping[str, type]) -> str | None:
    """The key of a mapping that says what it is, if exactly one does."""
    value_kinds = [kind for kind in kinds if kind in value] if isinstance(value, Mapping) else []
    return value_kinds[0] if len(value_kinds) == 1 else None


def keys_of(kind: type) -> tuple[str, ...]:
    """What the keys of such a mapping are called in the file."""
    names = TypeAdapter(kind).json_schema()["properties"]
    return tuple(sorted(names, key=lambda name: name not in MISHAPS))  # what it is comes first


START: Final = "start"  # the step of a line about what comes before the first


@dataclass(frozen=True, slots=True)
class ProgressLine:
    """One line of progress. `note` is about something that was not done."""

    step: str
    words: str
    note: bool = False
