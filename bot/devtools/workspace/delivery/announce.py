"""Turns what happened in a team into events for the app, and answers into messages.

Only subscribed events, only with their scope, only from channels the bot is in. What happens in a
channel of several teams is told once in all, through the team whose bot came in last.
Every method is called with the workspace's lock held, so events leave in the order of changes.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal

from bot.devtools.workspace.blocks.limits import block_faults
from bot.devtools.workspace.delivery import payloads
from bot.devtools.workspace.delivery.passes import ReplyPermit
from bot.devtools.workspace.delivery.queue import DeliveryOutcome, Parcel, PostOffice
from bot.devtools.workspace.installation import TeamInstallation
from bot.devtools.workspace.slack_team import SlackTeam
from bot.devtools.workspace.state import (
    BOT_NAME,
    SLACKBOT,
    Channel,
    StoredEphemeral,
    StoredPerson,
    StoredPost,
    WorkspaceState,
)
from bot.devtools.workspace.text import mentioned
from bot.devtools.workspace.values import Json

Farewell = Literal["tokens_revoked", "app_uninstalled"]
FAREWELLS: Final[Mapping[Farewell, Callable[[SlackTeam], Json]]] = {
    "tokens_revoked": payloads.tokens_revoked,
    "app_uninstalled": payloads.app_uninstalled,
}
MINUTE_S: Final = 60


class Announcer:
    peers: Mapping[str, "Announcer"] = MappingProxyType({})
    """Those of all teams, by team; empty where there is one team alone."""

    def __init__(
        self, workspace: WorkspaceState, office: PostOffice, installation: TeamInstallation
    ) -> None:
        self._workspace = workspace
        self._office = office
        self._installation = installation

    # events

    def posted(self, post: StoredPost) -> None:
        self._event(post.channel, payloads.message_posted(post))
        bots = {state.team.bot_user_id for state in self._workspace.sharing(post.channel)}
        if not post.by_bot and bots & set(mentioned(post.text)):
            self._event(post.channel, payloads.app_mention(post))

    def publish(self, post: StoredPost) -> None:
        """A fresh post of the bot: stored, notifying whom it mentions, told to the app."""
        self._workspace.add(post)
        self._workspace.notify(post)
        self.posted(post)

    def changed(self, post: StoredPost, before: Json) -> None:
        self._workspace.touch(post)
        ts = self._workspace.next_ts()
        self._event(post.channel, payloads.message_changed(post, before, ts))

    def delete(self, post: StoredPost, *, metadata: bool = False) -> None:
        """Take a message away. `metadata`: the event says what it carried."""
        before = payloads.message(post, metadata=metadata)
        post.deleted = True
        self._workspace.touch(post)
        ts = self._workspace.next_ts()
        self._event(post.channel, payloads.message_deleted(post, before, ts))

    def react(self, post: StoredPost, name: str, user: str, *, remove: bool) -> bool:
        """Add or remove a reaction. False: it is there already, or is not there."""
        users = post.reactions.get(name, [])
        if (user in users) != remove:
            return False
        users = [other for other in users if other != user]
        post.reactions[name] = users if remove else [*users, user]
        if not post.reactions[name]:
            del post.reactions[name]
        self._workspace.touch(post)
        kind = "reaction_removed" if remove else "reaction_added"
        ts = self._workspace.next_ts()
        self._event(post.channel, payloads.reaction(kind, post, name, user, ts))
        return True

    def home_opened(self, person: StoredPerson) -> None:
        view = self._workspace.homes.get(person.id)
        if self._installation.is_active:
            self._send(payloads.app_home_opened(person, view, self._workspace.next_ts()))

    def left(self, error: str, order: Sequence[Farewell]) -> None:
        """The app's token ends and its bot leaves every channel; these events say so."""
        self._installation.end(error)
        for channel in self._workspace.channels:
            channel.has_bot = False
        self._workspace.changes.count()
        for farewell in order:
            self.farewell(farewell)

    def farewell(self, kind: Farewell, happened_at: int | None = None) -> None:
        """Say that the app has left; `happened_at`: seconds since the epoch, now if it is left out.

        Slack may say so late, when the app has come again.
        """
        team, event_id = self._workspace.team, self._workspace.next_id("Ev")
        payload = payloads.event_callback(FAREWELLS[kind](team), event_id, team)
        if happened_at is not None:
            payload["event_time"] = happened_at
        self._office.send(Parcel("events_api", kind, event_id, payload))

    def rate_limited(self) -> None:
        """An event without an inner event: the team sends the app more than it may."""
        event_id = self._workspace.next_id("Ev")
        minute = int(time.time()) // MINUTE_S * MINUTE_S
        payload = payloads.app_rate_limited(self._workspace.team, minute)
        self._office.send(Parcel("events_api", payload["type"], event_id, payload))

    def _event(self, channel: Channel, event: Json) -> None:
        sharing = self._workspace.sharing(channel)
        peers = [self.peers.get(state.team.id, self) for state in sharing]
        hearing = [peer for peer in peers if peer._hears(channel.id, event["type"])]
        if not hearing:
            return
        last = max(hearing, key=lambda peer: peer._workspace.channel(channel.id).bot_since)
        if event["type"] == "app_mention":
            event = payloads.mention_for(last._workspace.team, event)
        last._send(event, channel)

    def _hears(self, channel_id: str, kind: str) -> bool:
        channel = self._workspace.channel(channel_id)
        scope = payloads.EVENT_SCOPES[kind][channel.type]
        granted = self._installation.is_active and scope in self._installation.scopes
        return granted and channel.has_bot

    def _send(self, event: Json, channel: Channel | None = None) -> None:
        event_id = self._workspace.next_id("Ev")
        shared = channel is not None and len(self._workspace.sharing(channel)) > 1
        payload = payloads.event_callback(
            event,
            event_id,
            self._workspace.team,
            host=self._workspace.host.team if shared else None,
            beyond=channel is not None and channel.connected,
        )
        self._office.send(Parcel("events_api", event["type"], event_id, payload))

    # what the app answers to a command, a click or through a response URL

    def command_settled(self, reply: ReplyPermit, command: str, outcome: DeliveryOutcome) -> None:
        with self._workspace.lock:
            error = "" if outcome.acked else "dispatch_failed"
            if outcome.status == "timeout":
                error = "operation_timeout"
            if not error and (outcome.body.get("text") or outcome.body.get("blocks")):
                error = self.answered(reply, outcome.body)
            if error:
                text = f'{command} failed with the error "{error}"'
                self._send_ephemeral(reply, {"text": text}, author=SLACKBOT)

    def answered(self, reply: ReplyPermit, body: Json) -> str:
        """Carry out an answer's body; Slack's error, or empty."""
        if body.get("delete_original"):
            self._delete_original(reply)
            return ""
        if not body.get("text") and not body.get("blocks"):
            return "no_text"
        if block_faults(body.get("blocks") or [], unknown=self._workspace.unknown_blocks):
            return "invalid_blocks"
        if body.get("replace_original") and reply.source is not None:
            self._replace_original(reply.source, body)
        elif body.get("response_type") == "in_channel":
            self._post(reply, body)
        else:
            self._send_ephemeral(reply, body, author=BOT_NAME)
        return ""

    def _send_ephemeral(self, reply: ReplyPermit, body: Json, *, author: str) -> None:
        self._workspace.add_ephemeral(
            StoredEphemeral(
                channel=reply.channel,
                ts=self._workspace.next_ts(),
                to=reply.person,
                text=str(body.get("text") or ""),
                blocks=body.get("blocks") or [],
                author=author,
                thread_ts=body.get("thread_ts"),
                team=self._workspace.team,
            )
        )

    def _post(self, reply: ReplyPermit, body: Json) -> None:
        self.publish(
            self._workspace.bot_post(
                reply.channel,
                str(body.get("text") or ""),
                blocks=body.get("blocks") or [],
                thread_ts=body.get("thread_ts"),
            )
        )

    def _replace_original(self, source: StoredPost | StoredEphemeral, body: Json) -> None:
        before = payloads.message(source) if isinstance(source, StoredPost) else {}
        source.text = str(body.get("text") or "")
        source.blocks = self._workspace.with_ids(body.get("blocks") or [])
        if isinstance(source, StoredPost):
            source.edited_ts = self._workspace.next_ts()
            self.changed(source, before)
        else:
            self._workspace.touch(source)

    def _delete_original(self, reply: ReplyPermit) -> None:
        if isinstance(reply.source, StoredEphemeral):
            self._workspace.home_of(reply.source.to).ephemerals.remove(reply.source)
            self._workspace.changes.count()
        elif isinstance(reply.source, StoredPost) and not reply.source.deleted:
            self.delete(reply.source)
