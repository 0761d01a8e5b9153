"""What a play file says, as values. Nothing here reads or does anything."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from bot.devtools.workspace import FaultKind
from core import patterns
from core.domain.ids import Depth, PersonaKey
from core.domain.session import Flow, Mode

FLOWS: Final[Mapping[str, Flow]] = {"analyze": "analysis", "discover": "inception"}
STEP_ID: Final = patterns.compile(r"[0-9]{2}-[0-9]{2}")
SlackTrouble = FaultKind | Literal["unrevoke"]
BrainTrouble = Literal["crash", "silent", "invalid", "refuse", "chatty"]
COUNCIL_ALONE: Final[frozenset[BrainTrouble]] = frozenset({"refuse", "chatty"})
MODE_FLAGS: Final[Mapping[str, Mode]] = {"--party": "party", "--classic": "classic"}
MODES: Final[tuple[Mode, ...]] = ("party", "classic")  # as the mode menu offers them

CHOICES: Final = (
    *("continue", "confirm", "skip-step", "skip", "back"),
    *(f"depth:{depth}" for depth in get_args(Depth)),
    *(
        "accept",
        "short",
        "amend",
        "elaborate",
        "done",
        "pause",
        "cancel",
        "retry",
        "classic",
        "redact",
        "party",
        "changes",
        "leave",
        "take-over",
    ),
    "keep-all",
)
STEP_VERBS: Final = ("keep", "again", "amend", "back")  # keep:01-02, amend:01-01


# ── what people do ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Replies:
    by: str
    text: str


@dataclass(frozen=True, slots=True)
class Edits:
    """`number` counts that person's replies to this step, from 1."""

    by: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Deletes:
    by: str
    number: int


@dataclass(frozen=True, slots=True)
class Clicks:
    by: str
    choice: str


@dataclass(frozen=True, slots=True)
class Commands:
    """A slash command, or a mention in the channel."""

    by: str
    line: str


Act = Replies | Edits | Deletes | Clicks | Commands


# ── what the world does ────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class SlackFails:
    kind: SlackTrouble
    method: str | None = None
    retry_after_s: float = 1.0
    times: int = 1


@dataclass(frozen=True, slots=True)
class BrainFails:
    kind: BrainTrouble
    persona: PersonaKey | None = None
    times: int = 1


@dataclass(frozen=True, slots=True)
class TeamRefuses:
    """The party's team cannot be made."""

    times: int = 1


@dataclass(frozen=True, slots=True)
class CleanupFails:
    """The party's team cannot be removed."""

    times: int = 1


@dataclass(frozen=True, slots=True)
class WriteFails:
    """The bot cannot write that file of the artifact folder."""

    name: str
    times: int = 1


@dataclass(frozen=True, slots=True)
class Writes:
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Removes:
    path: str


@dataclass(frozen=True, slots=True)
class Restarts:
    """The bot's process is killed and started again."""


@dataclass(frozen=True, slots=True)
class ClockMoves:
    seconds: float


FolderTrouble = TeamRefuses | CleanupFails | WriteFails
Mishap = SlackFails | BrainFails | FolderTrouble | Writes | Removes | Restarts | ClockMoves


# ── the whole ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Script:
    people: tuple[str, ...]
    start: Commands
    steps: Mapping[str, tuple[Act, ...]] = field(default_factory=dict)  # by step id, or phase key
    otherwise: tuple[Act, ...] = ()
    menus: Mapping[str, str] = field(default_factory=dict)  # a recovery menu's code → choice
    before: Mapping[str, tuple[Mishap, ...]] = field(default_factory=dict)

    def acts(self, step: str) -> tuple[Act, ...]:
        return self.steps.get(step, self.otherwise)


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
