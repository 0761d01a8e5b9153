"""The state of one step of a session, and its parts."""

from dataclasses import dataclass, replace
from typing import Literal

from core.domain.ids import Depth, Digest, MenuId, PersonaKey, PhaseKey, StepId, TaskId, UserId
from core.domain.party import Question
from core.domain.playbook import Corrections, StepFault

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

    asked: tuple[str, ...] = ()  # two at most
    open: str | None = None  # the one that waits for an answer
    gaps: tuple[str, ...] = ()  # those that the team left open
    posed: tuple[tuple[int, PersonaKey, Question], ...] = ()  # a council's, merged

    def raised(self, question: str | None) -> "Questions":
        """`question` waits for an answer; None: no question does."""
        asked = self.asked if question is None else dict.fromkeys((*self.asked, question))
        return replace(self, asked=tuple(asked), open=question)

    def left_open(self) -> "Questions":
        """People went on without an answer: the open question is a gap."""
        gaps = self.gaps if self.open is None else (*self.gaps, self.open)
        return replace(self, gaps=gaps, open=None)

    def dropped(self, question: str) -> "Questions":
        """The question may be asked again: it is no gap any more."""
        return replace(
            self,
            asked=tuple(asked for asked in self.asked if asked != question),
            gaps=tuple(gap for gap in self.gaps if gap != question),
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
        older = {named: newer.get(there, there) for named, there in self.corrections}
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
    told: tuple[str, ...] = ()  # faults already shown at this step since the last resume

    def asked_again(self, prompt: PromptState) -> "StepState":
        """The step is asked by `prompt`: what was chosen or open before is over."""
        questions = self.questions.raised(None)
        return replace(
            self, status="pending", prompt=prompt, questions=questions, choice=StepChoice()
        )

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
