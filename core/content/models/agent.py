"""The agent file as models: who sits at the table of a flow, and who leads which phase."""

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, ClassVar, Final

from core import patterns
from core.content.models.validation import FileModel, Flaw, Path, fits, line, shown_path, validated
from core.content.models.values import (
    is_key,
    is_phase_key,
    label_of,
    value_shown,
)
from core.domain.ids import PersonaKey, PhaseKey
from core.domain.steps.playbook import AGENT_FILE, FACILITATOR, AgentFile, Persona, Phase, StepFault
from core.taxonomy.catalogue import shown

PRINCIPLES_MIN: Final = 3
KEY_OF_ITS_OWN: Final = "a key of its own"

_ICON: Final = patterns.compile(r":[a-z0-9_+'-]{1,60}:")


def _is_icon(value: object) -> bool:
    return isinstance(value, str) and _ICON.fullmatch(value) is not None


def _has_words(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _are_principles(value: object) -> bool:
    return isinstance(value, list) and len(value) >= PRINCIPLES_MIN and all(map(_has_words, value))


Key = Annotated[PersonaKey, fits(is_key, "small letters, digits and hyphens")]
Title = Annotated[str, line()]


class PersonaFields(FileModel):
    """A persona of an agent file or of a party."""

    hint: ClassVar[str] = "key, name, role, icon and the rest"

    key: Key
    name: Title
    role: Title
    icon: Annotated[str, fits(_is_icon, "a Slack emoji with its colons, in quotes")]
    identity: Annotated[str, fits(_has_words, "a line that says who this is")]
    style: Annotated[str, fits(_has_words, "a line that says how this persona speaks")]
    principles: Annotated[
        tuple[str, ...],
        fits(_are_principles, f"a list of at least {PRINCIPLES_MIN} lines"),
    ]

    def persona(self) -> Persona:
        return Persona(**{name: getattr(self, name) for name in PersonaFields.model_fields})


class _PhaseFields(FileModel):
    persona: object = None  # whether it is known depends on the personas that are good
    label: Title | None = None


class _Agent(FileModel):
    """What the file itself must have; its personas and phases are looked at one by one."""

    name: Annotated[str, line(hint="1 to {} characters")]
    description: object = None


def parse_agent(front: Mapping[str, object]) -> AgentFile | tuple[StepFault, ...]:
    """The agent file's content; or, where it has no name or no usable persona, all its faults.

    A faulty persona or phase is left out, and its faults (ERR-RT-002) are the file's `flaws`.
    """
    flaws: list[Flaw] = []
    agent = validated(_Agent, front)
    if isinstance(agent, tuple):
        flaws += agent
    personas = tuple(_personas(front.get("personas"), flaws))
    keys = {persona.key for persona in personas}
    phases = tuple(_phases(front.get("phases"), keys, flaws)) if personas else ()
    faults = tuple(agent_fault(AGENT_FILE, flaw) for flaw in flaws)
    if isinstance(agent, tuple) or not personas:
        return faults
    text = agent.description.strip() if isinstance(agent.description, str) else ""
    return AgentFile(agent.name, text, personas, phases, faults)


def agent_fault(file: str, flaw: Flaw | None = None, hint: str | None = None) -> StepFault:
    """ERR-RT-002: the file as a whole cannot be used, or one of its values."""
    message = shown("ERR-RT-002")
    if flaw is None:
        return StepFault("ERR-RT-002", file, message, hint=hint)
    value = None if flaw.value is None else value_shown(flaw.value)
    return StepFault("ERR-RT-002", file, message, flaw.place(), value, flaw.hint)


def _personas(value: object, flaws: list[Flaw]) -> Iterator[Persona]:
    if not isinstance(value, list) or not value:
        flaws.append(Flaw(("personas",), value, "a list of at least one persona"))
        return
    used_keys = {FACILITATOR.key}
    for number, item in enumerate(value):
        path = ("personas", number)
        fields = validated(PersonaFields, item)
        if isinstance(fields, tuple):
            flaws += _below(path, fields)
        elif fields.key in used_keys:
            flaws.append(Flaw((*path, "key"), fields.key, KEY_OF_ITS_OWN))
        else:
            used_keys.add(fields.key)
            yield fields.persona()


def _phases(value: object, personas: Collection[PersonaKey], flaws: list[Flaw]) -> Iterator[Phase]:
    if not isinstance(value, dict):
        flaws.append(Flaw(("phases",), value, "phase key → persona and label"))
        return
    for key in sorted(value, key=value_shown):
        item, path = value[key], shown_path("phases", key)
        if not is_phase_key(key) or not isinstance(item, dict):
            flaws.append(Flaw(path, item, "a key like 01-name, with persona and label"))
            continue
        fields = validated(_PhaseFields, item)
        persona = item.get("persona")
        if not isinstance(persona, str) or persona not in personas:
            hint = f"one of {', '.join(sorted(personas))}"
            flaws.append(Flaw((*path, "persona"), persona, hint))
        elif isinstance(fields, tuple):
            flaws += _below(path, fields)
        else:
            yield Phase(PhaseKey(key), fields.label or label_of(key), PersonaKey(persona))


def _below(path: Path, flaws: tuple[Flaw, ...]) -> list[Flaw]:
    return [Flaw((*path, *flaw.path), flaw.value, flaw.hint) for flaw in flaws]
