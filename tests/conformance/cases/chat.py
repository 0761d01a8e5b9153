"""chat.postMessage, chat.update, chat.delete and chat.postEphemeral, but for their blocks."""

from typing import Any, Final

from tests.conformance.cases.building import (
    BOT,
    MARK,
    METADATA,
    TS,
    long,
    post,
    reply,
    rich_text,
    section,
    texts,
    without_type,
)
from tests.conformance.values import (
    CHANNEL,
    LONG_AGO,
    NO_CHANNEL,
    PERSON,
    Act,
    Call,
    Case,
    Expect,
    Said,
    method_page,
    ok,
    refused,
)

POST: Final = method_page("chat.postMessage")
UPDATE: Final = method_page("chat.update")
DELETE: Final = method_page("chat.delete")
EPHEMERAL: Final = method_page("chat.postEphemeral")
ALONE: Final = "needs a channel that the app is not in, and chat:write.public would post there"
CLOSED: Final = "needs an archived channel"
ON_DEMAND: Final = "needs trouble on demand"
DELETED: Final = Call("chat.delete", {"channel": CHANNEL, "ts": Said(0, "ts")})


def update(**args: Any) -> Call:
    return Call("chat.update", {"channel": CHANNEL, "ts": Said(0, "ts"), **args})


def refuse(error: str) -> Act:
    return Act("refuse", {"method": "chat.update", "error": error})


def ephemeral(**args: Any) -> Call:
    return Call("chat.postEphemeral", {"channel": CHANNEL, "user": PERSON, **args})


def refuses_post(name: str, what: str, error: str, **args: Any) -> Case:
    return Case(f"post.{name}", what, POST, Call("chat.postMessage", {"channel": CHANNEL, **args}),
                refused(error))  # fmt: skip


POSTED: Final = (
    Case("post.text", "a message, and how the answer describes it", POST, post(),
         ok({"channel": CHANNEL, "ts": TS, "message.type": "message", "message.text": MARK,
             "message.bot_id": BOT, "message.ts": TS})),
    Case("post.persona", "under a name and an icon of its own", POST,
         post(username="Maya", icon_emoji=":memo:"),
         ok({"message.username": "Maya", "message.subtype": "bot_message"})),
    Case("post.reply", "a reply goes into its thread", POST, reply(),
         ok({"message.thread_ts": Said(0, "ts")}), (post(),)),
    Case("post.truncated", "text beyond 40,000 characters is cut", POST, post("x" * 40_001),
         ok({"message.text": long(40_000), "warning": "message_truncated"})),
    Case("post.markdown", "Markdown instead of text and blocks", POST,
         Call("chat.postMessage", {"channel": CHANNEL, "markdown_text": f"**{MARK}**"}),
         ok({"ts": TS})),
    refuses_post("no-text", "neither text nor blocks", "no_text"),
    refuses_post("markdown-and-text", "Markdown beside text", "markdown_text_conflict",
                 text=MARK, markdown_text=MARK),
    Case("post.markdown-long", "Markdown beyond 12,000 characters", POST,
         Call("chat.postMessage", {"channel": CHANNEL, "markdown_text": "x" * 12_001}),
         refused("msg_too_long"), basis="our reading",
         note="the page names the limit, not the error; chat.update has msg_too_long for its own"),
    Case("post.no-channel", "a channel that there is not", POST,
         Call("chat.postMessage", {"channel": NO_CHANNEL, "text": MARK}),
         refused("channel_not_found")),
    Case("post.not-in-channel", "a public channel without the app", POST, post(),
         refused("not_in_channel"), (Act("set_bot_in", {"channel": CHANNEL, "is_in": False}),),
         only_local=ALONE),
    Case("post.archived", "an archived channel", POST, post(), refused("is_archived"),
         (Act("archive", {"channel": CHANNEL}),), only_local=CLOSED),
    Case("post.reply-to-nobody", "a reply to a message that never was", POST,
         post(thread_ts=LONG_AGO), refused("thread_not_found"), basis="our reading",
         note="the page has no error for it"),
    Case("post.reply-to-deleted", "a reply to a message that was deleted", POST, reply(),
         refused("cannot_reply_to_message"), (post(), DELETED), basis="our reading",
         note="the page has the code for “message types” that cannot be replied to"),
    Case("post.reply-to-reply", "a reply to a reply lands in its thread", POST, reply(1),
         ok({"message.thread_ts": Said(0, "ts")}), (post(), reply()), basis="our reading",
         note="the page says to avoid it, not what comes of it"),
    Case("post.metadata", "metadata is kept, for those who ask for it",
         method_page("conversations.history"),
         Call("conversations.history",
              {"channel": CHANNEL, "latest": Said(0, "ts"), "inclusive": True, "limit": 1,
               "include_all_metadata": True}, sent="form"),
         ok({"messages.0.metadata.event_type": "conformance",
             "messages.0.metadata.event_payload.id": "1"}), (post(metadata=METADATA),)),
    refuses_post("metadata-format", "metadata that is no JSON", "invalid_metadata_format",
                 text=MARK, metadata="{"),
    refuses_post("metadata-schema", "metadata without a payload", "invalid_metadata_schema",
                 text=MARK, metadata={"event_type": "conformance"}),
    refuses_post("blocks-format", "blocks that are no JSON", "invalid_blocks_format",
                 text=MARK, blocks="[{"),
)  # fmt: skip

