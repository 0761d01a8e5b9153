"""Tokens, scopes, headers and bodies: what every method has in common."""

from typing import Final

from tests.conformance.cases.building import (
    BOT,
    MARK,
    MISSING,
    SOMETHING,
    TEAM,
    USER,
    like,
    section,
)
from tests.conformance.values import CHANNEL, Call, Case, method_page, ok, refused

WEB_API: Final = "apis/web-api"
AUTH: Final = method_page("auth.test")
POST_PAGE: Final = method_page("chat.postMessage")
SCOPES: Final = like("the granted scopes", r"chat:write")

TOKENS: Final = (
    Case(
        "auth.test",
        "the app learns who it is",
        AUTH,
        Call("auth.test", sent="form"),
        ok({"url": SOMETHING, "team": SOMETHING, "user": SOMETHING, "team_id": TEAM,
            "user_id": USER, "bot_id": BOT}),
    ),
    Case("auth.no-token", "no token at all", AUTH, Call("auth.test", token="none"),
         refused("not_authed")),
    Case("auth.wrong-token", "a token that is none", AUTH, Call("auth.test", token="wrong"),
         refused("invalid_auth")),
    Case("auth.form-token", "a token as an argument of a form", WEB_API,
         Call("auth.test", sent="form", token="form"), ok({"team_id": TEAM})),
    Case("auth.query-token", "a token in the query counts for nothing", WEB_API,
         Call("auth.test", sent="query", token="query"), refused("not_authed")),
    Case("auth.json-token", "nor does one in JSON", WEB_API, Call("auth.test", token="json"),
         refused("not_authed")),
    Case("auth.app-token", "an app-level token where the bot's is due", POST_PAGE,
         Call("chat.postMessage", {"channel": CHANNEL, "text": MARK}, token="app"),
         refused("not_allowed_token_type")),
    Case("scope.missing", "a method whose scope the app lacks, here team:read",
         method_page("team.info"), Call("team.info", sent="form"),
         refused("missing_scope", {"needed": "team:read", "provided": SCOPES})),
    Case("scope.header", "each answer names the granted scopes in X-OAuth-Scopes", AUTH,
         Call("auth.test", sent="form"), ok(headers={"x-oauth-scopes": SCOPES}),
         basis="observed", note="slack_bolt reads the header when it authorizes a request"),
    Case("method.unknown", "a method that there is not", WEB_API,
         Call("chat.whisper", {"channel": CHANNEL}),
         refused("unknown_method", {"req_method": "chat.whisper"}),
         basis="observed", note="in public recordings of Slack's answers"),
)  # fmt: skip

ACCESS: Final = method_page("oauth.v2.access")
REVOKE: Final = method_page("auth.revoke")

INSTALLING: Final = (
    Case("access.client", "a token is asked for by no client", ACCESS,
         Call("oauth.v2.access", {"client_id": "1.2", "client_secret": "x", "code": "x"},
              sent="form", token="none"),
         refused("invalid_client_id")),
    Case("revoke.test", "a token is ended for a test, which ends nothing", REVOKE,
         Call("auth.revoke", {"test": "1"}, sent="form"), ok({"revoked": False}),
         only_local="would end the app's token, were its argument not read"),
    Case("revoke.nobody", "nobody's token is ended", REVOKE,
         Call("auth.revoke", sent="form", token="none"), refused("not_authed")),
)  # fmt: skip

BODIES: Final = (
    Case("body.form-objects", "objects are JSON strings in a form", POST_PAGE,
         Call("chat.postMessage",
              {"channel": CHANNEL, "text": MARK, "blocks": [section(MARK)]}, sent="form"),
         ok({"message.blocks.0.type": "section"})),
    Case("body.query", "arguments in the query of a GET", WEB_API,
         Call("conversations.info", {"channel": CHANNEL}, sent="query"),
         ok({"channel.id": CHANNEL})),
    Case("body.null", "null is the same as left out", WEB_API,
         Call("chat.postMessage",
              {"channel": CHANNEL, "text": MARK, "blocks": None, "thread_ts": None}),
         ok({"message.text": MARK, "message.thread_ts": MISSING})),
    Case("body.not-json", "JSON that cannot be parsed", WEB_API,
         Call("chat.postMessage", sent="raw", raw='{"channel": ',
              content_type="application/json; charset=utf-8"), refused("invalid_json")),
    Case("body.no-object", "JSON that is no object", WEB_API,
         Call("chat.postMessage", sent="raw", raw="[1]",
              content_type="application/json; charset=utf-8"), refused("json_not_object")),
    Case("body.type", "a body of an unknown type", POST_PAGE,
         Call("chat.postMessage", sent="raw", raw="<a/>", content_type="application/xml"),
         refused("invalid_post_type")),
    Case("body.no-type", "a body without a type", POST_PAGE,
         Call("chat.postMessage", sent="raw", raw="text=x"), refused("missing_post_type")),
    Case("body.charset", "a charset that is none of the two", POST_PAGE,
         Call("chat.postMessage", sent="raw", raw="{}",
              content_type="application/json; charset=utf-7"), refused("invalid_charset")),
    Case("body.charset-missing", "JSON without a charset is a warning", AUTH,
         Call("auth.test", sent="raw", raw="{}", content_type="application/json"),
         ok({"warning": "missing_charset", "response_metadata.warnings.0": "missing_charset"})),
    Case("body.charset-superfluous", "a form with a charset is a warning", AUTH,
         Call("auth.test", sent="raw", raw="a=1",
              content_type="application/x-www-form-urlencoded; charset=utf-8"),
         ok({"warning": "superfluous_charset"})),
)  # fmt: skip

CASES: Final = TOKENS + BODIES
