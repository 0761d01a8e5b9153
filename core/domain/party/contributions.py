"""What the personas of a council are asked, and what they give: values only.

A council is a parallel phase of the party. Its rounds are rows of
`core.engine.council.debate`; in each, some members are asked at the same time for one kind of
contribution.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from core.domain.answers import Answer, Claim
from core.domain.ids import PersonaKey, Slug, TaskId, UserId
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

# What the retry prompt of E-003 calls them: "Please submit your {expected_output_type}."
OUTPUT_NAMES: Mapping[Want, str] = {  # those that are called otherwise here
    "cross-question": "question",
    "position": "final position",
    "revision": "revised proposal",
    "vote": "final position",
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
    questions: tuple[tuple[int, PersonaKey, Question], ...] = ()  # the merged ones, numbered
    changes: tuple[Answer, ...] = ()  # what people want changed in a recommendation
    neighbour: PersonaKey | None = None  # whose proposal, question or draft this is about
    prompt: str = ""  # what the member is told besides, when it is asked again
    mentioned: Mapping[UserId, str] = field(default_factory=dict)  # names of whom answers mention
    personas: tuple[str, ...] = ()  # names of the whole party, to which people may speak


def in_order(
    contributions: Iterable[Contribution], order: Sequence[PersonaKey]
) -> list[Contribution]:
    """Contributions in the order of the members that made them; those of others come last."""
    places = {persona: place for place, persona in enumerate(order)}
    last = len(places)
    return sorted(
        contributions,
        key=lambda contribution: (places.get(contribution.persona, last), contribution.persona),
    )
