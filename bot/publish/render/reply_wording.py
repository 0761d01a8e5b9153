"""What the core replies, in words: people by name, choices by label, places as links."""

from collections.abc import Mapping
from typing import Final

from bot.payloads.links import post_link
from bot.views.kit.blocks import Message
from bot.views.kit.menus import label_of, left_out
from bot.views.kit.names import Names
from bot.views.private.replies import reply_message
from core.domain.effects import Reply, ReplyKind
from core.domain.ids import SessionId, UserId
from core.ports import SessionReader, Workspace

EXPORTED: Final = {
    "zip": "The zip comes",
    "markdown": "The report comes",
    "html": "The printable report comes",
    "all": "The zip and both reports come",
}
_PEOPLE: Final = ("by", "owner", "decider")
_LINKED: Final[frozenset[ReplyKind]] = frozenset({"already-open", "wrong-thread"})


def people_in(reply: Reply) -> tuple[UserId, ...]:
    """Whose names the words may need."""
    return tuple(UserId(reply.args[key]) for key in _PEOPLE if reply.args.get(key))


def worded(reply: Reply, names: Names, url: str = "") -> Message:
    """A name that is not known is left out: the sentence has a plainer form without it."""
    return reply_message(reply.kind, {**_spoken(reply.args, names), "url": url})


def place_of(
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
    rest = {"steps": left_out(args["rest"].split("\n"))} if args.get("rest") else {}
    export = {"export": EXPORTED.get(args.get("wanted", ""), EXPORTED["zip"])}
    return {**args, **people, **choice, **thread, **export, **rest}
