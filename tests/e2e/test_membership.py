"""Whose channels count: what a person may start, take, take out and see is what they are in."""

import copy
from pathlib import Path
from typing import Any

from bot.devtools.workspace import SCOPES_ALL, Modal
from bot.devtools.workspace.reader_text import plain
from bot.devtools.workspace.values import Names
from core.domain.ids import ChannelId
from tests.e2e.forms import START_FIELDS, called, open_form, submit, told
from tests.e2e.wiretap import Wiretap
from tests.support.served_bot import CHANNEL, ELSEWHERE, OUTSIDE, ServedBot, served_bot

TITLE = "Retry failed card payments"
REFUSED = (
    "I start only where both you and I are. If you are in that channel, add me there with "
    "/invite @Roundtable, and press Start again."
)


def field(form: Modal, name: str) -> dict[str, Any]:
    return next(each["element"] for each in form.view["blocks"] if each.get("block_id") == name)


def offered(form: Modal) -> list[str]:
    return [each["text"]["text"] for each in field(form, "channel")["options"]]


def sessions(table: ServedBot, channel: str) -> list[str]:
    reader, team = table.table.runtime.reader, table.table.workspace.team
    here = ChannelId(table.slack.channel_id(channel))
    return [each.title for each in reader.channel_sessions(team, here)]


def submit_for(table: ServedBot, tap: Wiretap, channel: str, title: str = TITLE) -> Modal:
    """A form that comes back with a channel it never offered; what it has turned into at last."""
    form = open_form(table)
    tap.holding = True
    filled = {**START_FIELDS, "title": title, "channel": table.slack.channel_id(CHANNEL)}
    table.slack.submit("pm", form.id, filled)
    tap.holding = False
    parcel = tap.last("view_submission")
    payload = copy.deepcopy(parcel.payload)
    payload["view"]["state"]["values"]["channel"]["channel"]["selected_option"]["value"] = channel
    tap.send(parcel, payload)

    def there() -> Modal:
        return next(each for each in table.slack.modals if each.id == form.id)

    table.settle_until(lambda: there().view["callback_id"] != "notice" or "begins" in there().plain)
    return there()


def test_the_form_offers_the_channels_that_person_is_in(table: ServedBot) -> None:
    open_form(table)  # after the first one it is known as well where the bot is
    table.settle_until(lambda: len(called(table, "users.conversations")) > 1)
    table.slack.set_person_in("dev", ELSEWHERE, is_in=False)
    assert offered(open_form(table)) == ["#general", "#elsewhere"]
    assert offered(open_form(table, by="dev")) == ["#general"]
    (asked,) = [
        each
        for each in called(table, "users.conversations")
        if each.args.get("user") == table.slack.user_id("dev")
    ]
    assert asked.args["types"] == "public_channel,private_channel"


def test_a_refusal_has_the_same_words_whatever_is_in_the_channel(table: ServedBot) -> None:
    table.start(TITLE, ELSEWHERE)
    table.slack.set_person_in("pm", ELSEWHERE, is_in=False)
    tap = Wiretap(table)
    busy = submit_for(table, tap, table.slack.channel_id(ELSEWHERE))
    quiet = submit_for(table, tap, table.slack.channel_id(ELSEWHERE), "Something else")
    without = submit_for(table, tap, table.slack.channel_id(OUTSIDE))
    nowhere = submit_for(table, tap, "C0NOWHERE")
    for refused in (busy, quiet, without, nowhere):
        assert refused.plain.startswith(REFUSED)
    assert field(busy, "title")["initial_value"] == TITLE  # nothing of it is lost
    assert sessions(table, ELSEWHERE) == [TITLE]
    assert sessions(table, OUTSIDE) == []


