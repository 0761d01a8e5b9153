"""A bot that workspaces install, over a Slack that knows several teams by their tokens."""

import json
import threading
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

from slack_bolt import BoltRequest, BoltResponse

from bot.devtools.counted_pools import CountedPools
from bot.server.composition import build
from bot.server.configuration.settings import Settings
from bot.server.install_flow import INSTALL_PATH, REDIRECT_PATH
from bot.server.roundtable import Roundtable
from core.domain.ids import ChannelId, SessionId, TeamId
from core.ports import Clock
from core.secrets.token_keys import new_key
from tests.support.bolt_front import slash
from tests.support.handlers import served_by
from tests.support.serving import database_in
from tests.support.waiting import wait_until

SECRET = "0123456789abcdef0123456789abcdef"
CLIENT_SECRET = "client-secret-of-the-app"
PUBLIC = "https://roundtable.example.com"
COOKIE = "slack-app-oauth-state"
Body = dict[str, Any]


def token_of(team: str, number: int = 1) -> str:
    return f"xoxb-{team}-{number}"


@dataclass
class SlackOfTeams:
    """Answers every call by its token, and writes it down."""

    url: str = ""
    calls: list[tuple[str, str, Body]] = field(default_factory=list)  # token, method, arguments
    codes: dict[str, Body] = field(default_factory=dict)  # what oauth.v2.access answers
    revoked: set[str] = field(default_factory=set)
    answers: dict[str, Body] = field(default_factory=dict)  # by method, where it is not just ok
    held_back: set[str] = field(default_factory=set)  # tokens that are to come back in an hour
    # Of one channel in two workspaces: what is posted there has the same times in both.
    _posts: dict[tuple[str, str], "count[int]"] = field(
        default_factory=lambda: defaultdict(lambda: count(1))
    )

    def answer(self, token: str, method: str, args: Body) -> Body:
        self.calls.append((token, method, args))
        if method == "oauth.v2.access":
            if args.get("client_secret", CLIENT_SECRET) != CLIENT_SECRET:
                return {"ok": False, "error": "bad_client_secret"}
            return self.codes.pop(args["code"], {"ok": False, "error": "invalid_code"})
        if token in self.revoked:
            return {"ok": False, "error": "token_revoked"}
        if method == "auth.revoke":
            self.revoked.add(token)
            return {"ok": True, "revoked": True}
        team = token.split("-")[1] if token.count("-") == 2 else ""
        if method in self.answers:
            return self.answers[method]
        if method == "auth.test":
            return identity(team)
        if method == "chat.postMessage":
            number = next(self._posts[token, str(args.get("channel"))])
            return {"ok": True, "ts": f"1700000{number:03}.000100"}
        if method == "users.info":
            return {"ok": True, "user": {"id": args["user"], "name": f"of-{team}"}}
        if method == "conversations.info":
            return {"ok": True, "channel": {"id": args["channel"], "name": "general"}}
        return {"ok": True}

    def offer(self, code: str, team: str, number: int = 1, more: Body | None = None) -> None:
        """The code that Slack sends the browser back with, once somebody allowed it."""
        self.codes[code] = {
            "ok": True,
            "access_token": token_of(team, number),
            "token_type": "bot",
            "scope": "chat:write",
            "bot_user_id": f"U{team}BOT",
            "app_id": "A1",
            "team": {"id": team, "name": team},
            "enterprise": None,
            "authed_user": {"id": f"U{team}ADMIN"},
            "is_enterprise_install": False,
            **(more or {}),
        }

    def called(self, token: str, method: str = "") -> list[Body]:
        return [
            args for by, name, args in self.calls if by == token and (not method or name == method)
        ]


def identity(team: str) -> Body:
    return {
        "ok": True,
        "team_id": team,
        "url": f"https://{team.lower()}.slack.com/",
        "user_id": f"U{team}BOT",
        "bot_id": f"B{team}",
        "user": "roundtable",
    }


@contextmanager
def slack_of_teams() -> Iterator[SlackOfTeams]:
    slack = SlackOfTeams()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"] or 0)).decode()
            is_json = "json" in self.headers.get("Content-Type", "")
            args = json.loads(raw or "{}") if is_json else dict(parse_qsl(raw))
            token = self.headers.get("Authorization", "").removeprefix("Bearer ")
            held = token in slack.held_back
            answer = json.dumps(
                {"ok": False, "error": "ratelimited"}
                if held
                else slack.answer(token, self.path.rsplit("/", 1)[-1], args)
            ).encode()
            self.send_response(429 if held else 200)
            if held:
                self.send_header("Retry-After", "3600")
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

    with served_by(Handler) as slack.url:
        yield slack


