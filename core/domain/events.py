"""What happened, in the past tense. Events with a `by` come from people; only they move a step."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.domain.answers import Draft, Scan, Section, SharedFile
from core.domain.council import Contribution
from core.domain.ids import (
    AnswerId,
    ChannelId,
    Depth,
    Digest,
    Export,
    FaultId,
    MenuId,
    PersonaKey,
    PhaseKey,
    RunId,
    SessionId,
    Slug,
    StepId,
    TaskId,
    TeamId,
    Ts,
    UserId,
)
from core.domain.party import Question
from core.domain.playbook import Phase, PinnedFile, StepFault
from core.domain.session import Checked, Flow, Mode, Origin
from core.domain.session import Draft as Said
from core.domain.stances import Stands
from core.taxonomy.observation import Observation
from core.taxonomy.refusals import RefusalReason


@dataclass(frozen=True, slots=True)
class SessionRequested:
    by: UserId
    at: float
    session: SessionId
    run: RunId
    seed: str
    team: TeamId
    channel: ChannelId
    title: str
    text: str
    depth: Depth | None = None
    flow: Flow = "analysis"
    mode: Mode = ""
    respond_to: str | None = None  # where a refusal is said, if the command has such a place
    origin: Origin | None = None  # the message it is taken from
    adopted: Slug | None = None  # an operator takes up this folder, whichever channel it names
    unclaimed: bool = False  # `by` only stands in: whoever answers first owns it


@dataclass(frozen=True, slots=True)
class MessagePosted:
    by: UserId
    at: float
    channel: ChannelId
    ts: Ts
    thread_ts: Ts
    text: str
    permalink: str
    files: tuple[SharedFile, ...] = ()
    edited_ts: Ts | None = None  # read back later: of its newest edit, whose words these are


@dataclass(frozen=True, slots=True)
class MessageEdited:
    by: UserId
    at: float
    channel: ChannelId
    ts: Ts
    edited_ts: Ts
    text: str
    was: str = ""  # what stood there before; scanned, never kept


@dataclass(frozen=True, slots=True)
class MessageDeleted:
    by: UserId
    at: float
    channel: ChannelId
    ts: Ts


@dataclass(frozen=True, slots=True)
class AnswerTakenOut:
    """Somebody says that a message is no answer. `admin` is None where nobody could tell."""

    by: UserId
    at: float
    channel: ChannelId
    ts: Ts
    admin: bool | None = None


@dataclass(frozen=True, slots=True)
class ChoiceMade:
    """A click on a menu. `admin` is None where nobody could tell."""

    by: UserId
    at: float
    menu: MenuId
    choice: str
    channel: ChannelId
    admin: bool | None = None
    permalink: str = ""  # of the message that was clicked


@dataclass(frozen=True, slots=True)
class ReactionChanged:
    """A reaction was put on a message, or taken off."""

    by: UserId
    at: float
    channel: ChannelId
    ts: Ts  # of the message
    reaction: str  # Slack's name of it
    event_ts: Ts  # the later wins, whichever comes first
    on: bool


@dataclass(frozen=True, slots=True)
class DifferenceGiven:
    """Somebody sees an answer differently, and says so in one sentence."""

    by: UserId
    at: float
    menu: MenuId  # on whose message they said so
    answer: AnswerId
    reason: str


@dataclass(frozen=True, slots=True)
class DifferenceSettled:
    """Somebody says what stands of an answer on which people differ."""

    by: UserId
    at: float
    menu: MenuId
    answer: AnswerId
    stands: Stands
    reason: str


@dataclass(frozen=True, slots=True)
class DeciderNamed:
    """The owner lets somebody else settle differences, too. `reason`: what they typed with it."""

    by: UserId
    at: float
    menu: MenuId
    decider: UserId
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DepthChosen:
    by: UserId
    at: float
    depth: Depth


@dataclass(frozen=True, slots=True)
class SessionResumed:
    by: UserId
    at: float
    admin: bool | None = None  # asked for only where a cancel is taken back


@dataclass(frozen=True, slots=True)
class SessionCancelled:
    by: UserId
    at: float
    admin: bool | None = None
    sure: bool = False  # else they are asked first


@dataclass(frozen=True, slots=True)
class ExportRequested:
    by: UserId
    at: float
    wanted: Export = "zip"


@dataclass(frozen=True, slots=True)
class TeamCreated:
    at: float


@dataclass(frozen=True, slots=True)
class TeamRefused:
    at: float
    detail: str


@dataclass(frozen=True, slots=True)
class TeamDeleted:
    at: float
    ok: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class StateWritten:
    """`state.json` was written, or not. `final`: the one that must not fail (E-008)."""

    at: float
    ok: bool
    final: bool = False
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Consulted:
    at: float
    task: TaskId
    contribution: Contribution


@dataclass(frozen=True, slots=True)
class ConsultFailed:
    at: float
    task: TaskId
    why: Literal["refused", "silent", "error", "invalid"]
    detail: str = ""


@dataclass(frozen=True, slots=True)
class DeadlinePassed:
    """A member did not answer in time."""

    at: float
    task: TaskId


@dataclass(frozen=True, slots=True)
class QuestionsMerged:
    at: float
    task: TaskId
    questions: tuple[tuple[int, PersonaKey, Question], ...]


@dataclass(frozen=True, slots=True)
class ThreadRead:
    """What people said in the thread that a session was taken from, oldest first."""

    at: float
    task: TaskId
    step: StepId
    found: tuple[Said, ...]
    more: bool = False  # than is in `found`
    why: str = ""  # it could not be read


@dataclass(frozen=True, slots=True)
class ThreadsReadBack:
    """The current threads were read after the bot was away; what was found comes as events next.

    `wrote`: people posted, edited or deleted meanwhile. `off`: why they could not be read: a scope
    is missing, or Slack lets the app read next to nothing.
    """

    at: float
    wrote: bool
    off: Literal["", "scope", "limits"] = ""


@dataclass(frozen=True, slots=True)
class FolderFound:
    """What lay in the folder when the flow opened."""

    state: Literal["new", "ours", "taken"]
    steps_completed: tuple[StepId, ...] = ()
    phases_completed: tuple[PhaseKey, ...] = ()
    overrides: tuple[tuple[str, str], ...] = ()  # as found: values may be nonsense
    faults: tuple[str, ...] = ()  # ERR-META codes
    kept_as: str | None = None
    scan: Scan | None = None  # of quick-scan.md
    created_at: str = ""  # as found
    accepted: tuple[tuple[PhaseKey, str, str], ...] = ()  # phase, by whom (a name), when
    types: Mapping[str, str] = field(default_factory=dict)  # by code: what stood there instead


@dataclass(frozen=True, slots=True)
class FlowOpened:
    at: float
    agent: Digest | None
    phases: tuple[tuple[Phase, int], ...]
    folder: FolderFound
    fault: str | None = None  # ERR-RT-001 or ERR-RT-002
    respond_to: str | None = None
    short_questions: int = 0
    slugs: tuple[Slug, ...] = ()  # folders that stand in the way, when `folder.state` is "taken"
    preflight: tuple[Checked, ...] = ()
    party: Digest | None = None
    flaw: StepFault | None = None  # what `fault` is about
    leaderless: tuple[PersonaKey, ...] = ()  # whom steps name, where the roster is of no use


@dataclass(frozen=True, slots=True)
class CardPosted:
    at: float


@dataclass(frozen=True, slots=True)
class PostRefused:
    """Slack refused a visible effect for good. `what` is the effect's type name."""

    at: float
    what: str
    error: str  # Slack's word for it, for the record
    respond_to: str | None = None
    thread: PersonaKey | None = None  # in whose thread it should have stood
    reason: RefusalReason = "unknown"


