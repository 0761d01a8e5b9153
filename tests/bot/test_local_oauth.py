"""How the app comes into a team of the local workspace and leaves it, as slack_sdk sees it.

docs: authentication/installing-with-oauth, reference/methods/oauth.v2.access,
reference/methods/auth.revoke, reference/events/tokens_revoked, reference/events/app_uninstalled
"""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from slack_bolt import BoltRequest
from slack_bolt.oauth import OAuthFlow
from slack_bolt.oauth.oauth_settings import OAuthSettings
from slack_sdk import WebClient
from slack_sdk.oauth.installation_store import FileInstallationStore
from slack_sdk.oauth.state_store import FileOAuthStateStore

from bot.devtools.workspace import (
    ORGANISATION_WIDE,
    ROTATING,
    SCOPES_NEEDED,
    LocalTeam,
    LocalWorkspace,
    OtherTeam,
)
from bot.devtools.workspace.people.acts import NotInstalledError
from bot.devtools.workspace.slack_app import CODE_S_MAX, ConsentError
from tests.bot.test_local_support import Listener, client, error_of, workspace
from tests.bot.test_page_door import TOKEN
from tests.support.waiting import WAIT_S_MAX, wait_until

REDIRECT = "http://127.0.0.1:9/slack/oauth_redirect"


@pytest.fixture
def local() -> Iterator[LocalWorkspace]:
    with workspace(installed=False, teams=[OtherTeam("Beta", ["Eve"])]) as running:
        yield running


@pytest.fixture
def beta(local: LocalWorkspace) -> LocalTeam:
    return local.team("Beta")


def asking(local: LocalWorkspace, **changed: str) -> str:
    """The address of the install page, as the app sends people to it."""
    query = {
        "client_id": local.app.client_id,
        "scope": ",".join(SCOPES_NEEDED),
        "user_scope": "",
        "redirect_uri": REDIRECT,
        "state": "s-1",
    }
    return f"{local.authorize_url}?{urlencode(query | changed)}"


def answer_in(url: str) -> dict[str, str]:
    assert url.startswith(f"{REDIRECT}?")
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}


def code_for(local: LocalWorkspace, team: LocalTeam, person: str) -> str:
    return answer_in(team.consent(person, asking(local)))["code"]


def access(local: LocalWorkspace, code: str, **changed: str) -> dict[str, str]:
    fields = {
        "client_id": local.app.client_id,
        "client_secret": local.app.client_secret,
        "redirect_uri": REDIRECT,
    }
    return {"code": code, **fields, **changed}


def installed(local: LocalWorkspace, team: LocalTeam, person: str) -> str:
    """The token, by the whole way."""
    nobody = WebClient(base_url=local.api_url, retry_handlers=[])
    answer = nobody.oauth_v2_access(**access(local, code_for(local, team, person)))
    return str(answer["access_token"])


def test_a_code_becomes_the_teams_token(local: LocalWorkspace, beta: LocalTeam) -> None:
    answer = answer_in(beta.consent("Eve", asking(local)))
    assert answer["state"] == "s-1"
    assert beta.bot_token == ""
    nobody = WebClient(base_url=local.api_url, retry_handlers=[])
    body = nobody.oauth_v2_access(**access(local, answer["code"])).data
    assert body == {
        "ok": True,
        "access_token": beta.bot_token,
        "token_type": "bot",
        "scope": ",".join(sorted(SCOPES_NEEDED)),
        "bot_user_id": "U0BOT0002",
        "app_id": local.app_id,
        "team": {"id": "T0LOCAL02", "name": "Beta"},
        "enterprise": None,
        "authed_user": {"id": beta.user_id("Eve")},
        "is_enterprise_install": False,
    }
    test = client(local, token=beta.bot_token).auth_test()
    assert (test["team_id"], test["team"], test["user_id"]) == ("T0LOCAL02", "Beta", "U0BOT0002")
    assert local.bot_token == ""  # the other team has not been asked


