"""What the scripted brain does for each task: one table."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from core.brains import tasks
from core.brains.script import elaboration
from core.brains.script.council import debate, drafting, judging, proposing, vision
from core.brains.script.council.brief import summed_up
from core.brains.script.diagnosis import diagnose
from core.brains.script.reading import read
from core.brains.task_cache import cache_scope
from core.domain.answers import Draft, ReadRequest
from core.domain.party.contributions import ConsultRequest, Contribution, Want

_GIVES: Final[Mapping[Want, Callable[[ConsultRequest], Contribution]]] = {
    "questions": vision.questions,
    "interpretation": vision.interpretation,
    "cross-question": debate.cross_question,
    "reply": debate.reply,
    "position": debate.position,
    "proposal": proposing.proposal,
    "critique": judging.critique,
    "revision": proposing.revision,
    "vote": judging.vote,
    "draft": drafting.draft,
    "review": drafting.review,
    "final": drafting.final,
}


_CONCLUDES: Final = ("position", "vote", "final")


@cache_scope
def consult(request: ConsultRequest) -> Contribution:
    """A member's turn in a council: it quotes people and asks, and invents nothing.

    What a member concluded last in the same words it does not say again.
    """
    turn = _GIVES[request.want](request)
    concluded = [
        one.text
        for one in request.said
        if (one.persona, one.want) == (turn.persona, turn.want) and one.text
    ]
    is_said = turn.want in _CONCLUDES and concluded[-1:] == [turn.text]
    return replace(turn, text="") if is_said and not turn.questions else turn


def _read(request: ReadRequest) -> Draft:
    """The script's reading, with what a language model made of the same answers laid over it."""
    if request.model is None:
        return read(request)
    from core.brains.model.taking_in import laid_over

    return read(request, laid_over(request), request.model.question)


_PERFORMS: Final[Mapping[type[tasks.Task[Any]], Callable[[Any], Any]]] = {
    tasks.ReadStep: lambda task: _read(task.request),
    tasks.TakeTurn: lambda task: elaboration.turn_of(task.request),
    tasks.Synthesise: lambda task: elaboration.synthesis(task.turns, task.answers),
    tasks.Contribute: lambda task: consult(task.request),
    tasks.SumUp: lambda task: summed_up(task.request),
    tasks.Merge: lambda task: vision.merged(task.contributions, task.order),
    tasks.FindCause: lambda task: diagnose(task.request),
}


def perform(task: tasks.Task[tasks.Result]) -> tasks.Result:
    """The result of a task. Raises `KeyError` for a task that no row knows."""
    result: tasks.Result = _PERFORMS[type(task)](task)
    return result
