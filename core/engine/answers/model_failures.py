"""A request to a language model failed: whoever it was for decides what comes next."""

from core.domain import effects as fx
from core.domain import events as on
from core.engine.answers import elaboration
from core.engine.council import absence
from core.engine.faults import escalation
from core.engine.kernel.turn import Turn
from core.engine.model import refining


def failed(turn: Turn, event: on.ModelFailed) -> None:
    turn.model = turn.model.used(event.usage)
    match event.speech:
        case None:
            refining.failed(turn, event)
        case fx.Consult():
            absence.model_failed(turn, event)
        case fx.Speak():
            elaboration.model_failed(turn, event)
        case fx.Diagnose():
            escalation.model_failed(turn, event)
