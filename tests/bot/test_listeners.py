"""Real Bolt, a behaving runtime, and a Slack that only listens."""

import json
import logging
import threading
import time
from dataclasses import replace

import pytest
import structlog
from slack_bolt import BoltRequest

from bot.server.bolt_app import LISTENER_THREADS, context_maker
from core.domain.effects import Reply
from core.domain.events import (
    ChoiceMade,
    DeletionRequested,
    DepthChosen,
    ExportRequested,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    PauseRequested,
    SessionCancelled,
    SessionRequested,
    SessionResumed,
)
from core.domain.ids import MenuId, SessionId
from core.ports import Post
from tests.support.bolt_front import (
    BOT,
    CHANNEL,
    MEMBER,
    NOW,
    OTHER_CHANNEL,
    OWNER,
    SECRET,
    TEAM,
    THREAD,
    WORKSPACE,
    FakeRuntime,
    Front,
    ListeningSlack,
    answered,
    app_of,
    click,
    deleted,
    edited,
    event_body,
    front,
    mention,
    posted,
    settings,
    signed,
    slash,
)
from tests.support.fakes import NoNames
from tests.support.waiting import WAIT_S_MAX

# ── answers ────────────────────────────────────────────────────────────────────────────────────


def test_a_reply_in_a_thread_is_an_answer_with_its_keys(bot: Front) -> None:
    bot.runtime.opened()
    assert bot.deliver(event_body(posted("We retry &lt;twice&gt;."))).status == 200
    (call,) = bot.runtime.calls
    assert call.event == MessagePosted(
        by=MEMBER,
        at=NOW,
        channel=CHANNEL,
        ts="200.000200",  # type: ignore[arg-type]
        thread_ts=THREAD,
        text="We retry <twice>.",
        permalink="https://acme.slack.com/archives/C1/p200000200?thread_ts=100.000100&cid=C1",
    )
    assert call.keys == ("msg:T1:C1:200.000200",)
    assert call.team == TEAM


def test_a_redelivery_is_acknowledged_and_does_nothing(bot: Front) -> None:
    bot.runtime.opened()
    for _ in range(3):
        assert bot.deliver(event_body(posted())).status == 200
    assert len(bot.runtime.calls) == 1


def test_an_edit_and_a_deletion_reach_the_runtime_under_keys_of_their_own(bot: Front) -> None:
    bot.runtime.opened()
    for number, event in enumerate((posted(), edited(), deleted())):
        assert bot.deliver(event_body(event, f"Ev{number}")).status == 200
    assert [type(event) for event in bot.runtime.events] == [
        MessagePosted,
        MessageEdited,
        MessageDeleted,
    ]
    assert [call.keys[0] for call in bot.runtime.calls] == [
        "msg:T1:C1:200.000200",
        "edit:T1:C1:200.000200:300.000000",
        "del:T1:C1:200.000200",
    ]


def test_a_refused_answer_is_told_its_author_in_the_thread_after_the_ack(bot: Front) -> None:
    bot.runtime.opened()
    bot.runtime.replies[MessagePosted] = Reply("ended-thread")
    assert bot.deliver(event_body(posted())).status == 200
    (ephemeral,) = bot.slack.ephemerals
    assert (ephemeral["user"], ephemeral["channel"], ephemeral["thread_ts"]) == (
        MEMBER,
        CHANNEL,
        THREAD,
    )
    assert "has ended" in ephemeral["text"]


def test_a_reply_that_points_somewhere_carries_the_composed_link(bot: Front) -> None:
    session = bot.runtime.opened()
    key = (session.id, "thread:solutions-architect")
    bot.runtime.reader.posts[key] = Post(key[1], CHANNEL, THREAD, None)
    bot.runtime.replies[MessagePosted] = Reply(
        "wrong-thread", {"persona": "Alex Rivera", "key": "solutions-architect"}
    )
    bot.deliver(event_body(posted()))
    (ephemeral,) = bot.slack.ephemerals
    assert "Alex Rivera's thread" in ephemeral["text"]
    assert "https://acme.slack.com/archives/C1/p100000100" in json.dumps(ephemeral["blocks"])


def test_an_event_that_was_not_committed_is_refused_so_that_slack_sends_it_again(
    bot: Front,
) -> None:
    bot.runtime.opened()
    bot.runtime.failing = RuntimeError("database is locked")
    assert bot.deliver(event_body(posted())).status == 500
    bot.runtime.failing = None
    assert bot.deliver(event_body(posted())).status == 200
    assert len(bot.runtime.calls) == 1


