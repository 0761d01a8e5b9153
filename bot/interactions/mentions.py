"""What comes of a message that mentions us: a command, or a kind answer. It answers no step."""

from bot.interactions.command_line import CREDENTIAL_TYPED, BadCommand, parse
from bot.interactions.commands import Outcome, run
from bot.interactions.interaction_context import InteractionContext
from bot.payloads.inbound import Mention
from bot.views.private.commands import not_taken_in


def answered(desk: InteractionContext, mention: Mention) -> Outcome:
    """Do the command that follows our name.

    Elsewhere than in a session's thread, people may speak of us without being answered.
    """
    command = parse(mention.line)
    if command == BadCommand(CREDENTIAL_TYPED):
        return run(command, desk.asked(mention.place, mention.keys))
    if isinstance(command, BadCommand) and command.code is None and _in_session(desk, mention):
        return not_taken_in()
    if isinstance(command, BadCommand) and not mention.leading:
        return None
    return run(command, desk.asked(mention.place, mention.keys))


def _in_session(desk: InteractionContext, mention: Mention) -> bool:
    place = mention.place
    if place.thread_ts is None:
        return False
    return desk.runtime.reader.session_of_thread(place.channel, place.thread_ts) is not None
