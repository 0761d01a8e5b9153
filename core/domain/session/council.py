"""The council that is under way: who sits there, how far its rounds are, what people asked for."""

from dataclasses import dataclass, replace
from typing import Literal

from core.domain.ids import PersonaKey, PhaseKey, TaskId
from core.domain.party import Question
from core.domain.party.contributions import Contribution
from core.domain.session.model_reading import ModelCall

SeatState = Literal["free", "asked", "answered", "away"]
NumberedQuestion = tuple[int, PersonaKey, Question]


@dataclass(frozen=True, slots=True)
class Seat:
    """One member at the table. `away`: unavailable for the rest of the phase."""

    persona: PersonaKey
    state: SeatState = "free"
    task: TaskId | None = None
    tries: int = 0  # of the contribution that is asked for
    neighbour: PersonaKey | None = None
    contribution: Contribution | None = None  # waits for the rest of its round
    call: ModelCall | None = None  # the request to a language model; None: the script's
    due: float = 0.0  # when the time for the contribution ends

    def renewed(self) -> "Seat":
        """A round begins: nothing is tried yet, nothing waits."""
        return replace(self, contribution=None, tries=0)

    def asked(
        self, task: TaskId, neighbour: PersonaKey | None, call: ModelCall | None, due: float
    ) -> "Seat":
        """The member is asked by the brain request `task` about its neighbour's contribution."""
        return replace(
            self,
            state="asked",
            task=task,
            tries=self.tries + 1,
            neighbour=neighbour,
            contribution=None,
            call=call,
            due=due,
        )

    def called(self, call: ModelCall | None, task: TaskId) -> "Seat":
        """The same is asked again, of another model or of the script, within the same time."""
        return replace(self, call=call, task=task)

    def answered(self, contribution: Contribution) -> "Seat":
        """The contribution waits for the rest of its round."""
        return replace(self, state="answered", task=None, call=None, contribution=contribution)

    def delivered(self, asks: PersonaKey | None) -> "Seat":
        """Everybody has heard the contribution. `asks`: whom it put a question."""
        return replace(self, state="free", contribution=None, neighbour=asks)

    def left(self) -> "Seat":
        """The member is unavailable from now on."""
        return replace(self, state="away", task=None, call=None, contribution=None)


@dataclass(frozen=True, slots=True)
class Council:
    """The parallel phase that is under way. Its contributions are rows of their own."""

    phase: PhaseKey
    seats: tuple[Seat, ...]
    max_messages: int
    round: int = -1
    messages: int = 0  # between personas
    contributions: int = 0  # so far: the place of the next
    limited: bool = False  # E-006 was said
    questions: tuple[NumberedQuestion, ...] = ()
    shared: tuple[PersonaKey, ...] = ()  # threads that were told that all have read the answer
    merging: TaskId | None = None
    writes: int = 0  # of its artifacts, since they were composed
    changes: bool = False  # people asked for changes and are saying which
    revising: bool = False  # they said which: what comes of it is not counted

    @property
    def present(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if seat.state != "away")

    @property
    def is_waiting(self) -> bool:
        """True if a member has not answered yet."""
        return any(seat.state == "asked" for seat in self.seats)

    def seated(self, seat: Seat) -> "Council":
        """The seat of the same persona is replaced."""
        seats = (seat if other.persona == seat.persona else other for other in self.seats)
        return replace(self, seats=tuple(seats))

    def at_round(self, number: int) -> "Council":
        return replace(self, round=number)

    def renewed(self) -> "Council":
        """A round begins with all seats free of what they held."""
        return replace(self, seats=tuple(seat.renewed() for seat in self.seats))

    def delivered(self, *, counts: bool) -> "Council":
        """A contribution was heard; it may count as a message between personas."""
        messages = self.messages + counts
        return replace(self, contributions=self.contributions + 1, messages=messages)

    def limit_reached(self) -> "Council":
        return replace(self, limited=True)

    def merging_begun(self, task: TaskId | None) -> "Council":
        return replace(self, merging=task)

    def merged(self, questions: tuple[NumberedQuestion, ...]) -> "Council":
        return replace(self, merging=None, questions=questions)

    def answer_shared(self, thread: PersonaKey) -> "Council":
        """The thread was told that all have read the answer."""
        return replace(self, shared=(*self.shared, thread))

    def asked_anew(self) -> "Council":
        """People are asked again: no thread was told of an answer yet."""
        return replace(self, shared=())

    def changes_wanted(self) -> "Council":
        return replace(self, changes=True)

    def changes_dropped(self) -> "Council":
        return replace(self, changes=False)

    def revised_at(self, number: int) -> "Council":
        """People said which changes they want: the round `number` takes them up."""
        return replace(self, changes=False, limited=False, revising=True, round=number)

    def write_repeated(self) -> "Council":
        return replace(self, writes=self.writes + 1)

    def written(self) -> "Council":
        return replace(self, writes=0)


@dataclass(frozen=True, slots=True)
class CouncilRecord:
    """What `state.json` says of a phase of the party (seed 001, State change)."""

    phase: PhaseKey
    status: Literal["pending", "in_progress", "completed", "cancelled"] = "pending"
    agents: tuple[str, ...] = ()  # names of those who are active
    unavailable: tuple[str, ...] = ()
    messages: int = 0
    started_at: str | None = None
    completed_at: str | None = None
    unwritten: tuple[str, ...] = ()  # E-007: artifacts that are kept, and are no files
    contributions: int = 0  # of its debates that were cancelled

    def begun(self, at: str, agents: tuple[str, ...] | None = None) -> "CouncilRecord":
        """In progress since `at`; `agents` where they are others than before."""
        names = self.agents if agents is None else agents
        return replace(self, status="in_progress", agents=names, started_at=at)

    def completed(self, at: str) -> "CouncilRecord":
        return replace(self, status="completed", completed_at=at)

    def failed(self) -> "CouncilRecord":
        """The phase was given up, and is open for resume."""
        return replace(self, status="pending", completed_at=None)

    def reopened(self) -> "CouncilRecord":
        """The phase begins once more: in progress again with the first member that answers."""
        return replace(self, status="pending", messages=0, started_at=None)

    def cancelled(self, council: Council | None) -> "CouncilRecord":
        """`council` is the one under way; how much it said counts if it is this phase's."""
        if self.status == "completed":
            return self
        is_current = council is not None and council.phase == self.phase
        contributions = council.contributions if council and is_current else self.contributions
        return replace(self, status="cancelled", contributions=contributions)