def test_the_client_may_show_itself_by_basic_authentication(
    local: LocalWorkspace, beta: LocalTeam
) -> None:
    code = code_for(local, beta, "Eve")
    answer = httpx.post(
        f"{local.api_url}oauth.v2.access",
        data={"code": code, "redirect_uri": REDIRECT},
        auth=(local.app.client_id, local.app.client_secret),
    )
    assert answer.json()["ok"]
    broken = {"Authorization": "Basic " + base64.b64encode(b"\xff\xfe").decode()}
    refused = httpx.post(f"{local.api_url}oauth.v2.access", headers=broken)
    assert refused.json()["error"] == "invalid_client_id"


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"client_id": "1.2"}, "invalid_client_id"),
        ({"client_secret": "guessed"}, "bad_client_secret"),
        ({"code": "guessed"}, "invalid_code"),
        ({"redirect_uri": REDIRECT + "/other"}, "bad_redirect_uri"),
        ({"redirect_uri": ""}, "bad_redirect_uri"),
        ({"grant_type": "refresh_token"}, "invalid_grant_type"),
    ],
)
def test_a_code_is_good_for_its_client_and_its_address_alone(
    local: LocalWorkspace, beta: LocalTeam, changed: dict[str, str], error: str
) -> None:
    fields, url = access(local, code_for(local, beta, "Eve")), f"{local.api_url}oauth.v2.access"
    refused = httpx.post(url, data=fields | changed).json()
    assert (refused["ok"], refused["error"]) == (False, error)
    assert beta.bot_token == ""
    assert httpx.post(url, data=fields).json()["ok"]  # what was refused has not used it up


def test_a_code_is_good_once(local: LocalWorkspace, beta: LocalTeam) -> None:
    nobody = WebClient(base_url=local.api_url, retry_handlers=[])
    fields = access(local, code_for(local, beta, "Eve"))
    assert nobody.oauth_v2_access(**fields)["ok"]
    assert error_of(nobody.oauth_v2_access, **fields)["error"] == "invalid_code"


def test_a_code_is_good_for_ten_minutes(
    local: LocalWorkspace, beta: LocalTeam, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = access(local, code_for(local, beta, "Eve"))
    monkeypatch.setattr("bot.devtools.workspace.slack_app.CODE_S_MAX", -1.0)
    nobody = WebClient(base_url=local.api_url, retry_handlers=[])
    assert error_of(nobody.oauth_v2_access, **fields)["error"] == "invalid_code"
    assert CODE_S_MAX == 600


def test_who_cancels_is_sent_back_with_the_state_and_no_code(
    local: LocalWorkspace, beta: LocalTeam
) -> None:
    url = beta.consent("Eve", asking(local), allow=False)
    assert answer_in(url) == {"error": "access_denied", "state": "s-1"}
    assert beta.bot_token == ""


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"client_id": "1.2"}, "invalid_client_id"),
        ({"scope": ""}, "invalid_scope"),
        ({"scope": "chat:write,admin"}, "invalid_scope"),
        ({"user_scope": "chat:write"}, "invalid_scope"),
        ({"redirect_uri": "https://evil.example/"}, "bad_redirect_uri"),
        ({"redirect_uri": "http://127.0.0.1:evil/"}, "bad_redirect_uri"),
        ({"redirect_uri": ""}, "bad_redirect_uri"),
    ],
)
def test_what_is_asked_wrongly_reaches_nobody(
    local: LocalWorkspace, beta: LocalTeam, changed: dict[str, str], error: str
) -> None:
    with pytest.raises(ConsentError, match=error):
        beta.consent("Eve", asking(local, **changed))
    page = httpx.get(asking(local, **changed))
    assert page.status_code == 400
    assert "Something went wrong when authorizing this app." in page.text
    assert "Allow" not in page.text


def test_addresses_that_were_configured_are_the_only_ones() -> None:
    with workspace(redirect_urls=["https://bot.example/slack"]) as local:
        for redirect in ("https://bot.example/slack", "https://bot.example/slack/oauth_redirect"):
            assert local.consent("Ada", asking(local, redirect_uri=redirect)).startswith(redirect)
        for redirect in ("https://bot.example/slackers", REDIRECT):
            with pytest.raises(ConsentError, match="bad_redirect_uri"):
                local.consent("Ada", asking(local, redirect_uri=redirect))
        url = local.consent("Ada", asking(local, redirect_uri=""))  # the first one is meant
        code = parse_qs(urlsplit(url).query)["code"][0]
        fields = access(local, code)
        del fields["redirect_uri"]
        assert httpx.post(f"{local.api_url}oauth.v2.access", data=fields).json()["ok"]


