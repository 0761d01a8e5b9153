"""Whether language models may read a session: anybody says no, its owner or an admin yes again.

What one person keeps from leaving, the next may not send.
"""

from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.engine.kernel.situation import Transition
from core.engine.kernel.turn import Turn

ASK_SLACK: Final = Transition(None, needs_admin=True)


def chosen(turn: Turn, event: on.BrainChosen) -> None:
    """The script alone reads the session from now on, or language models do again."""
    if not event.script_only and turn.refuses(event.by, event.admin):
        return
    turn.model = replace(turn.model, script_only=event.script_only)
    turn.say_back(_said(event, {"title": turn.session.title}))


def chosen_for_channel(event: on.BrainChosen) -> Transition:
    """The same for sessions to come: they have no owner yet."""
    if not event.script_only and not event.admin:
        refused = Transition(None, reply=fx.Reply("not-yours"))
        return ASK_SLACK if event.admin is None else refused
    record = fx.ChannelBrainChosen(event.team, event.channel, event.script_only)
    return Transition(None, (record,), reply=_said(event, {}))


def _said(event: on.BrainChosen, about: dict[str, str]) -> fx.Reply:
    return fx.Reply("brain-script" if event.script_only else "brain-models", about)
