"""Workspaces install the app: Bolt's flow over our tables, with pages of ours."""

import io
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from bot.server.bolt_app import SCOPES
from bot.server.install_flow import INSTALL_PATH, REDIRECT_PATH
from core.store.repository.installations import OPEN_STATES_MAX, STATE_S
from tests.support.fakes import DrivenClock
from tests.support.http import request, serving
from tests.support.installed_bot import (
    CLIENT_SECRET,
    COOKIE,
    PUBLIC,
    InstalledBot,
    identity,
    installed_bot,
    token_of,
)

NOW = 1_700_000_000.0


@pytest.fixture
def clock() -> DrivenClock:
    return DrivenClock(NOW)


@pytest.fixture
def bot(tmp_path: Path, clock: DrivenClock) -> Iterator[InstalledBot]:
    with installed_bot(tmp_path, clock) as bot:
        yield bot


def test_a_workspace_installs_and_its_token_is_kept_sealed(bot: InstalledBot) -> None:
    assert bot.install("T1").status == 200
    row = bot.installation("T1")
    assert row.installed_at == NOW
    assert token_of("T1") not in row.sealed
    assert bot.roundtable.runtime.reader.workspace("T1").bot_user == "UT1BOT"
    assert bot.roundtable.workspaces.client("T1").lookups.auth_test().team == "T1"
    assert bot.slack.calls[-1][0] == token_of("T1")


def test_the_way_to_slack_names_the_app_its_scopes_and_where_to_come_back(
    bot: InstalledBot,
) -> None:
    response = bot.page(INSTALL_PATH)
    address = urlsplit(response.headers["location"][0])
    asked = parse_qs(address.query)
    assert address._replace(query="").geturl() == bot.slack.url.replace(
        "api/", "oauth/v2/authorize"
    )
    assert asked["client_id"] == ["111.222"]
    assert asked["redirect_uri"] == [f"{PUBLIC}{REDIRECT_PATH}"]
    assert asked["scope"] == [",".join(SCOPES)]
    (cookie,) = response.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}={asked['state'][0]}; Secure; HttpOnly")


def test_slack_hears_the_code_with_the_secret_and_the_same_address(bot: InstalledBot) -> None:
    bot.install("T1")
    (asked,) = [args for _, method, args in bot.slack.calls if method == "oauth.v2.access"]
    assert asked["code"] == "code-T1-1"
    assert asked["redirect_uri"] == f"{PUBLIC}{REDIRECT_PATH}"


def test_a_callback_without_its_cookie_installs_nothing(bot: InstalledBot) -> None:
    bot.slack.offer("code", "T1")
    state = bot.begun()
    for cookie in ("", f"{COOKIE}=another", "other=1"):
        response = bot.page(REDIRECT_PATH, f"code=code&state={state}", cookie)
        assert response.status == 400
        assert "not the browser" in response.body
    assert bot.installation("T1") is None
    assert bot.slack.calls == []


def test_a_state_is_good_once_and_only_if_it_is_ours_and_young(
    bot: InstalledBot, clock: DrivenClock
) -> None:
    bot.slack.offer("code", "T1")
    state = bot.begun()
    assert bot.ended("made-up", "code").status == 401
    assert bot.ended(state, "code").status == 200
    bot.slack.offer("code", "T1")
    assert bot.ended(state, "code").status == 401
    old = bot.begun()
    clock.forward(STATE_S + 1)
    assert bot.ended(old, "code").status == 401
    assert "code" in bot.slack.codes, "no code was handed in for any of them"


def test_a_code_that_slack_does_not_take_installs_nothing(bot: InstalledBot) -> None:
    response = bot.ended(bot.begun(), "never-given-out")
    assert response.status == 401
    assert "did not take its own code" in response.body
    assert bot.installation("T1") is None


def test_whoever_cancels_is_told_and_what_was_begun_is_over(bot: InstalledBot) -> None:
    state = bot.begun()
    response = bot.page(REDIRECT_PATH, f"error=access_denied&state={state}", f"{COOKIE}={state}")
    assert (response.status, "You cancelled" in response.body) == (200, True)
    bot.slack.offer("code", "T1")
    assert bot.ended(state, "code").status == 401


def test_nothing_of_a_request_is_on_a_page(bot: InstalledBot) -> None:
    planted = "%3Cscript%3Ealert(1)%3C/script%3E"
    for query in (f"error={planted}", f"code={planted}&state={planted}", f"team={planted}"):
        for path in (INSTALL_PATH, REDIRECT_PATH):
            response = bot.page(path, query)
            shown = response.body + str(response.headers)
            assert "script>" not in shown
            assert "alert" not in shown


