"""Who mentions the bot speaks to it; who mentions a person is read with that person's name."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.forms import told
from tests.support.served_bot import CHANNEL, ServedBot, served_bot


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedBot]:
    with served_bot(tmp_path) as found:
        found.start("Export dashboard as PDF")
        yield found


def answers(table: ServedBot) -> list[str]:
    return [each.text for each in table.table.runtime.reader.answers(table.session().id)]


def test_a_mention_of_the_bot_in_a_thread_is_a_command(table: ServedBot) -> None:
    table.say("@Roundtable catchup", by="dev")
    assert answers(table) == []
    assert any("Export dashboard as PDF" in each for each in told(table, "dev"))


@pytest.mark.parametrize(
    "text",
    [
        "@Roundtable what do you think about fonts??",
        "thx, i'll ask dev. @Roundtable pls wait",
        "as @Roundtable said: small",
    ],
)
def test_a_mention_of_the_bot_that_is_no_command_is_answered_kindly_and_not_recorded(
    table: ServedBot, text: str
) -> None:
    ts = table.say(text, by="dev")
    assert answers(table) == []
    assert table.message(ts).reactions == {}
    assert "did not take that in as an answer" in told(table, "dev")[-1]
    assert table.session().status == "asking"


def test_an_answer_that_is_edited_to_mention_the_bot_says_nothing_any_more(
    table: ServedBot,
) -> None:
    ts = table.say("Small, I think.", by="dev")
    assert answers(table) == ["Small, I think."]
    table.slack.edit("dev", CHANNEL, ts, "@Roundtable small, I think?")
    table.settle()
    assert answers(table) == []


def test_hi_gets_a_hello_with_three_things_to_try(table: ServedBot) -> None:
    table.slack.say("dev", CHANNEL, "@Roundtable hi")
    table.settle()
    said = told(table, "dev")[-1]
    assert said.startswith("Hello!")
    assert said.count("@Roundtable ") == 3


def test_analyse_begins_an_analysis(table: ServedBot) -> None:
    table.slack.say("dev", CHANNEL, "@Roundtable analyse Retry failed payments")
    table.settle()
    assert table.session().title == "Retry failed payments"


def test_a_person_who_is_mentioned_is_read_by_name_everywhere(table: ServedBot) -> None:
    user = table.slack.user_id("dev")
    table.say("ask @dev, he prints 300 of them a day, @dev knows why")
    (answer,) = answers(table)
    assert answer == "ask @dev, he prints 300 of them a day, @dev knows why"
    stored = table.table.runtime.reader.answers_as_stored(table.session().id)
    assert f"@{user}" in stored[0].text
    table.say("large", by="dev")
    written = (table.folder / "quick-scan.md").read_text()
    assert "ask @dev, he prints 300 of them a day" in written
    said = [each.text for each in table.slack.ephemerals if each.to == "pm"]
    shown = [each.plain for each in table.slack.messages(CHANNEL) if each.author_id != user]
    reported = table.command("/roundtable export --format markdown")
    everything = "\n".join((written, *said, *shown, *reported))
    assert f"@{user}" not in everything
    assert user not in written


def test_a_title_names_people_too(table: ServedBot) -> None:
    table.say("@dev knows")
    table.slack.say("pm", CHANNEL, "@Roundtable analyze What @dev wants from @ops")
    table.settle()
    assert table.session().title == "What @dev wants from @ops"
