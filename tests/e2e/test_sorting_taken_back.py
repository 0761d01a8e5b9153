"""A wrong tap is taken back where it was made: the line is again what it was read as."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.answers import Claim
from core.domain.lines import superseded
from tests.e2e.forms import told
from tests.e2e.test_changed_lines import relate
from tests.e2e.test_differences import buttons, step_message, written
from tests.e2e.test_sorting import choosing, field, kinds, offered, opened, sort, submit
from tests.support.served_bot import ServedBot, served_bot

TAKE_BACK = "Take back what was sorted here"
HOLD = "the front desk can hold a slot for ten minutes"
STICKERS = "we tried stickers once"
SMALL = "It is small, a week of work for one person."
LARGE = "It is large if you ask me, two months of work."


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedBot]:
    with served_bot(tmp_path) as found:
        found.start("Export dashboard as PDF")
        yield found


def claims(table: ServedBot) -> tuple[Claim, ...]:
    return table.table.runtime.reader.claims(table.session().id)


def test_only_what_somebody_sorted_can_be_taken_back(table: ServedBot) -> None:
    table.say(f"- {HOLD}\n- {STICKERS}")
    assert TAKE_BACK not in offered(opened(table), HOLD)
    sort(table, hold_a_slot="Risk")
    form = opened(table)
    assert TAKE_BACK in offered(form, HOLD)
    assert TAKE_BACK not in offered(form, STICKERS)


@pytest.mark.parametrize("label", ["Only a note", "Decision", "Out of scope"])
def test_a_line_is_again_what_it_was_with_the_name_it_had(table: ServedBot, label: str) -> None:
    table.say("- As front desk I want to hold a slot so that nobody takes it twice.")
    before = claims(table)
    words = "As front desk"
    sort(table, **{words: label})
    assert claims(table) != before
    sort(table, by="pm", **{words: TAKE_BACK})
    assert claims(table) == before
    assert "sorted by" not in step_message(table).plain + written(table)


def test_a_line_that_replaced_another_is_taken_back_at_either_of_the_two(table: ServedBot) -> None:
    table.say(f"- {HOLD}\n- {STICKERS}")
    before = claims(table)
    for words in (STICKERS, HOLD):
        relate(table, "dev", STICKERS, "Replaces another line …", HOLD)
        assert f"~~{HOLD}~~" in written(table)
        sort(table, **{words: TAKE_BACK})
        assert claims(table) == before
        assert "~~" not in written(table)


def test_a_check_of_a_line_is_taken_back_and_the_line_stays(table: ServedBot) -> None:
    table.say(f"- {HOLD}\n- {STICKERS}")
    sort(table, hold_a_slot="Requirement")
    before = kinds(table)
    relate(table, "dev", STICKERS, "Acceptance check of …", f"FR-001 {HOLD}")
    sort(table, stickers=TAKE_BACK)
    assert kinds(table) == before
    assert kinds(table)[HOLD] == "requirement"


def test_which_of_two_lines_holds_is_taken_back_where_lines_are_sorted(table: ServedBot) -> None:
    table.say(SMALL)
    table.say(LARGE, by="dev")
    table.slack.click("dev", "general", step_message(table).ts, "menu:first")
    table.settle()
    assert superseded(claims(table))
    sort(table, by="pm", **{SMALL: TAKE_BACK})
    assert not superseded(claims(table))
    assert "~~" not in written(table)


def test_it_is_taken_back_at_a_passed_step_and_after_a_restart(table: ServedBot) -> None:
    table.say(f"- {HOLD}\n- {STICKERS}")
    step, before = table.session().course.step, kinds(table)[HOLD]
    sort(table, hold_a_slot="Risk")
    table.forward()
    table.restart()
    form = opened(table, step=step)
    assert submit(table, "dev", form, choosing(form, hold_a_slot=TAKE_BACK)) is None
    assert kinds(table)[HOLD] == before


def test_what_somebody_else_took_back_meanwhile_is_shown_and_not_taken_back_twice(
    table: ServedBot,
) -> None:
    table.say(f"- {HOLD}\n- {STICKERS}")
    sort(table, hold_a_slot="Risk")
    forms = {by: opened(table, by) for by in ("pm", "dev")}
    mine, theirs = (choosing(form, hold_a_slot=TAKE_BACK) for form in forms.values())
    assert submit(table, "pm", forms["pm"], mine) is None
    again = submit(table, "dev", forms["dev"], theirs)
    assert again is not None
    assert "The lines changed while you looked." in str(again.view["blocks"])
    assert field(again, HOLD)["hint"]["text"] == "said by pm"
    assert TAKE_BACK not in offered(again, HOLD)


def test_once_a_session_is_cancelled_it_is_too_late_and_said_so(table: ServedBot) -> None:
    table.say(f"- {HOLD}\n- {STICKERS}")
    sort(table, hold_a_slot="Risk")
    form = opened(table)
    values = choosing(form, hold_a_slot=TAKE_BACK)
    table.command("/roundtable cancel --yes", by="pm")
    heard = len(told(table, "dev"))
    submit(table, "dev", form, values)
    table.settle_until(lambda: len(told(table, "dev")) > heard)
    assert told(table, "dev")[-1].startswith("This has ended")
    assert kinds(table)[HOLD] == "risk"
    assert not any(action.startswith("sort:") for action in buttons(step_message(table)))