def installed_settings(slack_url: str, folder: Path, **more: str) -> Settings:
    return Settings.model_validate(
        {
            "SLACK_CLIENT_ID": "111.222",
            "SLACK_CLIENT_SECRET": CLIENT_SECRET,
            "SLACK_SIGNING_SECRET": SECRET,
            "SLACK_API_URL": slack_url,
            "ROUNDTABLE_TOKEN_KEYS": new_key(),
            "ROUNDTABLE_PUBLIC_URL": PUBLIC,
            "ROUNDTABLE_INSTALL_TEAMS": "*",
            "ROUNDTABLE_DATABASE_URL": database_in(folder),
            "ROUNDTABLE_ARTIFACTS_DIR": str(folder / "artifacts"),
            "ROUNDTABLE_PACE_SECONDS": "0",
            "ROUNDTABLE_QUIET_SECONDS": "0",
            **more,
        }
    )


@dataclass
class InstalledBot:
    """A bot with the browser of whoever installs it."""

    slack: SlackOfTeams
    settings: Settings
    roundtable: Roundtable
    pools: CountedPools

    def __repr__(self) -> str:
        return "InstalledBot()"

    def page(self, path: str, query: str = "", cookie: str = "") -> BoltResponse:
        assert self.roundtable.installed is not None
        headers = {"cookie": cookie} if cookie else {}
        return self.roundtable.installed.pages[path](path, query, headers)

    def begun(self) -> str:
        """The state of an installation that was begun; the browser has it as a cookie as well."""
        response = self.page(INSTALL_PATH)
        assert response.status == 302, response.body
        return parse_qs(urlsplit(response.headers["location"][0]).query)["state"][0]

    def ended(self, state: str, code: str, **query: str) -> BoltResponse:
        asked = "&".join(f"{name}={value}" for name, value in {"code": code, **query}.items())
        return self.page(REDIRECT_PATH, f"{asked}&state={state}", f"{COOKIE}={state}")

    def install(self, team: str, number: int = 1) -> BoltResponse:
        """Somebody allows it."""
        self.slack.offer(f"code-{team}-{number}", team, number)
        return self.ended(self.begun(), f"code-{team}-{number}")

    def deliver(self, team: str, body: Body) -> BoltResponse:
        """What Slack delivers for a workspace. `body`: as `bolt_front` makes it, for "T1"."""
        of_team = json.dumps(body).replace('"T1"', f'"{team}"').replace("U0BOT", f"U{team}BOT")
        request = BoltRequest(mode="socket_mode", body=json.loads(of_team))
        return self.roundtable.bolt.dispatch(request)

    def settle(self) -> None:
        """Return when nothing is left to do, and nobody is at it."""
        assert wait_until(lambda: self._is_calm() and self._is_calm(), "it never settles")

    def _is_calm(self) -> bool:
        """Whoever is at a row that was parked meanwhile may still leave rows that are due."""
        outbox, now = self.roundtable.runtime.outbox, self.roundtable.clock.now()
        return (
            self.pools.is_idle
            and not outbox.timers_due(now)
            and outbox.pending(now) == 0
            and self.roundtable.dispatcher.lanes_busy == 0
            and not any(thread.name == "reader" for thread in threading.enumerate())
        )

    def start_session(self, team: str, channel: str, title: str = "Retry payments") -> SessionId:
        line = {**slash(f"analyze {title}", channel=ChannelId(channel)), "team_id": team}
        assert self.deliver(team, line).status == 200
        reader = self.roundtable.runtime.reader
        (session,) = reader.channel_sessions(TeamId(team), ChannelId(channel))
        self.settle()
        return session.id

    def installation(self, team: str) -> Any:
        assert self.roundtable.installed is not None
        return self.roundtable.installed.keeper.installations.find(TeamId(team))


@contextmanager
def installed_bot(
    folder: Path,
    clock: Clock | None = None,
    more: Mapping[str, str] | None = None,
    revoked: Collection[str] = (),
) -> Iterator[InstalledBot]:
    """Started, as it serves. `revoked`: tokens that Slack refuses from the start."""
    with slack_of_teams() as slack:
        slack.revoked.update(revoked)
        settings = installed_settings(slack.url, folder, **(more or {}))
        pools = CountedPools()
        with build(settings, clock=clock, settle_s=0.0, pool=pools) as roundtable:
            yield InstalledBot(slack, settings, roundtable, pools)
