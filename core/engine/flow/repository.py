"""Which repository a session looks into, and a channel's sessions to come."""

from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.steps.code import CodeLink
from core.engine.kernel.situation import Transition
from core.engine.kernel.turn import Turn

ASK_SLACK: Final = Transition(None, needs_admin=True)


def named(turn: Turn, event: on.RepositoryNamed) -> None:
    """The owner or an admin links the session to a repository, or to none."""
    turn.needs_admin = event.shared is None
    if turn.needs_admin or turn.refuses(event.by, event.admin):
        return
    if refusal := _refusal(event):
        turn.say_back(refusal)
        return
    if event.name != turn.code.repository:
        turn.code = CodeLink(event.name)
    turn.say_back(_linked(event, turn.session.title))


def named_for_channel(event: on.RepositoryNamed) -> Transition:
    """An admin links a channel: there is no session under way that has an owner."""
    if event.shared is None or event.admin is None:
        return ASK_SLACK
    if not event.admin:
        return Transition(None, reply=fx.Reply("not-yours"))
    if refusal := _refusal(event):
        return Transition(None, reply=refusal)
    record = fx.ChannelLinked(event.team, event.channel, event.name)
    return Transition(None, (record,), reply=_linked(event, ""))


def _refusal(event: on.RepositoryNamed) -> fx.Reply | None:
    """A name that the channel may not see reads like one that does not exist."""
    offered = () if event.shared else event.offered
    if not event.name or event.name in offered:
        return None
    return fx.Reply("no-repository", {"names": ", ".join(offered)} if offered else {})


def _linked(event: on.RepositoryNamed, title: str) -> fx.Reply:
    about = {"title": title} if title else {}
    if not event.name:
        return fx.Reply("repository-unlinked", about)
    return fx.Reply("repository-linked", {"name": event.name, **about})
