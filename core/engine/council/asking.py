"""Asking a member of a council for its turn: by a language model where one is offered, and until
its time is over; each request is one row, whatever was tried before."""

from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import PersonaKey, TaskId
from core.domain.session.council import Seat
from core.domain.session.model_reading import ModelCall
from core.engine.flow import seats as seating
from core.engine.kernel.turn import Turn
from core.engine.model import voices
from core.engine.model.tries import NextTry
from core.taxonomy.catalogue import logged, told_to_agents

TOO_LATE: Final = "the deadline passed"


def ask(
    turn: Turn,
    seat: Seat,
    neighbour: PersonaKey | None,
    prompt: str = "",
    flaws: tuple[str, ...] = (),
) -> None:
    """`prompt`: words to the member alone; `flaws`: what a model is to mend in its turn before."""
    council, phase = seating.current_council(turn)
    task = turn.task()
    want = seating.current_round(council, phase).want
    words = prompt or (told_to_agents("E-006") if council.limited else "")
    speech = fx.Consult(task, phase.key, seat.persona, want, neighbour, words)
    busy = sum(member.call is not None for member in council.seats)
    call = voices.call_for(turn, speech, busy=busy, flaws=flaws)
    due = turn.at + turn.situation.deadline_s
    seating.take_seat(turn, seat.asked(task, neighbour, call, due))
    _set_deadline(turn, seat, task, due)
    voices.send(turn, seating.step(turn).id, speech, call)


def ask_again(turn: Turn, seat: Seat, event: on.ModelFailed, following: NextTry) -> None:
    """The next request for the same turn, within the same time (seed 004)."""
    speech = event.speech
    assert isinstance(speech, fx.Consult), speech
    assert seat.call is not None, seat
    call = replace(following.call, flaws=seat.call.flaws)
    name = seating.name(turn, seat.persona)
    message = logged("E-002", PersonaName=name)
    voices.record(turn, seating.step(turn), "E-002", seat.call, event, following, message=message)
    _call(turn, seat, replace(speech, task=call.task), call, following.wait_s)


def ask_script(turn: Turn, seat: Seat, speech: fx.Consult) -> None:
    """Models may not be asked any more: the member speaks from the script."""
    _call(turn, seat, replace(speech, task=turn.task()), None)


def _call(
    turn: Turn, seat: Seat, speech: fx.Consult, call: ModelCall | None, wait_s: float = 0.0
) -> None:
    seating.take_seat(turn, seat.called(call, speech.task))
    _set_deadline(turn, seat, speech.task, seat.due)
    voices.send(turn, seating.step(turn).id, speech, call, wait_s)


def _set_deadline(turn: Turn, seat: Seat, task: TaskId, due: float) -> None:
    turn.record(fx.TimerSet(f"deadline:{seat.persona}", task, due))
