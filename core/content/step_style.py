"""Whether one step is worth answering, as far as that can be measured: length, questions, ease.

The limits are those that the steps of Roundtable keep. docs/reference/steps.md explains each.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import floor
from typing import Final

from core import patterns
from core.content import prose, questions
from core.domain import brief
from core.domain.steps.criteria import VALIDATION, without_tags
from core.domain.steps.playbook import SECTION_OF_DEPTH, Step, StepFault

STYLE: Final = "STYLE"
SHORT: Final = "short"  # the field of the front matter
SCAN_PREFIX: Final = "00-"  # these steps come before anybody can choose the short path
QUESTION_WORDS_MAX: Final = 30
EASE_MIN: Final = 60.0  # plain English
COMPARED_MAX: Final = 20  # questions of one section; beyond them there are too many of them anyway

BRIEF: Final = SECTION_OF_DEPTH["brief"]
STANDARD: Final = SECTION_OF_DEPTH["standard"]
DEEP: Final = SECTION_OF_DEPTH["deep"]
ARTIFACTS: Final = "Artifacts"
SECTIONS: Final = (BRIEF, STANDARD, DEEP, VALIDATION, ARTIFACTS)
ASKING: Final = (STANDARD, DEEP)

WORDS: Final[Mapping[str, tuple[int, int]]] = {
    BRIEF: (10, 90),
    STANDARD: (20, 90),
    DEEP: (40, 150),
    VALIDATION: (10, 80),
    ARTIFACTS: (8, 80),
}
BRIEF_PARAGRAPHS_MAX: Final = 2  # the draft, then the question
COUNCIL_WORDS: Final = (10, 60)
QUESTIONS: Final[Mapping[str, tuple[int, int]]] = {STANDARD: (2, 3), DEEP: (4, 6)}
PLACEHOLDER: Final = patterns.compile(
    r"\{[^{}\n]*\}|<[^<>\n]+>|\[[^][\n]*\](?!\()|\b(?:TODO|TBD|FIXME|XXX|lorem ipsum)\b|_{3,}",
    patterns.IGNORECASE,
)
_BULLET: Final = patterns.compile(r"^[-*+][ \t]+", patterns.MULTILINE)
_TARGET: Final = patterns.compile(
    r'^[-*+][ \t]+`(?P<file>[^`]+)` · section "(?P<section>[^"]+)"[:.]'
)


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured in one section of one step."""

    section: str
    words: int
    questions: int
    ease: float | None


def read(step: Step, name: str) -> str:
    """A section as people read it."""
    if name == BRIEF:
        return brief.shown(step)
    text = step.sections.get(name, "")
    return without_tags(text, text) if name == VALIDATION else text


def measured(name: str, text: str) -> Measured:
    question_count = len(questions.numbered(text)) if name in ASKING else 0
    return Measured(name, len(prose.words(text)), question_count, prose.reading_ease(text))


def of_step(step: Step) -> Iterator[StepFault]:
    """Everything to improve in one step."""
    for name in SECTIONS:
        if text := read(step, name):
            yield from _of_section(step, name, text)
        elif name not in SECTION_OF_DEPTH.values():  # those have a code of their own
            yield found(step, name, None, f"There is no text under '## {name}'.")
    if step.sections.get(BRIEF):
        yield from _of_brief(step)
    yield from _of_validation(step)
    yield from _of_artifacts(step)
    if step.short is not None:
        yield from _of_short(step, step.short)


def of_council(step: Step) -> Iterator[StepFault]:
    """The same for the step of a council: a plain question or two, and what comes of it.

    Numbers belong to what the council asks by itself, so they would be taken for those.
    """
    asking, artifacts = step.sections.get(STANDARD, ""), step.sections.get(ARTIFACTS, "")
    for name, text in ((STANDARD, asking), (ARTIFACTS, artifacts)):
        if not text:
            yield found(step, name, None, f"There is no text under '## {name}'.")
    if asking:
        yield from _of_length(step, STANDARD, asking, COUNCIL_WORDS)
        yield from _of_prompt(step, STANDARD, asking)
        yield from _closed(step, STANDARD, asking)
        if questions.numbered(asking):
            message = f"'## {STANDARD}' has numbers, and only the council's own questions have."
            yield found(step, STANDARD, None, message)
        if not questions.asked(asking):
            yield found(step, STANDARD, None, "This asks nothing, and people are there to answer.")
    if artifacts:
        yield from _of_length(step, ARTIFACTS, artifacts, WORDS[ARTIFACTS])
    yield from _of_artifacts(step)


def _of_length(step: Step, name: str, text: str, limits: tuple[int, int]) -> Iterator[StepFault]:
    words, (low, high) = measured(name, text).words, limits
    if not low <= words <= high:
        message = f"'## {name}' has {words} words."
        yield found(step, name, str(words), message, f"{low} to {high} words")


def _of_prompt(step: Step, name: str, text: str) -> Iterator[StepFault]:
    """What people read must be easy to read, and whole."""
    ease = measured(name, text).ease
    if ease is not None and ease < EASE_MIN:
        message = f"'## {name}' is hard to read: a reading ease of {floor(ease)}."
        hint = f"at least {EASE_MIN:.0f}: shorter sentences, shorter words"
        yield found(step, name, str(floor(ease)), message, hint)
    if placeholder := PLACEHOLDER.search(text):
        message = f"'## {name}' holds a placeholder: {placeholder[0]}"
        yield found(step, name, placeholder[0], message, "nothing is filled in here")


