"""conversations.* and users.*: what is read, page by page."""

from typing import Any, Final

from tests.conformance.cases.building import (
    MISSING,
    SOMETHING,
    TEAM,
    USER,
    at_least,
    post,
    reply,
    texts,
)
from tests.conformance.values import (
    CHANNEL,
    LONG_AGO,
    ME,
    NO_CHANNEL,
    PERSON,
    Act,
    Call,
    Case,
    Check,
    Said,
    method_page,
    ok,
    refused,
)

REPLIES: Final = method_page("conversations.replies")
HISTORY: Final = method_page("conversations.history")
INFO: Final = method_page("conversations.info")
JOINED: Final = method_page("users.conversations")
USERS: Final = method_page("users.info")
PAGES: Final = "apis/web-api/pagination"
THREAD: Final = (post("root"), reply(text="first"), reply(text="second"), reply(text="third"))
THREE: Final = (post("first"), post("second"), post("third"))
NO_MORE: Final = Check("none", lambda value: not isinstance(value, str) or not value)


def replies(**args: Any) -> Call:
    given = {"channel": CHANNEL, "ts": Said(0, "ts")} | args
    return Call("conversations.replies", given, sent="form")


def history(**args: Any) -> Call:
    return Call("conversations.history", {"channel": CHANNEL, **args}, sent="form")


def joined(**args: Any) -> Call:
    given = {"types": "public_channel,private_channel"} | args
    return Call("users.conversations", given, sent="form")


def among(name: str) -> Check:
    return Check(f"each with {name}", lambda v: isinstance(v, list) and all(name in x for x in v))


THREADS: Final = (
    Case("replies", "the root first, then the replies, the oldest first", REPLIES, replies(),
         ok({"messages": texts("root", "first", "second", "third"), "messages.0.reply_count": 3,
             "messages.0.thread_ts": Said(0, "ts"), "messages.1.thread_ts": Said(0, "ts"),
             "has_more": False}), THREAD),
    Case("replies.parent", "a reply names the author of its root", REPLIES, replies(),
         ok({"messages.1.parent_user_id": ME}), THREAD),
    Case("replies.alone", "a message without replies", REPLIES, replies(),
         ok({"messages": texts("alone"), "messages.0.reply_count": MISSING}), (post("alone"),)),
    Case("replies.page", "a page, and where the next one begins", PAGES, replies(limit=2),
         ok({"has_more": True, "response_metadata.next_cursor": SOMETHING}), THREAD),
    Case("replies.last-page", "the last page has no cursor", PAGES,
         replies(limit=200, cursor=Said(4, "response_metadata.next_cursor")),
         ok({"has_more": False, "response_metadata.next_cursor": NO_MORE,
             "messages.-1.text": "third"}), (*THREAD, replies(limit=2))),
    Case("replies.root-on-each-page", "the root is on each page and counts in none", REPLIES,
         replies(limit=2, cursor=Said(4, "response_metadata.next_cursor")),
         ok({"messages": texts("root", "third")}), (*THREAD, replies(limit=2)),
         basis="our reading", note="the page does not say"),
    Case("replies.after", "only messages after `oldest`", REPLIES, replies(oldest=Said(2, "ts")),
         ok({"messages.-1.text": "third", "messages.-2.text": "root"}), THREAD,
         basis="our reading", note="that the root comes along is not said"),
    Case("replies.between", "`inclusive` takes both edges in", REPLIES,
         replies(oldest=Said(1, "ts"), latest=Said(2, "ts"), inclusive=True),
         ok({"messages.-1.text": "second", "messages.-2.text": "first"}), THREAD),
    Case("replies.nobody", "a thread that there is not", REPLIES, replies(ts=LONG_AGO),
         refused("thread_not_found")),
    Case("replies.no-ts", "no thread named", REPLIES,
         Call("conversations.replies", {"channel": CHANNEL}, sent="form"),
         refused("thread_not_found")),
    Case("replies.no-channel", "a channel that there is not", REPLIES,
         replies(channel=NO_CHANNEL, ts=LONG_AGO), refused("channel_not_found")),
    Case("replies.cursor", "a cursor that is none", PAGES, replies(cursor="gibberish"),
         refused("invalid_cursor"), (post(),)),
    Case("replies.oldest", "a time that is none", REPLIES, replies(oldest="yesterday"),
         refused("invalid_ts_oldest"), (post(),)),
)  # fmt: skip

