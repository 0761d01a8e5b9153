"""What a play file says, as values, and what each may be. Nothing here reads or does anything.

A field is called as in the file, or by its alias.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Final, Literal, get_args

from pydantic import BeforeValidator, ConfigDict, Field, PlainValidator, TypeAdapter, ValidationInfo

from bot.devtools.play.terms import (
    Choice,
    DeletedReply,
    EditedReply,
    Fail,
    FileName,
    InsidePath,
    Kill,
    Line,
    People,
    Person,
    Refuse,
    RemovedPath,
    Seconds,
    Sent,
    Text,
    Times,
    Wait,
    context_of,
    counted_reply,
    like,
    said_of,
    word,
)
from bot.devtools.workspace import FaultKind
from bot.interactions.command_line import SUBCOMMANDS
from core import patterns
from core.content.models.validation import fits, wrong
from core.domain.ids import Depth, PersonaKey
from core.domain.session import Flow, Mode

FLOWS: Final[Mapping[str, Flow]] = {"analyze": "analysis", "discover": "inception"}
SlackTrouble = FaultKind | Literal["unrevoke"]
BrainTrouble = Literal["crash", "silent", "invalid", "refuse", "chatty"]
COUNCIL_ALONE: Final[frozenset[BrainTrouble]] = frozenset({"refuse", "chatty"})
MODE_FLAGS: Final[Mapping[str, Mode]] = {"--party": "party", "--classic": "classic"}
MODES: Final[tuple[Mode, ...]] = ("party", "classic")  # as the mode menu offers them

CHOICES: Final = (
    "continue", "confirm", "skip-step", "skip", "back",
    *(f"depth:{depth}" for depth in get_args(Depth)),
    "accept", "short", "amend", "elaborate", "done", "pause", "cancel", "retry", "classic",
    "redact", "party", "changes", "leave", "take-over", "keep-all",
)  # fmt: skip
STEP_VERBS: Final = ("keep", "again", "amend", "back")  # keep:01-02, amend:01-01

_OF_A_STEP: Final = patterns.compile(rf"(?:{'|'.join(STEP_VERBS)}):\d\d-\d\d")
_STEP_OR_PHASE: Final = patterns.compile(r"[0-9]{2}-(?:[0-9]{2}|[a-z0-9][a-z0-9-]*)")
_CODE: Final = patterns.compile(r"(?:ERR-[A-Z]+|E)-[0-9]{3}|default")
_BRAINS: Final = get_args(BrainTrouble)
_SLACK: Final = ("429", "500", "drop", "accept-then-drop", "redeliver", "revoke", "unrevoke")


class PlayEntry:
    """A mapping of the file. It has no further keys.

    `told` says it in words for whoever watches: never what people say.
    """

    __slots__ = ()
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


def _often(times: int) -> str:
    return f", {times} times" if times > 1 else ""


# ── what people do ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class PlayReplies(PlayEntry):
    by: Person
    text: Annotated[Sent, counted_reply, Field(alias="reply")]

    def told(self) -> str:
        return f"{self.by} replies"


@dataclass(frozen=True, slots=True)
class Edits(PlayEntry):
    """`number` counts that person's replies to this step, from 1."""

    by: Person
    number: Annotated[EditedReply, Field(alias="edit")]
    text: Sent

    def told(self) -> str:
        return f"{self.by} edits reply {self.number}"


@dataclass(frozen=True, slots=True)
class Deletes(PlayEntry):
    by: Person
    number: Annotated[DeletedReply, Field(alias="delete")]

    def told(self) -> str:
        return f"{self.by} deletes reply {self.number}"


@dataclass(frozen=True, slots=True)
class Clicks(PlayEntry):
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

    def told(self) -> str:
        return f"{self.by} clicks {self.choice}"


@dataclass(frozen=True, slots=True)
class Commands(PlayEntry):
    """A slash command, or a mention in the channel."""

    by: Person
    line: Annotated[Line, Field(alias="command")]

    def told(self) -> str:
        """The command without what follows it: titles are people's words."""
        first, _, rest = self.line.partition(" ")
        words = rest.split(maxsplit=1)
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
class TeamRefuses(PlayEntry):
    """The party's team cannot be made."""

    team: Refuse = field(default="refuse", kw_only=True)
    times: Times = 1

    def told(self) -> str:
        return f"the team cannot be made{_often(self.times)}"


@dataclass(frozen=True, slots=True)
class CleanupFails(PlayEntry):
    """The party's team cannot be removed."""

    cleanup: Fail = field(default="fail", kw_only=True)
    times: Times = 1

    def told(self) -> str:
        return f"the team cannot be removed{_often(self.times)}"


@dataclass(frozen=True, slots=True)
class WriteFails(PlayEntry):
    """The bot cannot write that file of the artifact folder."""

    name: Annotated[FileName, Field(alias="write-fails")]
    times: Times = 1

    def told(self) -> str:
        return f"{self.name} cannot be written{_often(self.times)}"


@dataclass(frozen=True, slots=True)
class Writes(PlayEntry):
    path: Annotated[InsidePath, Field(alias="write")]
    text: Text

    def told(self) -> str:
        return f"{self.path} is written"


