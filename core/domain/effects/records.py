"""Which rows change: saved in the same commit as the session."""

from dataclasses import dataclass
from typing import Literal

from core.domain.answers import Answer, Claim, Section
from core.domain.ids import ChannelId, MenuId, PersonaKey, PhaseKey, StepId, TeamId, UserId
from core.domain.lines import Correction
from core.domain.party.contributions import Contribution
from core.domain.session.halt import Fault
from core.domain.session.menu import Menu
from core.domain.session.step import StepState
from core.domain.stances import Settlement, Stance


@dataclass(frozen=True, slots=True)
class AnswerSaved:
    """A new answer, or a new revision of one that exists."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class StanceSaved:
    """What somebody gives on another's answer."""

    stance: Stance


@dataclass(frozen=True, slots=True)
class SettlementSaved:
    """How a difference was settled."""

    settlement: Settlement


@dataclass(frozen=True, slots=True)
class CorrectionSaved:
    """How somebody sorted a line."""

    correction: Correction


@dataclass(frozen=True, slots=True)
class StepSaved:
    """Where a step stands."""

    state: StepState


@dataclass(frozen=True, slots=True)
class ClaimsReplaced:
    """All claims of a step."""

    step: StepId
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class BaselineSet:
    """Remember the phase's claims as they stand: what comes later is shown as a change."""

    phase: PhaseKey


@dataclass(frozen=True, slots=True)
class SectionsSaved:
    """All sections of a step; `partly`: only these of it are new, its others stay.

    `anew`: of other words of people than before. What it was stays a version beside it.
    """

    step: StepId
    sections: tuple[Section, ...]
    partly: bool = False
    anew: bool = False


@dataclass(frozen=True, slots=True)
class MenuOpened:
    """A menu whose buttons act from now on."""

    menu: Menu


@dataclass(frozen=True, slots=True)
class MenuEnded:
    """A menu whose buttons act no longer."""

    menu: MenuId
    state: Literal["used", "closed"]
    by: UserId | None = None
    choice: str | None = None


@dataclass(frozen=True, slots=True)
class FaultRecorded:
    """One occurrence of a code."""

    fault: Fault


@dataclass(frozen=True, slots=True)
class ContributionKept:
    """A turn of a council, delivered."""

    phase: PhaseKey
    place: int
    contribution: Contribution


@dataclass(frozen=True, slots=True)
class TimerSet:
    """Something that happens when its time has come."""

    kind: str  # quiet, reminder, or deadline:{persona}
    step: str  # the step; of a deadline the task it is for
    due: float  # seconds since the epoch


@dataclass(frozen=True, slots=True)
class TimerCancelled:
    """The timer of that kind does not run out."""

    kind: str


@dataclass(frozen=True, slots=True)
class TimersCancelled:
    """All timers of the session."""


@dataclass(frozen=True, slots=True)
class WaitingPostsDropped:
    """Messages that wait to be sent go: what they depend on will never be posted."""


@dataclass(frozen=True, slots=True)
class ThreadForgotten:
    """A persona's thread is gone, and with it what waits to be sent: the next root is a new one."""

    persona: PersonaKey


@dataclass(frozen=True, slots=True)
class SessionErased:
    """Every row of the session goes, and its folder after the commit."""


@dataclass(frozen=True, slots=True)
class ChannelLinked:
    """The repository of a channel's sessions to come; empty: none."""

    team: TeamId
    channel: ChannelId
    repository: str


@dataclass(frozen=True, slots=True)
class ChannelBrainChosen:
    """True if the script alone reads a channel's sessions to come."""

    team: TeamId
    channel: ChannelId
    script_only: bool


Record = (
    AnswerSaved
    | StanceSaved
    | SettlementSaved
    | CorrectionSaved
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
    | WaitingPostsDropped
    | ThreadForgotten
    | SessionErased
    | ChannelLinked
    | ChannelBrainChosen
)