def test_the_page_asks_and_sends_the_browser_on(local: LocalWorkspace, beta: LocalTeam) -> None:
    page = httpx.get(asking(local))
    assert page.status_code == 200
    assert "A local workspace for trying Roundtable. <b>Not Slack.</b>" in page.text
    assert "May Roundtable come into your workspace?" in page.text
    for shown in (*SCOPES_NEEDED, "Eve", "Ada", "Bob Lee", "Allow", "Cancel"):
        assert shown in page.text
    assert "form-action 'self' http://127.0.0.1:9;" in page.headers["content-security-policy"]
    form = dict(parse_qs(urlsplit(asking(local)).query))
    pressed = {**form, "person": beta.user_id("Eve"), "decision": "allow"}
    sent_on = httpx.post(local.authorize_url, data=pressed)
    assert sent_on.status_code == 302
    answer = answer_in(sent_on.headers["location"])
    assert answer["state"] == "s-1"
    token = httpx.post(f"{local.api_url}oauth.v2.access", data=access(local, answer["code"]))
    assert token.json()["team"]["name"] == "Beta"
    cancelled = httpx.post(local.authorize_url, data=pressed | {"decision": "cancel"})
    assert answer_in(cancelled.headers["location"])["error"] == "access_denied"
    stranger = httpx.post(local.authorize_url, data=pressed | {"person": "U0NOBODY"})
    assert (stranger.status_code, "Nobody here has that name." in stranger.text) == (400, True)


def test_the_page_shows_the_one_team_that_is_meant(local: LocalWorkspace) -> None:
    page = httpx.get(asking(local, team="T0LOCAL02"))
    assert ("Eve" in page.text, "Ada" in page.text) == (True, False)


def test_what_the_app_writes_in_its_address_is_not_run(local: LocalWorkspace) -> None:
    page = httpx.get(asking(local, state='"><script>alert(1)</script>'))
    assert "<script" not in page.text
    for name in ("page.css", "blocks.css"):
        assert f'href="/oauth/v2/static/{name}"' in page.text
        assert httpx.get(f"{local.workspace_url}oauth/v2/static/{name}").status_code == 200


def test_where_there_is_a_page_only_who_has_opened_it_is_asked() -> None:
    with workspace(page_token=TOKEN) as local, httpx.Client() as browser:
        assert browser.get(asking(local)).status_code == 403
        assert browser.post(local.authorize_url, data={"person": "U0PM00001"}).status_code == 403
        browser.get(local.page_url)
        assert browser.get(asking(local)).status_code == 200
        elsewhere = {"Origin": "http://127.0.0.1:9"}
        assert browser.post(local.authorize_url, headers=elsewhere).status_code == 403


def test_installing_again_gives_the_same_token_and_what_is_new(
    local: LocalWorkspace, beta: LocalTeam
) -> None:
    token = installed(local, beta, "Eve")
    more = asking(local, scope="chat:write,users:read")
    code = answer_in(beta.consent("Eve", more))["code"]
    nobody = WebClient(base_url=local.api_url, retry_handlers=[])
    again = nobody.oauth_v2_access(**access(local, code))
    assert again["access_token"] == token
    assert again["scope"] == ",".join(sorted({*SCOPES_NEEDED, "users:read"}))


def test_a_token_has_the_scopes_that_were_allowed_alone(
    local: LocalWorkspace, beta: LocalTeam
) -> None:
    web = client(local, token=installed(local, beta, "Eve"))
    refused = error_of(web.users_info, user=beta.user_id("Eve"))
    assert (refused["error"], refused["needed"]) == ("missing_scope", "users:read")