def _of_section(step: Step, name: str, text: str) -> Iterator[StepFault]:
    yield from _of_length(step, name, text, WORDS[name])
    if name in SECTION_OF_DEPTH.values():
        yield from _of_prompt(step, name, text)
    if name in QUESTIONS:
        yield from _of_questions(step, name, text)


def _of_questions(step: Step, name: str, text: str) -> Iterator[StepFault]:
    lines = questions.numbered(text)
    low, high = QUESTIONS[name]
    if not low <= len(lines) <= high:
        message = f"'## {name}' has {len(lines)} numbered questions."
        yield found(step, name, str(len(lines)), message, f"{low} to {high} questions")
    for line in lines:
        if not questions.asked(line):
            yield found(step, name, line, "A numbered line asks nothing.", line)
        yield from _too_long(step, name, line)
    yield from _closed(step, name, text)
    for question, other in combinations(lines[:COMPARED_MAX], 2):
        alike = questions.likeness(questions.meant(question), questions.meant(other))
        if alike >= questions.ALIKE_FROM:
            message = f"'## {name}' asks the same twice."
            yield found(step, name, other, message, f"{question} / {other}")


def _too_long(step: Step, name: str, question: str) -> Iterator[StepFault]:
    words = len(prose.words(question))
    if words > QUESTION_WORDS_MAX:
        message = f"A question has {words} words, and {QUESTION_WORDS_MAX} are enough."
        yield found(step, name, question, message, question)


def _closed(step: Step, name: str, text: str) -> Iterator[StepFault]:
    for question in questions.asked(prose.without_code(text)):
        if not questions.is_open(question):
            yield found(step, name, question, "Yes or no would answer this question.", question)


def _of_brief(step: Step) -> Iterator[StepFault]:
    """A draft whose statements say what they rest on, if there is one; then one open question."""
    paragraphs = [part for part in step.sections[BRIEF].split("\n\n") if part.strip()]
    if len(paragraphs) > BRIEF_PARAGRAPHS_MAX:
        message = f"'## {BRIEF}' has {counted(len(paragraphs), 'paragraph')}."
        hint = "the question alone, or the draft and then the question"
        yield found(step, BRIEF, str(len(paragraphs)), message, hint)
    taken_apart = brief.brief_of(step)
    if not taken_apart.question:
        message = f"'## {BRIEF}' does not end in a question."
        hint = "it is asked where nothing supports the draft"
        yield found(step, BRIEF, None, message, hint)
    if asked_questions := questions.asked(taken_apart.text):
        message = "The draft asks a question, and nobody can confirm one."
        yield found(step, BRIEF, asked_questions[0], message, asked_questions[0])
    for name in (ground for statement in taken_apart.statements for ground in statement.grounds):
        if name not in brief.GROUNDS:
            message = f"The draft rests on “{name}”, and nothing is called that."
            yield found(step, BRIEF, name, message, ", ".join(sorted(brief.GROUNDS)))
    yield from _closed(step, BRIEF, taken_apart.question)


def _of_validation(step: Step) -> Iterator[StepFault]:
    criteria = len(_BULLET.findall(step.sections.get(VALIDATION, "")))
    question_count = len(questions.numbered(step.sections.get(STANDARD, "")))
    if criteria and question_count and criteria != question_count:
        message = f"There are {counted(criteria, 'criterion', 'criteria')} for "
        message += f"{counted(question_count, 'standard question')}."
        hint = "the first criterion belongs to the first question, and so on"
        yield found(step, VALIDATION, str(criteria), message, hint)


def _of_artifacts(step: Step) -> Iterator[StepFault]:
    """Each output has a line with its section, and each line is about an output."""
    text = step.sections.get(ARTIFACTS, "")
    if not text:
        return
    lines = [line for line in text.splitlines() if _BULLET.match(line)]
    targets = [_TARGET.match(line) for line in lines]
    for line, target in zip(lines, targets, strict=True):
        if target is None:
            message = "A line does not say which file and which section it is about."
            hint = '- `requirements-spec.md` · section "Users": what goes in'
            yield found(step, ARTIFACTS, line, message, hint)
        elif target["file"] not in step.outputs:
            message = f"`{target['file']}` is none of the step's outputs."
            yield found(step, ARTIFACTS, target["file"], message, ", ".join(step.outputs))
    described_files = {target["file"] for target in targets if target}
    for output in step.outputs:
        if output not in described_files:
            yield found(step, ARTIFACTS, output, f"Nothing is said about the output `{output}`.")


def _of_short(step: Step, question: str) -> Iterator[StepFault]:
    if step.phase.startswith(SCAN_PREFIX):
        message = "The short path begins after the quick scan and never asks this."
        yield found(step, SHORT, question, message)
    if not questions.is_open(question):
        message = "Yes or no would answer this question."
        yield found(step, SHORT, question, message, question)
    yield from _too_long(step, SHORT, question)


def found(
    step: Step, name: str, value: str | None, message: str, hint: str | None = None
) -> StepFault:
    return StepFault(STYLE, step.file, message, name, value, hint)


def counted(number: int, noun: str, many: str | None = None) -> str:
    return f"{number} {noun if number == 1 else many or f'{noun}s'}"
