"""A message that is no answer: taken out of its step like a withdrawal, and put back with a click.

Its author, whoever started the session, or an admin may; the message itself stays where it is.
"""

from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import Answer
from core.domain.session.menu import Menu, MenuKind
from core.engine.answers import collect
from core.engine.kernel.turn import Turn

KIND: Final[MenuKind] = "put-back"


def taken_out(turn: Turn, event: on.AnswerTakenOut) -> None:
    answer = turn.situation.answer
    if answer is None or answer.withdrawn:
        turn.say_back(fx.Reply("out-already" if answer else "no-answer"))
        return
    if not turn.may_act(event.by, event.admin, answer.by):
        turn.say_back(_not_theirs(turn, answer))
        return
    state = turn.existing(answer.step)
    out = replace(answer, withdrawn=True, out_by=event.by, revision=answer.revision + 1)
    collect.save_answer(turn, state, out)
    turn.do(fx.Mark(event.channel, event.ts, on=False))
    menu = turn.open_menu(KIND, (f"put-back:{answer.id}",), state.id)
    details = {"step": state.title, "menu": menu, "about": answer.id}
    turn.say_back(fx.Reply("taken-out", details))
    if answer.by != event.by:
        notice = fx.Reply("yours-taken-out", {"by": event.by, "step": state.title})
        turn.do(fx.Tell(answer.by, notice, answer.thread_ts or None))


def put_back(turn: Turn, menu: Menu, event: on.ChoiceMade) -> None:
    """It counts again, as its message reads now."""
    answer = turn.situation.answer
    if answer is None or answer.out_by is None:
        turn.say_back(fx.Reply("not-there"))
    elif not turn.may_act(event.by, event.admin, answer.by):
        turn.say_back(_not_theirs(turn, answer))
    else:
        _back(turn, menu, answer, event)


def _back(turn: Turn, menu: Menu, answer: Answer, event: on.ChoiceMade) -> None:
    state = turn.existing(answer.step)
    turn.end_menu(menu.id, event.by, event.choice)
    gone = collect.is_nothing(answer)
    again = replace(answer, withdrawn=gone, out_by=None, revision=answer.revision + 1)
    collect.save_answer(turn, state, again)
    if gone:
        turn.say_back(fx.Reply("not-there"))
        return
    turn.do(fx.Mark(event.channel, answer.ts, on=True))
    turn.say_back(fx.Reply("put-back", {"step": state.title}))


def _not_theirs(turn: Turn, answer: Answer) -> fx.Reply:
    if answer.by == turn.session.owner:
        return fx.Reply("not-yours", {"owner": turn.session.owner})
    return fx.Reply("not-your-answer", {"by": answer.by, "owner": turn.session.owner})
