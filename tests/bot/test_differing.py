"""Reactions and the two buttons as Slack hands them over: strange, forged, or from elsewhere."""

from dataclasses import replace
from typing import Any

import pytest

from bot.devtools.workspace import LocalWorkspace
from bot.payloads import inbound_messages
from bot.payloads.payload_models import UnreadablePayloadError
from bot.web_api.client import SlackClient
from bot.web_api.directory import SlackDirectory
from core.domain.events import ReactionChanged
from core.domain.ids import MenuId, StepId, TeamId, UserId
from core.domain.session.menu import Menu, MenuKind
from tests.support.bolt_front import (
    CHANNEL,
    MEMBER,
    NOW,
    OTHER_CHANNEL,
    OWNER,
    TEAM,
    WORKSPACE,
    Body,
    Front,
    click,
    event_body,
    reaction,
)


def changed(event: Body, **envelope: Any) -> ReactionChanged | None:
    found = inbound_messages.reaction_changed(event_body(event, **envelope), WORKSPACE, NOW)
    return found[0] if found else None


# ── reactions ──


@pytest.mark.parametrize("on", [True, False])
def test_a_thumb_on_a_message_is_read_with_its_time(on: bool) -> None:
    assert changed(reaction("+1::skin-tone-2", on=on)) == ReactionChanged(
        UserId(MEMBER), NOW, CHANNEL, "200.000200", "+1::skin-tone-2", "300.000003", on  # type: ignore[arg-type]
    )  # fmt: skip


def test_putting_it_on_and_taking_it_off_have_keys_of_their_own() -> None:
    bodies = [event_body(reaction(on=on), f"Ev{on}") for on in (True, False)]
    found = [inbound_messages.reaction_changed(each, WORKSPACE, NOW) for each in bodies]
    keys = [each[1] for each in found if each]
    assert len(keys) == 2
    assert set(keys[0]).isdisjoint(keys[1])


@pytest.mark.parametrize(
    "more",
    [
        {"user": WORKSPACE.bot_user},
        {"user": "USLACKBOT"},
        {"user_team": "TOTHER"},
        {"team": "TOTHER"},
        {"reaction": "heart"},
        {"reaction": "+1::skin-tone-9"},
        {"item": {"type": "file", "file": "F1"}},
        {"item": {"type": "message", "channel": "C1"}},
    ],
)
def test_what_is_no_view_of_one_of_ours_on_a_message_says_nothing(more: Body) -> None:
    assert changed(reaction() | more) is None


@pytest.mark.parametrize("more", [{"event_ts": "x"}, {"user": None}, {"item": None}])
def test_what_lacks_slacks_shape_is_refused(more: Body) -> None:
    with pytest.raises(UnreadablePayloadError):
        changed(reaction() | more)


def test_a_reaction_is_handled_and_nobody_is_told_anything(bot: Front) -> None:
    assert bot.deliver(event_body(reaction())).status == 200
    (event,) = bot.runtime.events
    assert isinstance(event, ReactionChanged)
    assert bot.slack.calls == []


def test_a_bot_and_a_guest_are_told_apart_once_their_names_are_asked_for() -> None:
    with LocalWorkspace(people=["pm"], channels=["general"]) as slack:
        client = SlackClient(slack.bot_token, base_url=slack.api_url)
        team = TeamId(WORKSPACE.team)
        home = TeamId(str(client.lookups.user(UserId(slack.user_id("pm"))).get("team_id") or team))  # type: ignore[union-attr]
        directory = SlackDirectory(lambda _: client)
        person = UserId(slack.user_id("pm"))
        assert directory.strangers(home, [person]) == frozenset()
        elsewhere = TeamId("TELSEWHERE")
        assert directory.remembered_strangers(elsewhere, [person]) == frozenset()
        assert directory.strangers(elsewhere, [person]) == {person}


# ── buttons ──


def opened(bot: Front, kind: MenuKind, **more: Any) -> Menu:
    session = bot.runtime.opened()
    menu = Menu(MenuId("s-1-x"), session.id, kind, ("continue",), step=StepId("01-01"), **more)
    bot.runtime.reader.menus[menu.id] = menu
    return menu


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        ("differ:say", "prompt"),
        ("differ:say", "settling"),
        ("differ:settle", "step"),
        ("differ:settle", "fatal"),
    ],
)
def test_a_menu_of_another_kind_opens_no_form(bot: Front, action: str, kind: MenuKind) -> None:
    opened(bot, kind)
    bot.deliver(click(action, "s-1-x"))
    assert "not there any more" in bot.told()
    assert [method for method, _ in bot.slack.calls] == ["chat.postEphemeral"]


@pytest.mark.parametrize(
    ("action", "kind"), [("differ:say", "step"), ("differ:settle", "settling")]
)
def test_a_button_of_another_channel_and_a_forged_one_learn_nothing(
    bot: Front, action: str, kind: MenuKind
) -> None:
    menu = opened(bot, kind)
    session = bot.runtime.reader.sessions[menu.session]
    bot.runtime.reader.sessions[menu.session] = replace(session, channel=OTHER_CHANNEL)
    for value in ("s-1-x", "mforged"):
        bot.slack.calls.clear()
        bot.deliver(click(action, value))
        assert "not there any more" in bot.told()


@pytest.mark.parametrize(("status", "words"), [("cancelled", "has ended"), ("halted", "halted")])
def test_where_it_is_over_the_button_says_so(bot: Front, status: Any, words: str) -> None:
    menu = opened(bot, "step")
    session = bot.runtime.reader.sessions[menu.session]
    bot.runtime.reader.sessions[menu.session] = replace(session, status=status)
    bot.deliver(click("differ:say", "s-1-x"))
    assert words in bot.told()


def test_settling_is_told_to_be_the_owners_before_a_form_is_opened(bot: Front) -> None:
    opened(bot, "settling")
    assert MEMBER != OWNER
    bot.deliver(click("differ:settle", "s-1-x", by=MEMBER))
    assert "can settle it" in bot.told()
    assert WORKSPACE.team == TEAM