def test_the_same_workspace_twice_has_the_newer_token(
    bot: InstalledBot, clock: DrivenClock
) -> None:
    bot.install("T1")
    first = bot.roundtable.workspaces.client("T1")
    clock.forward(5)
    assert bot.install("T1", number=2).status == 200
    assert bot.installation("T1").installed_at == NOW + 5
    again = bot.roundtable.workspaces.client("T1")
    assert again is not first
    again.lookups.auth_test()
    assert bot.slack.calls[-1][0] == token_of("T1", 2)


def test_a_workspace_that_may_not_install_is_told_and_its_token_revoked(
    tmp_path: Path,
) -> None:
    with installed_bot(tmp_path, more={"ROUNDTABLE_INSTALL_TEAMS": "T11,T22"}) as bot:
        response = bot.install("T33")
        assert (response.status, "not one of those" in response.body) == (403, True)
        assert bot.slack.revoked == {token_of("T33")}
        assert bot.installation("T33") is None
        assert bot.install("T22").status == 200


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"is_enterprise_install": True, "team": None, "enterprise": {"id": "E1"}}, "organization"),
        ({"refresh_token": "xoxe-1", "expires_in": 43_200}, "rotate its tokens"),
    ],
)
def test_a_token_of_an_organization_or_one_that_rotates_is_revoked(
    bot: InstalledBot, more: dict[str, object], words: str
) -> None:
    bot.slack.offer("code", "T1", more=more)
    response = bot.ended(bot.begun(), "code")
    assert response.status == 403
    assert words in response.body
    assert bot.slack.revoked == {token_of("T1")}
    assert bot.installation("T1") is None


def test_a_token_that_turns_out_to_be_of_another_workspace_is_not_kept(bot: InstalledBot) -> None:
    bot.slack.answers["auth.test"] = identity("T2")
    assert bot.install("T1").status == 502
    assert (bot.installation("T1"), bot.installation("T2")) == (None, None)


def test_a_slack_that_does_not_answer_is_said_so(bot: InstalledBot, tmp_path: Path) -> None:
    state = bot.begun()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        bot.roundtable.installed.flow.flow.client.base_url = (
            f"http://127.0.0.1:{taken.getsockname()[1]}/api/"
        )
        response = bot.ended(state, "code")
    assert (response.status, "Slack did not answer" in response.body) == (502, True)


def test_a_flood_of_the_page_keeps_nobody_from_installing(bot: InstalledBot) -> None:
    first = bot.begun()
    for number in range(OPEN_STATES_MAX):
        bot.roundtable.installed.keeper.installations.begin(f"s{number}", at=NOW + 1)
    assert bot.install("T1").status == 200
    bot.slack.offer("code", "T2")
    assert bot.ended(first, "code").status == 401, "the oldest is open no more"


def test_token_code_and_keys_are_in_no_log_and_on_no_page(
    bot: InstalledBot, log_stream: io.StringIO
) -> None:
    """Bolt logs a code that Slack refuses, and an organization's token is refused by us."""
    bodies = [bot.install("T1").body]
    bodies += [bot.ended(bot.begun(), "code-that-is-refused").body]
    bot.slack.offer("code-of-an-organization", "T2", more={"is_enterprise_install": True})
    bodies += [bot.ended(bot.begun(), "code-of-an-organization").body]
    bodies += [bot.page(REDIRECT_PATH, "error=code-in-the-error").body]
    said = log_stream.getvalue() + "".join(bodies)
    assert "workspace.installed" in said
    key = bot.settings.token_keys[0]
    for secret in ("xoxb-", "code-", CLIENT_SECRET, key):
        assert secret not in said


def test_a_browser_is_sent_to_slack_and_back_over_http(bot: InstalledBot) -> None:
    bot.slack.offer("code", "T1")
    with serving(bot.roundtable.http_app()) as port:
        status, headers, _ = request(port, "GET", INSTALL_PATH)
        assert status == 302
        state = parse_qs(urlsplit(headers["location"]).query)["state"][0]
        assert headers["referrer-policy"] == "no-referrer"
        cookie = headers["set-cookie"].split(";")[0]
        path = f"{REDIRECT_PATH}?code=code&state={state}"
        status, headers, raw = request(port, "GET", path, headers={"Cookie": cookie})
        assert (status, b"Roundtable is installed" in raw) == (200, True)
        assert headers["cache-control"] == "no-store"
        assert f"{COOKIE}=deleted" in headers["set-cookie"]
        assert "default-src 'none'" in headers["content-security-policy"]
        assert request(port, "POST", INSTALL_PATH)[0] == 405
    assert bot.installation("T1") is not None


def test_without_installing_there_are_no_such_pages(bot: InstalledBot) -> None:
    app = bot.roundtable.http_app()
    app._pages = {}
    with serving(app) as port:
        assert request(port, "GET", INSTALL_PATH)[0] == 404
