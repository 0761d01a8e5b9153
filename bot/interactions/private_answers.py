"""What one person alone is told about a session at a click: how it stands, why a line is there.

Names may have to be asked of Slack, so the words are found after the acknowledgement.
"""

from bot.interactions.command_line import shortened
from bot.interactions.interaction_context import InteractionContext
from bot.interactions.line_provenance import traced
from bot.payloads.inbound import Click
from bot.publish.render.catch_up import caught_up
from bot.views.kit.blocks import Message
from bot.views.private.catch_up import catch_up
from bot.views.private.why import Traced, unknown, why
from core.domain.session import Session


def tell_how_it_stands(desk: InteractionContext, click: Click, session: Session) -> None:
    def say() -> Message:
        late = caught_up(desk.runtime.reader, desk.workspace, session.id)
        return catch_up(late, desk.names.names(desk.workspace.team, late.people))

    desk.whisper.tell(click.place, say)


def tell_why(desk: InteractionContext, click: Click, session: Session) -> None:
    """The line that was picked from a list. It may be gone, or have changed, since it was shown."""

    def say() -> Message:
        team, reader = desk.workspace.team, desk.runtime.reader
        line = traced(
            reader,
            desk.workspace,
            (session.id,),
            click.value,
            lambda users: desk.names.strangers(team, users),
        )
        if not isinstance(line, Traced):
            return unknown(shortened(click.value), line, session.slug)
        return why(line, desk.names.names(team, line.people))

    desk.whisper.tell(click.place, say)
