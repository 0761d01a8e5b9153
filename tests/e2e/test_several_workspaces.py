"""Two teams of the local workspace install the bot over HTTP, work apart, and one leaves."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bot.devtools.workspace import LocalWorkspace, OtherTeam
from bot.server.composition import Roundtable, build
from bot.server.install_flow import INSTALL_PATH, REDIRECT_PATH
from core.domain.ids import ChannelId, TeamId
from tests.support.http import request, serving
from tests.support.installed_bot import PUBLIC, installed_settings
from tests.support.waiting import wait_until


@dataclass
class Teams:
    slack: LocalWorkspace
    roundtable: Roundtable
    port: int

    def install(self, team: LocalWorkspace, by: str, *, allow: bool = True) -> tuple[int, bytes]:
        """Somebody goes to the install page, and Slack sends their browser back."""
        _, headers, _ = request(self.port, "GET", INSTALL_PATH)
        cookie = headers["set-cookie"].split(";")[0]
        back = urlsplit(team.consent(by, headers["location"], allow=allow))
        path = f"{back.path}?{back.query}"
        status, _, raw = request(self.port, "GET", path, headers={"Cookie": cookie})
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
            SLACK_CLIENT_ID=slack.client_id,
            SLACK_CLIENT_SECRET=slack.client_secret,
            SLACK_SIGNING_SECRET=slack.signing_secret,
        )
        with build(settings, settle_s=0.0) as roundtable, serving(roundtable.http_app()) as port:
            slack.events_url = f"http://127.0.0.1:{port}/slack/events"
            yield Teams(slack, roundtable, port)


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
