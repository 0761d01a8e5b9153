"""What Slack delivers to an address over HTTP: signed, in its own form, and again if need be."""

from typing import Final

from tests.conformance.cases.building import MARK, SOMETHING, like
from tests.conformance.values import (
    CHANNEL,
    PERSON,
    Act,
    Case,
    Delivered,
    Said,
    Serve,
    told,
)

SIGNED: Final = "authentication/verifying-requests-from-slack"
EVENTS: Final = "apis/events-api"
NEEDS_ADDRESS: Final = "needs an address that Slack can reach, and a person"
FORM: Final = "application/x-www-form-urlencoded"
SAID: Final = Act("say", {"person": PERSON, "channel": CHANNEL, "text": MARK})
COMMAND: Final = Act("command", {"person": PERSON, "channel": CHANNEL, "line": "/roundtable help"})
SHORTCUT: Final = Act("shortcut", {"person": PERSON, "callback_id": "start"})

CASES: Final = (
    Case("http.event", "an event is JSON", EVENTS, Delivered(),
         told({"headers.content-type": like("JSON", "^application/json"),
               "body.type": "event_callback", "body.event_id": SOMETHING,
               "body.event.text": MARK}), (Serve(), SAID), only_local=NEEDS_ADDRESS),
    Case("http.signature", "signed with the secret, the time and the body", SIGNED, Delivered(),
         told({"signed": True,
               "headers.x-slack-signature": like("v0= and 64 digits", "^v0=[0-9a-f]{64}$"),
               "headers.x-slack-request-timestamp": like("whole seconds", r"^\d+$")}),
         (Serve(), SAID), only_local=NEEDS_ADDRESS),
    Case("http.retry", "an event that was not taken comes again, with its number and why", EVENTS,
         Delivered(),
         told({"headers.x-slack-retry-num": "1", "headers.x-slack-retry-reason": "http_error",
               "body.event_id": Said(2, "body.event_id")}),
         (Serve((500,)), SAID, Delivered()), only_local=NEEDS_ADDRESS),
    Case("http.retry-again", "and a second time", EVENTS, Delivered(),
         told({"headers.x-slack-retry-num": "2", "body.event_id": Said(2, "body.event_id")}),
         (Serve((500, 404)), SAID, Delivered(), Delivered()), only_local=NEEDS_ADDRESS),
    Case("http.command", "a slash command is a form", "interactivity/implementing-slash-commands",
         Delivered(),
         told({"headers.content-type": like("a form", f"^{FORM}"), "signed": True,
               "body.command": "/roundtable", "body.text": "help", "body.user_id": PERSON,
               "body.response_url": SOMETHING, "body.trigger_id": SOMETHING}),
         (Serve(), COMMAND), only_local=NEEDS_ADDRESS),
    Case("http.interaction", "what people click is JSON in a form's payload",
         "interactivity/handling-user-interaction", Delivered(),
         told({"headers.content-type": like("a form", f"^{FORM}"), "signed": True,
               "body.payload.type": "shortcut", "body.payload.callback_id": "start",
               "body.payload.user.id": PERSON}),
         (Serve(), SHORTCUT), only_local=NEEDS_ADDRESS),
)  # fmt: skip