def test_an_unreadable_event_is_acknowledged_and_its_content_is_in_no_log(bot: Front) -> None:
    with structlog.testing.capture_logs() as logs:
        assert bot.deliver(event_body(posted(text="private words", ts="nonsense"))).status == 200
    assert [(entry["event"], entry["fault"]) for entry in logs] == [
        ("request.unreadable", "MessageEvent: ts")
    ]
    assert "private words" not in str(logs)


@pytest.mark.parametrize(
    "kind", ["reaction_added", "app_home_opened", "member_joined_channel", "function_executed"]
)
def test_every_other_event_is_acknowledged_and_ignored(bot: Front, kind: str) -> None:
    assert bot.deliver(event_body({"type": kind, "user": MEMBER})).status == 200
    assert bot.runtime.calls == []


def test_our_own_messages_are_ignored(bot: Front) -> None:
    bot.runtime.opened()
    assert bot.deliver(event_body(posted(user=BOT))).status == 200
    assert bot.deliver(event_body(posted(bot_id="B1"))).status == 200
    assert bot.runtime.calls == []


def test_a_request_for_another_workspace_is_denied_quietly(bot: Front) -> None:
    bot.runtime.opened()
    foreign = event_body(posted(), team_id="T2", authorizations=[{"team_id": "T2"}])
    assert bot.deliver(foreign).status == 200
    assert bot.deliver({**slash("help"), "team_id": "T2"}).body == ""
    assert bot.deliver(click("menu:continue", "m-1", team="T2")).status == 200
    assert bot.runtime.calls == []
    assert bot.slack.calls == []


# ── mentions ───────────────────────────────────────────────────────────────────────────────────


def test_a_mention_starts_an_analysis(bot: Front) -> None:
    bot.runtime.replies[SessionRequested] = Reply("starting", {"title": "Retry failed payments"})
    assert bot.deliver(event_body(mention("analyze Retry failed payments --depth deep"))).body == ""
    (call,) = bot.runtime.calls
    assert isinstance(call.event, SessionRequested)
    assert (call.event.title, call.event.depth) == ("Retry failed payments", "deep")
    assert call.event.respond_to is None
    assert call.keys == ("msg:T1:C1:200.000200",)
    assert "begins" in bot.told()


@pytest.mark.parametrize("first", [0, 1])
def test_what_mentions_us_in_a_thread_is_no_answer_whichever_event_comes_first(
    bot: Front, first: int
) -> None:
    bot.runtime.opened()
    twins = [
        event_body(mention("help", thread_ts=THREAD), "Ev1"),
        event_body(posted(f"<@{BOT}> help"), "Ev2"),
    ]
    ephemerals = []
    for body in (twins[first], twins[1 - first]):
        bot.slack.calls.clear()
        assert bot.deliver(body).status == 200
        ephemerals += bot.slack.ephemerals
    assert bot.runtime.events == []
    (ephemeral,) = ephemerals
    assert "/roundtable analyze" in ephemeral["text"]


def test_a_mention_in_a_foreign_thread_is_a_command_and_its_twin_is_nothing(bot: Front) -> None:
    body = mention("help", thread_ts="77.000077")
    bot.deliver(event_body(posted(f"<@{BOT}> help", thread_ts="77.000077"), "Ev2"))
    assert bot.slack.calls == []
    bot.deliver(event_body(body))
    (ephemeral,) = bot.slack.ephemerals
    assert ephemeral["thread_ts"] == "77.000077"
    assert "/roundtable analyze" in ephemeral["text"]


def test_only_a_mention_that_speaks_to_us_gets_the_fault_named(bot: Front) -> None:
    said = mention("")
    bot.deliver(event_body({**said, "text": f"I like <@{BOT}> very much"}))
    assert bot.slack.calls == []
    bot.deliver(event_body(mention("analize this")))
    assert "analize" in bot.told()


@pytest.mark.parametrize("line", ["hi", "Hello!", "hey there :)", "thanks a lot"])
def test_a_greeting_is_answered_with_three_things_to_try(bot: Front, line: str) -> None:
    bot.deliver(event_body(mention(line)))
    said = bot.told()
    assert "Hello!" in said
    for command in ("analyze Retry failed card payments", "list", "help"):
        assert f"@Roundtable {command}" in said