UPDATED: Final = (
    Case("update.text", "other words, and what the answer repeats", UPDATE, update(text="Other"),
         ok({"channel": CHANNEL, "ts": Said(0, "ts"), "text": "Other", "message.text": "Other"}),
         (post(),)),
    Case("update.blocks-go", "text without blocks takes the old blocks away", UPDATE,
         update(text="Other"),
         ok({"message.text": "Other", "message.blocks": without_type("section")}),
         (post(blocks=[section(MARK)]),)),
    Case("update.blocks", "blocks replace blocks", UPDATE,
         update(text="Other", blocks=[{"type": "divider"}]),
         ok({"message.blocks.0.type": "divider"}), (post(blocks=[section(MARK)]),)),
    Case("update.metadata-stays", "metadata stays when nothing is said of it", UPDATE,
         Call("conversations.history",
              {"channel": CHANNEL, "latest": Said(0, "ts"), "inclusive": True, "limit": 1,
               "include_all_metadata": True}, sent="form"),
         ok({"messages.0.metadata.event_type": "conformance"}),
         (post(metadata=METADATA), update(text="Other"))),
    Case("update.too-long", "text beyond 4,000 characters", UPDATE, update(text="é" * 4_001),
         refused("msg_too_long"), (post(),)),
    Case("update.longest", "4,000 characters, of two bytes each", UPDATE, update(text="é" * 4_000),
         ok({"text": long(4_000)}), (post(),)),
    Case("update.no-text", "neither text nor blocks", UPDATE, update(), refused("no_text"),
         (post(),)),
    Case("update.blocks-wrong", "blocks that are not valid", UPDATE,
         update(text="Other", blocks=[{"type": "marquee"}]), refused("invalid_blocks"), (post(),)),
    Case("update.nothing", "a message that never was", UPDATE,
         Call("chat.update", {"channel": CHANNEL, "ts": LONG_AGO, "text": "Other"}),
         refused("message_not_found")),
    Case("update.no-channel", "a channel that there is not", UPDATE,
         Call("chat.update", {"channel": NO_CHANNEL, "ts": LONG_AGO, "text": "Other"}),
         refused("channel_not_found")),
    Case("update.not-ours", "somebody else's message", UPDATE, update(text="Other"),
         refused("cant_update_message"),
         (Act("say", {"person": PERSON, "channel": CHANNEL, "text": MARK}),)),
    Case("update.failed", "an edit that fails on Slack's side", UPDATE, update(text="Other"),
         refused("update_failed"), (post(), refuse("update_failed")), only_local=ON_DEMAND),
    Case("update.window-closed", "an edit that the workspace's settings no longer allow", UPDATE,
         update(text="Other"), refused("edit_window_closed"),
         (post(), refuse("edit_window_closed")), only_local="needs a workspace that limits edits"),
    Case("update.block-mismatch", "other blocks in the place of rich text", UPDATE,
         update(text="Other", blocks=[section("Other")]), refused("block_mismatch"),
         (post(blocks=[rich_text(MARK)]),)),
    Case("update.rich-text", "rich text in the place of rich text, with other blocks beside it",
         UPDATE, update(text="Other", blocks=[section("Other"), rich_text("Other")]),
         ok({"message.blocks.1.type": "rich_text"}), (post(blocks=[rich_text(MARK)]),)),
    Case("update.archived", "a message in an archived channel", UPDATE, update(text="Other"),
         refused("is_inactive"), (post(), Act("archive", {"channel": CHANNEL})),
         only_local=CLOSED),
    Case("update.ephemeral", "an ephemeral cannot be updated", UPDATE,
         Call("chat.update", {"channel": CHANNEL, "ts": Said(0, "message_ts"), "text": "Other"}),
         refused("message_not_found"), (ephemeral(text=MARK),), basis="our reading",
         note="the page says that it cannot, not with which code"),
)  # fmt: skip

DELETED_CASES: Final = (
    Case("delete", "a message of one's own", DELETE, DELETED,
         ok({"channel": CHANNEL, "ts": Said(0, "ts")}), (post(),)),
    Case("delete.gone", "a message that is gone", DELETE, DELETED, refused("message_not_found"),
         (post(), DELETED)),
    Case("delete.no-channel", "a channel that there is not", DELETE,
         Call("chat.delete", {"channel": NO_CHANNEL, "ts": LONG_AGO}),
         refused("channel_not_found")),
    Case("delete.not-ours", "somebody else's message", DELETE, DELETED,
         refused("cant_delete_message"),
         (Act("say", {"person": PERSON, "channel": CHANNEL, "text": MARK}),)),
)  # fmt: skip

EPHEMERAL: Final = (
    Case("ephemeral", "words for one person", EPHEMERAL, ephemeral(text=MARK),
         ok({"message_ts": TS})),
    Case("ephemeral.not-kept", "an ephemeral is in no history", EPHEMERAL,
         Call("conversations.history", {"channel": CHANNEL, "oldest": Said(0, "ts")}, sent="form"),
         ok({"messages": texts()}), (post(), ephemeral(text=MARK))),
    Case("ephemeral.no-text", "neither text nor blocks", EPHEMERAL, ephemeral(),
         refused("no_text")),
    Case("ephemeral.stranger", "for somebody who is not in the channel", EPHEMERAL,
         Call("chat.postEphemeral", {"channel": CHANNEL, "user": "U0000000000", "text": MARK}),
         refused("user_not_in_channel")),
    Case("ephemeral.no-channel", "a channel that there is not", EPHEMERAL,
         Call("chat.postEphemeral", {"channel": NO_CHANNEL, "user": PERSON, "text": MARK}),
         refused("channel_not_found")),
    Case("ephemeral.archived", "an archived channel", EPHEMERAL, ephemeral(text=MARK),
         Expect("is_archived"), (Act("archive", {"channel": CHANNEL}),), only_local=CLOSED),
)  # fmt: skip

CASES: Final = POSTED + UPDATED + DELETED_CASES + EPHEMERAL
