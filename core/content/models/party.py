"""`party.yaml` as models, and the party it describes.

`party_rules` says whether its parts fit together.
"""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, get_args

from core.content.models import party_rules as rules
from core.content.models.agent import PersonaFields, Title, agent_fault
from core.content.models.party_rules import PERSONAS_MAX
from core.content.models.validation import FileModel, fits, items, line, one_of, validated
from core.content.models.values import (
    SHORT_CHARS_MAX,
    is_key,
    is_phase_key,
    is_plain_file,
    is_question,
    is_text,
)
from core.domain.ids import PersonaKey, PhaseKey
from core.domain.party import (
    PARTY_FILE,
    Classic,
    Member,
    Party,
    PartyPhase,
    PhaseType,
    Protocol,
    Question,
)
from core.domain.steps.playbook import Phase, StepFault

MESSAGES_MAX: Final = 10  # between personas, in one parallel phase
QUESTIONS_MAX: Final = 6  # of one persona
PHASES_MAX: Final = 10  # of the party, and of the classic mode
ITEMS_MAX: Final = 20  # of any other list
MESSAGES_HINT: Final = f"a whole number from 1 to {MESSAGES_MAX}"


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MESSAGES_MAX


_KEY: Final = fits(is_key, "small letters, digits and hyphens, at most 40")
_PERSONA: Final = fits(is_key, "the key of a persona")
_PHASE: Final = fits(is_phase_key, "a key like 01-name")
_File = Annotated[str, fits(is_plain_file, "a plain file name, like project-brief.md")]
_Line = Annotated[str, line(SHORT_CHARS_MAX)]
_Lines = Annotated[tuple[_Line, ...], items(0, ITEMS_MAX)]
_Files = Annotated[tuple[_File, ...], items(0, ITEMS_MAX)]


class QuestionFields(FileModel):
    key: Annotated[str, _KEY]
    domain: Annotated[str, _KEY]
    text: Annotated[
        str,
        fits(is_question, f"one question, on one line of at most {SHORT_CHARS_MAX} characters"),
    ]


class MemberFields(PersonaFields):
    """A persona of the party with what it brings to its phase."""

    hint: ClassVar[str] = ""

    phase: Annotated[PhaseKey, _PHASE]
    expertise: Annotated[tuple[_Line, ...], items(1, ITEMS_MAX)]
    questions: Annotated[tuple[QuestionFields, ...], items(0, QUESTIONS_MAX)] = ()
    focus: _Lines = ()
    checks: _Lines = ()
    produces: _Files = ()

    def member(self) -> Member:
        return Member(
            self.persona(),
            self.phase,
            self.expertise,
            tuple(Question(**dict(question)) for question in self.questions),
            self.focus,
            self.checks,
            self.produces,
        )


class PhaseFields(FileModel):
    key: Annotated[PhaseKey, _PHASE]
    label: Title
    type: Annotated[PhaseType, one_of(get_args(PhaseType))]
    protocol: Annotated[Protocol, one_of(get_args(Protocol))]
    personas: Annotated[tuple[Annotated[PersonaKey, _PERSONA], ...], items(1, ITEMS_MAX)]
    max_messages: Annotated[int, fits(_is_count, MESSAGES_HINT)] = 0
    outputs: Annotated[tuple[_File, ...], items(1, ITEMS_MAX)]

    def phase(self) -> PartyPhase:
        fields = dict(self)
        return PartyPhase(members=fields.pop("personas"), **fields)


class ClassicFields(FileModel):
    hint: ClassVar[str] = "persona, and phases with their labels"

    persona: Annotated[PersonaKey, _PERSONA]
    phases: Annotated[
        dict[Any, Any],  # key → label; which keys are good is said by the rules
        fits(
            lambda value: isinstance(value, dict) and 1 <= len(value) <= PHASES_MAX,
            f"1 to {PHASES_MAX} phase keys like 01-name, each with its label",
        ),
    ]

    def classic(self) -> Classic:
        labels = sorted(self.phases.items())
        phases = (Phase(PhaseKey(key), label.strip(), self.persona) for key, label in labels)
        return Classic(self.persona, tuple(phases))


class PartyFields(FileModel):
    name: Title
    description: Annotated[str, fits(is_text, "some text")] = ""
    personas: Annotated[tuple[MemberFields, ...], items(1, PERSONAS_MAX)]
    phases: Annotated[tuple[PhaseFields, ...], items(1, PHASES_MAX)]
    classic: ClassicFields


def parse_party(front: Mapping[str, object]) -> Party | tuple[StepFault, ...]:
    """The party that a file describes, or everything that is wrong with it (ERR-RT-002).

    `field` of a fault is the place in the file, counted from 1: `phases[1].personas[2]`. Fields
    that are not known are allowed.
    """
    fields = validated(PartyFields, front)
    flaws = fields if isinstance(fields, tuple) else ()
    flaws += tuple(rules.broken(front, MESSAGES_HINT))
    if isinstance(fields, tuple) or flaws:
        return tuple(agent_fault(PARTY_FILE, flaw) for flaw in flaws)
    return Party(
        tuple(sorted((phase.phase() for phase in fields.phases), key=lambda phase: phase.key)),
        tuple(persona.member() for persona in fields.personas),
        fields.classic.classic(),
        fields.name,
        fields.description,
    )
