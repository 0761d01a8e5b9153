"""What must be done, in the imperative, and which rows change.

Records are saved in the same commit as the session. Effects become outbox rows in that commit and
are performed afterwards: they name things and carry no rendered text.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.domain.answers import Answer, Claim, Section
from core.domain.council import Contribution, Want
from core.domain.ids import (
    ChannelId,
    Export,
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
from core.domain.stances import Settlement, Stance

# ── records ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class AnswerSaved:
    answer: Answer  # a new one, or a new revision of one that exists


@dataclass(frozen=True, slots=True)
class StanceSaved:
    stance: Stance


@dataclass(frozen=True, slots=True)
class SettlementSaved:
    settlement: Settlement


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
class ContributionKept:
    """A turn of a council, delivered."""

    phase: PhaseKey
    place: int
    contribution: Contribution


@dataclass(frozen=True, slots=True)
class TimerSet:
    kind: str  # quiet, reminder, or deadline:{persona}
    step: str  # the step; of a deadline the task it is for
    due: float  # seconds since the epoch


@dataclass(frozen=True, slots=True)
class TimerCancelled:
    kind: str


@dataclass(frozen=True, slots=True)
class TimersCancelled:
    """All timers of the session."""


Record = (
    AnswerSaved
    | StanceSaved
    | SettlementSaved
    | StepSaved
    | ClaimsReplaced
    | BaselineSet
    | SectionsSaved
    | MenuOpened
    | MenuEnded
    | FaultRecorded
    | ContributionKept
    | TimerSet
    | TimerCancelled
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
class PaintStep:
    """Edit the step's message, if it stands. The latest wins."""

    step: StepId


@dataclass(frozen=True, slots=True)
class ShowPhase:
    """The phase's summary and menu as a message of its own."""

    phase: PhaseKey
    thread: PersonaKey | None  # None: the card's thread
    anew: bool = False


@dataclass(frozen=True, slots=True)
class ShowResult:
    """The analysis's last message, in the card's thread: decisions, open points and files."""


@dataclass(frozen=True, slots=True)
class ShowFault:
    """A fault where it happened; `more` are those of the same moment, reported together."""

    fault: FaultId
    thread: PersonaKey | None  # None: the card's thread
    more: tuple[FaultId, ...] = ()


@dataclass(frozen=True, slots=True)
class ShowRecovery:
    """A recovery menu with the fault it is about: posted once, then edited with its outcome."""

    menu: MenuId
    thread: PersonaKey | None  # None: the card's thread


@dataclass(frozen=True, slots=True)
class ShowMode:
    """How an inception can be done, as two buttons; then what was chosen."""

    menu: MenuId


@dataclass(frozen=True, slots=True)
class PostReminder:
    """To those who are awaited. One that is not needed any more when it is sent is not sent."""

    menu: MenuId
    step: StepId
    thread: PersonaKey | None  # None: the card's thread
    mention: tuple[UserId, ...]
    since: float  # when they were asked
    at: float  # when it was due
    last: bool = False  # no other one follows at this step


@dataclass(frozen=True, slots=True)
class PaintReminder:
    """A reminder that stands, without its buttons: what came of it."""

    menu: MenuId
    step: StepId


@dataclass(frozen=True, slots=True)
class PostQuestions:
    """A persona's part of the merged questions, in its own thread."""

    step: StepId
    revision: int
    thread: PersonaKey
    mention: tuple[UserId, ...] = ()


@dataclass(frozen=True, slots=True)
class ShowProposals:
    """What people said before, each with the buttons of its author: posted once, then edited."""

    thread: PersonaKey


@dataclass(frozen=True, slots=True)
class SayContribution:
    """A turn of a council: the debate in the card's thread, a position in its own."""

    phase: PhaseKey
    place: int
    thread: PersonaKey | None


@dataclass(frozen=True, slots=True)
class TellOperators:
    """The operators' channel, if there is one, hears of a fault."""

    fault: FaultId
    kept: bool = True  # whether its state could be


