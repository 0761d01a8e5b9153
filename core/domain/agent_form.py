"""The agent file: who sits at the table of a flow, and what is wrong with what it says of them."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final

from core import patterns
from core.domain.forms import TITLE_CHARS_MAX, is_key, is_line, is_phase_key, label_of, value_shown
from core.domain.ids import PersonaKey, PhaseKey
from core.domain.playbook import AGENT_FILE, FACILITATOR, AgentFile, Persona, Phase, StepFault
from core.taxonomy.catalogue import shown

PRINCIPLES_MIN: Final = 3

_ICON: Final = patterns.compile(r":[a-z0-9_+'-]{1,60}:")


def parse_agent(
    front: Mapping[str, object], *, file: str = AGENT_FILE
) -> AgentFile | tuple[StepFault, ...]:
    """The agent file's content; or, where it has no name or no usable persona, all its faults."""
    name, description = front.get("name"), front.get("description")
    flaws: list[StepFault] = []
    personas = tuple(_personas(front.get("personas"), file, flaws))
    keys = {who.key for who in personas}
    phases = tuple(_phases(front.get("phases"), keys, file, flaws)) if personas else ()
    if not is_line(name, TITLE_CHARS_MAX):
        flaws.insert(0, agent_fault(file, "name", name, f"1 to {TITLE_CHARS_MAX} characters"))
    elif personas:
        text = description.strip() if isinstance(description, str) else ""
        return AgentFile(str(name).strip(), text, personas, phases, tuple(flaws))
    return tuple(flaws)


def agent_fault(
    file: str, name: str | None = None, value: object = None, hint: str | None = None
) -> StepFault:
    written = None if value is None else value_shown(value)
    return StepFault("ERR-RT-002", file, shown("ERR-RT-002"), name, written, hint)


def _personas(value: object, file: str, flaws: list[StepFault]) -> Iterator[Persona]:
    if not isinstance(value, list) or not value:
        flaws.append(agent_fault(file, "personas", value, "a list of at least one persona"))
        return
    seen = {FACILITATOR.key}
    for number, item in enumerate(value, start=1):
        place = f"personas[{number}]"
        if not isinstance(item, dict):
            flaws.append(agent_fault(file, place, item, "key, name, role, icon and the rest"))
            continue
        wrong = [
            agent_fault(file, f"{place}.{name}", item.get(name), hint)
            for name, (good, hint) in PERSONA_FIELDS.items()
            if not good(item.get(name))
        ]
        if not wrong and item["key"] in seen:
            wrong = [agent_fault(file, f"{place}.key", item["key"], "a key of its own")]
        flaws += wrong
        if wrong:
            continue
        persona = persona_of(item)
        seen.add(persona.key)
        yield persona


def persona_of(item: Mapping[str, Any]) -> Persona:
    """The persona that a mapping without a fault describes."""
    return Persona(
        PersonaKey(item["key"]),
        **{name: item[name].strip() for name in ("name", "role", "icon", "identity", "style")},
        principles=tuple(line.strip() for line in item["principles"]),
    )


def _phases(
    value: object, personas: Collection[PersonaKey], file: str, flaws: list[StepFault]
) -> Iterator[Phase]:
    if not isinstance(value, dict):
        flaws.append(agent_fault(file, "phases", value, "phase key → persona and label"))
        return
    for key in sorted(value, key=value_shown):
        item, place = value[key], f"phases.{value_shown(key)}"
        if not is_phase_key(key) or not isinstance(item, dict):
            flaws.append(
                agent_fault(file, place, item, "a key like 01-name, with persona and label")
            )
            continue
        persona, label = item.get("persona"), item.get("label", label_of(key))
        if not isinstance(persona, str) or persona not in personas:
            hint = f"one of {', '.join(sorted(personas))}"
            flaws.append(agent_fault(file, f"{place}.persona", persona, hint))
        elif not is_line(label, TITLE_CHARS_MAX):
            hint = f"one line of 1 to {TITLE_CHARS_MAX} characters"
            flaws.append(agent_fault(file, f"{place}.label", label, hint))
        else:
            yield Phase(PhaseKey(key), str(label).strip(), PersonaKey(persona))


def _is_icon(value: object) -> bool:
    return isinstance(value, str) and _ICON.fullmatch(value) is not None


def _is_short(value: object) -> bool:
    return is_line(value, TITLE_CHARS_MAX)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _are_principles(value: object) -> bool:
    return isinstance(value, list) and len(value) >= PRINCIPLES_MIN and all(map(_is_text, value))


PERSONA_FIELDS: Final[Mapping[str, tuple[Callable[[object], bool], str]]] = {
    "key": (is_key, "small letters, digits and hyphens"),
    "name": (_is_short, f"one line of 1 to {TITLE_CHARS_MAX} characters"),
    "role": (_is_short, f"one line of 1 to {TITLE_CHARS_MAX} characters"),
    "icon": (_is_icon, "a Slack emoji with its colons, in quotes"),
    "identity": (_is_text, "a line that says who this is"),
    "style": (_is_text, "a line that says how this persona speaks"),
    "principles": (_are_principles, f"a list of at least {PRINCIPLES_MIN} lines"),
}
