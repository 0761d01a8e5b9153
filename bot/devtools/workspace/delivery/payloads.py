"""The shapes Slack sends: messages, events, commands, clicks. Pure: state in, JSON out.

docs: reference/events/message, reference/events/app_mention, reference/events/reaction_added,
reference/interaction-payloads/block_actions-payload, apis/events-api, interactivity/slash-commands,
reference/events/tokens_revoked, reference/events/app_uninstalled, apis/slack-connect,
reference/events/app_rate_limited; the team ids in shared channels as the tests of Slack's own SDK
have them (slackapi/bolt-python, tests/slack_bolt/request/test_internals.py)
"""

import time
from collections.abc import Mapping
from typing import Final

from bot.devtools.workspace.slack_team import SlackTeam
from bot.devtools.workspace.state import (
    BOT_NAME,
    Channel,
    StoredEphemeral,
    StoredPerson,
    StoredPost,
)
from bot.devtools.workspace.values import Json, shape

EVENT_SCOPES: Final[Mapping[str, Mapping[str, str]]] = {
    "message": {"channel": "channels:history", "group": "groups:history"},
    "app_mention": dict.fromkeys(("channel", "group"), "app_mentions:read"),
    "reaction_added": dict.fromkeys(("channel", "group"), "reactions:read"),
    "reaction_removed": dict.fromkeys(("channel", "group"), "reactions:read"),
}
"""The subscribed events and the scope each needs by type of channel; app_home_opened needs none."""


def message(
    post: StoredPost, replies: list[StoredPost] | None = None, *, metadata: bool = False
) -> Json:
    """A message as the Web API and events show it; `replies` adds what a thread's root shows."""
    payload: Json = {"type": "message", "user": post.user, "ts": post.ts, "text": post.text}
    payload["team"] = post.team.id
    if post.by_bot:
        profile = shape("bot_profile", id=post.team.bot_id, team_id=post.team.id)
        payload |= shape("by_bot", bot_id=post.team.bot_id, bot_profile=profile)
    if post.username is not None or post.icons is not None:
        payload |= {"subtype": "bot_message", "username": post.username or BOT_NAME}
        payload |= {"icons": post.icons} if post.icons else {}
    if post.files:
        payload |= {"subtype": "file_share", "files": post.files, "upload": False}
    optional: Json = {
        "blocks": post.blocks or None,
        "thread_ts": post.thread_ts,
        "parent_user_id": post.parent_user,
        "client_msg_id": post.client_msg_id,
        "metadata": post.metadata if metadata else None,
        "edited": {"user": post.user, "ts": post.edited_ts} if post.edited_ts else None,
        "reactions": [
            {"name": name, "users": users, "count": len(users)}
            for name, users in post.reactions.items()
        ]
        or None,
    }
    payload |= {key: value for key, value in optional.items() if value is not None}
    if replies:
        people = list(dict.fromkeys(reply.user for reply in replies))
        payload |= {
            "thread_ts": post.ts,
            "reply_count": len(replies),
            "reply_users": people,
            "reply_users_count": len(people),
            "latest_reply": replies[-1].ts,
        }
    return payload


def tombstone(post: StoredPost) -> Json:
    """What stays visible of a deleted root that has replies."""
    return shape("tombstone", ts=post.ts, thread_ts=post.ts)


# events


def message_posted(post: StoredPost) -> Json:
    where = {"channel": post.channel.id, "channel_type": post.channel.type}
    return {**message(post, metadata=True), **where, "event_ts": post.ts}


def app_mention(post: StoredPost) -> Json:
    mention = message_posted(post) | {"type": "app_mention"}
    mention.pop("channel_type")
    return mention


def message_changed(post: StoredPost, before: Json, ts: str) -> Json:
    return _about(post, "message_changed", ts) | {
        "message": message(post, metadata=True),
        "previous_message": before,
    }


def message_deleted(post: StoredPost, before: Json, ts: str) -> Json:
    return _about(post, "message_deleted", ts) | {
        "deleted_ts": post.ts,
        "previous_message": before,
    }


def _about(post: StoredPost, subtype: str, ts: str) -> Json:
    return {
        "type": "message",
        "subtype": subtype,
        "hidden": True,
        "channel": post.channel.id,
        "channel_type": post.channel.type,
        "ts": ts,
        "event_ts": ts,
    }


