"""chat.*, reactions.* and assistant.threads.setStatus: what the bot says and changes.

docs: reference/methods/chat.postMessage, chat.update, chat.delete, chat.postEphemeral,
chat.getPermalink, reactions.add, reactions.remove, assistant.threads.setStatus
"""

import time
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from bot.devtools.workspace.blocks.limits import (
    BLOCKS_JSON_CHARS_MAX,
    MARKDOWN_CHARS_MAX,
    SECOND_TABLE,
    block_faults,
    blocks_size,
)
from bot.devtools.workspace.delivery import payloads
from bot.devtools.workspace.state import BOT_NAME, Channel, StoredEphemeral, ThreadStatus
from bot.devtools.workspace.text import link_names
from bot.devtools.workspace.values import Json
from bot.devtools.workspace.web_api.method import (
    MISSING,
    ApiError,
    Args,
    Method,
    MethodContext,
    refused,
)
from core import patterns

TEXT_CHARS_MAX: Final = 40_000
UPDATE_TEXT_CHARS_MAX: Final = 4_000
"""chat.update refuses far less text than chat.postMessage cuts."""
METADATA_CHARS_MAX: Final = 16_000
TIMESTAMP: Final = patterns.compile(r"\d+\.\d+")
REACTION_NAME: Final = patterns.compile(r"[a-z0-9_+'\-]+(::skin-tone-[2-6])?")


def content(args: Args, context: MethodContext) -> tuple[str, list[Json] | None]:
    """The text and blocks of a call, validated; blocks None when the call does not say.

    Raises `ApiError`.
    """
    text, blocks = args.text("text"), args.object("blocks", "invalid_blocks_format")
    if "markdown_text" in args:
        if text or blocks is not MISSING:
            raise ApiError("markdown_text_conflict")
        if len(args.text("markdown_text")) > MARKDOWN_CHARS_MAX:
            raise ApiError("msg_too_long")
        blocks = [{"type": "markdown", "text": args.text("markdown_text")}]
    if args.flag("link_names") or args.text("parse") == "full":
        text = link_names(text, context.workspace.mentionable)
    if blocks is MISSING:
        return text, None
    check_blocks(context, blocks)
    return text, blocks


def check_blocks(context: MethodContext, blocks: Any) -> None:
    """Raises `ApiError` for blocks that Slack does not take."""
    faults = block_faults(blocks, unknown=context.workspace.unknown_blocks)
    if faults == [SECOND_TABLE]:
        raise refused("invalid_attachments", faults)
    if faults:
        raise refused("invalid_blocks", faults)
    if blocks_size(blocks) > BLOCKS_JSON_CHARS_MAX:
        raise ApiError("msg_blocks_too_long")


def metadata(args: Args) -> Json | None:
    """The call's metadata: None when it does not say, {} when it removes. Raises `ApiError`."""
    value = args.object("metadata", "invalid_metadata_format")
    if value is MISSING:
        return None
    if value == {}:
        return {}
    fits = isinstance(value, dict) and isinstance(value.get("event_type"), str)
    if not fits or not isinstance(value.get("event_payload"), dict):
        raise ApiError("invalid_metadata_schema")
    if len(str(value)) > METADATA_CHARS_MAX:
        raise ApiError("metadata_too_large")
    return dict(value)


def thread_root(context: MethodContext, channel: Channel, args: Args) -> str | None:
    """The thread a reply goes to. A reply's ts leads to its thread. Raises `ApiError`."""
    if "thread_ts" not in args or not args.text("thread_ts"):
        return None
    parent = context.workspace.posts.get((channel.id, args.text("thread_ts")))
    if parent is None:
        raise ApiError("thread_not_found")
    root = context.workspace.posts.get((channel.id, parent.root_ts))
    if root is None or root.deleted or parent.deleted:
        raise ApiError("cannot_reply_to_message")
    return parent.root_ts


def persona(context: MethodContext, args: Args) -> tuple[str | None, Json | None]:
    """Name and icon of the message; ignored without the scope, which Slack does not say."""
    if "chat:write.customize" not in context.scopes:
        return None, None
    icons: Json = {}
    if args.text("icon_emoji"):
        icons = {"emoji": f":{args.text('icon_emoji').strip(':')}:"}
    elif args.text("icon_url"):
        icons = {"image_48": args.text("icon_url")}
    return args.text("username") or None, icons or None


def post_message(context: MethodContext, args: Args) -> Json:
    """Post a message. Raises `ApiError`."""
    channel = context.open_channel(args)
    text, blocks = content(args, context)
    if not text and not blocks and not args.raw.get("attachments"):
        raise ApiError("no_text")
    username, icons = persona(context, args)
    post = context.workspace.bot_post(
        channel,
        text[:TEXT_CHARS_MAX],
        blocks=blocks or [],
        thread_ts=thread_root(context, channel, args),
        username=username,
        icons=icons,
        metadata=metadata(args) or None,
    )
    context.announcer.publish(post)
    return {
        "channel": channel.id,
        "ts": post.ts,
        "message": payloads.message(post, metadata=True),
        "warning": "message_truncated" if len(text) > TEXT_CHARS_MAX else "",
    }


