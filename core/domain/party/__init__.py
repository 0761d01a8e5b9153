"""The Inception Party as values: who sits in which phase, how they talk, and what comes of it.

Reading the file is the business of `core.content`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

from core.domain.ids import PersonaKey, PhaseKey
from core.domain.steps.playbook import FACILITATOR, Persona, Phase

Protocol = Literal[
    "question-broadcast-debate",  # ask people, give everybody all answers, weigh, take a position
    "propose-critique-converge",  # the first proposes, the others criticise, the first revises
    "produce-cross-review-finalize",  # each writes alone, then each reads the next one's, in a ring
    "constitution",  # step by step, with people
    "walkthrough",  # the same
]
PhaseType = Literal["parallel", "sequential"]


class ProtocolRules(NamedTuple):
    """What a protocol asks for: the type of its phase, and the fields that each member fills."""

    type: PhaseType
    needs: tuple[str, ...]


PROTOCOLS: Final[Mapping[Protocol, ProtocolRules]] = {
    "question-broadcast-debate": ProtocolRules("parallel", ("questions", "focus")),
    "propose-critique-converge": ProtocolRules("parallel", ("focus", "checks")),
    "produce-cross-review-finalize": ProtocolRules("parallel", ("checks", "produces")),
    "constitution": ProtocolRules("sequential", ("produces",)),
    "walkthrough": ProtocolRules("sequential", ("produces",)),
}
PARTY_FILE: Final = "party.yaml"
LEAD: Final = PersonaKey("lead")

# Who leads the classic mode where party.yaml cannot be used.
LEAD_ALONE: Final = replace(FACILITATOR, key=LEAD, name="Lead", role="Discovery Lead")


@dataclass(frozen=True, slots=True)
class Question:
    """What a persona asks people in its own voice. Of those with the same key one is asked."""

    key: str
    domain: str  # what the answer is about: "users", "law", "feasibility"
    text: str


@dataclass(frozen=True, slots=True)
class Member:
    """A persona of the party with what it brings to its phase."""

    persona: Persona
    phase: PhaseKey
    expertise: tuple[str, ...]
    questions: tuple[Question, ...] = ()
    focus: tuple[str, ...] = ()  # what it argues for in a debate
    checks: tuple[str, ...] = ()  # what it looks for in the work of others
    produces: tuple[str, ...] = ()  # file names it writes alone

    @property
    def key(self) -> PersonaKey:
        return self.persona.key


@dataclass(frozen=True, slots=True)
class PartyPhase:
    key: PhaseKey
    label: str
    type: PhaseType
    protocol: Protocol
    members: tuple[PersonaKey, ...]  # in declared order, which decides who comes first
    max_messages: int  # between personas; 0 in a sequential phase, which has none
    outputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Classic:
    """The mode behind the party: one persona leads every phase, step by step."""

    persona: PersonaKey = LEAD
    phases: tuple[Phase, ...] = ()  # those with a label, in number order


@dataclass(frozen=True, slots=True)
class Party:
    phases: tuple[PartyPhase, ...]  # in number order
    members: tuple[Member, ...]  # in the order of the file
    classic: Classic = Classic()
    name: str = "inception-party"
    description: str = ""

    @property
    def personas(self) -> tuple[Persona, ...]:
        return tuple(member.persona for member in self.members)

    def member(self, key: PersonaKey) -> Member:
        """Raises KeyError for a key that nobody has."""
        return {member.key: member for member in self.members}[key]

    def phase(self, key: PhaseKey) -> PartyPhase:
        """Raises KeyError for a key that no phase has."""
        return {phase.key: phase for phase in self.phases}[key]

    def members_of(self, key: PhaseKey) -> tuple[Member, ...]:
        """Who sits in a phase, in declared order. Raises KeyError like `phase`."""
        return tuple(map(self.member, self.phase(key).members))