def reaction(kind: str, post: StoredPost, name: str, user: str, ts: str) -> Json:
    return {
        "type": kind,
        "user": user,
        "reaction": name,
        "item": {"type": "message", "channel": post.channel.id, "ts": post.ts},
        "item_user": post.user,
        "event_ts": ts,
    }


def app_home_opened(person: StoredPerson, view: Json | None, ts: str) -> Json:
    opened: Json = {"type": "app_home_opened", "user": person.id, "channel": f"D{person.id[1:]}"}
    return opened | {"tab": "home", "event_ts": ts} | ({"view": view} if view else {})


def mention_for(team: SlackTeam, mention: Json) -> Json:
    """An app_mention as `team` gets it: whose author is of another team, that says so."""
    author = mention["team"]
    if author == team.id:
        return mention
    whose = {"user_team": author, "source_team": author, "user_profile": {"team": author}}
    return mention | whose | {"team": team.id}


def tokens_revoked(team: SlackTeam) -> Json:
    return {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [team.bot_user_id]}}


def app_uninstalled(_team: SlackTeam) -> Json:
    return {"type": "app_uninstalled"}


def app_rate_limited(team: SlackTeam, minute: int) -> Json:
    return shape("app_rate_limited", team_id=team.id, minute_rate_limited=minute)


def event_callback(
    event: Json,
    event_id: str,
    team: SlackTeam,
    *,
    host: SlackTeam | None = None,
    beyond: bool = False,
) -> Json:
    """`team`: the one through which the app gets it; `host`: the one whose channel it is of;
    `beyond`: people of another organisation are in that channel.

    Only `authorizations` names the team for sure. In a shared channel the other two fields are of
    the author's team and the host for a message, of the host and this team for what names none.
    """
    team_id, context_team_id = team.id, team.id
    if host is not None and event["type"] != "app_mention":
        author = event.get("team")
        team_id, context_team_id = (author, host.id) if author else (host.id, team.id)
    return shape(
        "event_callback",
        event=event,
        event_id=event_id,
        event_time=int(time.time()),
        event_context=f"4-{event_id}",
        team_id=team_id,
        context_team_id=context_team_id,
        authorizations=[shape("authorization", team_id=team.id, user_id=team.bot_user_id)],
        is_ext_shared_channel=beyond,
    )


# interactions and commands


def slash_command(
    person: StoredPerson, channel: Channel, line: str, response_url: str, trigger_id: str
) -> Json:
    command, _, text = line.strip().partition(" ")
    return shape(
        "slash_command",
        team_id=person.team.id,
        team_domain=person.team.domain,
        channel_id=channel.id,
        channel_name=_name_for_apps(channel),
        user_id=person.id,
        user_name=person.handle,
        command=command,
        text=text.strip(),
        response_url=response_url,
        trigger_id=trigger_id,
    )


def interaction(kind: str, person: StoredPerson, trigger_id: str, team: SlackTeam) -> Json:
    """The fields that all interaction payloads share. `team`: the one that has the app."""
    name = person.handle
    user = {"id": person.id, "username": name, "name": name, "team_id": person.team.id}
    of = {"id": team.id, "domain": team.domain}
    return shape("interaction", type=kind, user=user, trigger_id=trigger_id, team=of)


def clicked_message(post: StoredPost | StoredEphemeral, response_url: str) -> Json:
    """What block_actions says of the message that was clicked; none of an ephemeral's content."""
    container: Json = {
        "type": "message",
        "message_ts": post.ts,
        "channel_id": post.channel.id,
        "is_ephemeral": isinstance(post, StoredEphemeral),
    }
    if post.thread_ts:
        container["thread_ts"] = post.thread_ts
    about: Json = {
        "container": container,
        "channel": {"id": post.channel.id, "name": _name_for_apps(post.channel)},
        "state": {"values": {}},
        "response_url": response_url,
    }
    return about | ({"message": message(post)} if isinstance(post, StoredPost) else {})


def action(element: Json, block_id: str, picked: Json, ts: str) -> Json:
    """One of `actions`. `picked`: what the control holds now, if it holds anything."""
    fields = ("action_id", "type", "text", "value", "style", "url", "placeholder", "confirm")
    done: Json = {key: element[key] for key in fields if key in element}
    initial = {key: value for key, value in element.items() if key.startswith("initial_")}
    return done | initial | picked | {"block_id": block_id, "action_ts": ts}


def _name_for_apps(channel: Channel) -> str:
    """Slack does not tell a private channel's name to an app that is called from it."""
    return "privategroup" if channel.private else channel.name