def test_a_revoked_token_is_told_and_good_for_nothing(
    local: LocalWorkspace, beta: LocalTeam
) -> None:
    web = client(local, token=installed(local, beta, "Eve"))
    assert web.auth_revoke(test=True)["revoked"] is False
    with Listener(local) as app:
        assert web.auth_revoke()["revoked"] is True
        wait_until(lambda: len(app.events) == 1)
        assert app.events == [
            {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": ["U0BOT0002"]}}
        ]
        payload = app.requests[0].payload
        assert (payload["team_id"], payload["type"]) == ("T0LOCAL02", "event_callback")
        assert error_of(web.auth_test)["error"] == "token_revoked"
        beta.say("Eve", "general", "@Roundtable are you there?")
        assert local.wait_idle(WAIT_S_MAX)
        assert len(app.events) == 1
    assert beta.bot_token == ""


@pytest.mark.parametrize("first", ["tokens_revoked", "app_uninstalled"])
def test_removing_the_app_sends_both_events_in_either_order(
    local: LocalWorkspace, beta: LocalTeam, first: str
) -> None:
    web = client(local, token=installed(local, beta, "Eve"))
    local.install()
    order = sorted(["tokens_revoked", "app_uninstalled"], key=lambda name: name != first)
    with Listener(local) as app:
        beta.uninstall(order)  # type: ignore[arg-type]  # both are words of that list
        wait_until(lambda: len(app.events) == 2)
        assert [event["type"] for event in app.events] == order
    assert error_of(web.auth_test)["error"] == "account_inactive"
    assert client(local).auth_test()["team_id"] == local.team_id  # the other team's token is good
    with pytest.raises(NotInstalledError):
        beta.uninstall()


def test_nobody_uses_an_app_that_is_not_installed(local: LocalWorkspace, beta: LocalTeam) -> None:
    for act in (
        lambda: beta.command("Eve", "general", "/roundtable help"),
        lambda: beta.shortcut("Eve", "start"),
    ):
        with pytest.raises(NotInstalledError, match="Roundtable is not installed"):
            act()
    beta.open_home("Eve")
    assert beta.deliveries == []


def test_the_app_comes_again_with_a_new_token_and_waits_for_an_invitation(
    local: LocalWorkspace, beta: LocalTeam
) -> None:
    before = installed(local, beta, "Eve")
    beta.uninstall()
    assert local.wait_idle(WAIT_S_MAX)
    now = installed(local, beta, "Eve")
    assert now != before
    assert error_of(client(local, token=before).auth_test)["error"] == "account_inactive"
    web, channel = client(local, token=now), beta.channel_id("general")
    refused = error_of(web.chat_postMessage, channel=channel, text="hello again")
    assert refused["error"] == "not_in_channel"
    beta.set_bot_in("general", is_in=True)
    assert web.chat_postMessage(channel=channel, text="hello again")["ok"]


def test_an_event_that_comes_late_says_when_it_happened(
    local: LocalWorkspace, beta: LocalTeam
) -> None:
    installed(local, beta, "Eve")
    beta.uninstall(["app_uninstalled"])
    token = installed(local, beta, "Eve")
    with Listener(local) as app:
        beta.tell_late("tokens_revoked", 1_600_000_000)
        assert local.wait_idle(WAIT_S_MAX)
    happened = {
        request.payload["event"]["type"]: request.payload["event_time"] for request in app.requests
    }
    assert happened["tokens_revoked"] == 1_600_000_000
    assert client(local, token=token).auth_test()["ok"]


@pytest.mark.parametrize("otherwise", [ORGANISATION_WIDE, ROTATING])
def test_an_installation_of_another_kind_says_so_and_can_be_given_back(
    local: LocalWorkspace, beta: LocalTeam, otherwise: dict[str, Any]
) -> None:
    local.app.answers = otherwise
    nobody = WebClient(base_url=local.api_url, retry_handlers=[])
    answer = nobody.oauth_v2_access(**access(local, code_for(local, beta, "Eve")))
    assert {name: answer[name] for name in otherwise} == otherwise
    assert client(local, token=answer["access_token"]).auth_revoke()["revoked"] is True


def test_an_app_with_too_many_events_is_told_without_an_inner_event(
    local: LocalWorkspace, beta: LocalTeam
) -> None:
    with Listener(local) as app:
        beta.rate_limited()
        wait_until(lambda: len(app.requests) == 1)
    payload = app.requests[0].payload
    assert (payload["type"], payload["team_id"]) == ("app_rate_limited", "T0LOCAL02")
    assert payload["minute_rate_limited"] % 60 == 0
    assert (payload["api_app_id"], "event" in payload) == (local.app_id, False)


def test_bolts_own_flow_installs_each_team_and_tells_who_cancelled(
    local: LocalWorkspace, tmp_path: Path
) -> None:
    """Slack's own library, cookie and state included."""
    settings = OAuthSettings(
        client_id=local.app.client_id,
        client_secret=local.app.client_secret,
        scopes=list(SCOPES_NEEDED),
        redirect_uri=REDIRECT,
        authorization_url=local.authorize_url,
        install_page_rendering_enabled=False,
        installation_store=FileInstallationStore(base_dir=str(tmp_path / "installations")),
        state_store=FileOAuthStateStore(expiration_seconds=60, base_dir=str(tmp_path / "states")),
    )
    nobody = WebClient(base_url=local.api_url, retry_handlers=[])
    flow = OAuthFlow(settings=settings, client=nobody)
    for team, person in ((local, "Ada"), (local.team("Beta"), "Eve")):
        asked = flow.handle_installation(BoltRequest(body="", query={}))
        cookie = {"cookie": [asked.headers["set-cookie"][0].partition(";")[0]]}
        for allow, status in ((False, 200), (True, 200)):
            url = team.consent(person, asked.headers["location"][0], allow=allow)
            back = BoltRequest(body="", query=urlsplit(url).query, headers=cookie)
            assert flow.handle_callback(back).status == status
            assert bool(team.bot_token) == allow
        bot = settings.installation_store.find_bot(enterprise_id=None, team_id=team.team_id)
        assert bot is not None
        assert (bot.bot_token, bot.bot_id, bot.bot_user_id) == (
            team.bot_token,
            team.bot_id,
            team.bot_user_id,
        )