LineKind = Literal[
    "late-answer",
    "resumed",
    "scan-size",
    "two-turns-left",
    "blocked",
    "mended",
    "shared",
    "council-opens",
    "farewell",
    "goodbye",
    "to-classic",
    "thread-unread",
    "paused",
    "elaboration-ended",
]


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
    "refused",
    "in-dm",
    "used-menu",
    "used-by-you",
    "not-yours",
    "not-awaited",
    "unknown-choice",
    "assumption-settled",
    "draft-unsupported",
    "gone",
    "wrong-thread",
    "ended-thread",
    "nothing-before",
    "depth-set",
    "cancelled",
    "cancel-question",
    "kept-going",
    "not-taken-back",
    "skip-question",
    "paused",
    "exporting",
    "nothing-to-export",
    "export-held-back",
    "deleted",
    "is-paused",
    "is-halted",
    "halted-now",
    "secret-title",
    "damaged",
    "busy",
    "no-answer",
    "out-already",
    "not-your-answer",
    "taken-out",
    "yours-taken-out",
    "put-back",
    "not-there",
    "not-your-words",
    "left-out",
    "not-decider",
    "nothing-open",
    "answer-gone",
    "secret-sentence",
    "own-answer",
    "nobody-else",
    "differ-by-reaction",
    "differs-noted",
    "settled",
    "decider-named",
    "decider-taken-back",
    "asked-to-decide",
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
    wanted: Export = "zip"


Visible = (
    PostCard
    | PaintCard
    | OpenThread
    | Greet
    | HandOver
    | PostPrompt
    | PaintPrompt
    | ShowStep
    | PaintStep
    | ShowPhase
    | ShowResult
    | ShowFault
    | ShowRecovery
    | ShowMode
    | PostReminder
    | PaintReminder
    | PostQuestions
    | ShowProposals
    | SayContribution
    | TellOperators
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
    aside: bool = False  # only what people think of it has changed


@dataclass(frozen=True, slots=True)
class PreserveState:
    """Keep what is known of a halted session in a folder of its own (seed 004, Fatal)."""

    fault: FaultId
    number: int  # of the session's halts


@dataclass(frozen=True, slots=True)
class WriteReport:
    """What a diagnosis found, as a file in the session's `reports/` (seed 002)."""

    step: StepId
    tier: str
    category: str
    seen: str
    findings: str
    fixed: bool


@dataclass(frozen=True, slots=True)
class CreateTeam:
    """The party's team, before anything else of a party (seed 001, E-001)."""

    members: tuple[PersonaKey, ...]


@dataclass(frozen=True, slots=True)
class DeleteTeam:
    pass


@dataclass(frozen=True, slots=True)
class WriteState:
    """`state.json`. `final`: the write that must not fail (E-008)."""

    final: bool = False


Work = (
    OpenFlow
    | OpenPhase
    | OpenStep
    | WriteFolder
    | PreserveState
    | WriteReport
    | CreateTeam
    | DeleteTeam
    | WriteState
)

# ── brains: side by side ───────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ReadAnswers:
    task: TaskId
    step: StepId
    persona: PersonaKey  # who reads; "facilitator" after ERR-INT-001
    attempt: int = 1
    less: bool = False  # it was too much: this time only what cannot be left out
    wait_s: float = 0.0  # before it is asked: the back-off of a failed try
    council: bool = False  # what the council came to is read with the answers
    keep: bool = False  # no brain is asked: its claims stand, with what was said of assumptions


@dataclass(frozen=True, slots=True)
class Speak:
    """Have another persona take its turn in an elaboration."""

    task: TaskId
    step: StepId
    persona: PersonaKey
    addressed: bool = False


@dataclass(frozen=True, slots=True)
class Diagnose:
    """Have a higher tier look into a failed reading."""

    task: TaskId
    step: StepId
    persona: PersonaKey
    tier: str
    category: str
    seen: str
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Consult:
    """Ask a member of the council for its turn."""

    task: TaskId
    phase: PhaseKey
    persona: PersonaKey
    want: Want
    neighbour: PersonaKey | None = None
    prompt: str = ""


@dataclass(frozen=True, slots=True)
class MergeQuestions:
    task: TaskId
    phase: PhaseKey


@dataclass(frozen=True, slots=True)
class ReadThread:
    """Read what people said in the thread of a message, in one call; not a brain's, but as slow."""

    task: TaskId
    step: StepId  # the first one asked: what was said there is proposed to it
    thread_ts: Ts


Effect = Visible | Work | ReadAnswers | Speak | Diagnose | Consult | MergeQuestions | ReadThread
