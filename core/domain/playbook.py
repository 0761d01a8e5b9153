"""What a flow is made of: personas, phases and steps as values.

Reading files and YAML is the business of `core.content`; here a mapping and a body become a step or
the list of everything that is wrong with them.
"""

import re
import reprlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, Final

from core.domain.ids import DEPTHS, Depth, Digest, PersonaKey, PhaseKey, StepId
from core.taxonomy.catalogue import Code, shown

SECTION_OF_DEPTH: Final[Mapping[Depth, str]] = {
    "brief": "Brief Mode",
    "standard": "Standard Mode",
    "deep": "Deep Mode",
}


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
    short: str | None = None  # what the short path asks here; None: it passes this step over
    sources: tuple[str, ...] = ()  # documents in the session's folder that are read for it
    body: str = ""
    sections: Mapping[str, str] = field(default_factory=dict)  # heading without ## → text
    extra: Mapping[str, object] = field(default_factory=dict)  # unknown front matter, kept

    def prompt(self, depth: Depth) -> tuple[str, bool]:
        """The text for `depth`, and whether it had to fall back (seed 000, ERR-STEP-007)."""
        for heading in (SECTION_OF_DEPTH[depth], SECTION_OF_DEPTH["standard"]):
            if text := self.sections.get(heading, "").strip():
                return text, heading != SECTION_OF_DEPTH[depth]
        return self.body.strip(), True


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
        known = {persona.key: persona for persona in (*BUILT_IN, *self.personas, FACILITATOR)}
        return known.get(key, BUILT_IN[0])


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

TITLE_CHARS_MAX: Final = 60
SHORT_CHARS_MAX: Final = 200
ASKS: Final = ("?", "？")  # what a question ends in
OUTPUT_CHARS_MAX: Final = 100
OUTPUT_BYTES_MAX: Final = 200  # file systems allow 255, and a temporary name is longer
VALUE_CHARS_MAX: Final = 80
PRINCIPLES_MIN: Final = 3

AGENT_FILE: Final = "roundtable.md"
REQUIRED_FIELDS: Final = ("step_id", "title", "persona", "depth", "outputs")
STEP_FIELDS: Final = (*REQUIRED_FIELDS, "depends_on", "skip_if", "short", "sources")
RESERVED_NAMES: Final = frozenset({"meta.json", "state.json", "reports"})  # ours, in every folder

_STEP_ID: Final = re.compile(r"[0-9]{2}-[0-9]{2}")
_PHASE_KEY: Final = re.compile(r"[0-9]{2}-[^/\\]+")
_PERSONA_KEY: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_ICON: Final = re.compile(r":[a-z0-9_+'-]{1,60}:")
_UNSAFE_NAME: Final = re.compile(r"[/\\:]|\A[. ]|[. ]\Z")
_BREAKS_A_LINE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


# Steps


def parse_step(
    front: Mapping[str, object],
    body: str,
    *,
    file: str,
    phase: PhaseKey,
    digest: Digest,
    personas: Collection[PersonaKey],
) -> Step | tuple[StepFault, ...]:
    """The step that a file describes, or everything that is wrong with its front matter."""
    if faults := tuple(_step_faults(front, file, personas)):
        return faults
    values = {name: front[name] for name in STEP_FIELDS if front.get(name) is not None}
    return Step(
        id=StepId(str(values["step_id"])),
        title=str(values["title"]).strip(),
        persona=PersonaKey(str(values["persona"])),
        depth=next(depth for depth in DEPTHS if depth == values["depth"]),
        outputs=tuple(dict.fromkeys(_items(values["outputs"]))),
        file=file,
        phase=phase,
        digest=digest,
        depends_on=tuple(map(StepId, dict.fromkeys(_items(values.get("depends_on"))))),
        skip_if=str(values["skip_if"]) if "skip_if" in values else None,
        short=str(values["short"]).strip() if "short" in values else None,
        sources=tuple(dict.fromkeys(_items(values.get("sources")))),
        body=body,
        sections=sections_of(body),
        extra={name: _kept(value) for name, value in front.items() if name not in STEP_FIELDS},
    )