def update(context: MethodContext, args: Args) -> Json:
    """Edit a message of the bot. Raises `ApiError`."""
    channel = context.channel(args)
    if channel.archived:
        raise ApiError("is_inactive")
    post = context.own_post(args, channel, "cant_update_message")
    text, blocks = content(args, context)
    if len(text) > UPDATE_TEXT_CHARS_MAX:
        raise ApiError("msg_too_long")
    if not text and not blocks and not args.raw.get("attachments"):
        raise ApiError("no_text")
    if has_rich_text(post.blocks) and blocks and not has_rich_text(blocks):
        raise ApiError("block_mismatch")
    before, new_metadata = payloads.message(post, metadata=True), metadata(args)
    post.text = text if text or blocks is not None else post.text
    if text or blocks is not None:  # words without blocks take the old blocks away
        post.blocks = context.workspace.with_ids(blocks or [])
    post.metadata = post.metadata if new_metadata is None else new_metadata or None
    post.edited_ts = context.workspace.next_ts()
    context.announcer.changed(post, before)
    return {
        "channel": channel.id,
        "ts": post.ts,
        "text": post.text,
        "message": payloads.message(post, metadata=True),
    }


def has_rich_text(blocks: Sequence[Json]) -> bool:
    return any(block.get("type") == "rich_text" for block in blocks)


def delete(context: MethodContext, args: Args) -> Json:
    """Delete a message of the bot. Raises `ApiError`."""
    channel = context.channel(args)
    post = context.own_post(args, channel, "cant_delete_message")
    context.announcer.delete(post, metadata=True)
    return {"channel": channel.id, "ts": post.ts}


def post_ephemeral(context: MethodContext, args: Args) -> Json:
    """Show a message to one person. Raises `ApiError`."""
    channel = context.open_channel(args)
    text, blocks = content(args, context)
    if not text and not blocks:
        raise ApiError("no_text")
    if len(text) > TEXT_CHARS_MAX:
        raise ApiError("msg_too_long")
    to = context.workspace.member(channel, args.text("user"))
    if to is None:
        raise ApiError("user_not_in_channel")
    ephemeral = StoredEphemeral(
        channel=channel,
        ts=context.workspace.next_ts(),
        to=to,
        text=text,
        blocks=blocks or [],
        author=persona(context, args)[0] or BOT_NAME,
        thread_ts=args.text("thread_ts") or None,
        team=context.workspace.team,
    )
    context.workspace.add_ephemeral(ephemeral)
    return {"message_ts": ephemeral.ts}


def get_permalink(context: MethodContext, args: Args) -> Json:
    channel = context.channel(args)
    post = context.post(channel, args.required("message_ts"))
    link = f"{context.workspace_url}archives/{channel.id}/p{post.ts.replace('.', '')}"
    if post.thread_ts:
        link += f"?thread_ts={post.thread_ts}&cid={channel.id}"
    return {"channel": channel.id, "permalink": link}


def react(context: MethodContext, args: Args, *, remove: bool) -> Json:
    """React to a message, or take the reaction off. Raises `ApiError`."""
    name = args.text("name").strip(":")
    if not REACTION_NAME.fullmatch(name):
        raise ApiError("invalid_name")
    channel, ts = context.open_channel(args), args.text("timestamp")
    if not ts:
        raise ApiError("no_item_specified")
    if not TIMESTAMP.fullmatch(ts):
        raise ApiError("bad_timestamp")
    post = context.post(channel, ts)
    if not context.announcer.react(post, name, context.bot_user_id, remove=remove):
        raise ApiError("no_reaction" if remove else "already_reacted")
    return {}


def set_status(context: MethodContext, args: Args) -> Json:
    """Show who is at what under a thread; no words take it away. Raises `ApiError`."""
    channel = context.open_channel(args, "channel_id")
    post = context.workspace.find(channel, args.required("thread_ts"))
    if post is None:
        raise ApiError("invalid_thread_ts")
    place = (channel.id, post.root_ts)
    author = persona(context, args)[0] or BOT_NAME
    status = ThreadStatus(author, args.text("status"), time.time())
    for state in context.workspace.sharing(channel):
        state.statuses.pop(place, None)
        if status.text:
            state.statuses[place] = status
    context.workspace.changes.count()
    return {}


METHODS: Final = {
    "chat.postMessage": Method(post_message, "chat:write"),
    "chat.update": Method(update, "chat:write", tier=3),
    "chat.delete": Method(delete, "chat:write", tier=3),
    "chat.postEphemeral": Method(post_ephemeral, "chat:write", tier=4),
    "chat.getPermalink": Method(get_permalink),
    "reactions.add": Method(partial(react, remove=False), "reactions:write", tier=3),
    "reactions.remove": Method(partial(react, remove=True), "reactions:write", tier=2),
    "assistant.threads.setStatus": Method(set_status, "chat:write"),
}
