"""A step file's front matter and body: the step they describe, or everything that is wrong.

Reading files and YAML is the business of `core.content`.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from core.domain.criteria import NEEDS, VALIDATION, bad_needs
from core.domain.forms import (
    TITLE_CHARS_MAX,
    invalid_value,
    is_line,
    is_output_name,
    is_step_id,
    missing_field,
    written,
)
from core.domain.ids import DEPTHS, Digest, PersonaKey, PhaseKey, StepId
from core.domain.playbook import Step, StepFault

SHORT_CHARS_MAX: Final = 200
ASKS: Final = ("?", "？")  # what a question ends in
REQUIRED_FIELDS: Final = ("step_id", "title", "persona", "depth", "outputs")
STEP_FIELDS: Final = (
    *REQUIRED_FIELDS,
    "depends_on",
    "skip_if",
    "short",
    "sources",
    "reads",
    "needs",
)


def parse_step(
    front: Mapping[str, object],
    body: str,
    *,
    file: str,
    phase: PhaseKey,
    digest: Digest,
    personas: Collection[PersonaKey],
) -> Step | tuple[StepFault, ...]:
    """The step that a file describes, or everything that is wrong with its front matter.

    The tags of its criteria are values of `needs` as well.
    """
    sections = sections_of(body)
    faults = [*_step_faults(front, file, personas)]
    for kind in bad_needs(sections.get(VALIDATION, "")):
        hint = f"a line of '## {VALIDATION}' ends in (needs: kind), {_hint('needs', personas)}"
        faults.append(invalid_value(file, "needs", kind, hint=hint))
    if faults:
        return tuple(faults)
    values = {name: front[name] for name in STEP_FIELDS if front.get(name) is not None}
    needed = _items(values.get("needs"))
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
        reads=tuple(map(StepId, dict.fromkeys(_items(values["reads"]))))
        if "reads" in values
        else None,
        needs=tuple(need for item in dict.fromkeys(needed) for need in NEEDS if need == item),
        body=body,
        sections=sections,
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
        case "depends_on" | "reads":
            if isinstance(value, list):
                return [item for item in value if not is_step_id(item)]
            good = False
        case "needs":
            if isinstance(value, list):
                return [item for item in value if item not in NEEDS]
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
        case "needs":
            return f"one of {', '.join(NEEDS)}"
        case "depends_on" | "reads":
            return 'a list of step ids, like ["01-01"]'
        case "short":
            return f"one question in quotes, on one line of at most {SHORT_CHARS_MAX} characters"
        case _:
            return "an expression in quotes, like \"scope == 'small'\""


def _items(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []


def _kept(value: object) -> object:
    """`value` as it is, unless it cannot be written down: a number of thousands of digits."""
    try:
        str(value)
    except ValueError:
        return written(value)
    return value


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
