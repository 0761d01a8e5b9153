"""What a form sends for every kind of control, and what Slack's client would not send.

docs: reference/interaction-payloads/view-interactions-payload (view.state.values),
reference/interaction-payloads/block_actions-payload, reference/block-kit/block-elements
"""

from typing import Any

import pytest

from bot.devtools.workspace import LocalWorkspace
from bot.devtools.workspace.people.forms import (
    REQUIRED,
    Filling,
    FormValue,
    UnfilledError,
    complete,
    so_far,
)
from bot.devtools.workspace.values import Names
from tests.bot.test_local_support import actions, bolt, by_http, client, workspace
from tests.support.waiting import WAIT_S_MAX, wait_until

pytestmark = pytest.mark.usefixtures("patient_triggers")

Json = dict[str, Any]
NAMES = Names({"U1": "Ada", "U2": "Bob Lee"}, {"C1": "general", "G1": "private-den"})


def text(words: str) -> Json:
    return {"type": "plain_text", "text": words}


ONE, TWO, THREE = ({"text": text(value), "value": value} for value in ("one", "two", "three"))
OPTIONS = {"options": [ONE, TWO, THREE]}
SAID = {"type": "rich_text_section", "elements": [{"type": "text", "text": "Said"}]}
RICH = {"type": "rich_text", "elements": [SAID]}


def field(kind: str, block_id: str = "b", *, optional: bool = False, **more: Any) -> Json:
    element = {"type": kind, "action_id": "a", **more}
    about = {"type": "input", "block_id": block_id, "label": text("Label"), "element": element}
    return {**about, "optional": optional}


def held(block: Json, given: FormValue | None = None, channel: str = "") -> Json:
    filling = Filling({} if given is None else {"a": given}, NAMES, channel)
    state: Json = complete([block], filling)["b"]["a"]
    return state


@pytest.mark.parametrize(
    ("kind", "more", "given", "key", "value"),
    [
        ("plain_text_input", {}, "words", "value", "words"),
        ("email_text_input", {}, "a@b.test", "value", "a@b.test"),
        ("url_text_input", {}, "https://b.test", "value", "https://b.test"),
        ("number_input", {"is_decimal_allowed": True}, "1.5", "value", "1.5"),
        ("static_select", OPTIONS, "two", "selected_option", TWO),
        ("radio_buttons", OPTIONS, "one", "selected_option", ONE),
        ("checkboxes", OPTIONS, ["one", "three"], "selected_options", [ONE, THREE]),
        ("multi_static_select", OPTIONS, ["two"], "selected_options", [TWO]),
        ("users_select", {}, "U2", "selected_user", "U2"),
        ("users_select", {}, "Bob Lee", "selected_user", "U2"),
        ("conversations_select", {}, "G1", "selected_conversation", "G1"),
        ("channels_select", {}, "#general", "selected_channel", "C1"),
        ("multi_users_select", {}, ["U1", "U2"], "selected_users", ["U1", "U2"]),
        ("multi_conversations_select", {}, ["C1"], "selected_conversations", ["C1"]),
        ("multi_channels_select", {}, ["C1"], "selected_channels", ["C1"]),
        ("datepicker", {}, "2026-01-31", "selected_date", "2026-01-31"),
        ("timepicker", {}, "09:30", "selected_time", "09:30"),
        ("datetimepicker", {}, "1700000000", "selected_date_time", 1_700_000_000),
        ("datetimepicker", {}, "2026-01-31T09:30+00:00", "selected_date_time", 1_769_851_800),
        ("rich_text_input", {}, "Said", "rich_text_value", RICH),
    ],
)
def test_every_control_sends_its_value_in_its_own_shape(
    kind: str, more: Json, given: FormValue, key: str, value: object
) -> None:
    assert held(field(kind, **more), given) == {"type": kind, key: value}


