"""What a play file says, as values. Nothing here reads or does anything."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from bot.local import FaultKind
from core.domain.ids import Depth, PersonaKey, StepId

SlackTrouble = FaultKind | Literal["unrevoke"]
BrainTrouble = Literal["crash", "silent", "invalid"]

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
    ),
    "keep-all",
)
STALE_VERBS: Final = ("keep", "again")  # keep:01-02, again:01-02


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


Mishap = SlackFails | BrainFails | Writes | Removes | Restarts | ClockMoves


# ── the whole ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Script:
    people: tuple[str, ...]
    start: Commands
    steps: Mapping[StepId, tuple[Act, ...]] = field(default_factory=dict)
    otherwise: tuple[Act, ...] = ()
    menus: Mapping[str, str] = field(default_factory=dict)  # a recovery menu's code → choice
    before: Mapping[StepId, tuple[Mishap, ...]] = field(default_factory=dict)

    def acts(self, step: StepId) -> tuple[Act, ...]:
        return self.steps.get(step, self.otherwise)
