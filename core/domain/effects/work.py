"""The step tree, the folder and the party's team: in order for each session."""

from dataclasses import dataclass

from core.domain.effects.declaration import IN_ORDER, Effect
from core.domain.ids import FaultId, PersonaKey, PhaseKey, StepId


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
