"""Resume is a button wherever somebody reads that an analysis is paused."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from slack_sdk import WebClient
from sqlalchemy import select

from bot.devtools.workspace import WorkspaceMessage
from core.store.statements.outbox import IS_PARKED, outbox
from core.store.statements.statement import SqlStatement
from tests.support.served_bot import CHANNEL, ELSEWHERE, ServedBot, controls, served_bot

RESUME = "card:resume"
PARKED = SqlStatement(select(outbox.c.id).where(IS_PARKED))


@pytest.fixture
def room(tmp_path: Path) -> Iterator[ServedBot]:
    with served_bot(tmp_path) as found:
        yield found


def card(room: ServedBot) -> WorkspaceMessage:
    return next(each for each in room.slack.top_level(CHANNEL) if "steps done" in each.plain)


def press(room: ServedBot, action: str, *, by: str = "dev") -> list[str]:
    """Use a button of the card; what that person alone was told since."""
    before = len(room.slack.ephemerals)
    room.slack.click(by, CHANNEL, card(room).ts, action)
    room.settle()
    return [each.text for each in room.slack.ephemerals[before:] if each.to == by]


def prompts(room: ServedBot) -> int:
    return sum(each.plain.startswith("Step 00-01") for each in room.slack.messages(CHANNEL))


def paused(room: ServedBot) -> None:
    room.start("Export a dashboard")
    room.say("Large, about 30 files.")
    press(room, "card:pause")
    assert room.session().status == "paused"


def test_a_paused_card_offers_to_resume_instead_of_to_pause(room: ServedBot) -> None:
    paused(room)
    assert [each["action_id"] for each in controls(card(room))] == [
        RESUME,
        "card:export",
        "card:catchup",
    ]
    assert press(room, RESUME) == ["“Export a dashboard” goes on in a moment."]
    assert room.session().status == "choosing"
    assert "card:pause" in [each["action_id"] for each in controls(card(room))]


def test_whoever_pauses_it_is_told_how_it_goes_on(room: ServedBot) -> None:
    room.start("Export a dashboard")
    room.say("Large, about 30 files.")
    assert press(room, "card:pause")[-1].endswith("[Resume]")


def test_whoever_clicks_while_it_is_paused_is_offered_to_resume(room: ServedBot) -> None:
    room.start("Export a dashboard")
    room.say("Large, about 30 files.")
    room.slack.inject("revoke")
    room.forward()  # Slack takes nothing of what follows, so the card looks as before
    assert room.session().status == "paused"
    room.slack.unrevoke()
    (told,) = press(room, "card:pause")
    assert told.startswith("“Export a dashboard” is paused.")
    (offer,) = [each for each in room.slack.ephemerals if each.to == "dev"]
    room.slack.click("dev", CHANNEL, offer.ts, RESUME)
    room.settle()
    assert room.session().status == "asking"
    assert any("Step 00-02" in each.plain for each in room.slack.messages(CHANNEL))


def test_a_start_with_a_token_that_slack_takes_sends_what_was_kept(room: ServedBot) -> None:
    room.start("Export a dashboard")
    room.say("Large, about 30 files.")
    room.slack.inject("revoke")
    room.forward()
    assert room.table.runtime.database.run(PARKED)
    room.slack.unrevoke()
    room.restart()
    room.settle()
    assert room.table.runtime.database.run(PARKED) == []
    assert room.session().status == "paused", "people say when it goes on"


def test_resuming_twice_goes_on_once(room: ServedBot) -> None:
    paused(room)
    ts = card(room).ts
    session = room.session()
    offered = room.slack.ephemerals[-1]
    press(room, RESUME)
    prompts_then = prompts(room)
    room.slack.click("dev", CHANNEL, offered.ts, RESUME)
    room.settle()
    assert room.slack.ephemerals[-1].text == "“Export a dashboard” is already under way."
    assert (card(room).ts, prompts(room)) == (ts, prompts_then)
    assert room.session().id == session.id


def test_a_button_cannot_resume_what_belongs_to_another_channel(room: ServedBot) -> None:
    paused(room)
    room.command("/roundtable analyze Something else", channel=ELSEWHERE)
    other = next(e for e in room.slack.top_level(ELSEWHERE) if "steps done" in e.plain)
    wrong = dict(controls(other)[0], action_id=RESUME, value=room.session().id)
    block = {"type": "actions", "elements": [wrong]}
    client = WebClient(room.slack.bot_token, base_url=room.slack.api_url)
    where = room.slack.channel_id(ELSEWHERE)
    rich = [each for each in other.blocks if each["type"] == "rich_text"]
    client.chat_update(channel=where, ts=other.ts, text="forged", blocks=[*rich[:1], block])
    room.slack.click("dev", ELSEWHERE, other.ts, RESUME)
    room.settle()
    assert room.session().status == "paused"
    assert room.slack.ephemerals[-1].text == "That analysis is not there any more."