def _step_faults(
    front: Mapping[str, object], file: str, personas: Collection[PersonaKey]
) -> Iterator[StepFault]:
    for name in STEP_FIELDS:
        value = front.get(name)
        if value is None:
            if name in REQUIRED_FIELDS:
                yield missing_field(file, name)
            continue
        for wrong in _wrong(name, value, personas):
            yield invalid_value(file, name, wrong, hint=_hint(name, personas))


def _wrong(name: str, value: object, personas: Collection[PersonaKey]) -> list[object]:
    """The part of `value` that cannot stand: all of it, or items of a list."""
    match name:
        case "step_id":
            good = is_step_id(value)
        case "title":
            good = is_line(value, TITLE_CHARS_MAX)
        case "persona":
            good = isinstance(value, str) and value in personas
        case "depth":
            good = isinstance(value, str) and value in DEPTHS
        case "outputs":
            if isinstance(value, list) and value:
                return [item for item in value if not is_output_name(item)]
            good = False
        case "sources":
            if isinstance(value, list):
                return [item for item in value if not is_output_name(item) or "*" in item]
            good = False
        case "depends_on":
            if isinstance(value, list):
                return [item for item in value if not is_step_id(item)]
            good = False
        case "short":
            good = is_line(value, SHORT_CHARS_MAX) and str(value).rstrip().endswith(ASKS)
        case _:
            good = isinstance(value, str)
    return [] if good else [value]


def _hint(name: str, personas: Collection[PersonaKey]) -> str:
    match name:
        case "step_id":
            return 'two digits, a hyphen and two digits in quotes, like "01-02"'
        case "title":
            return f"one line of 1 to {TITLE_CHARS_MAX} characters"
        case "persona":
            return f"one of {', '.join(sorted(personas))}"
        case "depth":
            return f"one of {', '.join(DEPTHS)}"
        case "outputs":
            return "a list of plain file names, like [requirements-spec.md]"
        case "sources":
            return "a list of plain file names, like [AGENTS.md]"
        case "depends_on":
            return 'a list of step ids, like ["01-01"]'
        case "short":
            return f"one question in quotes, on one line of at most {SHORT_CHARS_MAX} characters"
        case _:
            return "an expression in quotes, like \"scope == 'small'\""


def missing_field(file: str, name: str) -> StepFault:
    message = shown("ERR-STEP-005", filename=file, field_name=name)
    return StepFault("ERR-STEP-005", file, message, field=name)


def invalid_value(file: str, name: str, value: object, *, hint: str | None = None) -> StepFault:
    written = value_shown(value)
    message = shown("ERR-STEP-006", filename=file, field_name=name, value=written)
    return StepFault("ERR-STEP-006", file, message, field=name, value=written, hint=hint)


def file_fault(code: Code, file: str, hint: str | None = None) -> StepFault:
    """A fault of a file as a whole: it cannot be read, or has no front matter to speak of."""
    return StepFault(code, file, shown(code, filename=file), hint=hint)


