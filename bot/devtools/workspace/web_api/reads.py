"""auth.*, apps.*, team.*, conversations.* and users.*: what the bot asks.

docs: reference/methods/auth.test, apps.connections.open, team.info, conversations.info,
conversations.history, conversations.replies, conversations.members, users.conversations,
users.info
"""

from collections.abc import Callable
from decimal import Decimal
from typing import Final
from uuid import uuid4

from bot.devtools.workspace.delivery import payloads
from bot.devtools.workspace.state import APP_ID, BOT_NAME, Channel, StoredPerson
from bot.devtools.workspace.values import Json, shape
from bot.devtools.workspace.web_api.method import ApiError, Args, Method, MethodContext, page

CONVERSATION_TYPES: Final = {"public_channel", "private_channel", "mpim", "im"}
READING_SCOPES: Final = frozenset({"channels:history", "groups:history"})


def auth_test(context: MethodContext, _args: Args) -> Json:
    team = context.workspace.team
    return {
        "url": context.workspace_url,
        "team": team.name,
        "user": BOT_NAME.casefold(),
        "team_id": team.id,
        "user_id": team.bot_user_id,
        "bot_id": team.bot_id,
        "is_enterprise_install": False,
    }


def team_info(context: MethodContext, _args: Args) -> Json:
    team = context.workspace.team
    return {"team": {"id": team.id, "name": team.name, "domain": team.domain}}


def open_connection(context: MethodContext, _args: Args) -> Json:
    ticket = context.passes.add_ticket(uuid4().hex)
    return {"url": f"{context.socket_url}?ticket={ticket}&app_id={APP_ID}"}


def info(context: MethodContext, args: Args) -> Json:
    channel = context.channel(args)
    context.need_scope("groups:read" if channel.private else "channels:read")
    payload = _shown(context, channel) | {"is_member": channel.has_bot}
    if args.flag("include_num_members"):
        payload["num_members"] = len(_members(context, channel))
    return {"channel": payload}


def _shown(context: MethodContext, channel: Channel) -> Json:
    return shape(
        "channel",
        context_team_id=context.workspace.team.id,
        shared_team_ids=[state.team.id for state in context.workspace.sharing(channel)],
        id=channel.id,
        name=channel.name,
        name_normalized=channel.name,
        is_channel=not channel.private,
        is_group=channel.private,
        is_private=channel.private,
        is_archived=channel.archived,
        is_shared=channel.connected,
        is_ext_shared=channel.connected,
        is_general=channel.name == "general",
    )


def members(context: MethodContext, args: Args) -> Json:
    channel = context.channel(args)
    context.need_scope("groups:read" if channel.private else "channels:read")
    ids, metadata = page(_members(context, channel), args, 100, 1_000, strict=True)
    return {"members": ids, "response_metadata": metadata}


def _members(context: MethodContext, channel: Channel) -> list[str]:
    members: list[str] = []
    for state in context.workspace.sharing(channel):
        theirs = state.channel(channel.id)
        members += [person.id for person in state.people if theirs.has(person)]
        members += [state.team.bot_user_id] if theirs.has_bot else []
    return members


def joined(context: MethodContext, args: Args) -> Json:
    """The channels the bot is in; with `user`, those of a person that the bot may know of.

    A public channel of theirs is listed wherever the bot is, a private one where it is too.

    Raises `ApiError`.
    """
    person = None if args.text("user") in ("", context.bot_user_id) else context.person(args)
    types = (args.text("types") or "public_channel").split(",")
    if set(types) - CONVERSATION_TYPES:
        raise ApiError("invalid_types")
    wanted = []
    for kind, private, scope in (
        ("public_channel", False, "channels:read"),
        ("private_channel", True, "groups:read"),
    ):
        if kind in types:
            context.need_scope(scope)
            wanted.append(private)
    closed = args.flag("exclude_archived")
    channels = [
        _shown(context, channel)
        for channel in context.workspace.channels
        if (channel.has(person) if person else channel.has_bot)
        and (channel.has_bot or not channel.private)
        and channel.private in wanted
        and not (closed and channel.archived)
    ]
    listed, metadata = page(channels, args, 100, 999, strict=True)
    return {"channels": listed, "response_metadata": metadata}


