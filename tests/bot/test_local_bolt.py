"""The local workspace seen by a real Bolt app, over Socket Mode and over signed HTTP."""

import contextlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from slack_bolt import App

from bot.devtools.workspace import LocalWorkspace
from tests.bot.test_local_support import (
    Listener,
    actions,
    bolt,
    button,
    by_http,
    by_socket,
    client,
    section,
    workspace,
)
from tests.support.waiting import WAIT_S_MAX, wait_until

Connect = Callable[[LocalWorkspace, App], contextlib.AbstractContextManager[None]]


@pytest.fixture
def local() -> Iterator[LocalWorkspace]:
    with workspace() as running:
        yield running


@pytest.fixture(params=[by_socket, by_http], ids=["socket", "http"])
def connect(request: pytest.FixtureRequest) -> Connect:
    found: Connect = request.param
    return found


def test_a_person_is_answered_in_a_thread(local: LocalWorkspace, connect: Connect) -> None:
    app = bolt(local)

    @app.event("message")
    def heard(event: dict[str, Any], say: Any) -> None:
        say(text=f"You said {event['text']}", thread_ts=event["ts"])

    with connect(local, app):
        ts = local.say("Ada", "general", "good morning")
        wait_until(lambda: len(local.messages("general")) == 2)
        assert local.wait_idle(WAIT_S_MAX)
    reply = local.messages("general", thread_ts=ts)[1]
    assert (reply.author, reply.plain, reply.thread_ts) == (
        "Roundtable",
        "You said good morning",
        ts,
    )
    assert [message.ts for message in local.top_level("general")] == [ts]


def test_the_posts_of_the_bot_come_back_as_events_and_bolt_ignores_them(
    local: LocalWorkspace, connect: Connect
) -> None:
    app, heard = bolt(local), []
    app.event("message")(lambda event: heard.append(event))
    with connect(local, app):
        client(local).chat_postMessage(channel=local.channel_id("general"), text="hello")
        wait_until(lambda: len(local.deliveries) == 1)
    assert heard == []
    event = local.deliveries[0].payload["event"]
    assert (event["bot_id"], event["user"]) == (local.bot_id, local.bot_user_id)


def test_the_answer_to_a_command_is_seen_by_its_author_alone(
    local: LocalWorkspace, connect: Connect
) -> None:
    app = bolt(local)

    @app.command("/roundtable")
    def called(ack: Any, command: dict[str, str]) -> None:
        ack(f"{command['user_name']} wants: {command['text']}")

    with connect(local, app):
        local.command("Bob Lee", "general", "/roundtable analyze Retry cards & more")
        assert local.wait_idle(WAIT_S_MAX)
    assert [(e.to, e.channel, e.text) for e in local.ephemerals] == [
        ("Bob Lee", "general", "bob.lee wants: analyze Retry cards & more")
    ]
    assert local.messages("general") == []


def test_a_command_may_answer_with_blocks_and_later_by_its_response_url(
    local: LocalWorkspace, connect: Connect
) -> None:
    app = bolt(local)

    @app.command("/roundtable")
    def called(ack: Any, respond: Any) -> None:
        ack(text="first", blocks=[section("*First*")])
        respond(text="second")
        respond(text="for all", response_type="in_channel")

    with connect(local, app):
        local.command("Ada", "general", "/roundtable help")
        assert local.wait_idle(WAIT_S_MAX)
        wait_until(lambda: len(local.messages("general")) == 1)
    assert sorted(e.text for e in local.ephemerals) == ["First", "second"]
    assert local.messages("general")[0].plain == "for all"