@dataclass(frozen=True, slots=True)
class Removes(PlayEntry):
    path: Annotated[RemovedPath, Field(alias="remove")]

    def told(self) -> str:
        return f"{self.path} is removed"


@dataclass(frozen=True, slots=True)
class Restarts(PlayEntry):
    """The bot's process is killed and started again."""

    restart: Kill = "kill"

    def told(self) -> str:
        return "the bot is killed and started again"


@dataclass(frozen=True, slots=True)
class ClockMoves(PlayEntry):
    seconds: Annotated[Seconds, Field(alias="clock")]

    def told(self) -> str:
        return f"the clock moves on by {self.seconds:g} s"


FolderTrouble = TeamRefuses | CleanupFails | WriteFails
Mishap = SlackFails | BrainFails | FolderTrouble | Writes | Removes | Restarts | ClockMoves

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
    here = [kind for kind in kinds if kind in value] if isinstance(value, Mapping) else []
    return here[0] if len(here) == 1 else None


def keys_of(kind: type) -> tuple[str, ...]:
    """What the keys of such a mapping are called in the file."""
    names = TypeAdapter(kind).json_schema()["properties"]
    return tuple(sorted(names, key=lambda name: name not in MISHAPS))  # what it is comes first


def _entry(kinds: Mapping[str, type], noun: str, example: str) -> PlainValidator:
    """A validator of a mapping that is one of several kinds, as one of its keys says."""
    adapters: dict[str, TypeAdapter[Any]] = {
        kind: TypeAdapter(made) for kind, made in kinds.items()
    }

    def check(value: object, info: ValidationInfo) -> object:
        if not isinstance(value, Mapping):
            raise wrong(f"{noun} is a mapping like {example}")
        here = [kind for kind in kinds if kind in value]
        if len(here) == 1:
            return adapters[here[0]].validate_python(value, context=info.context)
        which = f"{' and '.join(here)} stand together" if here else "none of them is here"
        raise wrong(f"{noun} is one of {', '.join(kinds)}; {which}")

    return PlainValidator(check)


def _list(value: object, info: ValidationInfo) -> object:
    """Nothing at all is an empty list. Replies are counted anew in each."""
    context_of(info)["replies"] = {}
    if value is None or isinstance(value, list):
        return value or []
    raise wrong("a list is needed, each item on a line with a dash")


def _mapping(hint: str) -> BeforeValidator:
    """Nothing at all is an empty mapping."""

    def check(value: object) -> object:
        if value is None or isinstance(value, Mapping):
            return value or {}
        raise wrong(hint)

    return BeforeValidator(check)


_Acts = Annotated[
    tuple[Annotated[Act, _entry(ACTS, "an act", "{by: pm, reply: …}")], ...], BeforeValidator(_list)
]
_Mishaps = Annotated[
    tuple[Annotated[Mishap, _entry(MISHAPS, "what happens", "{slack: 429}")], ...],
    BeforeValidator(_list),
]
_Step = Annotated[
    str,
    said_of(
        lambda value: _STEP_OR_PHASE.fullmatch(value) is not None,
        'is no step id and no phase; they look like "01-02" and "01-vision", in quotes',
    ),
]
_BY_STEP: Final = _mapping('a mapping from step ids to lists is needed, like "00-01": [...]')
_Code = Annotated[
    str,
    fits(
        lambda value: _CODE.fullmatch(value) is not None,
        "a code like E-005 or ERR-INT-001, or default, is meant to stand here",
    ),
]


# ── the whole ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Script(PlayEntry):
    """A whole play. `steps` and `before` go by step id or phase key; `menus` by a recovery menu's
    code.
    """

    people: People  # first: whoever acts further down is one of them
    start: Commands
    steps: Annotated[Mapping[_Step, _Acts], _BY_STEP] = field(default_factory=dict)
    otherwise: _Acts = ()
    menus: Annotated[
        Mapping[_Code, Choice],
        _mapping("a mapping from codes to choices is needed, like {E-005: retry}"),
    ] = field(default_factory=dict)
    before: Annotated[Mapping[_Step, _Mishaps], _BY_STEP] = field(default_factory=dict)

    def acts(self, step: str) -> tuple[Act, ...]:
        return self.steps.get(step, self.otherwise)


TOP_KEYS: Final = keys_of(Script)


def flow_of(script: Script) -> Flow:
    """The flow that the start begins; an analysis where the command says nothing of the kind."""
    words = script.start.line.split()
    return next((FLOWS[word] for word in words[1:2] if word in FLOWS), "analysis")


def mode_of(script: Script) -> Mode:
    """The mode in which an inception begins: by its flag, by a click, else as it is recommended."""
    flags = (MODE_FLAGS[word] for word in script.start.line.split() if word in MODE_FLAGS)
    _, click = mode_click(script) or ("", None)
    clicked = [mode for mode in MODES if click and mode == click.choice]
    return (*flags, *clicked, *MODES)[0] if flow_of(script) == "inception" else ""


def mode_click(script: Script) -> tuple[str, Clicks] | None:
    """The click that answers the mode menu: the first act of the play's first phase, or none."""
    for key in (key for key in script.steps if key[:2] == min(script.steps)[:2]):
        act = next(iter(script.steps[key]), None)
        if isinstance(act, Clicks) and act.choice in MODES:
            return key, act
    return None