def history(context: MethodContext, args: Args) -> Json:
    channel = _readable(context, args)
    with_metadata, within = args.flag("include_all_metadata"), _window(args)
    listed = []
    for post in context.workspace.in_channel(channel):
        if post.thread_ts is not None or not within(post.ts):
            continue
        replies = context.workspace.replies(post)
        if not post.deleted:
            listed.append(payloads.message(post, replies, metadata=with_metadata))
        elif replies:
            listed.append(payloads.tombstone(post))
    most = min(context.read_max, 999)
    messages, metadata = page(listed[::-1], args, min(most, 100), most)
    return {
        "messages": messages,
        "has_more": bool(metadata["next_cursor"]),
        "pin_count": 0,
        "response_metadata": metadata,
    }


def replies(context: MethodContext, args: Args) -> Json:
    """The messages of a thread. Raises `ApiError`."""
    channel = _readable(context, args)
    with_metadata, within = args.flag("include_all_metadata"), _window(args)
    thread_root = context.workspace.posts.get((channel.id, args.text("ts")))
    if thread_root is None or (thread_root.deleted and not context.workspace.replies(thread_root)):
        raise ApiError("thread_not_found")
    thread = context.workspace.replies(thread_root)
    listed = [payloads.message(post, metadata=with_metadata) for post in thread if within(post.ts)]
    messages, metadata = page(listed, args, context.read_max, context.read_max)
    if thread_root.deleted:
        root = payloads.tombstone(thread_root)
    else:
        root = payloads.message(thread_root, thread, metadata=with_metadata)
    return {
        "messages": [root, *messages],
        "has_more": bool(metadata["next_cursor"]),
        "response_metadata": metadata,
    }


def _readable(context: MethodContext, args: Args) -> Channel:
    if not READING_SCOPES & context.scopes:  # said before the channel is looked at
        context.need_scope("channels:history")
    channel = context.channel_with_bot(args)
    context.need_scope("groups:history" if channel.private else "channels:history")
    return channel


def _window(args: Args) -> Callable[[str], bool]:
    """True if a ts lies between `oldest` and `latest`."""
    oldest, latest, inclusive = args.ts("oldest"), args.ts("latest"), args.flag("inclusive")

    def within(ts: str) -> bool:
        at = Decimal(ts)
        after = oldest is None or at > oldest or (inclusive and at == oldest)
        before = latest is None or at < latest or (inclusive and at == latest)
        return after and before

    return within


def user_info(context: MethodContext, args: Args) -> Json:
    if args.text("user") == context.bot_user_id:
        bot = StoredPerson(context.bot_user_id, BOT_NAME, False, context.workspace.team)
        return {"user": _user(bot) | {"is_bot": True}}
    return {"user": _user(context.person(args))}


def _user(person: StoredPerson) -> Json:
    names = ("real_name", "real_name_normalized", "display_name", "display_name_normalized")
    return shape(
        "user",
        id=person.id,
        team_id=person.team.id,
        name=person.handle,
        real_name=person.name,
        is_admin=person.is_admin,
        profile=dict.fromkeys(names, person.name) | {"team": person.team.id},
    )


METHODS: Final = {
    "auth.test": Method(auth_test),
    "apps.connections.open": Method(open_connection, token="app"),  # noqa: S106 - a kind
    "team.info": Method(team_info, "team:read"),
    "conversations.info": Method(info, tier=3),
    "conversations.members": Method(members),
    "conversations.history": Method(history, tier=3),
    "conversations.replies": Method(replies, tier=3),
    "users.conversations": Method(joined, tier=3),
    "users.info": Method(user_info, "users:read", tier=4),
}