@pytest.mark.parametrize(
    ("kind", "more", "key", "value"),
    [
        ("plain_text_input", {"initial_value": "words"}, "value", "words"),
        ("number_input", {"initial_value": "3"}, "value", "3"),
        ("static_select", {**OPTIONS, "initial_option": TWO}, "selected_option", TWO),
        ("checkboxes", {**OPTIONS, "initial_options": [ONE]}, "selected_options", [ONE]),
        ("users_select", {"initial_user": "U1"}, "selected_user", "U1"),
        ("conversations_select", {"initial_conversation": "C1"}, "selected_conversation", "C1"),
        ("channels_select", {"initial_channel": "C1"}, "selected_channel", "C1"),
        ("multi_users_select", {"initial_users": ["U1"]}, "selected_users", ["U1"]),
        ("datepicker", {"initial_date": "2026-01-31"}, "selected_date", "2026-01-31"),
        ("timepicker", {"initial_time": "09:30"}, "selected_time", "09:30"),
        ("datetimepicker", {"initial_date_time": 17}, "selected_date_time", 17),
        ("rich_text_input", {"initial_value": RICH}, "rich_text_value", RICH),
    ],
)
def test_what_is_not_touched_sends_its_initial_value(
    kind: str, more: Json, key: str, value: object
) -> None:
    assert held(field(kind, **more)) == {"type": kind, key: value}


@pytest.mark.parametrize(
    ("kind", "more", "key", "value"),
    [
        ("plain_text_input", {}, "value", None),
        ("static_select", OPTIONS, "selected_option", None),
        ("checkboxes", OPTIONS, "selected_options", []),
        ("multi_users_select", {}, "selected_users", []),
        ("conversations_select", {}, "selected_conversation", None),
        ("datepicker", {}, "selected_date", None),
    ],
)
def test_what_is_left_empty_sends_nothing_as_slack_does(
    kind: str, more: Json, key: str, value: object
) -> None:
    empty = field(kind, optional=True, **more)
    assert held(empty) == {"type": kind, key: value}
    assert held(empty, [] if value == [] else "") == {"type": kind, key: value}


def test_what_was_emptied_does_not_fall_back_to_the_initial_value() -> None:
    ticked = field("checkboxes", optional=True, **OPTIONS, initial_options=[ONE])
    assert held(ticked, [])["selected_options"] == []
    written = field("plain_text_input", optional=True, initial_value="words")
    assert held(written, "")["value"] is None


def test_a_conversation_may_default_to_where_the_person_was() -> None:
    asked = field("conversations_select", default_to_current_conversation=True)
    assert held(asked, channel="G1")["selected_conversation"] == "G1"
    assert held(asked, "C1", channel="G1")["selected_conversation"] == "C1"
    named = field(
        "conversations_select", default_to_current_conversation=True, initial_conversation="C1"
    )
    assert held(named, channel="G1")["selected_conversation"] == "C1"
    with pytest.raises(UnfilledError):
        held(asked)


@pytest.mark.parametrize(
    ("block", "given", "fault"),
    [
        (field("plain_text_input"), "", REQUIRED),
        (field("static_select", **OPTIONS), None, REQUIRED),
        (field("plain_text_input", max_length=3), "four", "at most 3"),
        (field("plain_text_input", min_length=3), "no", "at least 3"),
        (field("number_input"), "1.5", "whole number"),
        (field("number_input"), "many", "a number"),
        (field("number_input", min_value="2"), "1", "2 or more"),
        (field("number_input", max_value="2"), "3", "2 or less"),
        (field("email_text_input"), "nobody", "mail address"),
        (field("url_text_input"), "javascript:x", "web address"),
        (field("plain_text_input", max_length=3, optional=True), "four", "at most 3"),
    ],
)
def test_what_slacks_client_would_ask_to_correct_is_not_sent(
    block: Json, given: FormValue | None, fault: str
) -> None:
    with pytest.raises(UnfilledError) as refused:
        held(block, given)
    assert list(refused.value.wrong) == ["b"]
    assert fault in refused.value.wrong["b"]


@pytest.mark.parametrize(
    ("block", "given"),
    [
        (field("users_select"), "U404"),
        (field("channels_select"), "G1"),
        (field("static_select", **OPTIONS), "four"),
        (field("file_input"), ["plan.pdf"]),
    ],
)
def test_what_is_not_offered_cannot_be_chosen(block: Json, given: FormValue) -> None:
    with pytest.raises(LookupError):
        held(block, given)


def test_two_blocks_may_call_their_controls_alike() -> None:
    blocks = [field("plain_text_input", "x"), field("plain_text_input", "y|z")]
    state = complete(blocks, Filling({"x|a": "left", "y|z|a": "right"}, NAMES))
    assert (state["x"]["a"]["value"], state["y|z"]["a"]["value"]) == ("left", "right")


