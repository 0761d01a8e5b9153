"""Several teams in one local workspace, and the channel that they share.

docs: apis/slack-connect, apis/events-api (authorizations, context_team_id); which team ids a
shared channel's events have: slackapi/bolt-python, tests/slack_bolt/request/test_internals.py,
and slackapi/bolt-js issue 2008 (one event, through the team whose bot came in last)
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from slack_bolt import App
from slack_bolt.authorization import AuthorizeResult
from slack_sdk import WebClient

from bot.devtools.workspace import LocalTeam, LocalWorkspace, OtherTeam
from tests.bot.test_local_support import (
    Listener,
    actions,
    button,
    by_http,
    by_socket,
    client,
    error_of,
    section,
    workspace,
)
from tests.support.waiting import WAIT_S_MAX, wait_until


@pytest.fixture
def local() -> Iterator[LocalWorkspace]:
    beta = OtherTeam("Beta", ["Eve", "Ada"], installed=True)
    with workspace(teams=[beta], shared=["partners"], admins=["Ada"]) as running:
        yield running


@pytest.fixture
def beta(local: LocalWorkspace) -> LocalTeam:
    return local.team("Beta")


def of(local: LocalWorkspace, team: LocalTeam) -> WebClient:
    return client(local, token=team.bot_token)


def told(local: LocalWorkspace, kind: str) -> list[dict[str, Any]]:
    """The payloads that the app was sent of this kind, of whatever team."""
    assert local.wait_idle(WAIT_S_MAX)
    deliveries = [delivery for team in local.teams for delivery in team.deliveries]
    first = [delivery for delivery in deliveries if delivery.retry == 0]  # nobody acknowledges
    payloads = [delivery.payload for delivery in first if delivery.type == kind]
    return sorted(payloads, key=lambda payload: str(payload["event_id"]))


def teams_in(payload: dict[str, Any]) -> dict[str, Any]:
    """Every team that an event names, but for those in the message itself."""
    event = {key: payload["event"].get(key) for key in ("team", "user_team", "source_team")}
    of_app = [(row["team_id"], row["user_id"]) for row in payload["authorizations"]]
    return {"app": of_app} | {key: payload[key] for key in ("team_id", "context_team_id")} | event


def test_two_teams_have_nothing_in_common_but_the_app(
    local: LocalWorkspace, beta: LocalTeam
) -> None:
    assert local.channel_id("general") == beta.channel_id("general")  # ids may be alike
    assert local.user_id("Ada") != beta.user_id("Ada")  # those of people are not
    assert (local.bot_user_id, beta.bot_user_id) == ("U0BOT0001", "U0BOT0002")
    local.say("Ada", "general", "of the first")
    of(local, beta).chat_postMessage(channel=beta.channel_id("general"), text="of the second")
    assert [message.plain for message in local.messages("general")] == ["of the first"]
    assert [message.plain for message in beta.messages("general")] == ["of the second"]
    with pytest.raises(KeyError):
        local.say("Eve", "general", "not my team")
    assert [call.method for call in local.calls] == []
    assert [call.method for call in beta.calls] == ["chat.postMessage"]


def test_people_who_share_no_channel_do_not_know_each_other() -> None:
    beta = OtherTeam("Beta", ["Eve"], installed=True)
    with workspace(teams=[beta]) as local:
        refused = error_of(of(local, local.team("Beta")).users_info, user=local.user_id("Ada"))
        assert refused["error"] == "user_not_found"
        local.say("Ada", "general", "@Eve are you there?")
        assert local.messages("general")[0].text == "@Eve are you there?"


def test_every_event_says_which_team_it_is_of(local: LocalWorkspace, beta: LocalTeam) -> None:
    local.say("Ada", "general", "of the first")
    beta.say("Ada", "general", "of the second")
    first, second = told(local, "message")
    for payload, team in ((first, local), (second, beta)):
        teams = teams_in(payload)
        assert teams["app"] == [(team.team_id, team.bot_user_id)]
        assert {teams["team_id"], teams["context_team_id"], teams["team"]} == {team.team_id}
        assert payload["is_ext_shared_channel"] is False
    assert first["event_id"] != second["event_id"]


def test_one_bolt_app_answers_each_team_with_its_own_token(
    local: LocalWorkspace, beta: LocalTeam
) -> None:
    tokens = {team.team_id: team for team in (local, beta)}

    def authorize(team_id: str, **_: Any) -> AuthorizeResult:
        team = tokens[team_id]
        return AuthorizeResult(
            enterprise_id=None, team_id=team_id, bot_token=team.bot_token, bot_id=team.bot_id
        )

    web = WebClient(base_url=local.api_url, retry_handlers=[])
    app = App(name="local", client=web, signing_secret=local.signing_secret, authorize=authorize)
    app.event("message")(lambda event, say: say(f"{event['team']}: {event['text']}"))
    app.command("/roundtable")(lambda ack, command: ack(f"of {command['team_domain']}"))
    for connect in (by_socket, by_http):
        with connect(local, app):
            for team in (local, beta):
                team.say("Ada", "general", "hello")
                team.command("Ada", "general", "/roundtable help")
            wait_until(lambda: all(len(team.messages("general")) % 2 == 0 for team in local.teams))
            assert local.wait_idle(WAIT_S_MAX)
        local.events_url = None
    assert {message.plain for message in local.messages("general")} == {"hello", "T0LOCAL01: hello"}
    assert {message.plain for message in beta.messages("general")} == {"hello", "T0LOCAL02: hello"}
    assert {ephemeral.text for ephemeral in local.ephemerals} == {"of roundtable-local"}
    assert {ephemeral.text for ephemeral in beta.ephemerals} == {"of beta"}


def test_trouble_is_one_teams_trouble(local: LocalWorkspace, beta: LocalTeam) -> None:
    local.inject("revoke")
    beta.inject("429", method="chat.postMessage", retry_after=3600, times=2)
    channel = local.channel_id("general")
    assert error_of(client(local).chat_postMessage, channel=channel, text="x")["error"] == (
        "token_revoked"
    )
    local.clear_faults()
    assert client(local).chat_postMessage(channel=channel, text="x")["ok"]
    limited = httpx.post(
        f"{local.api_url}chat.postMessage",
        headers={"Authorization": f"Bearer {beta.bot_token}"},
        data={"channel": channel, "text": "x"},
    )
    assert (limited.status_code, limited.headers["retry-after"]) == (429, "3600")


def test_slacks_limits_count_for_each_team_by_itself() -> None:
    beta = OtherTeam("Beta", ["Eve"], installed=True)
    with workspace(teams=[beta], distributed=True) as local:
        other, channel = local.team("Beta"), local.channel_id("general")
        assert client(local).conversations_history(channel=channel)["ok"]
        limited = error_of(client(local).conversations_history, channel=channel)
        assert limited["error"] == "ratelimited"
        assert of(local, other).conversations_history(channel=channel)["ok"]


def test_what_is_said_in_a_shared_channel_is_read_by_both_teams(
    local: LocalWorkspace, beta: LocalTeam
) -> None:
    assert local.channel_id("partners") == beta.channel_id("partners")
    root = local.say("Bob Lee", "partners", "who is on your side?")
    beta.say("Eve", "partners", "I am", thread_ts=root)
    of(local, beta).chat_postMessage(
        channel=beta.channel_id("partners"), thread_ts=root, text="and I", username="Maya"
    )
    for team in (local, beta):
        thread = team.messages("partners", thread_ts=root)
        assert [message.author for message in thread] == ["Bob Lee", "Eve", "Maya"]
        read = of(local, team).conversations_replies(channel=team.channel_id("partners"), ts=root)
        assert [message["team"] for message in read["messages"]] == [
            "T0LOCAL01",
            "T0LOCAL02",
            "T0LOCAL02",
        ]
        info = of(local, team).conversations_info(channel=team.channel_id("partners"))["channel"]
        assert (info["is_ext_shared"], info["context_team_id"]) == (True, team.team_id)
        assert info["shared_team_ids"] == ["T0LOCAL01", "T0LOCAL02"]
        who = of(local, team).users_info(user=beta.user_id("Eve"))["user"]
        assert (who["name"], who["team_id"]) == ("eve", "T0LOCAL02")
    members = client(local).conversations_members(channel=local.channel_id("partners"))
    assert {beta.user_id("Eve"), beta.bot_user_id, local.user_id("Ada")} <= {*members["members"]}


def test_an_event_of_a_shared_channel_comes_once_through_the_team_that_came_last(
    local: LocalWorkspace, beta: LocalTeam
) -> None:
    local.say("Ada", "partners", "the first team speaks")
    beta.set_bot_in("partners", is_in=True)
    local.say("Ada", "partners", "it speaks again")
    beta.say("Eve", "partners", "the second speaks")
    local.set_bot_in("partners", is_in=True)
    beta.say("Eve", "partners", "it speaks again")
    first, second, third, fourth = told(local, "message")
    assert all(one["is_ext_shared_channel"] for one in (first, second, third, fourth))
    through = [teams_in(one)["app"][0][0] for one in (first, second, third, fourth)]
    assert through == ["T0LOCAL01", "T0LOCAL02", "T0LOCAL02", "T0LOCAL01"]
    assert [one["event"]["team"] for one in (first, second, third, fourth)] == [
        "T0LOCAL01",
        "T0LOCAL01",
        "T0LOCAL02",
        "T0LOCAL02",
    ]
    assert [one["team_id"] for one in (second, third)] == ["T0LOCAL01", "T0LOCAL02"]


def test_a_mention_from_the_other_team_names_its_authors_team(
    local: LocalWorkspace, beta: LocalTeam
) -> None:
    local.set_bot_in("partners", is_in=True)
    beta.say("Eve", "partners", "@Roundtable hello")
    local.say("Ada", "partners", "@Roundtable hello")
    stranger, own = told(local, "app_mention")
    assert f"<@{beta.bot_user_id}>" in stranger["event"]["text"]  # she means her own team's
    assert teams_in(stranger) == {
        "app": [("T0LOCAL01", "U0BOT0001")],
        "team_id": "T0LOCAL01",
        "context_team_id": "T0LOCAL01",
        "team": "T0LOCAL01",
        "user_team": "T0LOCAL02",
        "source_team": "T0LOCAL02",
    }
    assert teams_in(own)["user_team"] is None


def test_reactions_and_deletions_name_no_authors_team(
    local: LocalWorkspace, beta: LocalTeam
) -> None:
    ts = beta.say("Eve", "partners", "look")
    local.react("Ada", "partners", ts, "eyes")
    beta.delete("Eve", "partners", ts)
    (reaction,) = told(local, "reaction_added")
    deletion = told(local, "message")[-1]
    for payload in (reaction, deletion):
        assert teams_in(payload)["team"] is None
        assert payload["team_id"] == "T0LOCAL01"  # whose channel it is
    assert "team" not in reaction["event"]
    assert local.messages("partners") == []
    assert local.messages("partners", deleted=True)[0].reactions == {"eyes": ("Ada",)}


def test_a_click_reaches_the_team_whose_message_it_is(
    local: LocalWorkspace, beta: LocalTeam
) -> None:
    blocks = [actions(button("Go on", "go", value="m-1"))]
    posted = client(local).chat_postMessage(
        channel=local.channel_id("partners"), text="choose", blocks=blocks
    )
    with Listener(local) as app:
        beta.click("Eve", "partners", posted["ts"], "go", value="m-1")
        wait_until(lambda: any(request.type == "interactive" for request in app.requests))
        payload = next(one.payload for one in app.requests if one.type == "interactive")
    assert (payload["team"]["id"], payload["user"]["team_id"]) == ("T0LOCAL01", "T0LOCAL02")
    httpx.post(payload["response_url"], json={"text": "only you", "replace_original": False})
    assert [(one.to, one.text) for one in beta.ephemerals] == [("Eve", "only you")]
    assert local.ephemerals == []


def test_a_team_changes_the_messages_of_its_own_app_alone(
    local: LocalWorkspace, beta: LocalTeam
) -> None:
    channel = local.channel_id("partners")
    ts = client(local).chat_postMessage(channel=channel, text="ours")["ts"]
    theirs = of(local, beta)
    for method, error in (
        (theirs.chat_update, "cant_update_message"),
        (theirs.chat_delete, "cant_delete_message"),
    ):
        more = {"text": "theirs"} if method == theirs.chat_update else {}
        assert error_of(method, channel=channel, ts=ts, **more)["error"] == error
    assert client(local).chat_update(channel=channel, ts=ts, text="ours still")["ok"]
    assert beta.messages("partners")[0].plain == "ours still"


def test_only_the_addressee_sees_an_ephemeral_whichever_their_team(
    local: LocalWorkspace, beta: LocalTeam
) -> None:
    channel, eve = local.channel_id("partners"), beta.user_id("Eve")
    web = client(local)
    web.chat_postEphemeral(channel=channel, user=eve, text="psst", blocks=[section("Psst.")])
    assert [(one.to, one.text) for one in beta.ephemerals] == [("Eve", "Psst.")]
    assert local.ephemerals == []
    elsewhere = local.channel_id("general")
    refused = error_of(web.chat_postEphemeral, channel=elsewhere, user=eve, text="psst")
    assert refused["error"] == "user_not_in_channel"


def test_a_team_that_left_hears_nothing_and_the_other_goes_on(
    local: LocalWorkspace, beta: LocalTeam
) -> None:
    beta.set_bot_in("partners", is_in=True)
    beta.uninstall()
    local.say("Ada", "partners", "still there?")
    (payload,) = told(local, "message")
    assert teams_in(payload)["app"] == [("T0LOCAL01", "U0BOT0001")]
    assert [message.plain for message in beta.messages("partners")] == ["still there?"]


def test_views_say_in_which_team_the_app_is(local: LocalWorkspace, beta: LocalTeam) -> None:
    home = {"type": "home", "blocks": [section("Hello.")]}
    view = of(local, beta).views_publish(user_id=beta.user_id("Eve"), view=home)["view"]
    assert {view["team_id"], view["app_installed_team_id"]} == {"T0LOCAL02"}
    assert view["bot_id"] == "B0BOT0002"
    assert (beta.home("Eve") is None, local.home("Ada")) == (False, None)


def test_files_are_the_teams_that_uploaded_them(local: LocalWorkspace, beta: LocalTeam) -> None:
    of(local, beta).files_upload_v2(
        channel=beta.channel_id("general"), filename="a.md", content="# A"
    )
    assert [file.name for file in beta.files] == ["a.md"]
    assert local.files == []


def test_several_teams_are_not_kept(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="only a workspace of one team can be kept"):
        workspace(keep_in=tmp_path, teams=[OtherTeam("Beta", ["Eve"])])


def test_a_team_that_is_not_there_is_named(local: LocalWorkspace) -> None:
    assert local.team(local.team_id) is local
    with pytest.raises(KeyError, match="Beta"):
        local.team("Gamma")
