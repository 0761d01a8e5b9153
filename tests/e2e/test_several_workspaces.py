"""Two teams of the local workspace install the bot over HTTP, work apart, and one leaves."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from bot.devtools.workspace import LocalWorkspace, OtherTeam
from bot.server.composition import build
from bot.server.install_flow import INSTALL_PATH, REDIRECT_PATH
from bot.server.roundtable import Roundtable
from core.domain.ids import ChannelId, TeamId
from tests.support.databases import EACH_DATABASE
from tests.support.http import request, serving
from tests.support.installed_bot import PUBLIC, installed_settings
from tests.support.rows import snapshot
from tests.support.waiting import wait_until


@dataclass
class Teams:
    slack: LocalWorkspace
    roundtable: Roundtable
    port: int

    secrets: set[str]  # that came by: codes and states
    pages: list[bytes]

    def install(
        self, team: LocalWorkspace, by: str, *, allow: bool = True, **changed: str
    ) -> tuple[int, bytes]:
        """Somebody goes to the install page, and Slack sends their browser back."""
        _, headers, asked = request(self.port, "GET", INSTALL_PATH)
        cookie = headers["set-cookie"].split(";")[0]
        back = urlsplit(team.consent(by, headers["location"], allow=allow))
        query = {name: values[0] for name, values in parse_qs(back.query).items()} | changed
        self.secrets |= {query[name] for name in ("code", "state") if name in query}
        path = f"{back.path}?{urlencode(query)}"
        status, _, raw = request(self.port, "GET", path, headers={"Cookie": cookie})
        _, _, again = request(self.port, "GET", path, headers={"Cookie": cookie})
        assert b"Roundtable is installed" not in again
        self.pages += [asked, raw, again]
        return status, raw

    def titles(self, team: LocalWorkspace, channel: str) -> list[str]:
        where = ChannelId(team.channel_id(channel))
        rows = self.roundtable.runtime.reader.channel_sessions(TeamId(team.team_id), where)
        return [row.title for row in rows]


@pytest.fixture
def teams(tmp_path: Path) -> Iterator[Teams]:
    with LocalWorkspace(
        people=["Ada"],
        channels=["general"],
        admins=["Ada"],
        installed=False,
        teams=[OtherTeam("Beta", people=["Eve"], channels=["general"], admins=["Eve"])],
        redirect_urls=[f"{PUBLIC}{REDIRECT_PATH}"],
    ) as slack:
        settings = installed_settings(
            slack.api_url,
            tmp_path,
            SLACK_CLIENT_ID=slack.app.client_id,
            SLACK_CLIENT_SECRET=slack.app.client_secret,
            SLACK_SIGNING_SECRET=slack.signing_secret,
        )
        with build(settings, settle_s=0.0) as roundtable, serving(roundtable.http_app()) as port:
            slack.events_url = f"http://127.0.0.1:{port}/slack/events"
            yield Teams(slack, roundtable, port, set(), [])


@EACH_DATABASE
def test_token_code_keys_and_state_are_in_no_log_page_message_row_or_file(
    log_stream: io.StringIO, teams: Teams, tmp_path: Path
) -> None:
    """A callback that is cancelled, foreign, unheard, good and used; then work, and leaving."""
    slack, beta, table = teams.slack, teams.slack.team("Beta"), teams.roundtable
    assert b"Roundtable is installed" not in teams.install(beta, "Eve", allow=False)[1]
    assert teams.install(beta, "Eve", code="1234567890.a-code-of-nobody")[0] == 401
    oauth = table.installed.flow.flow.client
    oauth.base_url, base_url = "http://127.0.0.1:9/api/", oauth.base_url
    assert teams.install(beta, "Eve")[0] == 502
    oauth.base_url = base_url
    assert teams.install(beta, "Eve")[0] == 200
    teams.secrets.add(beta.bot_token)
    beta.set_bot_in("general", is_in=True)
    beta.command("Eve", "general", "/roundtable analyze Retry payments")
    assert wait_until(lambda: len(beta.messages("general")) >= 4)
    beta.inject("revoke")
    root = beta.messages("general")[-1].thread_ts
    beta.say("Eve", "general", "Finance needs it daily.", thread_ts=root)
    assert wait_until(lambda: "slack.token-refused" in log_stream.getvalue())
    beta.uninstall()
    assert wait_until(lambda: "workspace.uninstalled" in log_stream.getvalue())
    beta.unrevoke()
    assert teams.install(beta, "Eve")[0] == 200
    teams.secrets |= {beta.bot_token, slack.app.client_secret, *table.settings.token_keys}
    assert len(teams.secrets) == 13, "two tokens, a secret, a key, four codes and five states"
    rows = snapshot(table.runtime.database)
    written = {
        "log": log_stream.getvalue(),
        "pages": repr(teams.pages),
        "messages": repr([(team.messages("general"), team.ephemerals) for team in slack.teams]),
        "calls": repr([call for call in beta.calls if call.method != "oauth.v2.access"]),
        "rows": repr(rows),
        "files": repr([path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]),
    }
    for where, signs in {"pages": "is installed", "messages": "Retry", "rows": "gAAAA"}.items():
        assert signs in written[where], "it is looked for where it would be"
    assert [
        (where, secret)
        for where, text in written.items()
        for secret in teams.secrets
        if secret in text
    ] == []


def test_two_teams_install_work_apart_and_one_leaves(teams: Teams) -> None:
    alpha, beta = teams.slack, teams.slack.team("Beta")
    assert teams.install(alpha, "Ada", allow=False)[0] == 200
    assert not alpha.bot_token
    for team, by in ((alpha, "Ada"), (beta, "Eve")):
        status, page = teams.install(team, by)
        assert (status, b"Roundtable is installed" in page) == (200, True)
        team.set_bot_in("general", is_in=True)
        team.command(by, "general", "/roundtable analyze Retry payments")
    for team in (alpha, beta):
        assert wait_until(lambda team=team: len(team.messages("general")) >= 2)
        assert teams.titles(team, "general") == ["Retry payments"]

    beta.uninstall(order=("tokens_revoked", "app_uninstalled"))
    keeper = teams.roundtable.installed.keeper
    assert wait_until(lambda: keeper.installations.find(TeamId(beta.team_id)).sealed is None)
    alpha.command("Ada", "general", "/roundtable status")
    assert keeper.installations.find(TeamId(alpha.team_id)).sealed is not None
    assert teams.install(beta, "Eve")[0] == 200
    assert teams.titles(beta, "general") == ["Retry payments"]
