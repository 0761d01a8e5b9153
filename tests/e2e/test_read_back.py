"""What people do while the bot is away, past Slack's last retry, is there once it is back."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.devtools.workspace import SCOPES_ALL, Call
from core.domain.answers import Answer
from core.store.connection.sqlite import SqliteDatabase
from core.store.queries.reader import Reader
from tests.e2e.forms import open_form
from tests.e2e.test_secrets import SECRET, kept, press
from tests.support.harness import small_tree
from tests.support.served_bot import CHANNEL, ELSEWHERE, ServedBot, controls, served_bot
from tests.support.waiting import WAIT_S_MAX


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedBot]:
    with served_bot(tmp_path, steps=small_tree(tmp_path / "steps").root, settle_s=0.0) as found:
        yield found


def answers(table: ServedBot) -> dict[str, Answer]:
    session = table.session()
    return {each.text: each for each in table.table.runtime.reader.answers(session.id)}


def root_of(table: ServedBot) -> str:
    session = table.session()
    thread = table.table.runtime.reader.thread(session.id, session.course.thread)
    assert thread is not None
    return thread.ts


def leave(table: ServedBot) -> None:
    table.running.stop()


def come_back(table: ServedBot) -> None:
    """Once Slack has given up whatever was under way."""
    assert table.slack.wait_idle(WAIT_S_MAX)
    table.running = table.start_again()
    table.settle()


def test_answers_edits_deletions_and_reactions_of_that_time_are_there_once(
    table: ServedBot,
) -> None:
    table.start("Read me back")
    table.say("We will edit this.", by="pm")
    taken_back = table.say("We will delete this.", by="dev")
    edited = table.say("It is liked.", by="dev")
    thread = root_of(table)
    leave(table)
    slack = table.slack
    slack.say("dev", CHANNEL, "Said while nobody listened.", thread_ts=thread)
    slack.say("dev", CHANNEL, "// only a remark", thread_ts=thread)
    first = next(each.ts for each in slack.messages(CHANNEL) if each.plain == "We will edit this.")
    slack.edit("pm", CHANNEL, first, "It was edited meanwhile.")
    slack.delete("dev", CHANNEL, taken_back)
    slack.react("pm", CHANNEL, edited, "+1")
    assert not answers_before(table) & {"Said while nobody listened.", "It was edited meanwhile."}
    come_back(table)
    found = answers(table)
    assert set(found) == {
        "It was edited meanwhile.", "It is liked.", "Said while nobody listened.",
    }  # fmt: skip
    assert found["It was edited meanwhile."].revision == 2
    (stance,) = table.table.runtime.reader.stances(table.session().id)
    assert (stance.view, stance.answer) == ("agrees", found["It is liked."].id)
    before = table.slack.messages(CHANNEL)
    table.restart()
    assert answers(table) == found
    assert [each.ts for each in table.slack.messages(CHANNEL)] == [each.ts for each in before]


def answers_before(table: ServedBot) -> set[str]:
    """As they are stored while the bot is away."""
    database = SqliteDatabase(table.table.settings.database_url)
    try:
        reader = Reader(database)
        (session,) = reader.all_sessions()
        return {each.text for each in reader.answers(session.id)}
    finally:
        database.close()


def test_an_open_menu_says_in_one_line_that_a_click_may_be_missing_and_works(
    table: ServedBot,
) -> None:
    table.start("Menus stay")
    table.say("The first answer.")
    thread = root_of(table)
    leave(table)
    table.slack.say("dev", CHANNEL, "A second one.", thread_ts=thread)
    come_back(table)
    (message,) = [each for each in table.slack.messages(CHANNEL) if "please click" in each.plain]
    assert any("menu:" in control["action_id"] for control in controls(message))
    table.forward()
    assert "please click" not in table.message(message.ts).plain


def test_a_lost_connection_of_some_time_is_caught_up_with(tmp_path: Path) -> None:
    steps = small_tree(tmp_path / "steps").root
    with served_bot(tmp_path, steps=steps, away_s=2.0) as table:
        table.start("Connection lost")
        thread = root_of(table)
        table.slack.inject("500", method="apps.connections.open", times=4)
        table.slack.disconnect("close")
        table.slack.say("dev", CHANNEL, "Said to nobody.", thread_ts=thread)
        assert table.slack.wait_idle(WAIT_S_MAX)
        assert not table.slack.deliveries[-1].acked
        table.settle_until(lambda: "Said to nobody." in answers(table))
        reads = [call for call in table.slack.calls if call.method == "conversations.replies"]
        assert len(reads) == 1


def test_a_credential_of_that_time_halts_and_is_nowhere(tmp_path: Path) -> None:
    steps = small_tree(tmp_path / "steps").root
    with served_bot(tmp_path, steps=steps) as table:
        table.start("Keep it out")
        thread = root_of(table)
        leave(table)
        table.slack.say("dev", CHANNEL, f"Log in with {SECRET} please", thread_ts=thread)
        table.slack.say("pm", CHANNEL, "And this is harmless.", thread_ts=thread)
        come_back(table)
        assert table.session().status == "halted"
        assert set(answers(table)) == {"And this is harmless."}
        press(table, "redact")
        assert table.session().status != "halted"
    assert SECRET not in kept(tmp_path)


def test_every_thread_of_a_council_is_read(tmp_path: Path) -> None:
    with served_bot(tmp_path) as table:
        table.command("/roundtable discover A plugin that retries --party")
        session, reader = table.session(), table.table.runtime.reader
        assert session.party.council is not None
        seats = [seat.persona for seat in session.party.council.seats]
        roots = [reader.thread(session.id, persona) for persona in seats]
        leave(table)
        for root in roots:
            assert root is not None
            table.slack.say("pm", CHANNEL, f"1: In thread {root.ts}.", thread_ts=root.ts)
        come_back(table)
        assert set(answers(table)) == {f"1: In thread {root.ts}." for root in roots if root}


def test_proposed_words_follow_their_message_also_while_nobody_listens(table: ServedBot) -> None:
    slack = table.slack
    root = slack.say("pm", CHANNEL, "Retry failed payments")
    edited = slack.say("dev", CHANNEL, "The bank closes at ten.", thread_ts=root)
    gone = slack.say("pm", CHANNEL, "Nobody needs this.", thread_ts=root)
    table.settle()
    form = open_form(table, "take_this", by="pm", ts=root)
    slack.submit("pm", form.id, {})
    table.settle()
    leave(table)
    slack.edit("dev", CHANNEL, edited, "The bank closes at eleven.")
    slack.delete("pm", CHANNEL, gone)
    slack.say("pm", CHANNEL, "This thread takes no answers.", thread_ts=root)
    come_back(table)
    session, reader = table.session(), table.table.runtime.reader
    outcomes = {each.answer.partition(":")[2]: each.outcome for each in session.proposals}
    assert outcomes == {root: "", edited: "", gone: "gone"}
    texts = {answer.ts: answer.text for answer in reader.proposed(session)}
    assert texts[edited] == "The bank closes at eleven."  # type: ignore[index]
    assert answers(table) == {}


def test_what_is_said_in_an_elaboration_belongs_to_it(table: ServedBot) -> None:
    table.start("In between")
    table.say("The first answer.")
    thread = root_of(table)
    press(table, "elaborate")
    leave(table)
    table.slack.say("dev", CHANNEL, "Said in the elaboration.", thread_ts=thread)
    come_back(table)
    assert answers(table)["Said in the elaboration."].source == "elaboration"


OFF = "please send it again"


def test_the_card_says_where_threads_may_not_be_read(tmp_path: Path) -> None:
    scopes = tuple(scope for scope in SCOPES_ALL if not scope.endswith(":history"))
    with served_bot(tmp_path, scopes=scopes) as table:
        table.start("Without the scope")
        assert OFF not in card(table)
        table.restart()
        assert "I may not read threads here." in card(table)


def test_the_card_says_where_slack_lets_an_app_read_next_to_nothing(tmp_path: Path) -> None:
    with served_bot(tmp_path, distributed=True) as table:
        table.start("Distributed", ELSEWHERE)
        table.start("Two of them")
        table.restart()
        assert "Slack lets me read too little" in card(table, ELSEWHERE)
        assert len([c for c in table.slack.calls if c.method == "conversations.replies"]) == 2


def card(table: ServedBot, channel: str = CHANNEL) -> str:
    session = table.session(channel)
    post = table.table.runtime.reader.post(session.id, "card")
    assert post is not None
    return next(each.plain for each in table.slack.messages(channel) if each.ts == post.ts)


MINUTE_S = 1.0


@pytest.fixture
def short_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute of Slack's limits is a second, and nobody has to be away for longer."""
    monkeypatch.setattr("bot.devtools.workspace.web_api.rate_limits.MINUTE_S", MINUTE_S)
    monkeypatch.setattr("bot.server.bolt_app.PAGE_EVERY_S", MINUTE_S + 0.5)
    monkeypatch.setattr("core.store.repository.presence.AWAY_S", 0.0)


