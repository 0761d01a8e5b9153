"""A session: one flow on one item in one channel."""

from dataclasses import dataclass, field, fields
from typing import Final, Literal, TypedDict, Unpack

from core.domain.answers import Scan
from core.domain.ids import (
    ChannelId,
    Depth,
    PersonaKey,
    PhaseKey,
    RunId,
    SessionId,
    Slug,
    StepId,
    TeamId,
    UserId,
)
from core.domain.session.course import Flow, Mode, PhaseState, Status
from core.domain.session.halt import CREDENTIAL, Cancelled, Halt
from core.domain.session.menu import OpenMenus
from core.domain.session.party_state import PartyState, Roster
from core.domain.session.people import People, ReminderState
from core.domain.session.reading import Elaboration, Reading
from core.domain.session.start import Checked, Origin, Proposal, ShortPath
from core.domain.session.step import StepState


@dataclass(frozen=True)  # without slots: see `changed`
class Session:
    """One flow on one item in one channel. Small: it does not grow with what people say."""

    id: SessionId
    run: RunId
    team: TeamId
    channel: ChannelId
    owner: UserId
    slug: Slug
    title: str
    text: str
    seed: str  # from which unguessable ids are derived
    created_at: str  # ISO 8601
    flow: Flow = "analysis"
    mode: Mode = ""
    status: Status = "starting"
    party: PartyState = PartyState()
    origin: Origin | None = None  # the message it was taken from
    proposals: tuple[Proposal, ...] = ()  # what was said in that message's thread
    unproposed: bool = False  # there is more in that thread than is proposed
    adopted: bool = False  # an operator said that its folder belongs to it
    taken_up: bool = False  # its folder holds what is in no row
    roster: Roster = Roster()
    missed: tuple[Checked, ...] = ()  # what the pre-flight found wanting
    unclaimed: bool = False  # the owner only stands in, until somebody answers
    phases: tuple[PhaseState, ...] = ()
    phase: PhaseKey | None = None
    step: StepId | None = None
    steps: tuple[StepState, ...] = ()  # of the current phase; rows of their own
    done: tuple[StepId, ...] = ()  # steps completed, all phases
    overrides: tuple[tuple[PhaseKey, Depth], ...] = ()
    scan: Scan = field(default_factory=Scan)
    people: People = People()
    met: tuple[PersonaKey, ...] = ()  # personas whose threads are open
    voice: PersonaKey | None = None  # whose thread is the current one
    reading: Reading = Reading()
    menus: OpenMenus = OpenMenus()
    stale: tuple[StepId, ...] = ()  # later steps that rest on what changed
    elaboration: Elaboration = Elaboration()
    short_path: ShortPath = ShortPath()
    resuming: bool = False
    halt: Halt = Halt()
    damage: str = ""  # a stored row that could not be read, as it was found
    counter: int = 0
    told: tuple[str, ...] = ()  # codes shown once a session
    read_back_off: Literal["", "scope", "limits"] = ""  # why its threads cannot be read back
    waiting: ReminderState = field(default_factory=ReminderState)
    cancelled: Cancelled | None = None  # while that can be taken back
    version: int = 0

    @property
    def asked_nothing(self) -> bool:
        """True if it ended although no step could be asked."""
        done = self.done or any(phase.done for phase in self.phases)
        return self.status == "completed" and not self.met and not done

    @property
    def tree(self) -> str:
        """Which step tree it walks through: the party has one of its own."""
        return "party" if self.mode == "party" else self.flow

    @property
    def holds_back(self) -> bool:
        """True while it is halted for a secret that nobody has settled: nothing is exported."""
        return self.status == "halted" and self.halt.code == CREDENTIAL

    @property
    def awaited(self) -> tuple[UserId, ...]:
        """The owner, and whoever answered before, until they have answered the current step."""
        owner = () if self.unclaimed else (self.owner,)
        people = (*owner, *(person for person in self.people.answered if person not in owner))
        return tuple(person for person in people if person not in self.people.answered_step)

    @property
    def rest(self) -> tuple[StepState, ...]:
        """The steps of this phase that Skip rest would leave unasked."""
        return tuple(
            step
            for step in self.steps
            if step.status == "pending" and step.fault is None and step.id != self.step
        )

    def may_settle(self, user: UserId) -> bool:
        """Whether they decide where people differ: the owner, and whom the owner named."""
        return user in (self.owner, self.people.decider)

    @property
    def current_phase(self) -> PhaseState:
        return next(phase for phase in self.phases if phase.key == self.phase)


class SessionChanges(TypedDict, total=False):
    """What an event may change of a session; its other fields stay as they were at the start."""

    run: RunId
    owner: UserId
    slug: Slug
    created_at: str
    mode: Mode
    status: Status
    party: PartyState
    origin: Origin | None
    proposals: tuple[Proposal, ...]
    unproposed: bool
    taken_up: bool
    roster: Roster
    missed: tuple[Checked, ...]
    unclaimed: bool
    phases: tuple[PhaseState, ...]
    phase: PhaseKey | None
    step: StepId | None
    steps: tuple[StepState, ...]
    done: tuple[StepId, ...]
    overrides: tuple[tuple[PhaseKey, Depth], ...]
    scan: Scan
    people: People
    met: tuple[PersonaKey, ...]
    voice: PersonaKey | None
    reading: Reading
    menus: OpenMenus
    stale: tuple[StepId, ...]
    elaboration: Elaboration
    short_path: ShortPath
    resuming: bool
    halt: Halt
    damage: str
    counter: int
    told: tuple[str, ...]
    read_back_off: Literal["", "scope", "limits"]
    waiting: ReminderState
    cancelled: Cancelled | None
    version: int


_NAMES: Final = frozenset(field.name for field in fields(Session))


def changed(session: Session, /, **changes: Unpack[SessionChanges]) -> Session:
    """As `dataclasses.replace`, at a tenth of its cost: an event changes its session often.

    Raises `KeyError` for what is no field of a session.
    """
    if not changes.keys() <= _NAMES:
        raise KeyError(*(changes.keys() - _NAMES))
    copy = object.__new__(Session)
    copy.__dict__.update(session.__dict__)
    copy.__dict__.update(changes)
    return copy
