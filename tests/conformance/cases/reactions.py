"""reactions.add, reactions.remove and assistant.threads.setStatus."""

from typing import Any, Final

from tests.conformance.cases.building import post
from tests.conformance.values import (
    CHANNEL,
    LONG_AGO,
    ME,
    NO_CHANNEL,
    Call,
    Case,
    Said,
    method_page,
    ok,
    refused,
)

ADD: Final = method_page("reactions.add")
REMOVE: Final = method_page("reactions.remove")
STATUS: Final = method_page("assistant.threads.setStatus")


def react(method: str = "reactions.add", **args: Any) -> Call:
    given = {"channel": CHANNEL, "timestamp": Said(0, "ts"), "name": "eyes"} | args
    return Call(method, {name: value for name, value in given.items() if value is not None})


def unreact(**args: Any) -> Call:
    return react("reactions.remove", **args)


def status(**args: Any) -> Call:
    given = {"channel_id": CHANNEL, "thread_ts": Said(0, "ts"), "status": "is reading 3 answers"}
    return Call("assistant.threads.setStatus", given | args)


CASES: Final = (
    Case("reaction.add", "a reaction", ADD, react(), ok(), (post(),)),
    Case("reaction.seen", "who reads the message sees it", ADD,
         Call("conversations.history",
              {"channel": CHANNEL, "latest": Said(0, "ts"), "inclusive": True, "limit": 1},
              sent="form"),
         ok({"messages.0.reactions.0.name": "eyes", "messages.0.reactions.0.count": 1,
             "messages.0.reactions.0.users.0": ME}), (post(), react())),
    Case("reaction.skin", "with a colour of skin", ADD, react(name="thumbsup::skin-tone-6"), ok(),
         (post(),)),
    Case("reaction.twice", "the same one twice", ADD, react(), refused("already_reacted"),
         (post(), react())),
    Case("reaction.name", "a name that cannot be one", ADD, react(name="no such thing!"),
         refused("invalid_name"), (post(),)),
    Case("reaction.no-message", "a message that never was", ADD, react(timestamp=LONG_AGO),
         refused("message_not_found")),
    Case("reaction.no-item", "no message named", ADD, react(timestamp=None),
         refused("no_item_specified")),
    Case("reaction.timestamp", "a timestamp that is none", ADD, react(timestamp="yesterday"),
         refused("bad_timestamp")),
    Case("reaction.no-channel", "a channel that there is not", ADD,
         react(channel=NO_CHANNEL, timestamp=LONG_AGO), refused("channel_not_found")),
    Case("reaction.remove", "taken back", REMOVE, unreact(), ok(), (post(), react())),
    Case("reaction.remove-none", "one that is not there", REMOVE, unreact(),
         refused("no_reaction"), (post(),)),
    Case("reaction.remove-no-message", "from a message that never was", REMOVE,
         unreact(timestamp=LONG_AGO), refused("message_not_found")),
    Case("reaction.remove-no-channel", "in a channel that there is not", REMOVE,
         unreact(channel=NO_CHANNEL, timestamp=LONG_AGO), refused("channel_not_found")),
    Case("status.set", "who is at what, under a thread", STATUS, status(), ok(), (post(),)),
    Case("status.clear", "taken away by no words", STATUS, status(status=""), ok(),
         (post(), status())),
    Case("status.no-message", "under a message that never was", STATUS,
         status(thread_ts=LONG_AGO), refused("invalid_thread_ts")),
    Case("status.no-channel", "in a channel that there is not", STATUS,
         status(channel_id=NO_CHANNEL, thread_ts=LONG_AGO), refused("channel_not_found")),
)  # fmt: skip
