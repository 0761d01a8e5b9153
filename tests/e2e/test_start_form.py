"""Starting a session by shortcut and form: the real bot, real Socket Mode, the local workspace."""

from pathlib import Path

import pytest

from bot.views.private.replies import START_AGAIN
from tests.e2e.forms import forge, open_form, submit, told
from tests.support.rows import run_query, snapshot
from tests.support.served_bot import CHANNEL, OUTSIDE, ServedBot, served_bot


def test_the_shortcut_opens_a_form_and_the_form_starts_a_session(table: ServedBot) -> None:
    form = open_form(table)
    assert form.title == "Start at the Roundtable"
    left = submit(table, form, text="Cards fail at night.", depth="deep")
    assert left is not None
    assert "“Retry failed card payments” begins." in left.plain
    session = table.session()
    assert (session.title, session.owner) == (
        "Retry failed card payments",
        table.slack.user_id("pm"),
    )
    assert session.text == "Retry failed card payments\n\nCards fail at night."
    assert {depth for _, depth in session.course.depths} == {"deep"}
    assert session.status == "asking"


def test_a_form_that_is_submitted_twice_starts_one_session(table: ServedBot) -> None:
    form = open_form(table)
    fields = {
        "title": "Retry failed card payments",
        "channel": table.slack.channel_id(CHANNEL),
    }
    with table.slack.world.lock:  # both leave before the first is answered
        table.slack.submit("pm", form.id, fields)
        table.slack.submit("pm", form.id, fields)
    table.settle()
    reader = table.table.runtime.reader
    team, channel = table.table.workspace.team, table.slack.channel_id(CHANNEL)
    assert len(reader.channel_sessions(team, channel)) == 1  # type: ignore[arg-type]
    cards = [each for each in table.slack.top_level(CHANNEL) if "Maya" not in each.author]
    assert len(cards) == 1


def test_everything_that_is_wrong_is_said_at_once_and_the_form_stays(table: ServedBot) -> None:
    form = open_form(table)
    token = "xoxb-" + "1234567890-1234567890-" + "a1B2c3D4e5F6g7H8i9J0k1L2"
    left = submit(table, form, title="   ", text=f"The token is {token}")
    assert left is not None
    assert set(left.errors) == {"title", "text"}
    assert left.errors["title"] == "Please give it a title."
    assert "password, key or token" in left.errors["text"]
    rows = "\n".join(snapshot(table.table.runtime.database))
    assert token not in rows
    assert submit(table, form, text="It fails.") is not None
    assert table.session().status == "asking"


def test_a_channel_without_the_bot_is_said_in_the_form_which_comes_again_as_it_was(
    table: ServedBot,
) -> None:
    form = open_form(table)  # nobody knows yet where the bot is
    outside = table.slack.channel_id(OUTSIDE)
    submit(table, form, channel=outside, text="They fail at night.", mode="party")
    table.settle_until(lambda: "/invite @Roundtable" in table.slack.modals[-1].plain)
    refused = table.slack.modals[-1]
    assert refused.id == form.id
    table.slack.click_view("pm", refused.id, START_AGAIN)
    table.settle_until(lambda: len(table.slack.modals) > 1)
    again = table.slack.modals[-1]
    elements = {each["block_id"]: each["element"] for each in again.view["blocks"]}
    assert elements["title"]["initial_value"] == "Retry failed card payments"
    assert elements["text"]["initial_value"] == "They fail at night."
    assert elements["mode"]["initial_option"]["value"] == "party"
    names = [each["text"]["text"] for each in elements["channel"]["options"]]
    assert names == ["#general", "#elsewhere"]  # it is known by now
    left = submit(table, again, mode="analysis", text="They fail at night.")
    assert left is not None
    assert table.session().text.endswith("They fail at night.")
    assert table.slack.top_level(OUTSIDE) == []


def test_only_whoever_filled_it_in_gets_the_form_again(table: ServedBot) -> None:
    reader, channel = table.table.runtime.reader, table.slack.channel_id(OUTSIDE)
    table.slack.command("pm", OUTSIDE, "/roundtable analyze Retry payments")
    table.settle_until(lambda: told(table)[1:])
    refused = next(
        row[0]
        for row in run_query(
            reader._database, "SELECT id FROM sessions WHERE channel = ?", (channel,)
        )
    )
    table.start("Another item")
    forge(table, "start:again", refused, by="dev")
    table.settle_until(lambda: told(table, "dev"))
    assert "is not there any more" in told(table, "dev")[-1]
    forge(table, "start:again", table.session().id, by="pm")  # one that did begin
    table.settle_until(lambda: "is not there any more" in told(table)[-1])
    assert table.slack.modals == []


def test_what_is_under_way_there_is_said_with_how_to_resume_it(table: ServedBot) -> None:
    table.start("Retry failed card payments")
    left = submit(table, open_form(table))
    assert left is not None
    assert "/roundtable resume retry-failed-card-payments" in left.errors["title"]


@pytest.mark.parametrize("ticked", [["script"], []])
def test_where_a_language_model_reads_a_box_keeps_it_out_of_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ticked: list[str]
) -> None:
    monkeypatch.setenv("ROUNDTABLE_MODEL", "openai-chat:small@http://127.0.0.1:9/v1")
    with served_bot(tmp_path) as table:
        form = open_form(table)
        assert "Who reads the answers?" in form.plain
        submit(table, form, script=ticked)
        assert table.session().model.script_only == bool(ticked)


def test_without_a_language_model_there_is_nothing_to_keep_out(table: ServedBot) -> None:
    assert "Who reads" not in open_form(table).plain