def test_analyse_is_analyze(bot: Front) -> None:
    bot.runtime.replies[SessionRequested] = Reply("starting", {"title": "Retry failed payments"})
    bot.deliver(event_body(mention("analyse Retry failed payments")))
    (call,) = bot.runtime.calls
    assert isinstance(call.event, SessionRequested)
    assert call.event.title == "Retry failed payments"


# ── clicks ─────────────────────────────────────────────────────────────────────────────────────


def test_a_click_on_a_menu_is_a_choice_with_the_key_of_its_trigger(bot: Front) -> None:
    body = {**click("menu:depth:deep", "m-1", by=MEMBER), "trigger_id": "1.2.abc"}
    assert bot.deliver(body).status == 200
    (call,) = bot.runtime.calls
    assert call.event == ChoiceMade(MEMBER, NOW, MenuId("m-1"), "depth:deep", CHANNEL)
    assert call.keys == (f"act:{TEAM}:{MEMBER}:1.2.abc",)
    assert bot.slack.calls == []


def test_an_overflow_names_its_menu_in_the_block_id(bot: Front) -> None:
    body = click("menu:overflow", block_id="m-7|2", selected_option={"value": "skip-step"})
    assert bot.deliver(body).status == 200
    assert bot.runtime.events == [ChoiceMade(OWNER, NOW, MenuId("m-7"), "skip-step", CHANNEL)]


def test_a_late_click_is_told_kindly(bot: Front) -> None:
    bot.runtime.replies[ChoiceMade] = Reply("used-menu", {"by": "U2", "choice": "continue"})
    bot.deliver(click("menu:continue", "m-1"))
    assert bot.told() == "“Continue” was chosen here already. Nothing else happened."
    assert bot.slack.ephemerals[0]["thread_ts"] == THREAD


@pytest.mark.parametrize("action", ["step:answer", "menu", "", "delete:all", "🙂", "x" * 255])
def test_an_old_or_unknown_button_is_answered(bot: Front, action: str) -> None:
    assert bot.deliver(click(action, "whatever")).status == 200
    assert "not there any more" in bot.told()
    assert bot.runtime.calls == []


def test_a_button_that_only_opens_a_link_is_left_alone(bot: Front) -> None:
    assert bot.deliver(click("go", url="https://acme.slack.com/")).status == 200
    assert bot.slack.calls == []


def test_a_failing_click_is_acknowledged_and_told(bot: Front) -> None:
    bot.runtime.failing = RuntimeError("disk full")
    assert bot.deliver(click("menu:continue", "m-1")).status == 200
    assert "try it again" in bot.told()


def test_the_card_pauses_and_exports_a_session_of_its_own_channel_alone(bot: Front) -> None:
    bot.runtime.opened()
    bot.runtime.opened("s-2", channel=OTHER_CHANNEL, slug="elsewhere", thread=None)
    bot.deliver(click("card:pause", "s-1"))
    bot.deliver(click("card:export", "s-1"))
    assert bot.runtime.events == [
        PauseRequested(OWNER, NOW),
        ExportRequested(OWNER, NOW),
    ]
    assert bot.slack.calls == []
    for action in ("card:pause", "card:export", "card:catchup", "delete:confirm"):
        for session in ("s-2", "s-none"):
            bot.slack.calls.clear()
            bot.deliver(click(action, session))
            assert "not there any more" in bot.told()
    assert len(bot.runtime.calls) == 2


def test_a_line_is_explained_to_people_of_its_own_channel_alone(bot: Front) -> None:
    bot.runtime.opened()
    bot.runtime.opened("s-2", channel=OTHER_CHANNEL, slug="elsewhere", thread=None)
    picked = {"type": "static_select", "selected_option": {"value": "FR-001"}}
    for session in ("s-2", "s-none", "", "s-1' --"):
        bot.slack.calls.clear()
        bot.deliver(click("why:picked", **picked, block_id=f"why|{session}"))
        assert "not there any more" in bot.told()
    assert bot.runtime.events == []


def test_deleting_is_asked_of_the_session_and_happens_once(bot: Front) -> None:
    bot.runtime.opened()
    bot.runtime.replies[DeletionRequested] = Reply("deleted", {"title": "Retry payments"})
    body = {**click("delete:confirm", "s-1"), "trigger_id": "1.2.abc"}
    bot.deliver(body)
    assert "is deleted" in bot.told()
    bot.slack.calls.clear()
    bot.deliver(body)
    assert bot.runtime.events == [DeletionRequested(OWNER, NOW, sure=True)]
    assert bot.slack.calls == []


