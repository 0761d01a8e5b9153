"""Skip rest in the real bot: how many steps it drops, asked first, and named as not asked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.devtools.workspace import WorkspaceMessage
from tests.e2e.forms import press, told
from tests.support.served_bot import CHANNEL, ServedBot, controls, served_bot

DROPPED = "2 steps: Keyword Search and File Count Estimation"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedBot]:
    with served_bot(tmp_path) as found:
        found.start("Retry failed card payments")
        found.say("It is small, 3 files.")
        yield found


def control(table: ServedBot, action: str) -> tuple[WorkspaceMessage, dict[str, Any]]:
    return next(
        (message, element)
        for message in reversed(table.slack.messages(CHANNEL))
        for element in controls(message)
        if element["action_id"] == action
    )


def skip(table: ServedBot) -> None:
    message, _ = control(table, "menu:skip")
    table.slack.click("pm", CHANNEL, message.ts, "menu:skip")
    table.settle()


def choices(table: ServedBot) -> tuple[str, ...]:
    menu = table.table.runtime.reader.menu(table.session().menus.current)  # type: ignore[arg-type]
    return menu.choices if menu else ()


def files(table: ServedBot) -> dict[str, str]:
    return {path.name: path.read_text() for path in table.folder.glob("*.md")}


def test_the_button_asks_and_says_how_many_steps_fall_away(table: ServedBot) -> None:
    _, button = control(table, "menu:skip")
    dialog = button["confirm"]
    assert dialog["title"]["text"] == "Leave out 2 steps?"
    assert dialog["text"]["text"] == (f"That leaves out {DROPPED}. They are listed as not asked.")
    assert (dialog["confirm"]["text"], dialog["deny"]["text"]) == ("Leave them out", "Keep going")


@pytest.mark.parametrize("word", ["S", "skip rest"])
def test_a_word_has_no_dialog_so_it_is_asked_for_and_nothing_falls_away_yet(
    table: ServedBot, word: str
) -> None:
    table.say(word)
    table.settle_until(lambda: told(table))
    assert f"That leaves out {DROPPED}." in told(table)[-1]
    steps = table.session().course.steps
    assert [step.status for step in steps] == ["completed", "pending", "pending"]
    press(table, "Skip rest")
    steps = table.session().course.steps
    assert [step.status for step in steps] == ["completed", "skipped", "skipped"]


def test_the_summary_lists_what_was_not_asked_and_claims_no_completeness(table: ServedBot) -> None:
    skip(table)
    summary = next(
        each for each in reversed(table.slack.messages(CHANNEL)) if "in short" in each.plain
    )
    assert "Not asked: Keyword Search and File Count Estimation." in summary.plain
    assert "No assumptions" not in summary.plain


def test_catching_up_names_it_and_does_not_say_that_nothing_is_open(table: ServedBot) -> None:
    skip(table)
    (words,) = table.command("/roundtable catchup")
    assert "Not asked: Keyword Search and File Count Estimation." in words
    assert "Nothing is open" not in words


def test_the_files_name_it_under_what_is_open(table: ServedBot) -> None:
    skip(table)
    table.forward()  # the quick scan is accepted
    table.say("Because the bank asks for it: every failed payment must be tried again.")
    skip(table)
    spec = files(table)["requirements-spec.md"]
    assert "## User Needs Discovery" in spec
    assert "Not asked: people left this step out." in spec
    assert "- User Needs Discovery was not asked." in spec
    assert "No open question was recorded" not in spec
    assert "No assumption was recorded" not in spec


def test_the_report_says_so_too(table: ServedBot) -> None:
    skip(table)
    session = table.session()
    ((_, content),) = table.table.outbox_worker.job_runner.export_of(session.id, "markdown").files
    report = content.decode()
    assert "Not asked" in report
    assert "no question is open" not in report


def test_the_design_summary_lists_every_step_that_was_left_out(table: ServedBot) -> None:
    while table.session().status != "completed":
        if table.session().status == "asking":
            table.say("Because the bank asks for it: every failed payment must be tried again.")
        elif table.session().course.phase != "04-design" and "skip" in choices(table):
            skip(table)
        else:
            table.forward()
    steps = table.table.runtime.reader.all_steps(table.session().id)
    left_out = [each.title for each in steps if each.is_left_out]
    assert {each.phase[:2] for each in steps if each.is_left_out} == {"00", "01", "02", "03"}
    summary = files(table)["design-summary.md"]
    _, _, below = summary.partition("### Not Asked\n\n")
    listed, _, _ = below.partition("\n\n")
    assert listed.splitlines() == [f"- {title}" for title in left_out]
    assert "No open question was recorded" not in summary
    assert "No assumption was recorded" not in summary
