"""The words that a step holds of its readings.

The journal refers to them: an event that overwrites some keeps those.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from core.domain.follow_ups import FollowUp, FollowUpOutcome
from core.domain.ids import StepId, UserId
from core.domain.model_calls import ModelLine
from core.domain.persona_proposals import PersonaProposal
from core.domain.session.step import StepState


@dataclass(frozen=True, slots=True)
class StepWords:
    """What a step holds of what was read: words, and questions that wait or were asked."""

    recorded: str = ""
    asked: tuple[FollowUp, ...] = ()  # as if all of them were open
    held: FollowUp | None = None
    lines: tuple[ModelLine, ...] = ()
    open_criteria: tuple[str, ...] = ()
    question: FollowUp | None = None
    proposals: tuple[PersonaProposal, ...] = ()
    basis: tuple[str, ...] = ()

    @classmethod
    def of(cls, state: StepState) -> "StepWords":
        model = state.model
        return cls(
            state.recorded,
            tuple(follow_up.ended("open") for follow_up in state.questions.follow_ups),
            model.scripts_question, model.lines, model.open_criteria, model.question,
            model.proposals, state.basis,
        )  # fmt: skip

    def lost_in(self, after: "StepWords") -> frozenset[str]:
        """The names of those that do not stand in `after` any more."""
        return frozenset(
            field.name
            for field in fields(self)
            if not _begins(getattr(after, field.name), getattr(self, field.name))
        )


QuestionPlace = tuple[StepId, int, FollowUpOutcome, UserId | None]
"""The step of a question, its place among those asked there, what came of it, and by whom."""


def question_place(follow_up: FollowUp, words: Mapping[StepId, StepWords]) -> QuestionPlace | None:
    """Where a question stands; None: on no step that these are of."""
    for step, at_step in words.items():
        if (as_open := follow_up.ended("open")) in at_step.asked:
            return step, at_step.asked.index(as_open), follow_up.outcome, follow_up.by
    return None


def _begins(words: Any, first: Any) -> bool:
    """True if they are the same, or nothing; of several, also if others only follow them."""
    is_first = isinstance(first, tuple) and words[: len(first)] == first
    return bool(is_first or not first or words == first)