def test_slack_is_asked_who_is_an_admin_where_it_matters_and_only_after_the_ack(bot: Front) -> None:
    bot.runtime.for_owner.add(ChoiceMade)
    body = {"block_id": "s-1-prompt", "selected_option": {"value": "cancel"}}
    bot.deliver(click("menu:overflow", **body))
    assert bot.slack.calls == []
    bot.slack.admins.add(MEMBER)
    bot.deliver(click("menu:overflow", by=MEMBER, **body))
    assert [method for method, _ in bot.slack.calls] == ["users.info"]
    bot.slack.calls.clear()
    bot.deliver(click("menu:overflow", by=MEMBER, **body))
    assert bot.slack.calls == []
    admins = [event.admin for event in bot.runtime.events if isinstance(event, ChoiceMade)]
    assert admins == [None, True, True]


def test_whoever_slack_says_nothing_of_is_no_admin(bot: Front) -> None:
    bot.runtime.for_owner.add(ChoiceMade)
    bot.slack.answers["users.info"] = {"ok": False, "error": "missing_scope"}
    bot.deliver(click("menu:cancel", "s-1-prompt", by=MEMBER))
    (event,) = bot.runtime.events
    assert isinstance(event, ChoiceMade)
    assert event.admin is False


def test_a_cancel_that_fails_after_the_ack_is_told(bot: Front) -> None:
    bot.runtime.opened()
    bot.runtime.for_owner.add(ChoiceMade)
    body = click("menu:cancel", "s-1-prompt", by=MEMBER)
    response = bot.app.dispatch(BoltRequest(mode="socket_mode", body=body))
    assert response.status == 200
    bot.runtime.failing = RuntimeError("gone wrong")
    bot.held.let_go()
    assert "try it again" in bot.told()


def test_an_outsider_of_a_shared_channel_may_click_nothing(bot: Front) -> None:
    body = click("menu:continue", "m-1")
    body["user"]["team_id"] = "T2"
    assert bot.deliver(body).status == 200
    assert bot.runtime.calls == []
    assert bot.told()


# ── commands, shortcuts, views ─────────────────────────────────────────────────────────────────


def test_a_command_is_answered_in_its_acknowledgement(bot: Front) -> None:
    bot.runtime.replies[SessionRequested] = Reply("starting", {"title": "Retry payments"})
    response = bot.deliver(slash("analyze Retry payments", trigger="trig"))
    assert response.status == 200
    body = json.loads(response.body)
    assert body["response_type"] == "ephemeral"
    assert "begins" in body["text"]
    assert body["blocks"]
    (call,) = bot.runtime.calls
    assert call.event == SessionRequested(
        by=OWNER,
        at=NOW,
        session=SessionId("id-0"),
        run="id-1",  # type: ignore[arg-type]
        seed="id-2",
        team=TEAM,
        channel=CHANNEL,
        title="Retry payments",
        text="Retry payments",
        respond_to="https://hooks.slack.com/commands/1",
    )
    assert call.keys == ("act:T1:U1:trig",)


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ("resume", SessionResumed(OWNER, NOW)),
        ("export retry-payments", ExportRequested(OWNER, NOW)),
        ("export --format html", ExportRequested(OWNER, NOW, "html")),
        ("depth deep", DepthChosen(OWNER, NOW, "deep")),
        ("cancel", SessionCancelled(OWNER, NOW)),
    ],
)
def test_a_command_on_a_session_reaches_it(bot: Front, line: str, event: object) -> None:
    bot.runtime.opened()
    assert bot.deliver(slash(line)).status == 200
    (call,) = bot.runtime.calls
    assert (call.event, call.session) == (event, SessionId("s-1"))


def test_a_failing_command_is_answered_in_words(bot: Front) -> None:
    bot.runtime.failing = RuntimeError("disk full")
    response = bot.deliver(slash("analyze Retry payments"))
    assert response.status == 200
    assert "try it again" in answered(response)


def test_somebody_elses_session_is_cancelled_by_an_admin_after_the_ack(bot: Front) -> None:
    bot.runtime.opened()
    bot.runtime.for_owner.add(SessionCancelled)
    bot.runtime.replies[SessionCancelled] = Reply("cancelled", {"title": "Retry payments"})
    bot.slack.admins.add(MEMBER)
    assert bot.deliver(slash("cancel", by=MEMBER, trigger="trig")).body == ""
    assert bot.runtime.events == [SessionCancelled(MEMBER, NOW, admin=True)]
    assert bot.runtime.calls[0].keys == (f"act:{TEAM}:{MEMBER}:trig",)
    assert "is cancelled" in bot.told()


