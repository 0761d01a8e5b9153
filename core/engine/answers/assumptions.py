"""What a phase assumes, put to people: that's right, or wrong.

The menu stays as long as the summary can be chosen on: each assumption is settled once, because
it is none any more afterwards. Nothing moves but by *Wrong*, which asks one step again.
"""

from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import Answer
from core.domain.assumptions import Assumption, assumptions
from core.domain.ids import AnswerId, Ts, UserId
from core.domain.session.step import Doubt, StepState
from core.engine.kernel.turn import Turn
from core.engine.prompts import rebuild

KIND: Final = "assumptions"
CHOICES: Final = ("right", "wrong")


def assumption_of_click(turn: Turn, event: on.ChoiceMade) -> Assumption | None:
    """The assumption that a click is about; where there is none, whoever clicked is told why."""
    verb, _, key = event.choice.partition(":")
    answer = turn.situation.confirmed
    if answer is not None:
        turn.say_back(reply_to_second_click(answer.by, event.by, "right"))
        return None
    every = assumptions(turn.course.steps, turn.situation.claims)
    assumption = next((assumption for assumption in every if assumption.key == key), None)
    if assumption is None or (assumption.confirmed and verb == "right"):
        turn.say_back(fx.Reply("assumption-settled"))
        return None
    return assumption


def reply_to_second_click(first: UserId, by: UserId, choice: str) -> fx.Reply:
    """What a second click is told: somebody else was quicker, or it is their own choice."""
    if first == by:
        return fx.Reply("used-by-you", {"choice": choice})
    return fx.Reply("used-menu", {"by": first, "choice": choice})


def confirm(turn: Turn, assumption: Assumption, event: on.ChoiceMade) -> None:
    """It is theirs from now on, and the artifact says so. The step stays where it is."""
    state = turn.existing(assumption.step)
    turn.record(fx.AnswerSaved(_answer(turn, assumption, event)))
    turn.people = turn.people.with_answer(event.by, at_step=True)
    under_way = turn.reading.task is not None or turn.reading.has_unread
    if state.id == turn.course.step and under_way:
        turn.reading = turn.reading.answers_came()  # the reading does not know of it yet
    else:
        # A reading that is under way for the step is given up: then all has to be read again.
        rebuild(turn, state, None, keep=state.rebuild.task is None)


def _answer(turn: Turn, assumption: Assumption, event: on.ChoiceMade) -> Answer:
    return Answer(
        id=AnswerId(f"confirmed:{turn.session.id}:{assumption.key}"),
        step=assumption.step,
        by=event.by,
        text=assumption.text,
        ts=Ts(f"{event.at:.6f}"),
        permalink=event.permalink,
        source="confirmed",
    )


def doubted(turn: Turn, assumption: Assumption, by: UserId) -> StepState:
    """The step with what is wrong about it, for its next prompt."""
    state = turn.existing(assumption.step)
    turn.record(fx.BaselineSet(turn.course.current_phase.key))
    doubt = Doubt(
        by,
        assumption.question or assumption.text,
        state.prompt.revision + 1,
        bool(assumption.question),
    )
    questions = state.questions.reopened(assumption.question)
    return turn.save(replace(state, doubts=(*state.doubts, doubt), questions=questions))
