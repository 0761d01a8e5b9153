"""Sorting lines as people do it: the button, the form, and what comes of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.devtools.workspace import Modal
from tests.e2e.forms import told
from tests.e2e.test_differences import buttons, press, step_message
from tests.support.served_bot import CHANNEL, ServedBot, served_bot

HOLD = "the front desk can hold a slot for ten minutes"
STICKERS = "we tried stickers once"
SAID = f"- {HOLD}\n- {STICKERS}"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedBot]:
    with served_bot(tmp_path) as found:
        found.start("Export dashboard as PDF")
        yield found


def fields(form: Modal) -> dict[str, Any]:
    """The selects of a form by the words they stand at."""
    blocks = [each for each in form.view["blocks"] if each["type"] == "input"]
    return {each["label"]["text"]: each for each in blocks}


def field(form: Modal, words: str) -> Any:
    return next(each for label, each in fields(form).items() if words in label)


def offered(form: Modal, words: str) -> dict[str, str]:
    element = field(form, words)["element"]
    return {each["text"]["text"]: each["value"] for each in element["options"]}


def choosing(form: Modal, **chosen: str) -> dict[str, str]:
    """What is submitted: what stood chosen, and by the words of its field what is chosen now."""
    blocks = fields(form).values()
    values = {each["block_id"]: each["element"]["initial_option"]["value"] for each in blocks}
    for words, label in chosen.items():
        at = field(form, words.replace("_", " "))
        values[at["block_id"]] = offered(form, words.replace("_", " "))[label]
    return values


def opened(table: ServedBot, by: str = "dev", step: str | None = None) -> Modal:
    shown = step_message(table, step)
    action = next(each for each in buttons(shown) if each.startswith("sort:"))
    form = press(table, by, action, shown)
    assert form is not None
    return form


def submit(table: ServedBot, by: str, form: Modal, values: dict[str, str]) -> Modal | None:
    table.slack.submit(by, form.id, values)
    table.settle()
    return next((each for each in table.slack.modals if each.id == form.id), None)


def sort(table: ServedBot, by: str = "dev", **chosen: str) -> None:
    form = opened(table, by)
    assert submit(table, by, form, choosing(form, **chosen)) is None


def written(table: ServedBot) -> str:
    return (table.folder / "quick-scan.md").read_text()


def kinds(table: ServedBot) -> dict[str, str]:
    claims = table.table.runtime.reader.claims(table.session().id)
    return {claim.text: claim.kind for claim in claims}


def test_the_message_says_in_one_line_how_it_was_sorted_and_has_sorting(table: ServedBot) -> None:
    table.say(SAID)
    shown = step_message(table)
    assert "Sorted: " in shown.plain
    assert f"sort:{table.session().course.step}" in buttons(shown)


def test_the_form_shows_each_line_with_who_said_it(table: ServedBot) -> None:
    table.say(SAID, by="pm")
    form = opened(table)
    at = field(form, STICKERS)
    assert at["hint"]["text"] == "said by pm"
    assert list(offered(form, STICKERS))[-8:] == [
        "Requirement",
        "Acceptance check of …",
        "Out of scope",
        "Decision",
        "Risk",
        "Open question",
        "Only a note",
        "Replaces another line …",
    ]


def test_a_tap_sorts_a_line_and_says_who_did(table: ServedBot) -> None:
    table.say(SAID)
    posts = len(table.slack.messages(CHANNEL))
    sort(table, hold_a_slot="Out of scope")
    assert kinds(table)[HOLD] == "exclusion"
    assert f"Out of scope (sorted by dev): {HOLD}" in step_message(table).plain
    assert "sorted by dev" in written(table)
    assert len(table.slack.messages(CHANNEL)) == posts


def test_nothing_changed_is_nothing_noted(table: ServedBot) -> None:
    table.say(SAID)
    before = kinds(table)
    sort(table)
    assert kinds(table) == before
    assert table.table.runtime.reader.corrections(table.session().id) == ()


def test_it_is_undone_by_choosing_the_former_sort_again(table: ServedBot) -> None:
    table.say(SAID)
    sort(table, hold_a_slot="Requirement")
    sort(table, hold_a_slot="Only a note")
    assert kinds(table)[HOLD] == "note"
    sort(table, by="pm", hold_a_slot="Requirement")
    assert kinds(table)[HOLD] == "requirement"


def test_a_check_asks_of_which_line_in_a_second_form(table: ServedBot) -> None:
    table.say(SAID)
    sort(table, hold_a_slot="Requirement")
    form = opened(table)
    which = submit(table, "dev", form, choosing(form, stickers="Acceptance check of …"))
    assert which is not None
    assert list(offered(which, STICKERS)) == [f"FR-001 {HOLD}", "Nobody said which"]
    assert submit(table, "dev", which, choosing(which)) is None
    assert kinds(table)[STICKERS] == "check"
    assert "Check of FR-001 (sorted by dev)" in step_message(table).plain


def test_a_line_can_stand_in_the_place_of_another(table: ServedBot) -> None:
    table.say(SAID)
    form = opened(table)
    which = submit(table, "dev", form, choosing(form, stickers="Replaces another line …"))
    assert which is not None
    submit(table, "dev", which, choosing(which))
    assert "(replaced by “" in step_message(table).plain
    assert "~~" in written(table)


def test_lines_that_changed_while_somebody_looked_come_back_as_they_are_now(
    table: ServedBot,
) -> None:
    table.say(SAID)
    form = opened(table)
    values = choosing(form, hold_a_slot="Out of scope")
    table.say("- the nurse sees the list", by="pm")
    again = submit(table, "dev", form, values)
    assert again is not None
    assert "The lines changed while you looked." in str(again.view["blocks"])
    assert any("nurse" in label for label in fields(again))
    assert kinds(table)[HOLD] != "exclusion"
    assert submit(table, "dev", again, choosing(again, hold_a_slot="Out of scope")) is None
    assert kinds(table)[HOLD] == "exclusion"


def test_forty_lines_are_a_page_and_nothing_is_lost_in_turning_it(table: ServedBot) -> None:
    table.say("\n".join(f"- line number {n} of the long list" for n in range(1, 96)))
    form = opened(table)
    assert len([label for label in fields(form) if "line number" in label]) == 40
    turned = choosing(form, line_number_7_of="Out of scope", Then="Show lines 41 to 80")
    second = submit(table, "dev", form, turned)
    assert second is not None
    turned = choosing(second, line_number_55_of="Risk", Then="Show lines 1 to 40")
    first = submit(table, "dev", second, turned)
    assert first is not None
    at = field(first, "line number 7 of")["element"]["initial_option"]
    assert at["text"]["text"] == "Out of scope"
    assert submit(table, "dev", first, choosing(first, Then="Save what I changed")) is None
    sorted_now = kinds(table)
    assert sorted_now["line number 7 of the long list"] == "exclusion"
    assert sorted_now["line number 55 of the long list"] == "risk"


def test_a_passed_step_is_sorted_silently_in_its_own_message(table: ServedBot) -> None:
    table.say(SAID)
    step = table.session().course.step
    table.forward()
    posts = len(table.slack.messages(CHANNEL))
    form = opened(table, step=step)
    submit(table, "dev", form, choosing(form, hold_a_slot="Out of scope"))
    assert "Out of scope (sorted by dev)" in step_message(table, step).plain
    assert table.session().course.step != step
    assert len(table.slack.messages(CHANNEL)) == posts


def test_it_outlives_an_edit_that_keeps_the_words_and_is_listed_once_they_are_gone(
    table: ServedBot,
) -> None:
    ts = table.say(SAID)
    sort(table, hold_a_slot="Out of scope")
    table.slack.edit("pm", CHANNEL, ts, f"{SAID}\n- and one more line here")
    table.settle()
    assert kinds(table)[HOLD] == "exclusion"
    table.slack.edit("pm", CHANNEL, ts, f"- {STICKERS}")
    table.settle()
    words = "No longer said: a line that dev had sorted as out of scope"
    assert words in step_message(table).plain
    assert words in written(table)
    assert HOLD not in written(table)


def test_it_outlives_a_restart(table: ServedBot) -> None:
    table.say(SAID)
    sort(table, hold_a_slot="Out of scope")
    table.restart()
    table.say("One thing more.", by="pm")
    assert kinds(table)[HOLD] == "exclusion"


def test_while_a_session_is_halted_its_messages_have_no_sorting(table: ServedBot) -> None:
    table.say(SAID)
    assert any(each.startswith("sort:") for each in buttons(step_message(table)))
    table.say("the key is xoxb-" + "123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx")
    assert not any(each.startswith("sort:") for each in buttons(step_message(table)))


def test_somebody_who_has_the_form_open_when_it_halts_is_told_why(table: ServedBot) -> None:
    table.say(SAID)
    form = opened(table)
    values = choosing(form, hold_a_slot="Out of scope")
    table.say("the key is xoxb-" + "123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx")
    heard = len(told(table, "dev"))
    submit(table, "dev", form, values)
    table.settle_until(lambda: len(told(table, "dev")) > heard)
    assert kinds(table)[HOLD] != "exclusion"


def test_whoever_saves_second_sees_what_the_first_chose_and_goes_on_from_there(
    table: ServedBot,
) -> None:
    table.say(SAID)
    forms = {by: opened(table, by) for by in ("pm", "dev")}
    mine = choosing(forms["pm"], hold_a_slot="Out of scope")
    theirs = choosing(forms["dev"], hold_a_slot="Risk", stickers="Decision")
    assert submit(table, "pm", forms["pm"], mine) is None
    again = submit(table, "dev", forms["dev"], theirs)
    assert again is not None
    assert "The lines changed while you looked." in str(again.view["blocks"])
    at = field(again, HOLD)
    assert at["hint"]["text"] == "said by pm · sorted by pm"
    assert at["element"]["initial_option"]["text"]["text"] == "Out of scope"
    assert kinds(table)[HOLD] == "exclusion"
    assert kinds(table)[STICKERS] != "decision"
    assert submit(table, "dev", again, choosing(again, stickers="Decision")) is None
    assert (kinds(table)[HOLD], kinds(table)[STICKERS]) == ("exclusion", "decision")


def test_two_forms_that_leave_at_once_are_never_mixed_up(table: ServedBot) -> None:
    table.say(SAID)
    forms = {by: opened(table, by) for by in ("pm", "dev")}
    with table.slack.world.lock:  # both leave before the first is answered
        for by, form in forms.items():
            table.slack.submit(by, form.id, choosing(form, hold_a_slot="Out of scope"))
    table.settle()
    corrections = table.table.runtime.reader.corrections(table.session().id)
    assert {(one.line.quote, one.sort) for one in corrections} == {(HOLD, "exclusion")}
    assert len({one.by for one in corrections}) == len(corrections)
    assert kinds(table)[HOLD] == "exclusion"


def test_a_form_that_is_submitted_twice_is_noted_once(table: ServedBot) -> None:
    table.say(SAID)
    form = opened(table)
    values = choosing(form, hold_a_slot="Out of scope")
    with table.slack.world.lock:
        for _ in range(2):
            table.slack.submit("dev", form.id, values)
    table.settle()
    assert len(table.table.runtime.reader.corrections(table.session().id)) == 1


def test_the_form_has_a_field_for_the_forty_first_line_on_its_second_page(table: ServedBot) -> None:
    table.say("\n".join(f"- line number {n} of the long list" for n in range(1, 42)))
    form = opened(table)
    assert "You see lines 1 to 40 of 41." in str(form.view["blocks"])
    second = submit(table, "dev", form, choosing(form, Then="Show line 41"))
    assert second is not None
    (line,) = [label for label in fields(second) if "line number" in label]
    assert "line number 41" in line
    values = choosing(second, line_number_41="Out of scope", Then="Save what I changed")
    assert submit(table, "dev", second, values) is None
    assert kinds(table)["line number 41 of the long list"] == "exclusion"


def test_a_requirement_is_put_under_the_story_that_it_serves(table: ServedBot) -> None:
    while table.session().course.step != "01-07":
        table.say("The board prints it every Monday.")
        table.forward()
    table.say(f"{SAID}\n- As front desk I want to hold a slot so that nobody takes it twice.")
    sort(table, hold_a_slot_for_ten="Requirement")
    story = next(
        one for one in table.table.runtime.reader.claims(table.session().id) if one.kind == "story"
    )
    form = opened(table)
    values = choosing(form, hold_a_slot_for_ten="Belongs to a story or goal …")
    which = submit(table, "dev", form, values)
    assert which is not None
    assert list(offered(which, HOLD)) == [f"{story.ref} {story.text}", "None of these"]
    assert submit(table, "dev", which, choosing(which)) is None
    held = next(
        one for one in table.table.runtime.reader.claims(table.session().id) if one.text == HOLD
    )
    assert (held.kind, held.data["stories"]) == ("requirement", story.ref)


def test_a_line_that_stands_alone_replaces_none(table: ServedBot) -> None:
    table.say(f"- {STICKERS}")
    form = opened(table)
    which = submit(table, "dev", form, choosing(form, stickers="Replaces another line …"))
    assert which is not None
    assert list(offered(which, STICKERS)) == ["None of these"]
    assert submit(table, "dev", which, choosing(which)) is None
    assert table.table.runtime.reader.corrections(table.session().id) == ()


def test_what_says_most_of_a_step_stands_first_whenever_it_was_said(table: ServedBot) -> None:
    table.say(f"- {STICKERS}\n- {HOLD}")
    sort(table, stickers="Only a note", hold_a_slot="Requirement")
    shown = step_message(table).plain
    assert "Sorted: 1 requirement · 1 aside" in shown
    assert shown.index("• Requirement (sorted by dev)") < shown.index("• Aside (sorted by dev)")


def test_a_follow_up_that_nobody_answered_is_left_open_and_sorted_as_nothing(
    table: ServedBot,
) -> None:
    table.say(SAID)
    step = table.session().course.step
    table.forward()
    shown = step_message(table, step).plain
    assert shown.partition("Left open:")[2].count("Asked, not answered: ") == 1
    assert "Asked, not answered: " not in shown.partition("Left open:")[0]
