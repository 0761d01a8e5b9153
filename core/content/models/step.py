"""A step file's front matter as a model, and the step it describes with its body."""

from collections.abc import Collection, Mapping
from typing import Annotated, Final

from pydantic import AfterValidator, BeforeValidator, ValidationInfo

from core.content.models.sections import sections_of
from core.content.models.validation import FileModel, Flaw, fits, line, one_of, validated, wrong
from core.content.models.values import (
    SHORT_CHARS_MAX,
    invalid_value,
    is_list,
    is_output_name,
    is_plain_file,
    is_question,
    is_step_id,
    is_text,
    missing_field,
    written,
)
from core.domain.ids import DEPTHS, Depth, Digest, PersonaKey, PhaseKey, StepId
from core.domain.steps.criteria import NEEDS, VALIDATION, Need, bad_needs
from core.domain.steps.playbook import Step, StepFault

_IDS_HINT: Final = 'a list of step ids, like ["01-01"]'
_OUTPUTS_HINT: Final = "a list of plain file names, like [requirements-spec.md]"
_SOURCES_HINT: Final = "a list of plain file names, like [AGENTS.md]"
_NEEDS_HINT: Final = f"one of {', '.join(NEEDS)}"

_ONCE: Final = AfterValidator(lambda values: tuple(dict.fromkeys(values)))
_Ids = Annotated[
    tuple[Annotated[StepId, fits(is_step_id, _IDS_HINT)], ...], fits(is_list, _IDS_HINT), _ONCE
]


def _of_flow(value: object, info: ValidationInfo) -> object:
    personas = info.context["personas"] if info.context else ()
    if isinstance(value, str) and value in personas:
        return value
    raise wrong(f"one of {', '.join(sorted(personas))}")


class StepFront(FileModel):
    """The known fields of a step file, in the order in which their faults are told."""

    step_id: Annotated[
        StepId, fits(is_step_id, 'two digits, a hyphen and two digits in quotes, like "01-02"')
    ]
    title: Annotated[str, line()]
    persona: Annotated[PersonaKey, BeforeValidator(_of_flow)]
    depth: Annotated[Depth, one_of(DEPTHS)]
    outputs: Annotated[
        tuple[Annotated[str, fits(is_output_name, _OUTPUTS_HINT)], ...],
        fits(lambda value: is_list(value) and bool(value), _OUTPUTS_HINT),
        _ONCE,
    ]
    depends_on: _Ids = ()
    skip_if: Annotated[
        str | None, fits(is_text, "an expression in quotes, like \"scope == 'small'\"")
    ] = None
    mandatory: Annotated[bool, fits(lambda value: isinstance(value, bool), "true or false")] = False
    short: Annotated[
        str | None,
        fits(
            is_question,
            f"one question in quotes, on one line of at most {SHORT_CHARS_MAX} characters",
        ),
    ] = None
    sources: Annotated[
        tuple[Annotated[str, fits(is_plain_file, _SOURCES_HINT)], ...],
        fits(is_list, _SOURCES_HINT),
        _ONCE,
    ] = ()
    reads: _Ids | None = None
    needs: Annotated[
        tuple[Annotated[Need, one_of(NEEDS)], ...], fits(is_list, _NEEDS_HINT), _ONCE
    ] = ()


STEP_FIELDS: Final = tuple(StepFront.model_fields)


def parse_step(
    front: Mapping[str, object],
    body: str,
    *,
    file: str,
    phase: PhaseKey,
    digest: Digest,
    personas: Collection[PersonaKey],
) -> Step | tuple[StepFault, ...]:
    """The step that a file describes, or everything that is wrong with it.

    ERR-STEP-005 for a required field without a value, ERR-STEP-006 for a bad value, the tags of
    criteria included.
    """
    sections = sections_of(body)
    fields = validated(StepFront, front, context={"personas": personas})
    tags = [_bad_tag(file, kind) for kind in bad_needs(sections.get(VALIDATION, ""))]
    if isinstance(fields, tuple) or tags:
        flaws = fields if isinstance(fields, tuple) else ()
        return (*(_fault(file, flaw) for flaw in flaws), *tags)
    values = dict(fields)
    return Step(
        id=values.pop("step_id"),
        **values,
        file=file,
        phase=phase,
        digest=digest,
        body=body,
        sections=sections,
        extra={name: _writable(value) for name, value in front.items() if name not in STEP_FIELDS},
    )


def _fault(file: str, flaw: Flaw) -> StepFault:
    name = str(flaw.path[0])
    if flaw.value is None and len(flaw.path) == 1:
        return missing_field(file, name)
    return invalid_value(file, name, flaw.value, hint=flaw.hint)


def _bad_tag(file: str, kind: str) -> StepFault:
    hint = f"a line of '## {VALIDATION}' ends in (needs: kind), {_NEEDS_HINT}"
    return invalid_value(file, "needs", kind, hint=hint)


def _writable(value: object) -> object:
    """`value` as it is, unless it cannot be written down: a number of thousands of digits."""
    try:
        str(value)
    except ValueError:
        return written(value)
    return value
