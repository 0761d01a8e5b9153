"""The Inception Party as values: who sits in which phase, how they talk, and what comes of it.

Reading the file is the business of `core.content.party`; here a mapping becomes a party, or the
list of everything that is wrong with it. `party_form` knows the fields, `party_seats` whether they
fit together.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, get_args

from core.domain import party_form as form
from core.domain import party_seats
from core.domain.agent_form import persona_of
from core.domain.ids import PersonaKey, PhaseKey
from core.domain.party_form import PARTY_FILE, PhaseType, Protocol, Record, Search
from core.domain.party_seats import PROTOCOLS
from core.domain.playbook import FACILITATOR, Persona, Phase, StepFault

__all__ = [
    "PARTY_FILE",
    "PROTOCOLS",
    "Classic",
    "Member",
    "Part",
    "Party",
    "PartyPhase",
    "PhaseType",
    "Protocol",
    "Question",
    "parse_party",
]

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
class Part:
    """One article of the constitution, one chapter of the skills, one stop of the walkthrough."""

    key: str
    title: str
    text: str  # what is said and asked when it is its turn
    sources: tuple[str, ...] = ()  # the artifacts it rests on
    mandatory: bool = False  # people cannot skip it


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
    covers: tuple[Part, ...] = ()  # what it goes through, one after the other

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


def parse_party(front: Mapping[str, object]) -> Party | tuple[StepFault, ...]:
    """The party that a file describes, or everything that is wrong with it (ERR-RT-002).

    `field` of a fault is the place in the file, counted from 1: `phases[1].personas[2]`. Fields
    that are not known are allowed.
    """
    file, search = Record("", front), Search()
    search.fields(file, form.PARTY_FIELDS)
    search.length(file, "personas", 1, form.PERSONAS_MAX)
    search.length(file, "phases", 1, form.PHASES_MAX)
    personas = search.records(file, "personas", form.MEMBER_FIELDS, FACILITATOR.key)
    for persona in personas:
        search.length(persona, "questions", 0, form.QUESTIONS_MAX)
        search.length(persona, "covers", 0, form.ITEMS_MAX)
        search.records(persona, "questions", form.QUESTION_FIELDS)
        search.records(persona, "covers", form.PART_FIELDS)
    phases = search.records(file, "phases", form.PHASE_FIELDS)
    party_seats.look(search, personas, phases)
    classic = front.get("classic")
    if not isinstance(classic, dict):
        search.wrong("classic", classic, "persona, and phases with their labels")
        classic = {}
    else:
        party_seats.look_at_classic(search, Record("classic", classic), personas)
    if search.faults:
        return tuple(search.faults)
    return Party(
        tuple(sorted(map(_phase, phases), key=lambda phase: phase.key)),
        tuple(map(_member, personas)),
        _classic(Record("classic", classic)),
        file.text("name"),
        file.text("description"),
    )


# What has no fault becomes a value


def _member(record: Record) -> Member:
    return Member(
        persona_of(record.data),
        PhaseKey(record.text("phase")),
        record.lines("expertise"),
        tuple(map(_question, record.records("questions"))),
        record.lines("focus"),
        record.lines("checks"),
        record.lines("produces"),
        tuple(map(_part, record.records("covers"))),
    )


def _question(record: Record) -> Question:
    return Question(record.text("key"), record.text("domain"), record.text("text"))


def _part(record: Record) -> Part:
    return Part(
        record.text("key"),
        record.text("title"),
        record.text("text"),
        record.lines("sources"),
        record.data.get("mandatory") is True,
    )


def _phase(record: Record) -> PartyPhase:
    count = record.data.get("max_messages")
    types: tuple[PhaseType, ...] = get_args(PhaseType)
    return PartyPhase(
        PhaseKey(record.text("key")),
        record.text("label"),
        next(one for one in types if one == record.text("type")),
        next(one for one in PROTOCOLS if one == record.text("protocol")),
        tuple(map(PersonaKey, record.lines("personas"))),
        count if isinstance(count, int) else 0,
        record.lines("outputs"),
    )


def _classic(record: Record) -> Classic:
    leader, labels = PersonaKey(record.text("persona")), record.data.get("phases")
    pairs = sorted(labels.items()) if isinstance(labels, dict) else ()
    phases = tuple(Phase(PhaseKey(key), str(label).strip(), leader) for key, label in pairs)
    return Classic(leader, phases)
