"""What the core replies, in words: people by name, choices by label, places as links."""

from collections.abc import Callable, Collection, Mapping
from typing import Final

from bot.payloads.links import post_link
from bot.views.kit.blocks import Message
from bot.views.kit.menus import label_of, left_out
from bot.views.kit.names import Names
from bot.views.kit.wording import WORDING
from bot.views.private.replies import reply_message
from core.domain.effects import Reply, ReplyKind
from core.domain.ids import SessionId, UserId
from core.ports import SessionReader, Workspace

_PEOPLE: Final = ("by", "owner", "decider")
_LINKED: Final[frozenset[ReplyKind]] = frozenset({"already-open", "wrong-thread"})


def reply_words(
    reply: Reply,
    session: SessionId | None,
    reader: SessionReader,
    workspace: Workspace,
    names_of: Callable[[Collection[UserId]], Names],
) -> Message:
    """A name that is not known is left out: the sentence has a plainer form without it."""
    people = [UserId(reply.args[key]) for key in _PEOPLE if reply.args.get(key)]
    url = _place_of(reply, session, reader, workspace)
    return reply_message(reply.kind, {**_spoken(reply.args, names_of(people)), "url": url})


def _place_of(
    reply: Reply, session: SessionId | None, reader: SessionReader, workspace: Workspace
) -> str:
    """The address of the thread or the card that a reply points to, if we know it."""
    if session is None or reply.kind not in _LINKED:
        return ""
    key = reply.args.get("key")
    post = reader.post(session, f"thread:{key}" if key else "card")
    return post_link(workspace.url, post)


def _spoken(args: Mapping[str, str], names: Names) -> dict[str, str]:
    people = {key: names.get(UserId(args[key]), "") for key in _PEOPLE if key in args}
    choice = {"choice": label_of(args["choice"])} if args.get("choice") else {}
    thread = {"thread": args["persona"]} if "persona" in args else {}
    steps = {"steps": left_out(args["rest"].split("\n"))} if args.get("rest") else {}
    export = {"export": WORDING.exports.get(args.get("wanted", ""), WORDING.exports["zip"])}
    return {**args, **people, **choice, **thread, **export, **steps}
