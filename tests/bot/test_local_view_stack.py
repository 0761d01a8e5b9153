"""Views one over another, as Slack documents them: pushed, updated, answered, closed.

docs: surfaces/modals, reference/methods/views.push, reference/methods/views.update,
reference/interaction-payloads/view-interactions-payload
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest

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

Json = dict[str, Any]


def view(title: str, **more: Any) -> Json:
    blocks = [section(title), actions(button("Further", "further"))]
    shown = {"type": "plain_text", "text": title}
    done = {"type": "plain_text", "text": "Done"}
    return {"type": "modal", "title": shown, "submit": done, "blocks": blocks, **more}


@pytest.fixture
def local(patient_triggers: None) -> Iterator[LocalWorkspace]:
    with workspace() as running:
        yield running


@pytest.fixture
def answers(local: LocalWorkspace) -> Iterator[list[Json]]:
    """An app that acknowledges everything; the next submissions with what is put in here."""
    app, planned = bolt(local), []

    @app.view(re.compile(".*"))
    def submitted(ack: Any) -> None:
        ack(**(planned.pop(0) if planned else {}))

    @app.view_closed(re.compile(".*"))
    def closed(ack: Any) -> None:
        ack()

    @app.action(re.compile(".*"))
    @app.shortcut(re.compile(".*"))
    def used(ack: Any) -> None:
        ack()

    with by_http(local, app):
        yield planned
        assert local.wait_idle(WAIT_S_MAX)


def sent(local: LocalWorkspace, kind: str) -> list[Json]:
    return [one.payload for one in local.deliveries if one.payload.get("type") == kind]


def trigger_of_a_click(local: LocalWorkspace, view_id: str) -> str:
    before = len(sent(local, "block_actions"))
    local.click_view("Ada", view_id, "further")
    wait_until(lambda: len(sent(local, "block_actions")) > before)
    return str(sent(local, "block_actions")[-1]["trigger_id"])


def trigger_of_a_shortcut(local: LocalWorkspace, channel: str | None = None) -> str:
    before = len(sent(local, "shortcut"))
    local.shortcut("Ada", "start", channel=channel)
    wait_until(lambda: len(sent(local, "shortcut")) > before)
    return str(sent(local, "shortcut")[-1]["trigger_id"])


def opened(local: LocalWorkspace, channel: str | None = None, **more: Any) -> Json:
    trigger = trigger_of_a_shortcut(local, channel)
    shown: Json = client(local).views_open(trigger_id=trigger, view=view("First", **more))["view"]
    return shown


def pushed(local: LocalWorkspace, on: Json, title: str, **more: Any) -> Json:
    trigger = trigger_of_a_click(local, on["id"])
    shown: Json = client(local).views_push(trigger_id=trigger, view=view(title, **more))["view"]
    return shown


def titles(local: LocalWorkspace) -> list[str]:
    return [modal.title for modal in local.modals]


def test_a_pushed_view_lies_over_the_one_that_was_clicked(
    local: LocalWorkspace, answers: list[Json]
) -> None:
    first = opened(local)
    second = pushed(local, first, "Second")
    third = pushed(local, second, "Third")
    assert (first["previous_view_id"], first["root_view_id"]) == (None, first["id"])
    assert (second["previous_view_id"], second["root_view_id"]) == (first["id"], first["id"])
    assert (third["previous_view_id"], third["root_view_id"]) == (second["id"], first["id"])
    assert titles(local) == ["First", "Second", "Third"]


def test_a_fourth_view_is_refused(local: LocalWorkspace, answers: list[Json]) -> None:
    third = pushed(local, pushed(local, opened(local), "Second"), "Third")
    trigger = trigger_of_a_click(local, third["id"])
    refusal = error_of(client(local).views_push, trigger_id=trigger, view=view("Fourth"))
    assert refusal["error"] == "push_limit_reached"
    answers.append({"response_action": "push", "view": view("Fourth")})
    local.submit("Ada", third["id"])
    wait_until(lambda: local.modals[-1].errors)
    assert titles(local) == ["First", "Second", "Third"]


def test_a_view_is_pushed_only_from_within_a_modal(
    local: LocalWorkspace, answers: list[Json]
) -> None:
    first = opened(local)
    outside = trigger_of_a_shortcut(local)
    refusal = error_of(client(local).views_push, trigger_id=outside, view=view("Second"))
    assert refusal["error"] == "not_found"
    within = trigger_of_a_click(local, first["id"])
    local.close_view("Ada", first["id"])
    refusal = error_of(client(local).views_push, trigger_id=within, view=view("Second"))
    assert refusal["error"] == "not_found"


def test_a_trigger_pushes_once(local: LocalWorkspace, answers: list[Json]) -> None:
    trigger = trigger_of_a_click(local, opened(local)["id"])
    slack = client(local)
    assert slack.views_push(trigger_id=trigger, view=view("Second"))["ok"]
    for call in (slack.views_push, slack.views_open):
        refusal = error_of(call, trigger_id=trigger, view=view("Second"))
        assert refusal["error"] == "exchanged_trigger_id"


def test_an_updated_view_keeps_its_place(local: LocalWorkspace, answers: list[Json]) -> None:
    first = opened(local)
    second = pushed(local, first, "Second")
    changed = client(local).views_update(view_id=second["id"], view=view("Changed"))["view"]
    place = ("id", "previous_view_id", "root_view_id")
    assert [changed[key] for key in place] == [second[key] for key in place]
    assert changed["hash"] != second["hash"]
    beneath = client(local).views_update(view_id=first["id"], view=view("Beneath"))["view"]
    assert beneath["root_view_id"] == first["id"]
    assert titles(local) == ["Beneath", "Changed"]


def test_an_outdated_hash_changes_nothing(local: LocalWorkspace, answers: list[Json]) -> None:
    first, slack = opened(local), client(local)
    slack.views_update(view_id=first["id"], hash=first["hash"], view=view("Changed"))
    refusal = error_of(
        slack.views_update, view_id=first["id"], hash=first["hash"], view=view("Late")
    )
    assert refusal["error"] == "hash_conflict"
    assert titles(local) == ["Changed"]


def test_an_external_id_is_free_once(local: LocalWorkspace, answers: list[Json]) -> None:
    first, slack = opened(local, external_id="ours"), client(local)
    again = view("Again", external_id="ours")
    refusal = error_of(slack.views_open, trigger_id=trigger_of_a_shortcut(local), view=again)
    assert refusal["error"] == "duplicate_external_id"
    assert slack.views_update(external_id="ours", view=again)["view"]["id"] == first["id"]


def test_a_view_has_a_greatest_weight(local: LocalWorkspace, answers: list[Json]) -> None:
    heavy = view("Heavy", blocks=[section("x" * 2_999) for _ in range(90)])
    refusal = error_of(
        client(local).views_open, trigger_id=trigger_of_a_shortcut(local), view=heavy
    )
    assert refusal["error"] == "view_too_large"


def test_an_empty_answer_closes_the_view_and_the_one_beneath_comes_back(
    local: LocalWorkspace, answers: list[Json]
) -> None:
    second = pushed(local, opened(local), "Second")
    local.submit("Ada", second["id"])
    wait_until(lambda: titles(local) == ["First"])


def test_clear_closes_the_whole_modal_and_no_other(
    local: LocalWorkspace, answers: list[Json]
) -> None:
    other = opened(local)
    second = pushed(local, opened(local), "Second")
    answers.append({"response_action": "clear"})
    local.submit("Ada", second["id"])
    wait_until(lambda: [modal.id for modal in local.modals] == [other["id"]])


def test_an_answer_may_push_and_update(local: LocalWorkspace, answers: list[Json]) -> None:
    first = opened(local)
    answers.append({"response_action": "push", "view": view("Second")})
    local.submit("Ada", first["id"])
    wait_until(lambda: titles(local) == ["First", "Second"])
    second = local.modals[-1].view
    assert (second["previous_view_id"], second["root_view_id"]) == (first["id"], first["id"])
    answers.append({"response_action": "update", "view": view("Changed")})
    local.submit("Ada", second["id"])
    wait_until(lambda: titles(local) == ["First", "Changed"])
    assert local.modals[-1].view["previous_view_id"] == first["id"]


def test_closing_tells_the_app_only_where_it_asked(
    local: LocalWorkspace, answers: list[Json]
) -> None:
    first = opened(local, notify_on_close=True)
    second = pushed(local, first, "Second")
    local.close_view("Ada", second["id"])
    local.close_view("Ada", first["id"])
    wait_until(lambda: sent(local, "view_closed"))
    assert local.wait_idle(WAIT_S_MAX)
    (told,) = sent(local, "view_closed")
    assert (told["view"]["id"], told["is_cleared"]) == (first["id"], False)
    assert told["user"]["id"] == local.user_id("Ada")


def test_closing_everything_says_so(local: LocalWorkspace, answers: list[Json]) -> None:
    first = opened(local, notify_on_close=True)
    second = pushed(local, first, "Second", notify_on_close=True)
    local.close_view("Ada", second["id"], all_views=True)
    wait_until(lambda: len(sent(local, "view_closed")) == 2)
    told = {one["view"]["id"]: one["is_cleared"] for one in sent(local, "view_closed")}
    assert told == {first["id"]: True, second["id"]: True}
    assert local.modals == []


def test_clear_on_close_takes_the_views_beneath_along(
    local: LocalWorkspace, answers: list[Json]
) -> None:
    second = pushed(local, opened(local), "Second", clear_on_close=True)
    local.close_view("Ada", second["id"])
    assert local.modals == []
