"""Where a council asks people: one list of questions, answered once, read by everybody."""

from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import PersonaKey
from core.domain.session.step import StepState
from core.engine import prompts
from core.engine.flow import seats
from core.engine.kernel.turn import Turn
from core.english import joined

PROMPT_CHOICES: Final = ("pause", "cancel")


def merge(turn: Turn) -> None:
    council, phase = seats.current_council(turn)
    task = turn.task()
    turn.council = council.merging_begun(task)
    turn.do(fx.MergeQuestions(task, phase.key))


def merged(turn: Turn, event: on.QuestionsMerged) -> None:
    council = turn.council
    if council is None or council.merging != event.task:
        return
    turn.council = council.merged(event.questions)
    pose(turn, seats.step(turn))


def pose(turn: Turn, state: StepState) -> None:
    """Every persona asks its part in its own thread; people answer once, wherever they like."""
    council, phase = seats.current_council(turn)
    questions = replace(state.questions, posed=council.questions or state.questions.posed)
    prompt = state.prompt.posted(phase.members[0], "standard")
    state = prompts.ask_again(turn, replace(state, questions=questions), prompt, PROMPT_CHOICES)
    turn.council = council.asked_anew()
    if council.changes or not council.questions:
        turn.do(
            fx.PostPrompt(state.id, state.prompt.revision, phase.members[0], turn.session.awaited)
        )
    else:
        askers = dict.fromkeys(persona for _, persona, _ in council.questions)
        for number, persona in enumerate(askers):
            mention = turn.session.awaited if number == 0 else ()
            turn.do(fx.PostQuestions(state.id, state.prompt.revision, persona, mention))
    turn.do(fx.PaintCard())
    if turn.situation.answered and not council.changes:
        prompts.begin_reading(turn, state)


def share(turn: Turn, thread: PersonaKey) -> None:
    """A reply in one thread has reached all of them: said once in each."""
    council = turn.council
    if council is None or thread in council.shared or turn.session.status == "debating":
        return
    if thread not in {seat.persona for seat in council.seats}:
        return  # an earlier phase's: it changes what was decided there, and nobody here is asked
    others = [seats.name(turn, seat.persona) for seat in council.present if seat.persona != thread]
    if not others:
        return
    turn.council = council.answer_shared(thread)
    turn.do(fx.Say("shared", thread, {"names": joined(others)}))