@dataclass(frozen=True, slots=True)
class PhaseOpened:
    at: float
    phase: PhaseKey
    files: tuple[PinnedFile, ...]
    fault: str | None = None  # ERR-STEP-001 or ERR-STEP-002
    folder: FolderFound | None = None  # looked at again when a session is resumed


@dataclass(frozen=True, slots=True)
class StepOpened:
    at: float
    file: PinnedFile
    step: StepId


@dataclass(frozen=True, slots=True)
class QuietPassed:
    at: float
    step: StepId


@dataclass(frozen=True, slots=True)
class ReminderDue:
    """It has been quiet for long enough to remind those who are awaited."""

    at: float
    step: StepId


@dataclass(frozen=True, slots=True)
class TakeBackPassed:
    """The time is over in which a cancel can be taken back."""

    at: float


@dataclass(frozen=True, slots=True)
class BrainReplied:
    at: float
    task: TaskId
    step: StepId
    draft: Draft
    basis: tuple[str, ...]  # "answer@revision" of what was read
    elsewhere: tuple[Section, ...] = ()  # sections of other steps that show this one's claims
    mentioned: tuple[tuple[UserId, str], ...] = ()  # names of those mentioned in answers


@dataclass(frozen=True, slots=True)
class PersonaSpoke:
    """A turn in an elaboration. `text` is None where the persona has nothing to add."""

    at: float
    task: TaskId
    step: StepId
    persona: PersonaKey
    text: str | None


