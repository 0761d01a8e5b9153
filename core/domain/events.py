"""What happened, in the past tense. Events with a `by` come from people; only they move a step."""

from dataclasses import dataclass
from typing import Literal

from core.domain.answers import Draft, Section, SharedFile
from core.domain.ids import (
    ChannelId,
    Depth,
    Digest,
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
from core.domain.playbook import Phase, PinnedFile


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
    respond_to: str | None = None  # where a refusal is said, if the command has such a place


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


@dataclass(frozen=True, slots=True)
class MessageEdited:
    by: UserId
    at: float
    channel: ChannelId
    ts: Ts
    edited_ts: Ts
    text: str


@dataclass(frozen=True, slots=True)
class MessageDeleted:
    by: UserId
    at: float
    channel: ChannelId
    ts: Ts


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
class DepthChosen:
    by: UserId
    at: float
    depth: Depth


@dataclass(frozen=True, slots=True)
class SessionResumed:
    by: UserId
    at: float


@dataclass(frozen=True, slots=True)
class SessionCancelled:
    by: UserId
    at: float
    admin: bool | None = None


@dataclass(frozen=True, slots=True)
class ExportRequested:
    by: UserId
    at: float


@dataclass(frozen=True, slots=True)
class FolderFound:
    """What lay in the folder when the flow opened."""

    state: Literal["new", "ours", "taken"]
    steps_completed: tuple[StepId, ...] = ()
    phases_completed: tuple[PhaseKey, ...] = ()
    overrides: tuple[tuple[str, str], ...] = ()  # as found: values may be nonsense
    faults: tuple[str, ...] = ()  # ERR-META codes
    kept_as: str | None = None


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


@dataclass(frozen=True, slots=True)
class CardPosted:
    at: float


@dataclass(frozen=True, slots=True)
class PostRefused:
    """Slack refused a visible effect for good. `what` is the effect's type name."""

    at: float
    what: str
    error: str  # Slack's word for it
    respond_to: str | None = None
    thread: PersonaKey | None = None  # in whose thread it should have stood


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
class BrainReplied:
    at: float
    task: TaskId
    step: StepId
    draft: Draft
    basis: tuple[str, ...]  # "answer@revision" of what was read
    elsewhere: tuple[Section, ...] = ()  # sections of other steps that show this one's claims


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


@dataclass(frozen=True, slots=True)
class FileFault:
    code: str  # ERR-META-003, ERR-ART-001, 002 or 003, ERR-META-002 …
    artifact: str
    detail: str = ""
    message: str | None = None  # other words than the catalogue's


@dataclass(frozen=True, slots=True)
class FolderWritten:
    at: float
    step: StepId | None
    faults: tuple[FileFault, ...] = ()


FromPeople = (
    SessionRequested
    | MessagePosted
    | MessageEdited
    | MessageDeleted
    | ChoiceMade
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
    | BrainReplied
    | PersonaSpoke
    | BrainFailed
    | FolderWritten
)
