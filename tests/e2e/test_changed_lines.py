"""What people changed in the lines, where whoever comes late finds it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.test_differences import step_message
from tests.e2e.test_sorting import choosing, opened, sort, submit
from tests.support.served_bot import CHANNEL, ServedBot, served_bot

HOLD = "the front desk can hold a slot for ten minutes"
TAKEN = "the caller sees that a slot is taken"
FIVE = "five minutes are enough for a slot"
SAID = f"- {HOLD}\n- {TAKEN}\n- {FIVE}"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedBot]:
    with served_bot(tmp_path) as found:
        found.start("Export dashboard as PDF")
        yield found


def report(table: ServedBot, kind: str) -> str:
    """The report as the bot brings it."""
    table.command(f"/roundtable export --format {kind}", by="dev")
    return table.slack.files[-1].content.decode()


def page(table: ServedBot) -> str:
    return report(table, "html")


def chapter(table: ServedBot) -> str:
    """What the report says of what was changed."""
    return report(table, "markdown").partition(". What was changed\n\n")[2].partition("\n## ")[0]


def folded(table: ServedBot) -> str:
    """The same where somebody catches up."""
    (told,) = table.command("/roundtable catchup", by="dev")
    return told.partition("changed by people")[2].partition("Where to look")[0]


def relate(table: ServedBot, by: str, words: str, label: str, other: str) -> None:
    """Sort a line as one that says something of another."""
    form = opened(table, by)
    which = submit(table, by, form, choosing(form, **{words: label}))
    assert which is not None
    assert submit(table, by, which, choosing(which, **{words: other})) is None


def replace_hold(table: ServedBot) -> str:
    """FR-001 has a check, and stands no longer. Returns when it was said."""
    ts = table.say(SAID, by="pm")
    sort(table, hold_a_slot="Requirement")
    relate(table, "dev", TAKEN, "Acceptance check of …", f"FR-001 {HOLD}")
    relate(table, "dev", FIVE, "Replaces another line …", f"FR-001 {HOLD}")
    return ts


def test_where_nobody_changed_a_line_nothing_is_said_of_it(table: ServedBot) -> None:
    table.say(SAID, by="pm")
    assert chapter(table) == folded(table) == ""


def test_the_report_strikes_a_replaced_line_through_and_says_by_what_and_by_whose_tap(
    table: ServedBot,
) -> None:
    replace_hold(table)
    told = chapter(table)
    assert f"**FR-001** ~~{HOLD}~~ — said by pm" in told
    assert f"  - Replaced by: {FIVE} (20" in told
    assert "*(sorted by dev)*" in told.partition("Replaced by")[2].partition("\n")[0]
    assert f"<del>{HOLD}</del>" in page(table)


def test_the_report_names_what_rests_on_a_replaced_line(table: ServedBot) -> None:
    replace_hold(table)
    assert f"  - To be looked at again: **AC-001** {TAKEN}" in chapter(table)
    assert "(rests on FR-001, which was replaced)" in page(table)


def test_the_message_of_the_step_marks_what_rests_on_a_replaced_line(table: ServedBot) -> None:
    replace_hold(table)
    shown = step_message(table).plain
    assert f"(rests on FR-001, which was replaced): AC-001 {TAKEN}" in shown


def test_whoever_catches_up_hears_what_was_replaced_and_what_rests_on_it(table: ServedBot) -> None:
    replace_hold(table)
    told = folded(table)
    assert f"FR-001 “{HOLD}” was replaced by “{FIVE}”. To be looked at again: AC-001." in told
    assert f"Check (sorted by dev): AC-001 {TAKEN}" in told


def test_what_somebody_sorted_is_told_with_their_name_until_it_is_said_no_more(
    table: ServedBot,
) -> None:
    ts = table.say(SAID, by="pm")
    sort(table, hold_a_slot="Out of scope")
    assert f"out of scope:** {HOLD} — said by pm" in chapter(table)
    assert f"Out of scope (sorted by dev): {HOLD}" in folded(table)
    table.slack.edit("pm", CHANNEL, ts, f"- {TAKEN}")
    table.settle()
    lapsed = "No longer said: a line that dev had sorted as out of scope"
    assert lapsed in chapter(table)
    assert lapsed in folded(table)
    assert HOLD not in chapter(table) + folded(table) + page(table)
