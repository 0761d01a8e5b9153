"""What is done beside the visible lane: requests of brains, the step tree, folders and teams."""

from dataclasses import dataclass

from core.domain.effects.declaration import IN_ORDER, Effect
from core.domain.ids import FaultId, PersonaKey, PhaseKey, StepId, TaskId, Ts
from core.domain.model_calls import ModelTask, ModelTier
from core.domain.party.contributions import Want


@dataclass(frozen=True)
class ReadAnswers(Effect, lane="brain", rank=IN_ORDER, key=None):
    """Have a persona read what was said to a step."""

    task: TaskId
    step: StepId
    persona: PersonaKey  # who reads; "facilitator" after ERR-INT-001
    attempt: int = 1
    less: bool = False  # it was too much: this time only what cannot be left out
    wait_s: float = 0.0  # before it is asked: the back-off of a failed try
    council: bool = False  # what the council came to is read with the answers
    keep: bool = False  # no brain is asked: its claims stand, with what was said of assumptions


@dataclass(frozen=True)
class Speak(Effect, lane="brain", rank=IN_ORDER, key=None):
    """Have another persona take its turn in an elaboration."""

    task: TaskId
    step: StepId
    persona: PersonaKey
    addressed: bool = False


@dataclass(frozen=True)
class Diagnose(Effect, lane="brain", rank=IN_ORDER, key=None):
    """Have a higher tier look into a failed reading."""

    task: TaskId
    step: StepId
    persona: PersonaKey
    tier: str
    category: str
    seen: str
    missing: str = ""


@dataclass(frozen=True)
class Consult(Effect, lane="brain", rank=IN_ORDER, key=None):
    """Ask a member of the council for its turn."""

    task: TaskId
    phase: PhaseKey
    persona: PersonaKey
    want: Want
    neighbour: PersonaKey | None = None
    prompt: str = ""


Speech = Consult | Speak | Diagnose
"""What a persona is asked besides reading, of the script or of a language model."""


@dataclass(frozen=True)
class AskModel(Effect, lane="brain", rank=IN_ORDER, key=None):
    """Send one request to a language model: nothing below tries it again."""

    task: TaskId
    step: StepId
    persona: PersonaKey
    asks: ModelTask
    tier: ModelTier
    model: str  # its name among those of the tier
    wait_s: float = 0.0  # before it is sent: the back-off of a failed try
    flaws: tuple[str, ...] = ()  # of the reply before, to be repaired
    less: bool = False
    speech: Speech | None = None  # what else than a reading it asks for


@dataclass(frozen=True)
class MergeQuestions(Effect, lane="brain", rank=IN_ORDER, key=None):
    """Have the questions of a council's members made one list."""

    task: TaskId
    phase: PhaseKey


@dataclass(frozen=True)
class ReadThread(Effect, lane="brain", rank=IN_ORDER, key=None):
    """Read what people said in the thread of a message, in one call; not a brain's, but as slow."""

    task: TaskId
    step: StepId  # the first one asked: what was said there is proposed to it
    thread_ts: Ts


@dataclass(frozen=True)
class SearchCode(Effect, lane="brain", rank=IN_ORDER, key="code:{step}"):
    """Search a linked repository for what a step is about; not a brain's, but as slow."""

    task: TaskId
    step: StepId
    repository: str
    commit: str = ""  # of the phase; empty: as last fetched


@dataclass(frozen=True)
class OpenFlow(Effect, lane="work", rank=IN_ORDER, key=None):
    """Read the agent file and look at the folder."""

    respond_to: str | None = None


@dataclass(frozen=True)
class OpenPhase(Effect, lane="work", rank=IN_ORDER, key=None):
    """Read the step files of a phase."""

    phase: PhaseKey
    look_at_folder: bool = False


@dataclass(frozen=True)
class OpenStep(Effect, lane="work", rank=IN_ORDER, key=None):
    """Read one step file anew, as it is about to be asked."""

    phase: PhaseKey
    file: str
    step: StepId


@dataclass(frozen=True)
class WriteFolder(Effect, lane="work", rank=IN_ORDER, key="views:{step}"):
    """Write the files that have a section of `step` (None: none of them), then meta.json."""

    step: StepId | None
    aside: bool = False  # only what people think of it has changed

    def coalescing_key(self) -> str | None:
        """One that a menu waits for is never replaced: its result opens the menu."""
        return Effect.coalescing_key(self) if self.aside else None


@dataclass(frozen=True)
class PreserveState(Effect, lane="work", rank=IN_ORDER, key=None):
    """Keep what is known of a halted session in a folder of its own (seed 004, Fatal)."""

    fault: FaultId
    number: int  # of the session's halts


@dataclass(frozen=True)
class WriteReport(Effect, lane="work", rank=IN_ORDER, key=None):
    """What a diagnosis found, as a file in the session's `reports/` (seed 002)."""

    step: StepId
    tier: str
    category: str
    seen: str
    findings: str
    fixed: bool


@dataclass(frozen=True)
class CreateTeam(Effect, lane="work", rank=IN_ORDER, key=None):
    """The party's team, before anything else of a party (seed 001, E-001)."""

    members: tuple[PersonaKey, ...]


@dataclass(frozen=True)
class DeleteTeam(Effect, lane="work", rank=IN_ORDER, key=None):
    """The end of the party's team."""


@dataclass(frozen=True)
class WriteState(Effect, lane="work", rank=IN_ORDER, key=None):
    """`state.json`. `final`: the write that must not fail (E-008)."""

    final: bool = False
    cleared: bool = False  # it goes: the party fell back, and what was known of it with it


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