@pytest.mark.usefixtures("short_minutes")
def test_a_distributed_app_looks_for_what_is_in_doubt_and_reads_a_page_a_minute(
    tmp_path: Path,
) -> None:
    steps = small_tree(tmp_path / "steps").root
    kind = "distributed"
    with served_bot(
        tmp_path, steps=steps, distributed=True, kind=kind, back_off=lambda _: 3.0
    ) as table:
        table.start("Elsewhere", ELSEWHERE)
        table.start("Page by page")
        slack, thread = table.slack, root_of(table)
        slack.inject("accept-then-drop", method="chat.postMessage", times=5)
        slack.say("dev", CHANNEL, "The last one that is heard.", thread_ts=thread)
        table.wait_until(lambda: any(call.status == 0 for call in slack.calls))
        leave(table)
        slack.clear_faults()
        for number in range(20):
            slack.say("pm", CHANNEL, f"Answer {number}.", thread_ts=thread)
        before = len(slack.calls)
        come_back(table)
        table.settle_until(lambda: len(answers(table)) == 21 and len(reads(table, before)) == 4)
        calls = reads(table, before)
        assert [call.status for call in calls] == [200] * 4
        assert [call.args["limit"] for call in calls] == ["15"] * 4
        assert ["include_all_metadata" in call.args for call in calls] == [True, *[False] * 3]
        gaps = [after.at - call.at for call, after in itertools.pairwise(calls)]
        assert min(gaps) >= MINUTE_S
        texts = [message.plain for message in slack.messages(CHANNEL)]
        assert len(set(texts)) == len(texts), "nothing was posted twice"
        assert OFF not in card(table)


@pytest.mark.usefixtures("short_minutes")
def test_a_distributed_app_that_was_hardly_away_reads_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = small_tree(tmp_path / "steps").root
    with served_bot(tmp_path, steps=steps, distributed=True, kind="distributed") as table:
        table.start("Back at once")
        table.say("An answer.")
        monkeypatch.setattr("core.store.repository.presence.AWAY_S", 60.0)
        before = len(table.slack.calls)
        table.restart()
        table.say("Another one.")
        assert reads(table, before) == []


def reads(table: ServedBot, since: int) -> list[Call]:
    calls = table.slack.calls[since:]
    return [call for call in calls if call.method == "conversations.replies"]
