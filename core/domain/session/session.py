"""A session: one flow on one item in one channel."""

from dataclasses import dataclass, field, replace
from typing import Literal

from core.domain.answers import Scan
from core.domain.ids import ChannelId, RunId, SessionId, Slug, TeamId, UserId
from core.domain.session.course import AWAITS_PEOPLE, ENDED, Course, Flow, Mode, Status
from core.domain.session.halt import CREDENTIAL, Cancelled, Halt
from core.domain.session.menu import OpenMenus
from core.domain.session.model_reading import ModelUse
from core.domain.session.party_state import PartyState, Roster
from core.domain.session.people import People, ReminderState
from core.domain.session.reading import Elaboration, Reading
from core.domain.session.start import Checked, Origin, Proposal, ShortPath
from core.domain.session.step import StepState
from core.domain.steps.code import CodeLink

ReadBackOff = Literal["", "scope", "limits"]


@dataclass(frozen=True)  # without slots: see `with_part`
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
    course: Course = Course()
    scan: Scan = field(default_factory=Scan)
    people: People = People()
    reading: Reading = Reading()
    menus: OpenMenus = OpenMenus()
    elaboration: Elaboration = Elaboration()
    short_path: ShortPath = ShortPath()
    halt: Halt = Halt()
    damage: str = ""  # a stored row that could not be read, as it was found
    counter: int = 0
    shown_marks: tuple[str, ...] = ()  # codes shown once a session
    read_back_off: ReadBackOff = ""  # why its threads cannot be read back
    waiting: ReminderState = field(default_factory=ReminderState)
    cancelled: Cancelled | None = None  # while that can be taken back
    code: CodeLink = CodeLink()
    model: ModelUse = ModelUse()
    version: int = 0

    @property
    def asked_nothing(self) -> bool:
        """True if it ended although no step could be asked."""
        done = self.course.done or any(phase.done for phase in self.course.phases)
        return self.status == "completed" and not self.course.threads and not done

    @property
    def tree(self) -> str:
        """Which step tree it walks through: the party has one of its own."""
        return "party" if self.mode == "party" else self.flow

    @property
    def holds_back(self) -> bool:
        """True while it is halted for a secret that nobody has settled: nothing is exported."""
        return self.status == "halted" and self.halt.code == CREDENTIAL

    @property
    def is_correctable(self) -> bool:
        """True while its lines can be sorted and its differences settled, also once completed."""
        return self.status == "completed" or self.status not in ENDED

    @property
    def awaited(self) -> tuple[UserId, ...]:
        """The owner, and whoever answered before, until they have answered the current step."""
        owner = () if self.unclaimed else (self.owner,)
        people = (*owner, *(person for person in self.people.answered if person not in owner))
        return tuple(person for person in people if person not in self.people.answered_step)

    def waits_for(self, user: UserId) -> bool:
        """True if they are to answer, to choose how it goes on, or to confirm what they said."""
        if self.status in AWAITS_PEOPLE and user in self.awaited:
            return True
        may_recover = self.menus.recovery is not None and user == self.owner
        if may_recover and self.status not in ("completed", "cancelled"):
            return True
        return self.has_proposal_of(user) and self.status not in ENDED

    def has_proposal_of(self, user: UserId) -> bool:
        """True if words of theirs wait to be confirmed."""
        return any(proposal.by == user and not proposal.outcome for proposal in self.proposals)

    @property
    def deciders(self) -> frozenset[UserId]:
        """Who decides where people differ: the owner, and whom the owner named."""
        return frozenset((self.owner, self.people.decider or self.owner))

    def may_settle(self, user: UserId) -> bool:
        """True if they decide where people differ."""
        return user in self.deciders

    def stored_as(self, version: int, steps: tuple[StepState, ...]) -> "Session":
        """With what stands in columns and rows of its own."""
        stored = self.with_part("course", replace(self.course, steps=steps))
        return stored.with_part("version", version)

    def with_part(self, name: str, part: object) -> "Session":
        """As `dataclasses.replace`, at a tenth of its cost: an event changes its session often.

        Raises `KeyError` for what is no field of a session.
        """
        copy = object.__new__(Session)
        copy.__dict__.update(self.__dict__)
        if name not in copy.__dict__:
            raise KeyError(name)
        copy.__dict__[name] = part
        return copy