def test_a_click_reaches_the_app_with_everything_slack_says(
    local: LocalWorkspace, connect: Connect
) -> None:
    app, bodies = bolt(local), []

    @app.action("choose")
    def clicked(ack: Any, body: dict[str, Any], client: Any) -> None:
        ack()
        bodies.append(body)
        where, ts = body["channel"]["id"], body["message"]["ts"]
        client.chat_update(channel=where, ts=ts, text="chosen", blocks=[section("Chosen.")])

    with connect(local, app):
        root = local.say("Ada", "general", "begin")
        posted = client(local).chat_postMessage(
            channel=local.channel_id("general"),
            thread_ts=root,
            text="choose",
            blocks=[actions(button("Go on", "choose", value="m-1", style="primary"))],
        )
        local.click("Bob Lee", "general", posted["ts"], "choose", value="m-1")
        wait_until(lambda: local.messages("general")[1].plain == "Chosen.")
    body = bodies[0]
    assert body["user"]["id"] == local.user_id("Bob Lee")
    assert body["container"] == {
        "type": "message",
        "message_ts": posted["ts"],
        "channel_id": local.channel_id("general"),
        "is_ephemeral": False,
        "thread_ts": root,
    }
    assert (body["actions"][0]["value"], body["actions"][0]["type"]) == ("m-1", "button")
    assert body["actions"][0]["block_id"] == posted["message"]["blocks"][0]["block_id"]
    assert local.messages("general")[1].edited


def test_an_option_is_chosen_by_its_value(local: LocalWorkspace, connect: Connect) -> None:
    app, chosen = bolt(local), []

    @app.action("more")
    def clicked(ack: Any, action: dict[str, Any]) -> None:
        ack()
        chosen.append(action["selected_option"]["value"])

    options = [
        {"text": {"type": "plain_text", "text": name}, "value": name} for name in ("skip", "pause")
    ]
    block = section("a step") | {
        "accessory": {"type": "overflow", "action_id": "more", "options": options}
    }
    with connect(local, app):
        posted = client(local).chat_postMessage(
            channel=local.channel_id("general"), text="a step", blocks=[block]
        )
        local.click("Ada", "general", posted["ts"], "more", value="pause")
        wait_until(lambda: chosen == ["pause"])
    with pytest.raises(LookupError, match="skip"):
        local.click("Ada", "general", posted["ts"], "more", value="cancel")


def test_a_click_on_an_ephemeral_replaces_or_removes_it(
    local: LocalWorkspace, connect: Connect
) -> None:
    app = bolt(local)

    @app.action("again")
    def again(ack: Any, respond: Any) -> None:
        ack()
        respond(
            text="twice", replace_original=True, blocks=[actions(button("Done", "done", value="1"))]
        )

    @app.action("done")
    def done(ack: Any, respond: Any) -> None:
        ack()
        respond(delete_original=True)

    with connect(local, app):
        client(local).chat_postEphemeral(
            channel=local.channel_id("general"),
            user=local.user_id("Ada"),
            text="once",
            blocks=[actions(button("Again", "again", value="1"))],
        )
        first = local.ephemerals[0]
        with pytest.raises(LookupError):
            local.click("Bob Lee", "general", first.ts, "again")
        local.click("Ada", "general", first.ts, "again")
        wait_until(lambda: local.ephemerals[0].text == "[Done]")
        local.click("Ada", "general", first.ts, "done")
        wait_until(lambda: local.ephemerals == [])


def test_a_mention_arrives_twice_under_two_ids(local: LocalWorkspace, connect: Connect) -> None:
    app, heard = bolt(local), []
    app.event("message")(lambda body: heard.append(("message", body["event_id"])))
    app.event("app_mention")(lambda body: heard.append(("app_mention", body["event_id"])))
    with connect(local, app):
        local.say("Ada", "general", "@Roundtable analyze this")
        wait_until(lambda: len(heard) == 2)
    assert {kind for kind, _ in heard} == {"message", "app_mention"}
    assert len({event_id for _, event_id in heard}) == 2


