"""What a flow is made of: personas, phases and steps as values.

What makes a file one of them is said in `core.content.models`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from core.domain.ids import Depth, Digest, PersonaKey, PhaseKey, StepId
from core.domain.steps.criteria import VALIDATION, Criterion, Need, criteria_of, without_tags
from core.taxonomy.catalogue import PHASE_LED_BY

AGENT_FILE: Final = "roundtable.md"
SECTION_OF_DEPTH: Final[Mapping[Depth, str]] = {
    "brief": "Brief Mode",
    "standard": "Standard Mode",
    "deep": "Deep Mode",
}
Corrections = tuple[tuple[str, str], ...]  # a document as a step names it → as it is called


@dataclass(frozen=True, slots=True)
class Persona:
    """A named character who leads phases in a thread of their own."""

    key: PersonaKey
    name: str
    role: str
    icon: str  # a Slack emoji with its colons
    identity: str = ""
    style: str = ""
    principles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Phase:
    key: PhaseKey
    label: str
    persona: PersonaKey
    mapped: bool = True  # False: the agent file does not know it (ERR-PERSONA-001)


@dataclass(frozen=True, slots=True)
class Step:
    """One step file that has no fault."""

    id: StepId
    title: str
    persona: PersonaKey
    depth: Depth
    outputs: tuple[str, ...]
    file: str  # plain file name inside its phase's directory
    phase: PhaseKey
    digest: Digest
    depends_on: tuple[StepId, ...] = ()
    skip_if: str | None = None
    mandatory: bool = False  # people cannot skip it
    short: str | None = None  # what the short path asks here; None: it passes this step over
    sources: tuple[str, ...] = ()  # documents in the session's folder that are read for it
    reads: tuple[StepId, ...] | None = None  # whose claims its brain is given; None: all earlier
    needs: tuple[Need, ...] = ()  # kinds of claims that the step must obtain
    body: str = ""
    sections: Mapping[str, str] = field(default_factory=dict)  # heading without ## → text
    extra: Mapping[str, object] = field(default_factory=dict)  # unknown front matter, kept

    def prompt(self, depth: Depth) -> tuple[str, bool]:
        """The text for `depth`, and whether it had to fall back (seed 000, ERR-STEP-007)."""
        for heading in (SECTION_OF_DEPTH[depth], SECTION_OF_DEPTH["standard"]):
            if text := self.sections.get(heading, "").strip():
                return text, heading != SECTION_OF_DEPTH[depth]
        return without_tags(self.body.strip(), self.sections.get(VALIDATION, "")), True

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """What an answer must hold, in order: the lines of `## Validation`."""
        return criteria_of(self.sections.get(VALIDATION, ""))

    @property
    def needed_kinds(self) -> tuple[Need, ...]:
        """The kinds of claims that it must obtain, by its criteria and its front matter."""
        tagged = (criterion.needs for criterion in self.criteria if criterion.needs)
        return tuple(dict.fromkeys((*tagged, *self.needs)))

    def is_given(self, claim_of: StepId) -> bool:
        """True if a brain that reads this step is given the claims of the step `claim_of`."""
        return self.reads is None or claim_of in self.reads


def phase_led_by(phase: PhaseKey, lead: Persona) -> str:
    """The words of ERR-PERSONA-001, with whoever leads the phase."""
    return PHASE_LED_BY.format(phase_key=phase, name=lead.name, role=lead.role)


def corrected(step: Step, corrections: Corrections) -> Step:
    """The step with other names for the documents it names: in its sources and in its text."""
    if not corrections:
        return step
    names = dict(corrections)
    return replace(
        step,
        sources=tuple(names.get(name, name) for name in step.sources),
        body=renamed(step.body, corrections),
        short=None if step.short is None else renamed(step.short, corrections),
        sections={head: renamed(text, corrections) for head, text in step.sections.items()},
    )


def renamed(text: str, corrections: Corrections) -> str:
    """The text with each name replaced where it stands alone: not in a path or a longer name."""
    for name, actual in corrections:
        text = _renamed(text, name, actual)
    return text


def _renamed(text: str, name: str, actual: str) -> str:
    first, *pieces = text.split(name)
    parts = [first]
    for before, after in zip((first, *pieces), pieces, strict=False):
        alone = not _joins(before[-1:], "-_./") and not _joins(after[:1], "-_/")
        parts += [actual if alone else name, after]
    return "".join(parts)


def _joins(sign: str, signs: str) -> bool:
    """True if the sign beside a name makes it part of a longer one."""
    return bool(sign) and (sign.isalnum() or sign in signs)


@dataclass(frozen=True, slots=True)
class StepFault:
    """What is wrong with one step file. `field` and `value` are set where the code speaks of them.

    `message` is the catalogue's; `hint` says in our words what would be right.
    """

    code: str
    file: str
    message: str
    field: str | None = None
    value: str | None = None
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class PinnedFile:
    """One file of a phase as it was found when the phase opened: a step, or its first fault."""

    file: str
    step_id: StepId  # from the front matter, else from the place: "01-03" for 01-*/03-*.md
    step: Step | None
    fault: StepFault | None = None


@dataclass(frozen=True, slots=True)
class Playbook:
    """What a decision may look up: the flow's personas and the content of pinned steps."""

    personas: tuple[Persona, ...]
    steps: Mapping[Digest, Step]

    def persona(self, key: PersonaKey) -> Persona:
        """The persona of that key; the facilitator for its own key; else the first built-in one."""
        personas = {persona.key: persona for persona in (*BUILT_IN, *self.personas, FACILITATOR)}
        return personas.get(key, BUILT_IN[0])


@dataclass(frozen=True, slots=True)
class AgentFile:
    """Who sits at the table of a flow, and who leads which phase.

    `flaws` are its parts that could not be used and were left out.
    """

    name: str
    description: str
    personas: tuple[Persona, ...]
    phases: tuple[Phase, ...]
    flaws: tuple[StepFault, ...] = ()


BUILT_IN: Final[tuple[Persona, ...]] = (
    Persona(PersonaKey("business-analyst"), "Maya Chen", "Business Analyst", ":bar_chart:"),
    Persona(
        PersonaKey("solutions-architect"),
        "Alex Rivera",
        "Solutions Architect",
        ":scales:",
    ),
    Persona(PersonaKey("system-designer"), "Jordan Park", "System Designer", ":triangular_ruler:"),
)
FACILITATOR: Final = Persona(
    PersonaKey("facilitator"), "Roundtable", "Facilitator", ":speech_balloon:"
)
BUILT_IN_PHASES: Final[tuple[Phase, ...]] = (
    Phase(PhaseKey("00-quick-scan"), "Quick Scan", PersonaKey("business-analyst")),
    Phase(PhaseKey("01-requirements"), "Requirements", PersonaKey("business-analyst")),
    Phase(PhaseKey("02-impact-analysis"), "Impact Analysis", PersonaKey("solutions-architect")),
    Phase(PhaseKey("03-architecture"), "Architecture", PersonaKey("solutions-architect")),
    Phase(PhaseKey("04-design"), "Design", PersonaKey("system-designer")),
)