def test_controls_outside_of_inputs_are_part_of_the_state() -> None:
    pick = {"type": "users_select", "action_id": "who", "initial_user": "U1"}
    state = so_far([{**actions(pick), "block_id": "b"}], Filling({}, NAMES))
    assert state == {"b": {"who": {"type": "users_select", "selected_user": "U1"}}}


# ── with an app on the other side ──────────────────────────────────────────────────────────────


def started(local: LocalWorkspace, blocks: list[Json], channel: str | None) -> str:
    local.shortcut("Ada", "start", channel=channel)
    wait_until(lambda: any(one.type == "shortcut" for one in local.deliveries))
    (shortcut,) = (one for one in local.deliveries if one.type == "shortcut")
    form = {"type": "modal", "title": text("Form"), "submit": text("Go"), "blocks": blocks}
    view = client(local).views_open(trigger_id=shortcut.payload["trigger_id"], view=form)["view"]
    return str(view["id"])


def sent(local: LocalWorkspace, kind: str) -> Json:
    wait_until(lambda: any(one.payload.get("type") == kind for one in local.deliveries))
    (payload,) = (one.payload for one in local.deliveries if one.payload.get("type") == kind)
    return payload


def test_a_chosen_conversation_gets_an_address_to_answer_at() -> None:
    where = field(
        "conversations_select",
        default_to_current_conversation=True,
        response_url_enabled=True,
    )
    with workspace(bot_in=["general"]) as local, by_http(local, bolt(local)):
        view_id = started(local, [where, field("plain_text_input", "t")], "private-den")
        assert local.modals[0].channel == local.channel_id("private-den")
        local.submit("Ada", view_id, {"t|a": "words"})
        (answer,) = sent(local, "view_submission")["response_urls"]
        assert answer["channel_id"] == local.channel_id("private-den")
        assert (answer["block_id"], answer["action_id"]) == ("b", "a")
        assert local.wait_idle(WAIT_S_MAX)


def test_a_conversation_without_the_wish_gets_no_address() -> None:
    with workspace() as local, by_http(local, bolt(local)):
        view_id = started(local, [field("conversations_select")], None)
        local.submit("Ada", view_id, {"a": "general"})
        assert sent(local, "view_submission")["response_urls"] == []
        assert local.wait_idle(WAIT_S_MAX)


def test_a_picker_in_a_message_sends_what_was_picked() -> None:
    pick = {"type": "multi_users_select", "action_id": "who", "placeholder": text("Who?")}
    day = {"type": "datepicker", "action_id": "day", "initial_date": "2026-01-31"}
    with workspace() as local, by_http(local, bolt(local)):
        ts = str(
            client(local).chat_postMessage(
                channel=local.channel_id("general"),
                text="x",
                blocks=[{**actions(pick, day), "block_id": "b"}],
            )["ts"]
        )
        local.click("Ada", "general", ts, "who", value=["Bob Lee"])
        payload = sent(local, "block_actions")
        (action,) = payload["actions"]
        assert action["selected_users"] == [local.user_id("Bob Lee")]
        assert payload["state"]["values"]["b"]["who"]["selected_users"] == action["selected_users"]
        assert payload["state"]["values"]["b"]["day"]["selected_date"] == "2026-01-31"
        with pytest.raises(LookupError, match="nobody"):
            local.click("Ada", "general", ts, "who", value=["nobody"])
        assert local.wait_idle(WAIT_S_MAX)


def test_a_click_in_a_form_carries_what_is_filled_in_and_it_is_kept() -> None:
    blocks = [
        field("plain_text_input", "t"),
        actions({"type": "button", "action_id": "why", "text": text("Why?")}),
    ]
    with workspace() as local, by_http(local, bolt(local)):
        view_id = started(local, blocks, None)
        local.click_view("Ada", view_id, "why", values={"t|a": "half a sen"})
        view = sent(local, "block_actions")["view"]
        assert view["state"]["values"]["t"]["a"]["value"] == "half a sen"
        assert local.modals[0].filled == {"t|a": "half a sen"}
        local.submit("Ada", view_id)
        view = sent(local, "view_submission")["view"]
        assert view["state"]["values"]["t"]["a"]["value"] == "half a sen"
        assert local.wait_idle(WAIT_S_MAX)
