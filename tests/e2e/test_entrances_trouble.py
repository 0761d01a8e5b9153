"""What goes wrong between opening a form and what comes of it: kind words, and nothing lost."""

import json
from pathlib import Path

import pytest

from bot.devtools.workspace import SCOPES_ALL, WorkspaceMessage
from bot.interactions.forms.modals import Seal
from bot.views.private.replies import START_AGAIN
from tests.e2e.forms import called, open_form, submit, told
from tests.support.served_bot import CHANNEL, ELSEWHERE, ServedBot, served_bot

EVERY_MARK = (
    "<!channel> <@U0PM00002> *b* `c` <script>alert(1)</script> [x](https://evil.example) 🙂"
)


def sessions(table: ServedBot, channel: str = CHANNEL) -> list[str]:
    reader, team = table.table.runtime.reader, table.table.workspace.team
    return [each.title for each in reader.channel_sessions(team, table.slack.channel_id(channel))]  # type: ignore[arg-type]


def test_a_bot_that_was_removed_meanwhile_says_so_and_starts_after_it_is_back(
    table: ServedBot,
) -> None:
    form = open_form(table)
    table.settle_until(lambda: called(table, "users.conversations"))
    table.slack.set_bot_in(CHANNEL, is_in=False)
    submit(table, form, text="They fail at night.")
    table.settle_until(lambda: "/invite @Roundtable" in table.slack.modals[-1].plain)
    assert sessions(table) == []
    table.slack.set_bot_in(CHANNEL, is_in=True)
    table.slack.click_view("pm", form.id, START_AGAIN)
    table.settle_until(lambda: len(table.slack.modals) > 1)
    submit(table, table.slack.modals[-1], text="They fail at night.")
    assert sessions(table) == ["Retry failed card payments"]


def test_marks_and_mentions_in_every_field_ping_and_run_nothing(table: ServedBot) -> None:
    left = submit(table, open_form(table), title=EVERY_MARK[:150], text=EVERY_MARK * 20)
    assert left is not None
    assert "<script>alert(1)</script>" in left.plain
    card = table.slack.top_level(CHANNEL)[0]
    assert "<!channel>" in card.plain
    assert {ping.what for ping in table.slack.pings} <= {"@pm"}  # the prompt calls who is awaited


def test_a_thread_that_is_gone_by_then_is_said_and_the_analysis_goes_on(table: ServedBot) -> None:
    root = table.slack.say("pm", CHANNEL, "Retry failed card payments")
    form = open_form(table, "take_this", ts=root)
    table.slack.delete("pm", CHANNEL, root)
    table.slack.submit("pm", form.id, {})
    table.settle_until(lambda: any("could not read the thread" in m.plain for m in posts(table)))
    table.say("The bank asks for it.")
    assert table.session().status == "choosing"


def test_where_threads_may_not_be_read_it_is_said(tmp_path: Path) -> None:
    scopes = [each for each in SCOPES_ALL if each != "channels:history"]
    with served_bot(tmp_path, scopes=scopes) as table:
        root = table.slack.say("pm", CHANNEL, "Retry failed card payments")
        form = open_form(table, "take_this", ts=root)
        table.slack.submit("pm", form.id, {})
        table.settle_until(
            lambda: any("could not read the thread" in m.plain for m in posts(table))
        )


def test_slack_that_has_no_time_for_the_thread_is_asked_again(table: ServedBot) -> None:
    table.slack.inject("429", method="conversations.replies", retry_after=1)
    root = table.slack.say("pm", CHANNEL, "Retry failed card payments")
    form = open_form(table, "take_this", ts=root)
    table.slack.submit("pm", form.id, {})
    table.settle()
    assert len(table.session().proposals) == 1
    assert [call.error for call in called(table, "conversations.replies")] == ["ratelimited", ""]


def test_a_sealed_form_cannot_be_made_to_read_another_channel(table: ServedBot) -> None:
    """Its metadata names the channel and the message: whoever alters it gets nothing."""
    secret = table.slack.say("dev", ELSEWHERE, "The secret merger")
    root = table.slack.say("pm", CHANNEL, "Retry failed card payments")
    form = open_form(table, "take_this", ts=root)
    other = f"{table.slack.channel_id(ELSEWHERE)}\n{secret}\n{secret}\n"
    ours = form.view["private_metadata"]
    for metadata in (
        other,
        ours[:32] + other,
        Seal("a guess").put(table.slack.user_id("pm"), "take_this", other),
    ):
        with table.slack.world.lock:
            table.slack.world.modals[form.id].view["private_metadata"] = metadata
        table.slack.submit("pm", form.id, {})
        table.settle()
        (modal,) = table.slack.modals
        assert "open it once more" in modal.plain
        with table.slack.world.lock:
            table.slack.world.modals[form.id].view = dict(form.view)
    assert sessions(table) == sessions(table, ELSEWHERE) == []
    assert called(table, "conversations.replies") == []


def test_a_form_that_slack_cannot_answer_in_time_keeps_what_was_filled_in(
    table: ServedBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = open_form(table)

    def broken(*_: object, **__: object) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr(table.table.runtime, "handle", broken)
    left = submit(table, form)
    assert left is not None
    assert "Please try it again" in json.dumps(dict(left.errors))
    monkeypatch.undo()
    submit(table, form)
    assert sessions(table) == ["Retry failed card payments"]


def test_a_shortcut_on_a_message_that_is_deleted_meanwhile(table: ServedBot) -> None:
    table.start("Retry payments")
    ts = table.say("See you at lunch.")
    with table.slack.world.lock:
        table.slack.shortcut("pm", "not_an_answer", channel=CHANNEL, ts=ts)
        table.slack.delete("pm", CHANNEL, ts)
    table.settle_until(lambda: len(told(table)) > 1)
    words = told(table)[-1]
    assert "no longer counts as an answer" in words or "taken out before" in words
    assert table.table.runtime.reader.answers(table.session().id) == ()


def posts(table: ServedBot) -> list[WorkspaceMessage]:
    return table.slack.messages(CHANNEL)
