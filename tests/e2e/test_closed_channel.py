"""A channel that is archived, or that the bot is put out of, in the midst of an analysis."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.devtools.workspace.state import Channel
from bot.web_api.api_errors import disposition
from core.taxonomy.post_refusals import REFUSALS, RefusalReason, paused_words
from tests.support.api_pages import method_pages
from tests.support.served_bot import CHANNEL, ServedBot, served_bot

FIRST = "It is small: three files."


@pytest.fixture
def room(tmp_path: Path) -> Iterator[ServedBot]:
    with served_bot(tmp_path) as found:
        yield found


def answers(room: ServedBot) -> list[str]:
    session = room.session()
    return [each.text for each in room.table.runtime.reader.answers(session.id)]


def told_why(room: ServedBot, reason: RefusalReason) -> int:
    """How often the thread says that the session was paused for this."""
    words = paused_words(reason)
    return sum(words in each.plain for each in room.slack.messages(CHANNEL))


def prompts(room: ServedBot, step: str) -> int:
    return sum(each.plain.startswith(f"Step {step}") for each in room.slack.messages(CHANNEL))


def test_an_archived_channel_pauses_the_analysis_and_loses_nothing(room: ServedBot) -> None:
    room.start("Retry failed card payments")
    room.say(FIRST)
    room.slack.archive(CHANNEL)
    room.forward()
    assert room.session().status == "paused"
    assert answers(room) == [FIRST]
    assert prompts(room, "00-02") == 0
    assert told_why(room, "archived") == 0
    room.slack.archive(CHANNEL, archived=False)
    room.command("/roundtable resume")
    assert told_why(room, "archived") == 1
    assert room.session().status in ("asking", "choosing")
    assert prompts(room, "00-02") == 1
    assert answers(room) == [FIRST]


def test_nothing_starts_in_an_archived_channel(room: ServedBot) -> None:
    room.slack.archive(CHANNEL)
    room.command("/roundtable analyze Retry failed card payments")
    team, channel = room.table.workspace.team, room.slack.channel_id(CHANNEL)
    assert room.table.runtime.reader.channel_sessions(team, channel) == ()  # type: ignore[arg-type]
    assert room.slack.messages(CHANNEL) == []


def test_a_bot_that_was_put_out_pauses_it_and_goes_on_when_it_is_let_in(room: ServedBot) -> None:
    room.start("Retry failed card payments")
    room.say(FIRST)
    room.slack.set_bot_in(CHANNEL, is_in=False)
    room.forward()
    assert room.session().status == "paused"
    room.slack.set_bot_in(CHANNEL, is_in=True)
    room.command("/roundtable resume")
    assert prompts(room, "00-02") == 1
    assert answers(room) == [FIRST]


def sessions(room: ServedBot) -> int:
    team, channel = room.table.workspace.team, room.slack.channel_id(CHANNEL)
    return len(room.table.runtime.reader.channel_sessions(team, channel))  # type: ignore[arg-type]


def test_a_start_that_slack_refuses_says_what_it_is_what_helps_and_who_can(room: ServedBot) -> None:
    errors = sorted(method_pages()["chat.postMessage"].errors)
    by_reason = {disposition(error): error for error in errors if error != "as_user_not_supported"}
    played = {reason: error for reason, error in by_reason.items() if reason in REFUSALS}
    assert len(played) > 15
    for reason, error in played.items():
        # A post that is refused for its blocks is tried once more, drawn plainly.
        room.slack.refuse("chat.postMessage", error, times=2 if reason == "bad_blocks" else 1)
        # The acknowledgement ("It begins") and the refusal come by different ways, in any order.
        said_alone = room.command(f"/roundtable analyze About {error}")
        (told,) = (text for text in said_alone if "begins." not in text)
        if reason in ("not_invited", "channel_unknown"):
            assert told.startswith("I can't post in this channel. Add me with /invite"), error
        else:
            words = REFUSALS[reason]  # type: ignore[index]
            said = f"{words.what} {words.helps} Nothing was started."
            assert told.replace("&amp;", "&").startswith(said), error
            assert ("/invite" in told) == (reason == "direct_message"), error
        assert sessions(room) == 0, error


def test_in_a_direct_message_it_says_where_to_start(room: ServedBot) -> None:
    direct = Channel("D0DIRECT1", "directmessage", has_bot=False)
    room.slack.world.channels.append(direct)
    for line in ("analyze Retry failed card payments", "discover A shop"):
        (told,) = room.command(f"/roundtable {line}", channel="directmessage")
        assert told.startswith("I work in channels, where your team can answer")
        assert "type /roundtable analyze" in told
    assert not any(call.method == "chat.postMessage" for call in room.slack.calls)
