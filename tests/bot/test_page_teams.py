"""The page of a local workspace with several teams: choosing one, and letting the app in."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from urllib.parse import urlencode

import httpx
import pytest
from playwright.sync_api import Page, expect

from bot.devtools.workspace import LocalTeam, LocalWorkspace, OtherTeam
from tests.bot.test_local_support import client
from tests.support.handlers import served_by
from tests.support.page import address, line, say, with_page
from tests.support.waiting import WAIT_S_MAX


@pytest.fixture
def slack() -> Iterator[LocalWorkspace]:
    with with_page(teams=[OtherTeam("Beta", ["Eve", "Fay"])], shared=["partners"]) as local:
        yield local


@pytest.fixture
def beta(slack: LocalWorkspace) -> LocalTeam:
    slack.team("Beta").install()
    return slack.team("Beta")


@pytest.fixture
def web(slack: LocalWorkspace) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=slack.page_url, follow_redirects=True, verify=False) as browser:
        yield browser


def in_beta(slack: LocalWorkspace, place: str = "") -> str:
    return f"{slack.page_url}team/T0LOCAL02/{place}"


def test_each_team_has_a_page_of_its_own(
    slack: LocalWorkspace, beta: LocalTeam, web: httpx.Client
) -> None:
    slack.say("Ada", "general", "of the first")
    beta.say("Eve", "general", "of the second")
    first, second = web.get("").text, web.get(in_beta(slack)).text
    assert ("of the first" in first, "of the second" in first) == (True, False)
    assert ("of the first" in second, "of the second" in second) == (False, True)
    assert 'data-name="Eve"' in second
    assert 'data-name="Ada"' in web.get("").text  # who one was there changes nothing here


def test_an_act_on_a_page_is_done_in_its_team(
    slack: LocalWorkspace, beta: LocalTeam, web: httpx.Client
) -> None:
    web.get("")
    fields = {"as": beta.user_id("Fay"), "channel": "C0CH00001", "text": "hello"}
    assert web.post(in_beta(slack, "act/say"), json=fields).status_code == 200
    assert web.post("act/say", json=fields).status_code == 404
    assert [message.author for message in beta.messages("general")] == ["Fay"]
    assert slack.messages("general") == []


def test_links_to_messages_and_files_lead_to_their_team(
    slack: LocalWorkspace, beta: LocalTeam, web: httpx.Client
) -> None:
    web.get("")
    app, channel = client(slack, token=beta.bot_token), beta.channel_id("partners")
    app.files_upload_v2(channel=channel, filename="plan.md", content="# The plan")
    (message,) = beta.messages("partners")
    link = app.chat_getPermalink(channel=channel, message_ts=message.ts)["permalink"]
    assert link.startswith(f"{slack.workspace_url}team/T0LOCAL02/archives/{channel}/")
    page = web.get(link)
    assert page.url.path.startswith(f"/{slack.page_url.split('/')[-2]}/team/T0LOCAL02/c/")
    assert "plan.md" in page.text
    (post,) = app.conversations_history(channel=channel)["messages"]
    assert web.get(post["files"][0]["url_private"]).text == "# The plan"
    assert web.get(f"files/{beta.files[0].id}/plan.md").text == "# The plan"  # the other team's too


def test_one_team_alone_has_nothing_to_choose() -> None:
    with with_page() as local:
        page = httpx.get(local.page_url).text
    assert ('id="team"' in page, "Remove Roundtable" in page) == (False, False)


def test_a_person_goes_to_another_team_and_answers_there(
    slack: LocalWorkspace, beta: LocalTeam, tab: Page
) -> None:
    slack.say("Ada", "partners", "who is on your side?")
    tab.goto(address(slack, "Ada"))
    tab.get_by_label("Team").select_option("Beta")
    expect(tab.get_by_label("Team")).to_have_value(
        f"/{slack.page_url.split('/')[-2]}/team/T0LOCAL02/"
    )
    tab.get_by_role("link", name="partners").click()
    expect(line(tab, "who is on your side?")).to_be_visible()
    say(tab, "we are")
    expect(line(tab, "we are")).to_be_visible()
    assert [message.author for message in slack.messages("partners")] == ["Ada", "Eve"]
    tab.go_back()
    tab.get_by_label("Team").select_option(slack.team_name)
    expect(tab.locator("body")).to_have_attribute("data-name", "Ada")


def test_a_person_removes_the_app_and_is_told_that_it_is_gone(
    slack: LocalWorkspace, beta: LocalTeam, tab: Page
) -> None:
    tab.goto(in_beta(slack))
    tab.get_by_role("button", name="Make trouble").click()
    tab.get_by_role("button", name="Remove Roundtable from this team").click()
    expect(tab.locator("#sidebar")).to_contain_text("Roundtable is not installed")
    tab.locator("#trouble").get_by_role("button", name="Close").click()
    say(tab, "/roundtable help")
    expect(tab.locator("#notice")).to_have_text("Roundtable is not installed here.")
    assert slack.wait_idle(WAIT_S_MAX)
    assert {delivery.type for delivery in beta.deliveries} == {"tokens_revoked", "app_uninstalled"}
    assert slack.bot_token


def test_the_bot_is_invited_by_the_page_once_it_came_again(
    slack: LocalWorkspace, beta: LocalTeam, tab: Page
) -> None:
    beta.uninstall()
    tab.goto(in_beta(slack))
    say(tab, "/invite @Roundtable")
    expect(tab.locator("#notice")).to_have_text("Roundtable is not installed here.")
    beta.install()
    tab.reload()
    expect(tab.locator("main .head")).to_contain_text("Roundtable is not in this channel")
    say(tab, "/invite @Roundtable")
    tab.reload()
    expect(tab.locator("main .head")).not_to_contain_text("is not in this channel")
    app = client(slack, token=beta.bot_token)
    assert app.chat_postMessage(channel=beta.channel_id("general"), text="here I am")["ok"]


@pytest.fixture
def redirect_uri() -> Iterator[str]:
    """Where an app would take the code: another address of this machine."""

    class Taking(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"taken")

    with served_by(Taking, "/slack/oauth_redirect") as url:
        yield url


@pytest.mark.parametrize("button", ["Allow", "Cancel"])
def test_a_person_is_asked_by_the_install_page_and_sent_on(
    slack: LocalWorkspace, tab: Page, redirect_uri: str, button: str
) -> None:
    query = {"client_id": slack.app.client_id, "scope": "chat:write,commands", "state": "s 1"}
    asking = f"{slack.authorize_url}?{urlencode(query | {'redirect_uri': redirect_uri})}"
    tab.goto(slack.page_url)
    tab.goto(asking)
    expect(tab.get_by_role("heading")).to_have_text("May Roundtable come into your workspace?")
    expect(tab.locator("header")).to_contain_text("Not Slack.")
    tab.get_by_label("You are").select_option("Fay")
    tab.get_by_role("button", name=button).click()
    tab.wait_for_url(lambda url: url.startswith(redirect_uri))
    fields = dict(httpx.URL(tab.url).params)
    assert fields["state"] == "s 1"
    if button == "Cancel":
        assert fields == {"error": "access_denied", "state": "s 1"}
        return
    answer = httpx.post(
        f"{slack.api_url}oauth.v2.access",
        data={"code": fields["code"], "redirect_uri": redirect_uri},
        auth=(slack.app.client_id, slack.app.client_secret),
    ).json()
    assert (answer["team"]["name"], answer["authed_user"]["id"]) == (
        "Beta",
        slack.team("Beta").user_id("Fay"),
    )