def test_edits_deletes_and_reactions_arrive_as_slack_sends_them() -> None:
    with workspace() as local, Listener(local) as app:
        ts = local.say("Ada", "private-den", "first <wording>", files=["plan.pdf"])
        local.edit("Ada", "private-den", ts, "second")
        local.react("Bob Lee", "private-den", ts, "eyes")
        local.react("Bob Lee", "private-den", ts, "eyes", remove=True)
        local.delete("Ada", "private-den", ts)
        wait_until(lambda: len(app.requests) == 5)
        events = sorted(app.events, key=lambda event: str(event["event_ts"]))
    posted, changed, added, removed, deleted = events
    assert (posted["channel_type"], posted["subtype"]) == ("group", "file_share")
    assert posted["text"] == "first &lt;wording&gt;"
    assert posted["files"][0]["name"] == "plan.pdf"
    assert changed["previous_message"]["text"] == "first &lt;wording&gt;"
    assert (changed["message"]["text"], changed["message"]["ts"]) == ("second", ts)
    assert changed["message"]["edited"]["user"] == local.user_id("Ada")
    assert [added["type"], removed["type"]] == ["reaction_added", "reaction_removed"]
    assert added["item"] == {
        "type": "message",
        "channel": local.channel_id("private-den"),
        "ts": ts,
    }
    assert (deleted["subtype"], deleted["deleted_ts"]) == ("message_deleted", ts)
    assert deleted["previous_message"]["text"] == "second"
    assert local.messages("private-den") == []
    assert [m.deleted for m in local.messages("private-den", deleted=True)] == [True]


def test_nothing_is_heard_from_a_channel_without_the_bot_but_commands_are() -> None:
    with workspace(bot_in=["general"]) as local, Listener(local) as app:
        local.say("Ada", "private-den", "@Roundtable are you there?")
        local.command("Ada", "private-den", "/roundtable help")
        wait_until(lambda: len(app.requests) == 1)
        assert local.wait_idle(WAIT_S_MAX)
    assert app.requests[0].type == "slash_commands"
    assert app.requests[0].payload["channel_name"] == "privategroup"


def test_an_event_whose_scope_is_missing_is_not_sent() -> None:
    with workspace(scopes=["chat:write", "channels:history"]) as local, Listener(local) as app:
        local.say("Ada", "private-den", "unheard")
        ts = local.say("Ada", "general", "heard, @Roundtable")
        local.react("Ada", "general", ts, "eyes")
        wait_until(lambda: len(app.requests) == 1)
        assert local.wait_idle(WAIT_S_MAX)
    assert [(event["type"], event["ts"]) for event in app.events] == [("message", ts)]


def test_each_envelope_goes_to_one_connection() -> None:
    with workspace() as local, Listener(local) as one, Listener(local) as two:
        assert local.wait_connected(WAIT_S_MAX, count=2)
        sent = [local.say("Ada", "general", f"{n}") for n in range(10)]
        # A client that leaves before it acknowledges has its envelope delivered to the other.
        assert local.wait_idle(WAIT_S_MAX)
    # In turn, but for a client that connects anew meanwhile.
    assert one.requests
    assert two.requests
    assert sorted(event["ts"] for event in one.events + two.events) == sent


def test_events_wait_for_a_connection_and_commands_do_not() -> None:
    with workspace() as local:
        ts = local.say("Ada", "general", "is anybody there?")
        local.command("Ada", "general", "/roundtable help")
        wait_until(lambda: len(local.ephemerals) == 1)
        assert not local.idle()
        with Listener(local) as app:
            assert local.wait_idle(WAIT_S_MAX)
    assert [event["ts"] for event in app.events] == [ts]
    assert local.ephemerals[0].author == "Slackbot"
    assert "dispatch_failed" in local.ephemerals[0].text


def test_the_home_tab_is_published_and_seen(local: LocalWorkspace, connect: Connect) -> None:
    app = bolt(local)

    @app.event("app_home_opened")
    def opened(event: dict[str, Any], client: Any) -> None:
        view = {"type": "home", "blocks": [section("Your sessions")]}
        client.views_publish(user_id=event["user"], view=view)

    with connect(local, app):
        local.open_home("Ada")
        wait_until(lambda: local.home("Ada") is not None)
    assert local.home("Bob Lee") is None


def test_the_examples_in_the_documentation_run(capsys: pytest.CaptureFixture[str]) -> None:
    page = Path("docs/reference/local-workspace.md").read_text(encoding="utf-8")
    one_team, two_teams = re.findall(r"```python\n(.+?)```", page, re.DOTALL)
    exec(compile(one_team, "local-workspace.md", "exec"), {})
    assert "@Roundtable are you there?" in capsys.readouterr().out
    exec(compile(two_teams, "local-workspace.md", "exec"), {})
    assert "Eve" in capsys.readouterr().out
