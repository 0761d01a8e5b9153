"""Socket Mode: the address, hello, envelopes and what is in them, disconnects."""

from typing import Any, Final

from tests.conformance.cases.building import APP, BOT, MARK, SOMETHING, TEAM, TS, USER, like, post
from tests.conformance.values import (
    CHANNEL,
    PERSON,
    Acknowledge,
    Act,
    Call,
    Case,
    Connect,
    Receive,
    Said,
    Step,
    method_page,
    ok,
    refused,
    told,
)

OPEN: Final = method_page("apps.connections.open")
MODE: Final = "apis/events-api/using-socket-mode"
EVENTS: Final = "apis/events-api"
ON_DEMAND: Final = "needs trouble on demand"
ADDRESS: Final = Call("apps.connections.open", sent="form", token="app")
CONNECTED: Final = (ADDRESS, Connect(Said(0, "url")))
EVENT_ID: Final = like("an event's id", r"^Ev")


def act(deed: str, /, **args: Any) -> Act:
    return Act(deed, {"person": PERSON, "channel": CHANNEL, **args})


def event(kind: str) -> Receive:
    return Receive("payload.event.type", kind)


def envelope(name: str, what: str, page: str, wanted: Receive, fields: dict[str, Any],
             *acts: Step) -> Case:  # fmt: skip
    return Case(name, what, page, wanted, told(fields), (*CONNECTED, *acts))


SAID: Final = act("say", text=MARK)

CASES: Final = (
    Case("socket.url", "an address for a WebSocket", OPEN, ADDRESS,
         ok({"url": like("a WebSocket's address", r"^wss?://.+ticket=")})),
    Case("socket.bot-token", "the bot's token opens none", OPEN,
         Call("apps.connections.open", sent="form"), refused("not_allowed_token_type")),
    Case("socket.hello", "the first message is hello", MODE, Connect(Said(0, "url")),
         told({"type": "hello", "num_connections": int, "connection_info.app_id": APP,
               "debug_info.host": str, "debug_info.approximate_connection_time": int}),
         (ADDRESS,)),
    envelope("socket.event", "an event in its envelope", MODE, event("message"),
             {"type": "events_api", "envelope_id": SOMETHING, "accepts_response_payload": False,
              "payload.type": "event_callback", "payload.event_id": EVENT_ID,
              "payload.team_id": TEAM, "payload.api_app_id": APP, "payload.event_time": int,
              "payload.authorizations.0.is_bot": True}, SAID),
    Case("socket.ack", "an envelope is acknowledged by its id", MODE,
         Acknowledge(Said(3, "envelope_id")), told({"acked": True, "retry": 0}),
         (*CONNECTED, SAID, event("message"))),
    envelope("socket.command", "a slash command, whose answer may have a payload",
             "interactivity/implementing-slash-commands", Receive("type", "slash_commands"),
             {"accepts_response_payload": True, "payload.command": "/roundtable",
              "payload.text": "help me", "payload.user_id": PERSON,
              "payload.channel_id": CHANNEL, "payload.team_id": TEAM,
              "payload.response_url": SOMETHING, "payload.trigger_id": SOMETHING},
             act("command", line="/roundtable help me")),
    envelope("socket.shortcut", "a global shortcut", "interactivity/implementing-shortcuts",
             Receive("type", "interactive"),
             {"accepts_response_payload": True, "payload.type": "shortcut",
              "payload.callback_id": "start", "payload.user.id": PERSON, "payload.team.id": TEAM,
              "payload.trigger_id": SOMETHING},
             Act("shortcut", {"person": PERSON, "callback_id": "start"})),
    envelope("socket.message-shortcut", "a message shortcut brings the message",
             "interactivity/implementing-shortcuts", Receive("type", "interactive"),
             {"payload.type": "message_action", "payload.message.text": MARK,
              "payload.message_ts": Said(2, "ts"), "payload.channel.id": CHANNEL,
              "payload.response_url": SOMETHING},
             post(), act("shortcut", callback_id="take_this", ts=Said(2, "ts"))),
    envelope("event.message", "a message", "reference/events/message", event("message"),
             {"payload.event.channel": CHANNEL, "payload.event.user": PERSON,
              "payload.event.text": MARK, "payload.event.ts": TS, "payload.event.event_ts": TS,
              "payload.event.channel_type": "channel"}, SAID),
    Case("event.own", "the app's own messages come back", "reference/events/message",
         event("message"), told({"payload.event.bot_id": BOT, "payload.event.text": MARK}),
         (*CONNECTED, post()), only_local="any connection of the app may get the envelope"),
    envelope("event.mention", "a mention", "reference/events/app_mention", event("app_mention"),
             {"payload.event.user": PERSON, "payload.event.channel": CHANNEL,
              "payload.event.ts": TS}, act("say", text="@Roundtable hello")),
    Case("event.reply", "a reply names its root and the root's author",
         "reference/events/message", Receive("payload.event.thread_ts", Said(0, "ts")),
         told({"payload.event.type": "message", "payload.event.parent_user_id": USER}),
         (post(), ADDRESS, Connect(Said(1, "url")),
          act("say", text=MARK, thread_ts=Said(0, "ts")))),
    envelope("event.changed", "an edit brings both wordings",
             "reference/events/message/message_changed",
             Receive("payload.event.subtype", "message_changed"),
             {"payload.event.message.text": "Other",
              "payload.event.message.edited.user": PERSON,
              "payload.event.previous_message.text": MARK, "payload.event.hidden": True},
             SAID, act("edit", ts=Said(2, "ts"), text="Other")),
    envelope("event.deleted", "a deletion", "reference/events/message/message_deleted",
             Receive("payload.event.subtype", "message_deleted"),
             {"payload.event.deleted_ts": Said(2, "ts"), "payload.event.hidden": True},
             SAID, act("delete", ts=Said(2, "ts"))),
    envelope("event.reaction", "a reaction", "reference/events/reaction_added",
             event("reaction_added"),
             {"payload.event.user": PERSON, "payload.event.reaction": "eyes",
              "payload.event.item.ts": Said(2, "ts"), "payload.event.item.channel": CHANNEL},
             post(), act("react", ts=Said(2, "ts"), name="eyes")),
    envelope("event.home", "the Home tab is opened", "reference/events/app_home_opened",
             event("app_home_opened"), {"payload.event.user": PERSON, "payload.event.tab": "home"},
             Act("open_home", {"person": PERSON})),
    Case("socket.warning", "a warning before the connection ends", MODE,
         Receive("type", "disconnect"), told({"reason": "warning", "debug_info.host": str}),
         (*CONNECTED, Act("disconnect", {"how": "warning"})), only_local=ON_DEMAND),
    Case("socket.refresh", "the connection is about to be refreshed", MODE,
         Receive("type", "disconnect"), told({"reason": "refresh_requested"}),
         (*CONNECTED, Act("disconnect", {"how": "refresh"})), only_local=ON_DEMAND),
)  # fmt: skip
