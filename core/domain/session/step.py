"""The state of one step of a session, and its parts."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal

from core.domain.follow_ups import FollowUp, FollowUpOutcome, with_outcomes
from core.domain.ids import Depth, Digest, MenuId, PersonaKey, PhaseKey, StepId, TaskId, UserId
from core.domain.party import Question
from core.domain.session.model_reading import ModelReading
from core.domain.steps.code import MeasuredLines
from core.domain.steps.playbook import Corrections, StepFault

StepStatus = Literal["pending", "completed", "skipped", "blocked", "failed", "stale"]


@dataclass(frozen=True, slots=True)
class Doubt:
    """An assumption of a step that somebody said is wrong."""

    by: UserId
    text: str
    revision: int  # of the prompt that asks about it
    question: bool = False  # it is one that had been left open


@dataclass(frozen=True, slots=True)
class PromptState:
    """How the step was asked. The default is a step that was never asked."""

    persona: PersonaKey | None = None
    depth: Depth | None = None
    revision: int = 0  # how often its prompt was posted
    is_short: bool = False  # asked by its short question
    missed_clicks: bool = False  # people wrote while the bot was away: a click then was lost

    def posted(self, persona: PersonaKey, depth: Depth, *, is_short: bool = False) -> "PromptState":
        """The prompt is posted once more."""
        return PromptState(persona, depth, self.revision + 1, is_short)


@dataclass(frozen=True, slots=True)
class Questions:
    """What a brain asked beside the prompt. The default is a step that left nothing to ask."""

    follow_ups: tuple[FollowUp, ...] = ()  # in the order in which they were asked; none is dropped
    posed: tuple[tuple[int, PersonaKey, Question], ...] = ()  # a council's, merged

    @property
    def open(self) -> FollowUp | None:
        """The one that waits for an answer."""
        return next(
            (follow_up for follow_up in self.follow_ups if follow_up.outcome == "open"), None
        )

    @property
    def unanswered(self) -> tuple[FollowUp, ...]:
        """Those that people went on from, skipped, or cannot answer yet."""
        return tuple(follow_up for follow_up in self.follow_ups if follow_up.is_unanswered)

    def has(self, follow_up: FollowUp) -> bool:
        """True if the same was asked."""
        return any(earlier.is_same(follow_up) for earlier in self.follow_ups)

    def raised(self, follow_up: FollowUp) -> "Questions":
        """A new one waits for an answer. One that was asked already is not asked again."""
        if self.has(follow_up):
            return self
        return replace(self, follow_ups=(*self.follow_ups, follow_up))

    def closed(self, follow_ups: Collection[FollowUp]) -> "Questions":
        """What became of some that were asked, by their outcome."""
        return replace(self, follow_ups=with_outcomes(self.follow_ups, follow_ups))

    def ended(self, outcome: FollowUpOutcome, by: UserId | None = None) -> "Questions":
        """The open one ends so; where none is open, nothing changes."""
        return self.closed(() if self.open is None else [self.open.ended(outcome, by)])

    def reopened(self, question: str) -> "Questions":
        """The one with that question waits for an answer again."""
        return self.closed(
            [
                follow_up.ended("open")
                for follow_up in self.follow_ups
                if question and follow_up.question == question
            ]
        )


@dataclass(frozen=True, slots=True)
class StepChoice:
    """What was chosen on the step's menu. The default is a menu that is not used yet."""

    name: str = ""  # "continue", "accept", "skip-step", …
    by: UserId | None = None


@dataclass(frozen=True, slots=True)
class Rebuild:
    """A new reading of a step that was passed. The default is a step that is not read again."""

    task: TaskId | None = None
    late_by: UserId | None = None  # whose late answer it is for
    tries: int = 0  # that failed


@dataclass(frozen=True, slots=True)
class Discussion:
    """What other personas said to the step."""

    turns: tuple[tuple[PersonaKey, str], ...] = ()  # over all elaborations
    count: int = 0  # turns of the elaboration that is under way

    def spoken(self, persona: PersonaKey, text: str) -> "Discussion":
        return Discussion((*self.turns, (persona, text)), self.count + 1)

    def ended(self) -> "Discussion":
        """The elaboration is over, or the next one begins."""
        return replace(self, count=0)


@dataclass(frozen=True, slots=True)
class StepSources:
    """The documents the step names, as far as they are not there as it names them."""

    missing: str = ""  # what the step is blocked for
    corrections: Corrections = ()
    without: tuple[str, ...] = ()  # those that people said to do without

    def corrected(self, corrections: Corrections) -> "StepSources":
        """Newer corrections win, also over what a former one led to."""
        newer = dict(corrections)
        older = {name: newer.get(actual, actual) for name, actual in self.corrections}
        return replace(self, corrections=tuple((older | newer).items()))


@dataclass(frozen=True, slots=True)
class StepState:
    """Where one pinned step stands. The step's content is found by its digest."""

    id: StepId
    phase: PhaseKey
    file: str
    title: str
    digest: Digest | None
    status: StepStatus = "pending"
    pinned: bool = True  # its file was there when the phase was last listed
    fault: StepFault | None = None  # why it is skipped
    skipped_by: UserId | None = None  # who chose not to be asked
    prompt: PromptState = PromptState()
    questions: Questions = Questions()
    recorded: str = ""  # what the last reading recorded, one line
    basis: tuple[str, ...] = ()  # "answer@revision" of the last reading
    choice: StepChoice = StepChoice()
    rebuild: Rebuild = Rebuild()
    discussion: Discussion = Discussion()
    sources: StepSources = StepSources()
    concerns: tuple[str, ...] = ()  # what could not be verified; written into its sections
    doubts: tuple[Doubt, ...] = ()  # what it assumed and people said is not so
    settling: MenuId | None = None  # the menu behind "Settle this", once people differed
    measured: MeasuredLines = MeasuredLines()  # what a linked repository shows
    model: ModelReading = ModelReading()  # what language models made of it
    shown_marks: tuple[str, ...] = ()  # faults already shown at this step since the last resume

    def asked_again(self, prompt: PromptState) -> "StepState":
        """The step is asked by `prompt`: what was chosen before is over."""
        return replace(self, status="pending", prompt=prompt, choice=StepChoice())

    def read_by(self, persona: PersonaKey) -> "StepState":
        """Another persona reads the answers in place of the one that asked."""
        return replace(self, prompt=replace(self.prompt, persona=persona))

    def blocked_for(self, missing: str) -> "StepState":
        """The step waits for a document."""
        return replace(self, status="blocked", sources=replace(self.sources, missing=missing))

    def unblocked(self) -> "StepState":
        """The step goes on without the document it waits for."""
        without = (*self.sources.without, self.sources.missing)
        sources = replace(self.sources, missing="", without=without)
        return replace(self, status="pending", sources=sources)

    @property
    def is_left_out(self) -> bool:
        """True if people chose not to be asked."""
        return self.status == "skipped" and self.skipped_by is not None
