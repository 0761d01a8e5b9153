"""A session and its parts, as values. Whoever changes one makes a new one with `replace`."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal

from core.domain.answers import Answer, Scan, SharedFile
from core.domain.council import Council, CouncilRecord
from core.domain.ids import (
    AnswerId,
    ChannelId,
    Depth,
    Digest,
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

Flow = Literal["analysis", "inception"]
Mode = Literal["", "party", "classic"]  # of an inception; empty: not chosen yet
Status = Literal[
    "starting",  # the flow is being opened, the card is not posted yet
    "opening",  # a phase or a step is being read from its files
    "asking",  # a prompt stands in the thread, no menu yet
    "choosing",  # a menu is open
    "debating",  # a council is at work
    "paused",
    "completed",
    "cancelled",
    "halted",
    "refused",  # it never began: we may not post there
]
CREDENTIAL: Final = "ERR-SEC-001"  # the code of a secret that was found
ENDED: Final[frozenset[Status]] = frozenset({"completed", "cancelled", "halted", "refused"})

StepStatus = Literal["pending", "completed", "skipped", "blocked", "failed", "stale"]
PhaseStatus = Literal["pending", "open", "completed", "failed"]


@dataclass(frozen=True, slots=True)
class Doubt:
    """An assumption of a step that somebody said is wrong."""

    by: UserId
    text: str
    revision: int  # of the prompt that asks about it
    question: bool = False  # it is one that had been left open


@dataclass(frozen=True, slots=True)
class StepState:
    """Where one pinned step stands. The step's content is found by its digest."""

    id: StepId
    phase: PhaseKey
    file: str
    title: str
    digest: Digest | None
    status: StepStatus = "pending"
    fault: str | None = None  # the code that skipped it
    fault_message: str = ""  # what is shown when it is passed over
    fault_facts: Mapping[str, str] = field(default_factory=dict)  # what its record says besides
    skipped_by: UserId | None = None
    persona: PersonaKey | None = None
    depth: Depth | None = None  # as it was asked
    revision: int = 0  # how often its prompt was posted
    shown: int = 0  # how often its message was posted anew
    asked: tuple[str, ...] = ()  # questions of the brain, two at most
    question: str | None = None  # the one that is open
    gaps: tuple[str, ...] = ()  # questions the team left open
    recorded: str = ""  # what the last reading recorded, one line
    outcome: str = ""  # the choice that ended its menu: "continue", "accept", "skip-step", …
    chosen_by: UserId | None = None  # whose choice that was
    basis: tuple[str, ...] = ()  # "answer@revision" of the last reading
    rereading: TaskId | None = None  # a rebuild of its section that is under way
    late_by: UserId | None = None  # whose late answer the rebuild is for
    tries: int = 0  # failed tries of that rebuild
    pinned: bool = True  # its file was there when the phase was last listed
    told: tuple[str, ...] = ()  # codes already shown at this step since the last resume
    short: bool = False  # asked by its short question
    turns: tuple[tuple[PersonaKey, str], ...] = ()  # what other personas said to it
    talked: int = 0  # their turns in the elaboration that is under way
    needs: str = ""  # what it is blocked for
    concerns: tuple[str, ...] = ()  # what could not be verified; written into its sections
    corrections: tuple[tuple[str, str], ...] = ()  # a source it names → the one that is there
    without: tuple[str, ...] = ()  # sources people said to do without
    posed: tuple[tuple[int, PersonaKey, Question], ...] = ()  # a council's questions, merged
    wrong: tuple[Doubt, ...] = ()  # what it assumed and people said is not so
    settling: MenuId | None = None  # the menu behind "Settle this", once people differed
    missed_clicks: bool = False  # people wrote while the bot was away: a click then was lost

    @property
    def is_left_out(self) -> bool:
        """True if people chose not to be asked."""
        return self.status == "skipped" and self.skipped_by is not None


@dataclass(frozen=True, slots=True)
class PhaseState:
    key: PhaseKey
    label: str
    persona: PersonaKey
    count: int  # step files when it was last listed
    mapped: bool = True
    status: PhaseStatus = "pending"
    done: int = 0  # steps completed
    faulty: bool = False  # a fault skipped something in it
    facilitated: bool = False  # ERR-INT-001: the facilitator leads it
    accepted_by: UserId | None = None
    accepted_at: str | None = None
    accepted_before: str = ""  # by whom, as the folder it was taken up from names them


@dataclass(frozen=True, slots=True)
class Draft:
    """What somebody said elsewhere: in a party, or in the thread that a session was taken from."""

    by: UserId
    text: str
    ts: Ts
    permalink: str
    files: tuple[SharedFile, ...] = ()