def _items(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []


def is_step_id(value: object) -> bool:
    return isinstance(value, str) and _STEP_ID.fullmatch(value) is not None


def is_phase_key(value: object) -> bool:
    """Whether `value` can be a phase: `NN-name`, a directory's name that can be shown."""
    return (
        isinstance(value, str)
        and len(value) <= OUTPUT_CHARS_MAX
        and value.isprintable()
        and _PHASE_KEY.fullmatch(value) is not None
    )


def is_line(value: object, chars_max: int) -> bool:
    """Whether `value` is text that can stand in one line."""
    if not isinstance(value, str):
        return False
    text = value.strip()
    breaks = not text.isprintable() and _BREAKS_A_LINE.search(text) is not None
    return 1 <= len(text) <= chars_max and not breaks


def is_output_name(value: object) -> bool:
    """Whether `value` is a plain file name that stays in its folder on every system."""
    return (
        isinstance(value, str)
        and 1 <= len(value) <= OUTPUT_CHARS_MAX
        and value.isprintable()
        and len(value.encode()) <= OUTPUT_BYTES_MAX
        and _UNSAFE_NAME.search(value) is None
        and value.casefold() not in RESERVED_NAMES
    )


def step_id_of_place(phase: PhaseKey, file: str) -> StepId:
    """The id that a file's place asks for: "01-03" for 01-*/03-*.md. Else the file's stem."""
    stem = PurePosixPath(file).stem
    pair = [found[0] for part in (phase, stem) if (found := re.match(r"[0-9]{2}(?=-|$)", part))]
    return StepId("-".join(pair) if len(pair) == 2 else stem)


def sections_of(body: str) -> dict[str, str]:
    """The text under each `## Heading` that stands outside of code. A repeated one goes on."""
    before, *chunks = f"\n{body}".split("\n## ")
    fences = "```" in body or "~~~" in body
    fence = _fence_after("", before) if fences else ""
    heading: str | None = None
    sections: dict[str, str] = {}
    for chunk in chunks:
        if fence:  # what looked like a heading is a line of code
            text = f"\n## {chunk}"
        else:
            title, _, text = chunk.partition("\n")
            heading = _heading_of(title)
            text = f"\n\n{text.strip()}" if heading in sections else text
        fence = _fence_after(fence, chunk) if fences else ""
        if heading is not None:
            sections[heading] = sections.get(heading, "") + text
    return {heading: text.strip() for heading, text in sections.items()}


def _heading_of(line: str) -> str:
    """The words of a heading. Markdown allows it to end in ##, which is no part of them."""
    text = line.rstrip(" \t")
    words = text.rstrip("#")
    return (words if words.endswith((" ", "\t")) else text).strip()


def _fence_after(fence: str, text: str) -> str:
    """The code fence that is open after `text`, where `fence` was open before it; or nothing."""
    for line in text.split("\n"):
        mark = line.strip()
        if not mark.startswith(("```", "~~~")):
            continue
        run = mark[: len(mark) - len(mark.lstrip(mark[0]))]
        if not fence:
            fence = run
        elif run == mark and run.startswith(fence):
            fence = ""
    return fence


# The agent file


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


def label_of(phase: str) -> str:
    """A label made from a directory's name: `05-data-model` is Data Model."""
    words = re.sub(r"^[0-9]{2}-", "", phase).replace("_", "-").split("-")
    return " ".join(word[:1].upper() + word[1:] for word in words if word) or phase


def is_key(value: object) -> bool:
    """Whether `value` can be the key of a persona: small letters, digits, hyphens, at most 40."""
    return isinstance(value, str) and _PERSONA_KEY.fullmatch(value) is not None


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


# Values as they are shown


def value_shown(value: object) -> str:
    """`value` in one short line, whatever it is and however large."""
    text = value if isinstance(value, str) else _written(value)
    if len(text) > VALUE_CHARS_MAX:
        text = text[: VALUE_CHARS_MAX - 1] + "…"
    return _BREAKS_A_LINE.sub(" ", text)


def _kept(value: object) -> object:
    """`value` as it is, unless it cannot be written down: a number of thousands of digits."""
    try:
        str(value)
    except ValueError:
        return _written(value)
    return value


class _Short(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxlist, self.maxdict, self.maxset = 3, 6, 6, 6
        self.maxstring = self.maxother = OUTPUT_CHARS_MAX


_SHORT: Final = _Short()


def _written(value: object) -> str:
    try:
        nested = isinstance(value, list | dict | tuple | set | bytes)
        return _SHORT.repr(value) if nested else str(value)
    except ValueError:  # an integer of thousands of digits has no decimal form
        return "a very large number"
