"""Elaboration: the other personas join a step's thread, each with its own lens (4.6).

Progress is untouched: it begins at an open menu and ends at the same one, with what was said read
into the step.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import PersonaKey, UserId
from core.domain.session.menu import Menu
from core.domain.session.reading import Elaboration
from core.domain.session.step import StepState
from core.domain.steps.playbook import BUILT_IN, Persona
from core.engine.flow import navigation
from core.engine.kernel.turn import Turn
from core.engine.model import voices
from core.engine.prompts import begin_reading

TURNS_MAX: Final = 10
TURNS_NOTED: Final = 8


def begin(turn: Turn, menu: Menu, state: StepState, by: UserId) -> None:
    """The others come in and speak once each; then people take part."""
    turn.end_menu(menu.id, by, "elaborate")
    state = turn.save(replace(state, discussion=state.discussion.ended()))
    others = tuple(persona.key for persona in _others(turn, state))
    turn.elaboration = Elaboration(is_open=True, queue=others)
    turn.open_menu("elaboration", ("done",), state.id)
    turn.do(navigation.show_current_message(turn, state))
    _next_turn(turn, state)


def _others(turn: Turn, state: StepState) -> Sequence[Persona]:
    personas = turn.playbook.personas or BUILT_IN
    return [persona for persona in personas if persona.key != state.prompt.persona]


def _next_turn(turn: Turn, state: StepState, *, addressed: bool = False) -> None:
    persona = turn.elaboration.next_speaker
    if persona is None:
        return
    task = turn.task()
    turn.elaboration = turn.elaboration.asked_next(task)
    speech = fx.Speak(task, state.id, persona, addressed)
    voices.send(turn, state.id, speech, voices.call_for(turn, speech))


def heard(turn: Turn, state: StepState, event: on.MessagePosted) -> None:
    """Somebody took part: whoever was called by name answers, else whose turn it is."""
    called = _called(turn, state, event.text)
    others = _others(turn, state)
    if not others:
        return
    turn_of = called or others[state.discussion.count % len(others)].key
    turn.elaboration = turn.elaboration.queued(turn_of)
    _next_turn(turn, state, addressed=called is not None)


def _called(turn: Turn, state: StepState, text: str) -> PersonaKey | None:
    for persona in _others(turn, state):
        first = persona.name.split()[0].lower()
        opening = text.lstrip().removeprefix("@")[: len(first) + 1].lower()
        if opening.startswith(first) and not opening[len(first) :].isalnum():
            return persona.key
    return None


def model_failed(turn: Turn, event: on.ModelFailed) -> None:
    """People wait in the middle of a talk: the script speaks, and nothing is tried again."""
    if event.task != turn.elaboration.speaking or event.speech is None:
        return
    voices.rest(turn, event)
    turn.do(event.speech)


def spoke(turn: Turn, event: on.PersonaSpoke) -> None:
    voices.used(turn, event)
    state = turn.state(event.step)
    if state is None or event.task != turn.elaboration.speaking:
        return
    turn.elaboration = turn.elaboration.spoken()
    if event.text is not None:
        discussion = state.discussion.spoken(event.persona, event.text)
        state = turn.save(replace(state, discussion=discussion))
        thread = turn.course.current_phase.persona
        turn.do(fx.SayTurn(state.id, len(state.discussion.turns), thread))
        if state.discussion.count == TURNS_NOTED:
            turn.do(fx.Say("two-turns-left", thread))
        if state.discussion.count >= TURNS_MAX:
            end(turn, state, None)
            return
        turn.do(
            navigation.show_current_message(turn, state)
        )  # its button moves down where enough was said below it
    _next_turn(turn, state)


def end(turn: Turn, state: StepState, by: UserId | None) -> None:
    """What was said is read into the step; then the same menu comes back, below what was said."""
    turn.end_menu(turn.menus.current, by, "done" if by else None)
    stop(turn)
    turn.do(navigation.show_current_message(turn, state))
    args = {"by": by, "step": state.title} if by else {"step": state.title}
    turn.do(fx.Say("elaboration-ended", navigation.thread(turn), args))
    begin_reading(turn, state)


def stop(turn: Turn) -> None:
    turn.elaboration = Elaboration()
