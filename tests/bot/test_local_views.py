"""Shortcuts, modals and the App Home, with a real Bolt app on the other side."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from slack_bolt import App

from bot.devtools.workspace import LocalWorkspace
from tests.bot.test_local_support import (
    actions,
    bolt,
    button,
    by_http,
    client,
    error_of,
    section,
    workspace,
)
from tests.support.waiting import WAIT_S_MAX, wait_until

PLAIN = {"type": "plain_text", "text": "x"}
DEPTHS = [{"text": PLAIN, "value": depth} for depth in ("brief", "deep")]
MODAL = {
    "type": "modal",
    "callback_id": "start",
    "title": {"type": "plain_text", "text": "Start"},
    "submit": {"type": "plain_text", "text": "Begin"},
    "private_metadata": "kept",
    "blocks": [
        section("Tell us"),
        {
            "type": "input",
            "block_id": "title",
            "label": {"type": "plain_text", "text": "Title"},
            "element": {"type": "plain_text_input", "action_id": "title"},
        },
        {
            "type": "input",
            "block_id": "depth",
            "optional": True,
            "label": {"type": "plain_text", "text": "Depth"},
            "element": {
                "type": "static_select",
                "action_id": "depth",
                "options": DEPTHS,
                "initial_option": DEPTHS[0],
            },
        },
        actions(button("Why?", "why", value="1")),
    ],
}


@pytest.fixture
def local() -> Iterator[LocalWorkspace]:
    with workspace() as running:
        yield running


@pytest.fixture
def app(local: LocalWorkspace) -> Iterator[App]:
    """Opens the modal on a shortcut; the submission is answered as its title says."""
    app = bolt(local)

    @app.shortcut("start")
    def opened(ack: Any, shortcut: dict[str, Any], client: Any) -> None:
        ack()
        client.views_open(trigger_id=shortcut["trigger_id"], view=MODAL)

    @app.view("start")
    def submitted(ack: Any, view: dict[str, Any]) -> None:
        title = view["state"]["values"]["title"]["title"]["value"]
        if title == "wrong":
            ack(response_action="errors", errors={"title": "Not that one"})
        elif title == "more":
            ack(response_action="update", view={**MODAL, "title": {**PLAIN, "text": "More"}})
        elif title == "broken":
            ack(response_action="update", view={"type": "modal"})
        else:
            ack()

    with by_http(local, app):
        yield app
        assert local.wait_idle(WAIT_S_MAX)


def opened(local: LocalWorkspace) -> str:
    local.shortcut("Ada", "start")
    wait_until(lambda: local.modals)
    return local.modals[0].id


def test_a_shortcut_opens_a_modal_for_its_user(local: LocalWorkspace, app: App) -> None:
    opened(local)
    (modal,) = local.modals
    assert (modal.to, modal.title, modal.callback_id) == ("Ada", "Start", "start")
    assert modal.plain == "Tell us\nTitle\nDepth\n[Why?]"


def test_a_submission_carries_what_was_filled_in(local: LocalWorkspace, app: App) -> None:
    local.submit("Ada", opened(local), {"title": "Retry cards", "depth": "deep"})
    wait_until(lambda: local.modals == [])
    (view,) = (
        delivery.payload["view"]
        for delivery in local.deliveries
        if delivery.payload["type"] == "view_submission"
    )
    assert view["private_metadata"] == "kept"
    assert view["state"]["values"]["title"]["title"] == {
        "type": "plain_text_input",
        "value": "Retry cards",
    }
    assert view["state"]["values"]["depth"]["depth"]["selected_option"]["value"] == "deep"


def test_a_submission_may_be_refused_or_answered_with_another_view(
    local: LocalWorkspace, app: App
) -> None:
    view_id = opened(local)
    local.submit("Ada", view_id, {"title": "wrong"})
    wait_until(lambda: local.modals[0].errors == {"title": "Not that one"})
    local.submit("Ada", view_id, {"title": "more"})
    wait_until(lambda: local.modals[0].title == "More")
    assert local.modals[0].errors == {}
    local.submit("Ada", view_id, {"title": "broken"})
    wait_until(lambda: "trouble" in local.modals[0].errors.get("", ""))


def test_what_the_client_would_not_send_is_refused_here(local: LocalWorkspace, app: App) -> None:
    view_id = opened(local)
    with pytest.raises(ValueError, match="Title"):
        local.submit("Ada", view_id)
    with pytest.raises(LookupError, match="colour"):
        local.submit("Ada", view_id, {"title": "x", "colour": "red"})
    with pytest.raises(LookupError, match="endless"):
        local.submit("Ada", view_id, {"title": "x", "depth": "endless"})
    with pytest.raises(LookupError, match="Bob Lee"):
        local.submit("Bob Lee", view_id, {"title": "x"})
    local.close_view("Ada", view_id)
    assert local.modals == []


def test_a_shortcut_on_a_message_carries_it(local: LocalWorkspace) -> None:
    app, bodies = bolt(local), []

    @app.shortcut("take")
    def taken(ack: Any, body: dict[str, Any], respond: Any) -> None:
        ack()
        bodies.append(body)
        respond("Taken.")

    with by_http(local, app):
        ts = local.say("Bob Lee", "general", "an idea")
        local.shortcut("Ada", "take", channel="general", ts=ts)
        wait_until(lambda: local.ephemerals)
    assert (bodies[0]["type"], bodies[0]["message"]["text"]) == ("message_action", "an idea")
    assert bodies[0]["message_ts"] == ts
    assert [(e.to, e.text) for e in local.ephemerals] == [("Ada", "Taken.")]


def test_controls_of_modals_and_of_the_home_tab_can_be_used(
    local: LocalWorkspace, app: App
) -> None:
    clicks: list[str] = []

    @app.action("why")
    def why(ack: Any, body: dict[str, Any]) -> None:
        ack()
        clicks.append(body["view"]["type"])

    local.click_view("Ada", opened(local), "why")
    blocks = [actions(button("Why?", "why"))]
    published = client(local).views_publish(
        user_id=local.user_id("Ada"), view={"type": "home", "blocks": blocks}
    )
    local.click_view("Ada", published["view"]["id"], "why")
    wait_until(lambda: sorted(clicks) == ["home", "modal"])


def test_a_trigger_opens_one_modal_and_soon(
    local: LocalWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    slack = client(local)
    with by_http(local, bolt(local)):
        local.shortcut("Ada", "x")
        local.shortcut("Ada", "x")
        assert local.wait_idle(WAIT_S_MAX)
    first, second = (delivery.payload["trigger_id"] for delivery in local.deliveries)
    wrong = MODAL | {"title": {**PLAIN, "text": "x" * 25}}
    assert error_of(slack.views_open, trigger_id=first, view=wrong)["error"] == "invalid_arguments"
    view = slack.views_open(trigger_id=first, view=MODAL)["view"]
    for trigger, error in ((first, "exchanged_trigger_id"), ("1.2.3", "invalid_trigger_id")):
        assert error_of(slack.views_open, trigger_id=trigger, view=MODAL)["error"] == error
    later = time.monotonic() + 4
    monkeypatch.setattr("bot.devtools.workspace.delivery.passes.time.monotonic", lambda: later)
    refusal = error_of(slack.views_open, trigger_id=second, view=MODAL)
    assert refusal["error"] == "expired_trigger_id"
    monkeypatch.undo()
    stale = error_of(slack.views_update, view_id=view["id"], hash="old", view=MODAL)
    assert stale["error"] == "hash_conflict"
    assert slack.views_update(view_id=view["id"], hash=view["hash"], view=MODAL)["ok"]
    assert error_of(slack.views_update, view_id="V404", view=MODAL)["error"] == "not_found"
