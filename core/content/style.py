"""Whether a flow is worth answering: each step for itself, and what only shows in all of them.

A step with a finding here runs all the same; `steps check --strict` is for whoever writes it.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Final

from core.content import questions
from core.content.step_style import (
    ASKING,
    SCAN_PREFIX,
    SECTIONS,
    SHORT,
    STANDARD,
    STYLE,
    Measured,
    counted,
    found,
    measured,
    of_council,
    of_step,
    read,
)
from core.domain.ids import PhaseKey, StepId
from core.domain.steps.playbook import AGENT_FILE, Step, StepFault

SHORT_FLOW: Final = "analysis"
SHORT_STEPS: Final = 8  # the questions of the short path
STANDARD_QUESTIONS_MAX: Final = 60
COMPARED_MAX: Final = 600  # questions of a flow, each with every other; Roundtable's have 190


@dataclass(frozen=True, slots=True)
class StepMeasures:
    id: StepId
    title: str
    place: str  # "01-requirements/02-user-needs.md"
    short: bool
    sections: tuple[Measured, ...]

    def of(self, section: str) -> Measured:
        return next(part for part in self.sections if part.section == section)


@dataclass(frozen=True, slots=True)
class FlowMeasures:
    """One flow: its steps, and what only shows in all of them together."""

    flow: str
    steps: tuple[StepMeasures, ...]
    standard_questions: int
    short: int
    likeness: float  # of the two questions of different steps that are closest
    closest: tuple[StepId, ...]  # those two steps


@dataclass(frozen=True, slots=True)
class Review:
    """What was measured in a flow, and what to improve, each with the place it concerns."""

    measures: FlowMeasures
    findings: tuple[tuple[str, StepFault], ...]


def review(
    flow: str, steps: Sequence[Step], councils: Collection[PhaseKey] = frozenset()
) -> Review:
    """`councils`: the phases whose one step is asked only when people want changes."""
    pairs = tuple(_pairs(steps))
    findings = tuple(_findings(flow, steps, pairs, councils))
    return Review(_measures(flow, steps, pairs), findings)


def _measures(flow: str, steps: Sequence[Step], pairs: Collection["_Pair"]) -> FlowMeasures:
    lines = tuple(_measured(step) for step in steps)
    near = max(pairs, key=lambda pair: pair.likeness, default=None)
    return FlowMeasures(
        flow,
        lines,
        standard_questions=sum(line.of(STANDARD).questions for line in lines),
        short=sum(line.short for line in lines),
        likeness=near.likeness if near else 0.0,
        closest=(near.first.step.id, near.second.step.id) if near else (),
    )


def _findings(
    flow: str,
    steps: Sequence[Step],
    pairs: Collection["_Pair"],
    councils: Collection[PhaseKey],
) -> Iterator[tuple[str, StepFault]]:
    for step in steps:
        for finding in of_council(step) if step.phase in councils else of_step(step):
            yield _place(step), finding
    for pair in pairs:
        if pair.likeness >= questions.ALIKE_FROM:
            yield _place(pair.second.step), _alike(pair)
    for finding in _of_flow(flow, steps):
        yield AGENT_FILE, finding


def _measured(step: Step) -> StepMeasures:
    return StepMeasures(
        step.id,
        step.title,
        _place(step),
        step.short is not None,
        tuple(measured(name, read(step, name)) for name in SECTIONS),
    )


def _place(step: Step) -> str:
    return f"{step.phase}/{step.file}"


@dataclass(frozen=True, slots=True)
class _Asked:
    step: Step
    section: str
    text: str
    meant: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Pair:
    first: _Asked
    second: _Asked
    likeness: float


def _pairs(steps: Iterable[Step]) -> Iterator[_Pair]:
    """Questions of different steps that share anything. Those of one step's depths are the same
    talk, long or short.
    """
    every = ((step, name, question) for step in steps for name, question in _asked_in(step))
    everything = [
        _Asked(step, name, question, questions.meant(question))
        for step, name, question in islice(every, COMPARED_MAX)
    ]
    for first, second in combinations(everything, 2):
        if first.step is not second.step and (
            alike := questions.likeness(first.meant, second.meant)
        ):
            yield _Pair(first, second, alike)


def _asked_in(step: Step) -> Iterator[tuple[str, str]]:
    for name in ASKING:
        for question in questions.numbered(step.sections.get(name, "")):
            yield name, question
    if step.short is not None:
        yield SHORT, step.short


def _alike(pair: _Pair) -> StepFault:
    message = (
        f"A question is asked twice in other words: here and at {pair.first.step.id} "
        f"(likeness {pair.likeness:.2f})."
    )
    hint = f"{pair.first.text} / {pair.second.text}"
    return found(pair.second.step, pair.second.section, f"{pair.likeness:.2f}", message, hint)


def _of_flow(flow: str, steps: Sequence[Step]) -> Iterator[StepFault]:
    count = sum(len(questions.numbered(step.sections.get(STANDARD, ""))) for step in steps)
    if count > STANDARD_QUESTIONS_MAX:
        message = f"The steps ask {count} standard questions in all."
        yield StepFault(
            STYLE, AGENT_FILE, message, STANDARD, str(count), f"at most {STANDARD_QUESTIONS_MAX}"
        )
    short = sum(step.short is not None and not step.phase.startswith(SCAN_PREFIX) for step in steps)
    if flow == SHORT_FLOW and short not in (0, SHORT_STEPS):
        message = f"{counted(short, 'step has', 'steps have')} a question for the short path."
        yield StepFault(
            STYLE, AGENT_FILE, message, SHORT, str(short), f"{SHORT_STEPS}, or none at all"
        )
