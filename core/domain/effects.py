"""What must be done, in the imperative, and which rows change.

Records are saved in the same commit as the session. Effects become outbox rows in that commit and
are performed afterwards: they name things and carry no rendered text.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.domain.answers import Answer, Claim, Section
from core.domain.ids import (
    ChannelId,
    FaultId,
    MenuId,
    PersonaKey,
    PhaseKey,
    StepId,
    TaskId,
    Ts,
    UserId,
)
from core.domain.session import Fault, Menu, StepState

# ── records ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class AnswerSaved:
    answer: Answer  # a new one, or a new revision of one that exists


@dataclass(frozen=True, slots=True)
class StepSaved:
    state: StepState


@dataclass(frozen=True, slots=True)
class ClaimsReplaced:
    step: StepId
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class BaselineSet:
    """Remember the phase's claims as they stand: what comes later is shown as a change."""

    phase: PhaseKey


@dataclass(frozen=True, slots=True)
class SectionsSaved:
    """All sections of a step; `partly`: only these of it are new, its others stay."""

    step: StepId
    sections: tuple[Section, ...]
    partly: bool = False


@dataclass(frozen=True, slots=True)
class MenuOpened:
    menu: Menu


@dataclass(frozen=True, slots=True)
class MenuEnded:
    menu: MenuId
    state: Literal["used", "closed"]
    by: UserId | None = None
    choice: str | None = None


@dataclass(frozen=True, slots=True)
class FaultRecorded:
    fault: Fault


@dataclass(frozen=True, slots=True)
class TimerSet:
    kind: Literal["quiet"]
    step: StepId
    due: float  # seconds since the epoch


@dataclass(frozen=True, slots=True)
class TimersCancelled:
    """All timers of the session."""


Record = (
    AnswerSaved
    | StepSaved
    | ClaimsReplaced
    | BaselineSet
    | SectionsSaved
    | MenuOpened
    | MenuEnded
    | FaultRecorded
    | TimerSet
    | TimersCancelled
)

# ── visible effects: one lane per session, in order ────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class PostCard:
    respond_to: str | None = None


@dataclass(frozen=True, slots=True)
class PaintCard:
    """Edit the card. The latest wins."""


@dataclass(frozen=True, slots=True)
class OpenThread:
    persona: PersonaKey


@dataclass(frozen=True, slots=True)
class Greet:
    """First words of a persona in its thread."""

    persona: PersonaKey
    phase: PhaseKey
    taken_over_from: PersonaKey | None = None


@dataclass(frozen=True, slots=True)
class HandOver:
    """One line in the thread that is left, with a link to the next one."""

    leaving: PersonaKey
    coming: PersonaKey


@dataclass(frozen=True, slots=True)
class PostPrompt:
    step: StepId
    revision: int
    thread: PersonaKey  # in whose thread
    mention: tuple[UserId, ...] = ()


@dataclass(frozen=True, slots=True)
class PaintPrompt:
    step: StepId


@dataclass(frozen=True, slots=True)
class ShowStep:
    """The step's one message: posted once, edited from then on; `anew` posts it again."""

    step: StepId
    thread: PersonaKey
    anew: bool = False


@dataclass(frozen=True, slots=True)
class ShowPhase:
    """The phase's summary and menu as a message of its own."""

    phase: PhaseKey
    thread: PersonaKey
    anew: bool = False


@dataclass(frozen=True, slots=True)
class ShowFault:
    fault: FaultId
    thread: PersonaKey | None  # None: the card's thread


LineKind = Literal["late-answer", "resumed", "scan-size", "two-turns-left"]


@dataclass(frozen=True, slots=True)
class Say:
    kind: LineKind
    thread: PersonaKey | None
    args: Mapping[str, str] = field(default_factory=dict)
    mention: tuple[UserId, ...] = ()


@dataclass(frozen=True, slots=True)
class SayTurn:
    """What another persona says to a step."""

    step: StepId
    number: int  # from 1, over all elaborations of the step
    thread: PersonaKey


@dataclass(frozen=True, slots=True)
class Mark:
    """The ✓ on a recorded answer, put on or taken off."""

    channel: ChannelId
    ts: Ts
    on: bool


ReplyKind = Literal[
    "already-open",
    "starting",
    "nothing-to-resume",
    "resuming",
    "already-going",
    "not-in-channel",
    "cannot-post",
    "used-menu",
    "not-yours",
    "unknown-choice",
    "gone",
    "wrong-thread",
    "ended-thread",
    "nothing-before",
    "depth-set",
    "cancelled",
    "paused",
    "exporting",
    "nothing-to-export",
    "deleted",
    "is-paused",
    "busy",
]


@dataclass(frozen=True, slots=True)
class Reply:
    """What one person is told: by the acknowledgement of a command, else as an ephemeral."""

    kind: ReplyKind
    args: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tell:
    """An ephemeral to one person. Nothing load-bearing goes in one."""

    user: UserId
    reply: Reply
    thread_ts: Ts | None = None


@dataclass(frozen=True, slots=True)
class Respond:
    """An answer through a command's own reply address."""

    url: str
    reply: Reply


@dataclass(frozen=True, slots=True)
class UploadExport:
    thread: PersonaKey | None


Visible = (
    PostCard
    | PaintCard
    | OpenThread
    | Greet
    | HandOver
    | PostPrompt
    | PaintPrompt
    | ShowStep
    | ShowPhase
    | ShowFault
    | Say
    | SayTurn
    | Mark
    | Tell
    | Respond
    | UploadExport
)

# ── work: files, in order per session ──────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class OpenFlow:
    """Read the agent file and look at the folder."""

    respond_to: str | None = None


@dataclass(frozen=True, slots=True)
class OpenPhase:
    phase: PhaseKey
    look_at_folder: bool = False


@dataclass(frozen=True, slots=True)
class OpenStep:
    phase: PhaseKey
    file: str
    step: StepId


@dataclass(frozen=True, slots=True)
class WriteFolder:
    """Write the files that have a section of `step` (None: none of them), then meta.json."""

    step: StepId | None


Work = OpenFlow | OpenPhase | OpenStep | WriteFolder

# ── brains: side by side ───────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ReadAnswers:
    task: TaskId
    step: StepId
    persona: PersonaKey  # who reads; "facilitator" after ERR-INT-001
    attempt: int = 1
    less: bool = False  # it was too much: this time only what cannot be left out


@dataclass(frozen=True, slots=True)
class Speak:
    """Have another persona take its turn in an elaboration."""

    task: TaskId
    step: StepId
    persona: PersonaKey
    addressed: bool = False


Effect = Visible | Work | ReadAnswers | Speak