def test_whoever_has_come_into_the_channel_since_the_form_opened_starts_there(
    table: ServedBot,
) -> None:
    table.slack.set_person_in("pm", ELSEWHERE, is_in=False)
    tap = Wiretap(table)
    assert submit_for(table, tap, table.slack.channel_id(ELSEWHERE)).plain.startswith(REFUSED)
    form = open_form(table)
    assert "#elsewhere" not in offered(form)
    table.slack.set_person_in("pm", ELSEWHERE, is_in=True)
    begun = submit_for(table, tap, table.slack.channel_id(ELSEWHERE))
    assert f"“{TITLE}” begins." in begun.plain
    assert sessions(table, ELSEWHERE) == [TITLE]


def test_what_is_under_way_is_said_to_members_alone_and_after_asking(table: ServedBot) -> None:
    table.start(TITLE, ELSEWHERE)
    table.slack.set_person_in("pm", ELSEWHERE, is_in=False)
    tap = Wiretap(table)
    open_form(table)
    table.slack.set_person_in("pm", ELSEWHERE, is_in=True)
    said = submit_for(table, tap, table.slack.channel_id(ELSEWHERE))
    assert "is already under way there" in "".join([said.plain, *said.errors.values()])


def test_where_slack_does_not_say_who_is_where_the_form_starts_nothing(tmp_path: Path) -> None:
    scopes = [each for each in SCOPES_ALL if each not in ("channels:read", "groups:read")]
    with served_bot(tmp_path, scopes=scopes) as table:
        form = open_form(table)
        assert field(form, "channel")["type"] == "conversations_select"
        submit(table, form)
        table.settle_until(lambda: "does not tell me who is" in table.slack.modals[-1].plain)
        assert "/roundtable analyze" in table.slack.modals[-1].plain
        assert sessions(table, CHANNEL) == []


def test_a_message_of_a_channel_one_is_not_in_is_not_taken_along(table: ServedBot) -> None:
    ts = table.slack.say("dev", CHANNEL, "Cards fail at night.")
    table.start(TITLE)
    table.slack.set_person_in("pm", CHANNEL, is_in=False)
    form = open_form(table, "take_this", ts=ts)
    table.slack.submit("pm", form.id, {"title": TITLE})
    table.settle_until(lambda: REFUSED in table.slack.modals[-1].plain)
    assert sessions(table, CHANNEL) == [TITLE]
    table.slack.set_person_in("pm", CHANNEL, is_in=True)
    table.slack.submit("pm", form.id, {"title": "Cards at night"})
    table.settle_until(lambda: "begins" in table.slack.modals[-1].plain)
    assert sorted(sessions(table, CHANNEL)) == ["Cards at night", TITLE]


def test_not_an_answer_says_the_same_to_strangers_of_a_channel_whatever_was_said(
    table: ServedBot,
) -> None:
    session = table.start(TITLE)
    answer = table.say("Cards fail at night.", by="dev")
    chat = table.slack.say("dev", CHANNEL, "Lunch?")
    table.slack.set_person_in("pm", CHANNEL, is_in=False)  # whose session it is
    words = []
    for ts in (answer, chat):
        before = len(told(table))
        table.slack.shortcut("pm", "not_an_answer", channel=CHANNEL, ts=ts)
        table.settle_until(lambda before=before: told(table)[before:])  # type: ignore[misc]
        words.append(told(table)[-1])
    assert words[0] == words[1]
    assert [each.text for each in table.table.runtime.reader.answers(session.id)] == [
        "Cards fail at night."
    ]


def test_home_shows_no_session_of_a_channel_one_has_left(table: ServedBot) -> None:
    table.start(TITLE)
    table.start("Refunds take too long", ELSEWHERE)
    table.slack.set_person_in("pm", ELSEWHERE, is_in=False)
    before = len(called(table, "views.publish"))
    table.slack.open_home("pm")
    table.settle_until(lambda: len(called(table, "views.publish")) > before)
    home = table.slack.home("pm")
    assert home is not None
    words = plain(home["blocks"], "", Names({}, {}))
    assert TITLE in words
    assert "Refunds" not in words
    assert "1 of 1 session waits for you." in words