@dataclass(frozen=True, slots=True)
class Origin:
    """The message that a session was taken from."""

    ts: Ts
    thread_ts: Ts  # of its thread; its own ts where it begins one
    task: TaskId | None = None  # the reading of its thread, once it was asked for


@dataclass(frozen=True, slots=True)
class Checked:
    """One line of the pre-flight: what was looked at before a session starts, and how."""

    what: str
    method: str
    ok: bool
    found: str = ""


ProposalOutcome = Literal["", "confirmed", "left-out", "gone"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What somebody said before, which counts once they confirm it. Its words stand in a row."""

    answer: AnswerId
    by: UserId
    menu: MenuId
    step: StepId
    outcome: ProposalOutcome = ""  # empty: nobody has decided yet
    chosen_by: UserId | None = None


@dataclass(frozen=True, slots=True)
class Escalation:
    """Where a failure stands on its way through the tiers to a human (seed 002)."""

    category: str
    tier: str  # who looks into it now
    task: TaskId
    step: StepId
    reader: PersonaKey  # whose reading failed
    seen: str  # the failure in its own words, for whoever looks into it
    missing: str = ""  # what was not there
    routing: str = ""  # what is done when no tier can mend it
    retryable: bool = False
    handling: str = ""  # transient, permanent, retriable
    type: str = ""
    signature: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)  # as in a fault


@dataclass(frozen=True, slots=True)
class Waiting:
    """Since when people are waited for, and what was done to remind them. Times: the epoch's."""

    at: str = ""  # "01-02@1", or the phase whose summary it is; empty: nobody is waited for
    since: float = 0.0
    quiet: float = 0.0  # the last sign of life there
    until: float = 0.0  # put off until then
    due: float | None = None  # when the timer runs out
    sent: int = 0  # reminders there
    menu: MenuId | None = None  # of the one that stands
    last: float = 0.0  # when the newest one of the session went out, wherever that was
    hushed: str = ""  # the step or phase of which nobody wants to be reminded again


@dataclass(frozen=True, slots=True)
class Cancelled:
    """A cancel that can still be taken back, and what it changed."""

    by: UserId
    at: float  # seconds since the epoch
    was: Status
    outcome: str = ""  # of the step it ended
    chosen_by: UserId | None = None
    question: str | None = None
    fault: FaultId | None = None  # of the menu that halted it


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
    agent: Digest | None = None  # the agent file's content
    party: Digest | None = None  # the party file's content
    seated: bool = False  # the party's team is there
    council: Council | None = None
    councils: tuple[CouncilRecord, ...] = ()  # what state.json says of the phases
    state_fails: int = 0  # writes of state.json that failed in a row
    drafts: tuple[Draft, ...] = ()  # what people said before the fall back to classic
    origin: Origin | None = None  # the message it was taken from
    proposals: tuple[Proposal, ...] = ()  # what was said in that message's thread
    unproposed: bool = False  # there is more in that thread than is proposed
    adopted: bool = False  # an operator said that its folder belongs to it
    taken_up: bool = False  # its folder holds what is in no row
    leaderless: tuple[PersonaKey, ...] = ()  # whom steps name, and nobody at the table is
    roster_fault: FaultId | None = None  # why the table is not as its file says
    stand_in: bool = False  # somebody chose that the built-in lead takes the leaderless steps
    missed: tuple[Checked, ...] = ()  # what the pre-flight found wanting
    unclaimed: bool = False  # the owner only stands in, until somebody answers
    phases: tuple[PhaseState, ...] = ()
    phase: PhaseKey | None = None
    step: StepId | None = None
    steps: tuple[StepState, ...] = ()  # of the current phase; rows of their own
    done: tuple[StepId, ...] = ()  # steps completed, all phases
    overrides: tuple[tuple[PhaseKey, Depth], ...] = ()
    scan: Scan = field(default_factory=Scan)
    people: tuple[UserId, ...] = ()  # who answered in this session
    mentioned: tuple[tuple[UserId, str], ...] = ()  # who is mentioned in answers, by name
    heard: tuple[UserId, ...] = ()  # who answered the current step
    met: tuple[PersonaKey, ...] = ()  # personas whose threads are open
    voice: PersonaKey | None = None  # whose thread is the current one
    reading: TaskId | None = None  # the brain request whose result moves us on
    attempts: int = 0  # failed tries of that request
    unread: bool = False  # answers came after the last reading began
    menu: MenuId | None = None  # Continue or Accept
    prompt_menu: MenuId | None = None  # the prompt's overflow
    stale_menu: MenuId | None = None
    assumed_menu: MenuId | None = None  # the summary's: is what it assumes right?
    stale: tuple[StepId, ...] = ()  # later steps that rest on what changed
    talking: bool = False  # an elaboration is under way
    speaking: TaskId | None = None  # whose turn is being thought of
    to_speak: tuple[PersonaKey, ...] = ()
    short: UserId | None = None  # who chose the short path
    short_questions: int = 0  # how many the flow has
    summary: bool = False  # the open menu stands on a message of the phase's own
    resuming: bool = False
    paused_from: Status | None = None
    halted_from: Status | None = None
    decider: UserId | None = None  # who settles differences beside the owner
    halts: int = 0  # how often it was halted: numbers the forensic folders
    halted_for: str = ""  # the code of what halted it; ERR-SEC-001 once a secret came besides
    halted_by: str = ""  # the file or draft that held a secret
    redacts: tuple[str, ...] = ()  # files and drafts that are written without their secrets
    held: tuple[Answer, ...] = ()  # what is left of what halted it, for when it goes on
    damage: str = ""  # a stored row that could not be read, as it was found
    recovery: MenuId | None = None  # the open recovery menu
    waited_s: float = 0.0  # before the tries of the current reading, in all
    failures: tuple[str, ...] = ()  # signatures of the failed tries of the current reading
    escalation: Escalation | None = None  # a failure on its way up the tiers
    counter: int = 0
    told: tuple[str, ...] = ()  # codes shown once a session
    read_back_off: Literal["", "scope", "limits"] = ""  # why its threads cannot be read back
    waiting: Waiting = field(default_factory=Waiting)
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
        return self.status == "halted" and self.halted_for == CREDENTIAL

    @property
    def awaited(self) -> tuple[UserId, ...]:
        """The owner, and whoever answered before, until they have answered the current step."""
        owner = () if self.unclaimed else (self.owner,)
        known = (*owner, *(person for person in self.people if person not in owner))
        return tuple(person for person in known if person not in self.heard)

    @property
    def rest(self) -> tuple[StepState, ...]:
        """The steps of this phase that Skip rest would leave unasked."""
        return tuple(
            each
            for each in self.steps
            if each.status == "pending" and each.fault is None and each.id != self.step
        )

    def may_settle(self, user: UserId) -> bool:
        """Whether they decide where people differ: the owner, and whom the owner named."""
        return user in (self.owner, self.decider)

    @property
    def current_phase(self) -> PhaseState:
        return next(phase for phase in self.phases if phase.key == self.phase)


_NAMES: Final = frozenset(each.name for each in fields(Session))


def changed(known: Session, /, **changes: Any) -> Session:
    """As `dataclasses.replace`, at a tenth of its cost: every event changes its session often, and
    it has many fields. Raises `KeyError` for what is none of them."""
    if not changes.keys() <= _NAMES:
        raise KeyError(*(changes.keys() - _NAMES))
    fresh = object.__new__(Session)
    fresh.__dict__.update(known.__dict__)
    fresh.__dict__.update(changes)
    return fresh


MenuKind = Literal[
    "prompt",
    "step",
    "phase",
    "stale",
    "elaboration",
    "settling",
    "delete",
    "cancel",
    "mode",
    "fatal",
    "escalation",
    "no-team",
    "no-roster",
    "all-failed",
    "state-unwritten",
    "reminder",
    "put-back",
    "assumptions",
    "proposal",
]
MenuState = Literal["open", "used", "closed"]


@dataclass(frozen=True, slots=True)
class Menu:
    """A row of buttons. It acts once; its id is opaque and unguessable."""

    id: MenuId
    session: SessionId
    kind: MenuKind
    choices: tuple[str, ...]
    phase: PhaseKey | None = None
    step: StepId | None = None
    state: MenuState = "open"
    used_by: UserId | None = None
    chosen: str | None = None
    fault: FaultId | None = None  # what a recovery menu is about


@dataclass(frozen=True, slots=True)
class Fault:
    """One occurrence of a code. `message` is what is shown, or what would be logged."""

    id: FaultId
    code: str
    message: str
    visible: bool
    at: float  # seconds since the epoch
    phase: PhaseKey | None = None
    step: StepId | None = None
    persona: PersonaKey | None = None
    agent: PersonaKey | None = None  # whoever was at work, where it is no persona's own fault
    detail: str = ""  # for the log; never shown
    run: RunId | None = None
    routing: str = ""  # where it went, if elsewhere than its catalogue row says
    handling: str = ""  # likewise
    category: str = ""  # likewise
    type: str = ""  # the specific error type; empty: the title of its code
    signature: str = ""  # the same for the same failure
    facts: Mapping[str, Any] = field(default_factory=dict)  # the fields of its class (seed 004)
    trace: str = ""  # the stack trace, if there was one


@dataclass(frozen=True, slots=True)
class Known:
    """What another session tells a start: enough to choose a slug, nothing to reveal."""

    id: SessionId
    slug: Slug
    channel: ChannelId
    status: Status
    title: str