CHANNELS: Final = (
    Case("history", "the newest first, without replies", HISTORY,
         history(oldest=Said(0, "ts")), ok({"messages": texts("third", "second")}),
         (*THREE, reply(1, "a reply"))),
    Case("history.inclusive", "`inclusive` takes the edges in", HISTORY,
         history(oldest=Said(0, "ts"), latest=Said(1, "ts"), inclusive=True),
         ok({"messages": texts("second", "first")}), THREE),
    Case("history.page", "a page, and where the next one begins", PAGES,
         history(oldest=Said(0, "ts"), inclusive=True, limit=2),
         ok({"messages": texts("third", "second"), "has_more": True,
             "response_metadata.next_cursor": SOMETHING}), THREE),
    Case("history.next-page", "the next one", PAGES,
         history(oldest=Said(0, "ts"), inclusive=True, limit=2,
                 cursor=Said(3, "response_metadata.next_cursor")),
         ok({"messages": texts("first"), "has_more": False}),
         (*THREE, history(oldest=Said(0, "ts"), inclusive=True, limit=2))),
    Case("history.no-metadata", "no metadata unless it is asked for", HISTORY, history(limit=1),
         ok({"messages.0.metadata.event_payload": MISSING}),
         (post(metadata={"event_type": "conformance", "event_payload": {"id": "1"}}),)),
    Case("history.edited", "an edited message says so", "reference/events/message/message_changed",
         history(limit=1), ok({"messages.0.text": "Other", "messages.0.edited.user": ME}),
         (post(), Call("chat.update", {"channel": CHANNEL, "ts": Said(0, "ts"), "text": "Other"}))),
    Case("history.limit", "a limit that is none becomes a sensible one", PAGES,
         history(limit="many"), ok({"messages": list})),
    Case("history.no-channel", "a channel that there is not", HISTORY, history(channel=NO_CHANNEL),
         refused("channel_not_found")),
    Case("history.not-in-channel", "a public channel without the app", HISTORY, history(),
         refused("not_in_channel"), (Act("set_bot_in", {"channel": CHANNEL, "is_in": False}),),
         only_local="needs a channel that the app is not in"),
    Case("history.cursor", "a cursor that is none", PAGES, history(cursor="gibberish"),
         refused("invalid_cursor")),
    Case("history.latest", "a time that is none", HISTORY, history(latest="yesterday"),
         refused("invalid_ts_latest")),
    Case("info", "a channel", INFO,
         Call("conversations.info", {"channel": CHANNEL}, sent="form"),
         ok({"channel.id": CHANNEL, "channel.name": SOMETHING, "channel.is_private": bool,
             "channel.is_archived": False, "channel.is_member": True})),
    Case("info.members", "with the number of its members", INFO,
         Call("conversations.info", {"channel": CHANNEL, "include_num_members": True}, sent="form"),
         ok({"channel.num_members": int})),
    Case("info.no-channel", "a channel that there is not", INFO,
         Call("conversations.info", {"channel": NO_CHANNEL}, sent="form"),
         refused("channel_not_found")),
    Case("members", "who is in a channel", method_page("conversations.members"),
         Call("conversations.members", {"channel": CHANNEL}, sent="form"),
         ok({"members": at_least(1), "members.0": USER})),
)  # fmt: skip

PEOPLE: Final = (
    Case("joined", "the channels that the app is in", JOINED, joined(),
         ok({"channels": among("is_archived"), "channels.0.id": SOMETHING,
             "channels.0.name": SOMETHING, "channels.0.is_private": bool})),
    Case("joined.archived", "archived ones left out", JOINED, joined(exclude_archived=True),
         ok({"channels": Check("none archived",
                               lambda v: all(not each["is_archived"] for each in v))}),
         (Act("archive", {"channel": CHANNEL}),), only_local="needs an archived channel"),
    Case("joined.user", "the channels of a person that the app may know of", JOINED,
         joined(user=PERSON),
         ok({"channels": among("id")})),
    Case("joined.nobody", "the channels of nobody", JOINED, joined(user="U0000000000"),
         refused("user_not_found"), basis="our reading",
         note="the page names no such error; users.info answers it"),
    Case("joined.types", "a type that there is not", JOINED, joined(types="secret_channel"),
         refused("invalid_types")),
    Case("joined.limit", "a limit that is none", JOINED, joined(limit="many"),
         refused("invalid_limit")),
    Case("joined.cursor", "a cursor that is none", JOINED, joined(cursor="gibberish"),
         refused("invalid_cursor")),
    Case("user", "a person", USERS, Call("users.info", {"user": PERSON}, sent="form"),
         ok({"user.id": PERSON, "user.team_id": TEAM, "user.name": SOMETHING,
             "user.real_name": SOMETHING, "user.deleted": False, "user.is_bot": False,
             "user.is_admin": bool, "user.is_owner": bool, "user.tz_offset": int,
             "user.profile.display_name": str})),
    Case("user.bot", "the app itself", USERS, Call("users.info", {"user": ME}, sent="form"),
         ok({"user.id": ME, "user.is_bot": True})),
    Case("user.nobody", "nobody", USERS, Call("users.info", {"user": "U0000000000"}, sent="form"),
         refused("user_not_found")),
)  # fmt: skip

CASES: Final = THREADS + CHANNELS + PEOPLE
