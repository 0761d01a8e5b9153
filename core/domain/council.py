"""What the personas of a council are asked, and what they give: values only.

A council is a parallel phase of the party. Its rounds are rows of
`core.engine.council.debate`; in each, some members are asked at the same time for one kind of
contribution.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from core.domain.answers import Answer, Claim
from core.domain.ids import PersonaKey, PhaseKey, Slug, TaskId, UserId
from core.domain.party import Member, PartyPhase, Question

Want = Literal[
    "questions",  # its own questions to people
    "interpretation",  # how it reads their answers, to the other members
    "cross-question",  # one question to another member, if it has one
    "reply",  # to a cross-question
    "position",  # where it stands in the end
    "proposal",
    "critique",  # of the proposal, to whoever proposed
    "revision",  # of the proposal, after the critiques or the changes people want
    "vote",  # agrees with the revision, or dissents and says why
    "draft",  # its own artifact
    "review",  # of its neighbour's draft, to the neighbour
    "final",  # its own artifact after the review
]

# What the retry prompt of E-003 calls each of them: "Please submit your {expected_output_type}."
OUTPUT_NAMES: Mapping[Want, str] = {
    "questions": "questions",
    "interpretation": "interpretation",
    "cross-question": "question",
    "reply": "reply",
    "position": "final position",
    "proposal": "proposal",
    "critique": "critique",
    "revision": "revised proposal",
    "vote": "final position",
    "draft": "draft",
    "review": "review",
    "final": "final version",
}


@dataclass(frozen=True, slots=True)
class Contribution:
    """One turn of a member. `text` is plain and short enough to be read in a thread."""

    persona: PersonaKey
    want: Want
    text: str  # empty where it has nothing to say
    to: PersonaKey | None = None  # None: everybody at the table
    questions: tuple[Question, ...] = ()  # "questions" only, those it wants people to be asked
    claims: tuple[Claim, ...] = ()  # what goes into the artifacts; rests on answers of people
    agrees: bool | None = None  # "vote" only
    more: bool = False  # it wishes to say more than its turn allows


@dataclass(frozen=True, slots=True)
class ConsultRequest:
    """All that a member may rest on: never a summary, always what was said."""

    task: TaskId
    title: str
    text: str
    slug: Slug
    phase: PartyPhase
    member: Member
    want: Want
    answers: tuple[Answer, ...]  # of people, in this and earlier phases, in order of ts
    names: Mapping[UserId, str]
    claims: tuple[Claim, ...]  # of the phases before and of this one
    said: tuple[Contribution, ...]  # in this phase, in the order in which it was delivered
    asked: tuple[tuple[int, PersonaKey, Question], ...] = ()  # the merged questions, numbered
    changes: tuple[Answer, ...] = ()  # what people want changed in a recommendation
    neighbour: PersonaKey | None = None  # whose proposal, question or draft this is about
    prompt: str = ""  # what the member is told besides, when it is asked again


SeatState = Literal["free", "asked", "given", "away"]


@dataclass(frozen=True, slots=True)
class Seat:
    """One member at the table. `away`: unavailable for the rest of the phase."""

    persona: PersonaKey
    state: SeatState = "free"
    task: TaskId | None = None
    tries: int = 0  # of the contribution that is asked for
    neighbour: PersonaKey | None = None
    given: Contribution | None = None  # waits for the rest of its round


@dataclass(frozen=True, slots=True)
class Council:
    """The parallel phase that is under way. Its contributions are rows of their own."""

    phase: PhaseKey
    seats: tuple[Seat, ...]
    max_messages: int
    round: int = -1
    messages: int = 0  # between personas
    kept: int = 0  # contributions so far: the place of the next
    limited: bool = False  # E-006 was said
    questions: tuple[tuple[int, PersonaKey, Question], ...] = ()
    shared: tuple[PersonaKey, ...] = ()  # threads that were told that all have read the answer
    merging: TaskId | None = None
    writes: int = 0  # of its artifacts, since they were composed
    changes: bool = False  # people asked for changes and are saying which
    revising: bool = False  # they said which: what comes of it is not counted

    @property
    def present(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if seat.state != "away")


@dataclass(frozen=True, slots=True)
class CouncilRecord:
    """What `state.json` says of a phase of the party (seed 001, State change)."""

    phase: PhaseKey
    status: str = "pending"  # pending, in_progress, completed, cancelled
    agents: tuple[str, ...] = ()  # names of those who are active
    unavailable: tuple[str, ...] = ()
    messages: int = 0
    started_at: str | None = None
    completed_at: str | None = None
    unwritten: tuple[str, ...] = ()  # E-007: artifacts that are kept, and are no files
    kept: int = 0  # contributions of its debates that were cancelled