def test_another_manifests_command_a_shortcut_and_a_view_are_acknowledged(bot: Front) -> None:
    assert "nothing" in answered(bot.deliver({**slash("x"), "command": "/other"}))
    for kind in ("shortcut", "message_action"):
        body = {
            "type": kind,
            "callback_id": "old",
            "team": {"id": TEAM},
            "user": {"id": OWNER},
            "trigger_id": "trig",
        }
        assert bot.deliver(body).status == 200
    view = {"type": "modal", "id": "V1", "callback_id": "old", "state": {"values": {}}}
    body = {"type": "view_submission", "team": {"id": TEAM}, "user": {"id": OWNER}, "view": view}
    assert bot.deliver(body).status == 200
    assert bot.runtime.calls == []


def test_what_people_typed_is_read_back_without_any_power(bot: Front) -> None:
    response = bot.deliver(slash("&lt;!channel&gt;<@U2> everybody"))
    body = json.loads(response.body)
    assert "<!channel>" not in body["text"]
    kinds = {
        leaf["type"]
        for block in body["blocks"]
        for row in block.get("elements", ())
        for leaf in row["elements"]
    }
    assert kinds == {"text"}


# ── how the app is built ───────────────────────────────────────────────────────────────────────


def test_the_environment_switches_nothing_on(
    server: ListeningSlack, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET", "SLACK_BOT_TOKEN"):
        monkeypatch.setenv(name, "xoxb-other")
    server.calls.clear()
    app = front(server).app
    assert app.oauth_flow is None
    assert app.process_before_response
    assert caplog.records == []
    assert server.calls == []


def test_five_listeners_are_registered_for_four_kinds_of_payload(bot: Front) -> None:
    names = [listener.ack_function.__name__ for listener in bot.app._listeners]  # type: ignore[attr-defined]
    assert sorted(set(names)) == [
        "command_given",
        "control_clicked",
        "event_happened",
        "view_submitted",
    ]
    assert len(names) == 5
    assert LISTENER_THREADS > 5


def test_a_bad_signature_is_refused_and_its_body_is_in_no_log(
    bot: Front, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    raw = json.dumps(event_body(posted("private words")))
    good = dict(signed(raw, time.time()))
    bad = {**good, "X-Slack-Signature": "v0=00"}
    assert bot.app.dispatch(BoltRequest(body=raw, headers=bad)).status == 401
    assert bot.app.dispatch(BoltRequest(body=raw, headers=good)).status == 200
    assert "private words" not in caplog.text


def test_a_busy_listener_does_not_hold_up_the_others(server: ListeningSlack) -> None:
    release, runtime = threading.Event(), FakeRuntime()
    runtime.opened()
    slow = replace_handle(runtime, release)
    bot = front(server, runtime)
    threads = [
        threading.Thread(target=bot.app.dispatch, args=(_request(number),)) for number in range(8)
    ]
    for thread in threads:
        thread.start()
    try:
        response = bot.app.dispatch(BoltRequest(mode="socket_mode", body=slash("help")))
        assert "What I understand" in answered(response)
    finally:
        release.set()
        for thread in threads:
            thread.join()
    assert slow == 8 * [MessagePosted]


def _request(number: int) -> BoltRequest:
    body = event_body(posted(ts=f"200.00020{number}"), f"Ev{number}")
    return BoltRequest(mode="socket_mode", body=body)


def replace_handle(runtime: FakeRuntime, release: threading.Event) -> list[type]:
    seen: list[type] = []
    handle = runtime.handle

    def waiting(event, **more):  # type: ignore[no-untyped-def]
        assert release.wait(WAIT_S_MAX)
        seen.append(type(event))
        return handle(event, **more)

    runtime.handle = waiting  # type: ignore[method-assign]
    return seen


def test_building_the_app_needs_no_slack() -> None:
    context_of = context_maker(settings(), FakeRuntime(), NoNames())  # type: ignore[arg-type]
    app = app_of(settings(), context_of, replace(WORKSPACE, url="https://acme.slack.com/"))
    assert app.dispatch(BoltRequest(mode="socket_mode", body=slash("help"))).status == 200
    assert SECRET not in repr(settings())