@dataclass(frozen=True, slots=True)
class BrainFailed:
    at: float
    task: TaskId
    step: StepId
    why: Literal["crash", "silent", "invalid", "overflow"]
    detail: str = ""
    seen: Observation | None = None  # what is known of the failure
    missing: str = ""  # a source that is not there
    trace: str = ""


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """A higher tier looked into a failure. `corrections`: what is named → what is there."""

    at: float
    task: TaskId
    step: StepId
    tier: str
    fixed: bool
    findings: str
    corrections: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ReportWritten:
    at: float
    step: StepId
    name: str  # empty: it could not be written
    detail: str = ""


@dataclass(frozen=True, slots=True)
class SecretFound:
    """Somebody sent a credential. `said` is what they sent without it; the rest was dropped."""

    by: UserId
    at: float
    where: Literal["answer", "edit", "old text", "title", "file name", "sentence"]
    kinds: tuple[str, ...]
    said: SessionRequested | MessagePosted | MessageEdited | DifferenceGiven | DifferenceSettled


@dataclass(frozen=True, slots=True)
class DamageFound:
    """Stored data cannot be read, an invariant is broken, or a boundary was to be crossed."""

    at: float
    code: Literal["ERR-SEC-001", "ERR-SEC-002", "ERR-DATA-001", "ERR-DATA-002"]
    what: str  # the row, the rule or the path
    detail: str = ""


@dataclass(frozen=True, slots=True)
class StatePreserved:
    at: float
    path: str  # empty: it could not be written
    fault: FaultId
    detail: str = ""


@dataclass(frozen=True, slots=True)
class PostDelayed:
    """A message could not be sent and is tried again. The first few attempts are reported."""

    at: float
    what: str
    why: str
    attempts: int
    delay_s: float  # waited so far, in all
    wait_s: float = 0.0  # until the next attempt
    http_status: int | None = None  # None: no answer came
    retry_after_s: float | None = None  # the wait that Slack asked for


@dataclass(frozen=True, slots=True)
class FileFault:
    code: str  # ERR-META-003, ERR-ART-001, 002 or 003, ERR-META-002 …
    artifact: str
    detail: str = ""
    actual: str = ""  # what stood there instead, where that is the fault
    message: str | None = None  # other words than the catalogue's


@dataclass(frozen=True, slots=True)
class FolderWritten:
    at: float
    step: StepId | None
    faults: tuple[FileFault, ...] = ()
    aside: bool = False  # only what people think of it has changed


FromPeople = (
    SessionRequested
    | MessagePosted
    | MessageEdited
    | MessageDeleted
    | AnswerTakenOut
    | ChoiceMade
    | ReactionChanged
    | DifferenceGiven
    | DifferenceSettled
    | DeciderNamed
    | DepthChosen
    | SessionResumed
    | SessionCancelled
    | ExportRequested
)
Event = (
    FromPeople
    | FlowOpened
    | CardPosted
    | PostRefused
    | PhaseOpened
    | StepOpened
    | QuietPassed
    | ReminderDue
    | TakeBackPassed
    | BrainReplied
    | PersonaSpoke
    | BrainFailed
    | FolderWritten
    | Diagnosed
    | ReportWritten
    | SecretFound
    | DamageFound
    | StatePreserved
    | PostDelayed
    | TeamCreated
    | TeamRefused
    | TeamDeleted
    | StateWritten
    | Consulted
    | ConsultFailed
    | DeadlinePassed
    | QuestionsMerged
    | ThreadRead
    | ThreadsReadBack
)
