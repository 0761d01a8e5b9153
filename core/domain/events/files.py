"""What was read from a flow's files and from the artifact folder, or written, or is damaged."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.domain.answers import Scan
from core.domain.events.happening import Happening
from core.domain.follow_ups import FollowUp
from core.domain.ids import Digest, FaultId, PersonaKey, PhaseKey, Slug, StepId, TaskId
from core.domain.session.start import Checked
from core.domain.steps.code import MeasuredLine
from core.domain.steps.playbook import Phase, PinnedFile, StepFault


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
class FlowOpened(Happening):
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
    named: tuple[PersonaKey, ...] = ()  # whom steps name
    seated: tuple[PersonaKey, ...] = ()  # who is at the table, whatever became of the agent file
    repository: str = ""  # that is linked to the channel's sessions
    script_only: bool = False  # no language model is to read the channel's sessions


@dataclass(frozen=True, slots=True)
class PhaseOpened(Happening):
    phase: PhaseKey
    files: tuple[PinnedFile, ...]
    fault: str | None = None  # ERR-STEP-001 or ERR-STEP-002
    folder: FolderFound | None = None  # looked at again when a session is resumed


@dataclass(frozen=True, slots=True)
class StepOpened(Happening):
    file: PinnedFile
    step: StepId


@dataclass(frozen=True, slots=True)
class FileFault:
    code: str  # ERR-META-003, ERR-ART-001, 002 or 003, ERR-META-002 …
    artifact: str
    detail: str = ""
    actual: str = ""  # what stood there instead, where that is the fault
    message: str | None = None  # other words than the catalogue's


@dataclass(frozen=True, slots=True)
class FolderWritten(Happening):
    step: StepId | None
    faults: tuple[FileFault, ...] = ()
    aside: bool = False  # only what people think of it has changed


@dataclass(frozen=True, slots=True)
class ReportWritten(Happening):
    step: StepId
    name: str  # empty: it could not be written
    detail: str = ""


@dataclass(frozen=True, slots=True)
class StatePreserved(Happening):
    path: str  # empty: it could not be written
    fault: FaultId
    detail: str = ""


@dataclass(frozen=True, slots=True)
class CodeSearched(Happening):
    """What a linked repository shows of a step. `commit`: that was looked at; empty: none was."""

    task: TaskId
    step: StepId
    repository: str
    commit: str = ""
    lines: tuple[MeasuredLine, ...] = ()
    question: FollowUp | None = None  # what differs from what people said


@dataclass(frozen=True, slots=True)
class DamageFound(Happening):
    """Stored data cannot be read, an invariant is broken, or a boundary was to be crossed."""

    code: Literal["ERR-SEC-001", "ERR-SEC-002", "ERR-DATA-001", "ERR-DATA-002"]
    what: str  # the row, the rule or the path
    detail: str = ""


FromFiles = (
    FlowOpened
    | PhaseOpened
    | StepOpened
    | FolderWritten
    | ReportWritten
    | StatePreserved
    | CodeSearched
    | DamageFound
)
