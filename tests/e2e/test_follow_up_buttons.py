"""The buttons of a follow-up as people use them: one ends it, once, and says so with a name."""

import copy
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.devtools.workspace import WorkspaceMessage
from core.domain.answers import Claim
from core.domain.follow_ups import FollowUp
from core.domain.lines import superseded
from tests.e2e.forms import told
from tests.e2e.test_differences import (
    buttons,
    click_again,
    press,
    step_message,
    submit,
    written,
)
from tests.e2e.wiretap import Wiretap
from tests.support.rows import run_query, snapshot
from tests.support.served_bot import CHANNEL, ServedBot, served_bot

SMALL = "It is small, a week of work for one person."
LARGE = "It is large if you ask me, two months of work."
BESIDE = (
    "By the way, the board prints the dashboard every Monday morning, and the auditors keep"
    " what was printed for ten years."
)
WHY = "Small for the board, large for the auditors."
SIDES = ["menu:first", "menu:second", "menu:both"]
WAYS = ["menu:skip-question", "menu:unknown"]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedBot]:
    """Two people differ on the size, and are asked which of the two holds."""
    with served_bot(tmp_path) as table:
        table.start("Export dashboard as PDF")
        table.say(SMALL)
        table.say(LARGE, by="dev")
        yield table


def asked(table: ServedBot, number: int = 0) -> FollowUp:
    state = table.table.runtime.reader.all_steps(table.session().id)[0]
    return state.questions.follow_ups[number]


def tap(table: ServedBot, choice: str, by: str = "dev") -> None:
    table.slack.click(by, CHANNEL, step_message(table).ts, f"menu:{choice}")
    table.settle()


def replaced(table: ServedBot) -> dict[str, str]:
    """Text of a line that another one stands in place of → that one's."""
    claims: dict[str, Claim] = {
        claim.id: claim for claim in table.table.runtime.reader.claims(table.session().id)
    }
    return {claims[old].text: new.text for old, new in superseded(claims.values()).items()}


def choices_of(table: ServedBot, name: str) -> int:
    """How many choices of that name are in the journal: refused ones are not."""
    journal = "SELECT count(*) FROM journal WHERE kind = 'ChoiceMade' AND doc LIKE ?"
    (count,) = run_query(
        table.table.runtime.database, journal, (f'%"choice":"{name}"%',)
    ).fetchone()
    return int(count)


def first_step(table: ServedBot) -> WorkspaceMessage:
    return step_message(table, table.table.runtime.reader.all_steps(table.session().id)[0].id)


# ── what is shown ──


def test_a_difference_has_its_three_sides_and_the_ways_to_leave_it_open(table: ServedBot) -> None:
    shown = buttons(step_message(table))
    assert shown[:5] == [*SIDES, *WAYS]
    assert "[The first] [The second] [Both, and why]" in step_message(table).plain
    assert "[Skip] [We don't know yet]" in step_message(table).plain


def test_another_question_has_the_ways_to_leave_it_open_alone(table: ServedBot) -> None:
    tap(table, "skip-question")
    assert asked(table, 1).outcome == "open"
    assert buttons(step_message(table))[:2] == WAYS


# ── Skip, and We don't know yet ──


def test_what_somebody_skips_is_listed_with_their_name_and_not_asked_again(
    table: ServedBot,
) -> None:
    tap(table, "skip-question")
    assert (asked(table).outcome, asked(table).by) == ("skipped", table.slack.user_id("dev"))
    assert f"Skipped by dev: {asked(table).question}" in step_message(table).plain
    assert "Skipped by dev: " in written(table)
    assert f"One more question: {asked(table).question}" not in step_message(table).plain


def test_what_nobody_knows_yet_is_an_open_question_with_a_name_on_it(table: ServedBot) -> None:
    tap(table, "unknown")
    assert asked(table).outcome == "unknown"
    assert f"{asked(table).question} (dev does not know yet)" in step_message(table).plain
    assert "(dev does not know yet)" in written(table)
    questions = [
        claim.text
        for claim in table.table.runtime.reader.claims(table.session().id)
        if claim.kind == "question"
    ]
    assert questions == [f"{asked(table).question} (dev does not know yet)"]


def test_the_name_is_still_there_once_people_went_on(table: ServedBot) -> None:
    tap(table, "unknown")
    table.forward()
    assert f"{asked(table).question} (dev does not know yet)" in first_step(table).plain


# ── the first, the second ──


@pytest.mark.parametrize(
    ("choice", "outcome"), [("first", {LARGE: SMALL}), ("second", {SMALL: LARGE})]
)
def test_a_tap_says_which_line_holds_and_the_other_stays_struck_through(
    table: ServedBot, choice: str, outcome: dict[str, str]
) -> None:
    posts = len(table.slack.messages(CHANNEL))
    tap(table, choice)
    ((older, newer),) = outcome.items()
    assert replaced(table) == outcome
    assert f"~~{older}~~" in written(table)
    assert f"(replaced by “{newer[:20]}" in step_message(table).plain
    assert "(sorted by dev)" in step_message(table).plain
    assert len(table.slack.messages(CHANNEL)) == posts


# ── both, and why ──


def test_both_opens_a_form_that_quotes_both_lines(table: ServedBot) -> None:
    form = press(table, "dev", "menu:both")
    assert form is not None
    assert f"“{SMALL}”" in form.plain
    assert f"“{LARGE}”" in form.plain
    assert asked(table).outcome == "open"


def test_the_why_stands_beside_both_lines_in_message_and_artifact(table: ServedBot) -> None:
    form = press(table, "dev", "menu:both")
    assert form is not None
    assert submit(table, "dev", form, reason=WHY) is None
    assert asked(table).outcome == "answered"
    assert replaced(table) == {}
    for other in (SMALL, LARGE):
        assert f"Holds beside “{other[:20]}" in step_message(table).plain
        assert f"Holds beside: {other} *(both hold, says dev: {WHY})*" in written(table)
    assert step_message(table).plain.count(WHY) == 2
    assert "Differs from" not in written(table)


def test_both_hold_also_if_nobody_says_why(table: ServedBot) -> None:
    form = press(table, "dev", "menu:both")
    assert form is not None
    assert submit(table, "dev", form) is None
    assert asked(table).outcome == "answered"
    assert f"Holds beside: {SMALL} *(both hold, says dev)*" in written(table)


@pytest.mark.parametrize("why", ["<!channel> <@U0PM00001> *now*", "[x](https://evil.example) <b>"])
def test_markup_and_mentions_in_a_why_stay_words(table: ServedBot, why: str) -> None:
    pings = len(table.slack.pings)
    form = press(table, "dev", "menu:both")
    assert form is not None
    submit(table, "dev", form, reason=why)
    assert why in step_message(table).plain
    assert len(table.slack.pings) == pings
    assert "](https://evil.example)" not in written(table).replace("\\]", "")


def test_a_credential_in_a_why_is_refused_at_its_field_and_kept_nowhere(table: ServedBot) -> None:
    token = "xoxb-" + "1234567890-1234567890-" + "a1B2c3D4e5F6g7H8i9J0k1L2"
    form = press(table, "dev", "menu:both")
    assert form is not None
    left = submit(table, "dev", form, reason=f"See {token}")
    assert left is not None
    assert "password, key or token" in left.errors["reason"]
    assert asked(table).outcome == "open"
    assert token not in "\n".join(snapshot(table.table.runtime.database))
    assert submit(table, "dev", form, reason=WHY) is None
    assert WHY in written(table)


def test_a_reply_of_somebody_else_meanwhile_loses_nothing_of_what_was_typed(
    table: ServedBot,
) -> None:
    form = press(table, "dev", "menu:both")
    assert form is not None
    before = table.session().menus.follow_up
    table.say(BESIDE)
    assert table.session().menus.follow_up != before
    assert submit(table, "dev", form, reason=WHY) is None
    assert step_message(table).plain.count(WHY) == 2


def test_a_form_whose_lines_are_gone_is_refused_at_its_field(table: ServedBot) -> None:
    form = press(table, "dev", "menu:both")
    assert form is not None
    small = table.table.runtime.reader.answers(table.session().id)[0]
    table.slack.edit("pm", CHANNEL, small.ts, BESIDE)
    table.settle()
    left = submit(table, "dev", form, reason=WHY)
    assert left is not None
    assert left.errors["reason"]
    assert WHY not in written(table)
    assert table.table.runtime.reader.corrections(table.session().id) == ()


def test_a_form_that_is_submitted_after_the_step_went_on_changes_nothing(table: ServedBot) -> None:
    form = press(table, "dev", "menu:both")
    assert form is not None
    table.forward()
    left = submit(table, "dev", form, reason=WHY)
    assert left is not None
    assert left.errors["reason"]
    assert asked(table).outcome == "passed"
    assert WHY not in written(table)


def test_whoever_comes_second_with_a_form_is_told_at_its_field(table: ServedBot) -> None:
    forms = {by: press(table, by, "menu:both") for by in ("pm", "dev")}
    mine, theirs = forms["pm"], forms["dev"]
    assert mine is not None
    assert theirs is not None
    assert submit(table, "pm", mine, reason=WHY) is None
    left = submit(table, "dev", theirs, reason="The other way round.")
    assert left is not None
    assert "pm was a little quicker" in left.errors["reason"]
    assert "The other way round." not in written(table)
    assert WHY in written(table)


def test_a_form_that_is_submitted_twice_is_noted_once(table: ServedBot) -> None:
    form = press(table, "dev", "menu:both")
    assert form is not None
    with table.slack.world.lock:  # both leave before the first is answered
        for _ in range(2):
            table.slack.submit("dev", form.id, {"reason": WHY})
    table.settle()
    assert choices_of(table, "both") == 1
    assert len(table.table.runtime.reader.corrections(table.session().id)) == 1


def test_a_form_that_was_open_while_the_bot_began_anew_is_taken(table: ServedBot) -> None:
    form = press(table, "dev", "menu:both")
    assert form is not None
    table.restart()
    assert submit(table, "dev", form, reason=WHY) is None
    assert step_message(table).plain.count(WHY) == 2


# ── taps that come twice, late, from outside, or after a restart ──


@pytest.mark.parametrize("choice", ["skip-question", "unknown", "first", "second", "both"])
def test_a_tap_after_somebody_elses_is_told_kindly_and_changes_nothing(
    table: ServedBot, choice: str
) -> None:
    shown, menu = step_message(table), table.session().menus.follow_up
    tap(table, "first", by="pm")
    before = asked(table), replaced(table)
    click_again(table, shown, f"menu:{choice}", str(menu))
    table.settle_until(lambda: any("was a little quicker" in one for one in told(table, "dev")))
    assert (asked(table), replaced(table)) == before


def test_two_taps_at_once_count_once(table: ServedBot) -> None:
    shown = step_message(table)
    with table.slack.world.lock:  # both leave before the first is answered
        for by in ("pm", "dev"):
            table.slack.click(by, CHANNEL, shown.ts, "menu:skip-question")
    table.settle()
    assert asked(table).outcome == "skipped"
    assert choices_of(table, "skip-question") == 1
    assert asked(table, 1).outcome == "open"


@pytest.mark.parametrize("choice", ["skip-question", "unknown", "first", "second", "both"])
def test_a_tap_after_the_step_went_on_is_told_kindly_and_changes_nothing(
    table: ServedBot, choice: str
) -> None:
    shown, menu = step_message(table), table.session().menus.follow_up
    table.forward()
    heard = len(told(table, "dev"))
    click_again(table, shown, f"menu:{choice}", str(menu))
    table.settle_until(lambda: len(told(table, "dev")) > heard)
    assert asked(table).outcome == "passed"
    assert replaced(table) == {}
    assert not any(modal.to == "dev" for modal in table.slack.modals)


@pytest.mark.parametrize("choice", ["skip-question", "unknown", "first", "second", "both"])
def test_a_tap_of_somebody_from_outside_changes_nothing(table: ServedBot, choice: str) -> None:
    wire = Wiretap(table)
    wire.holding = True
    table.slack.click("dev", CHANNEL, step_message(table).ts, f"menu:{choice}")
    wire.holding = False
    click = copy.deepcopy(wire.last("block_actions").payload)
    click["user"]["team_id"] = "T0OTHER"
    wire.send(wire.parcels[-1], click)
    assert asked(table).outcome == "open"
    assert "Only the person who started this" in told(table, "dev")[-1]
    assert table.slack.modals == []


@pytest.mark.parametrize(
    ("choice", "outcome"),
    [("skip-question", "skipped"), ("unknown", "unknown"), ("first", "answered")],
)
def test_a_tap_after_a_restart_counts(table: ServedBot, choice: str, outcome: str) -> None:
    table.restart()
    tap(table, choice)
    assert asked(table).outcome == outcome


def test_once_somebody_has_gone_on_the_lines_stand_there_and_no_longer_what_came_last(
    table: ServedBot,
) -> None:
    recorded = table.table.runtime.reader.all_steps(table.session().id)[0].recorded
    assert recorded.split("”")[0] in first_step(table).plain
    table.forward()
    assert recorded.split("”")[0] not in first_step(table).plain
    assert SMALL in first_step(table).plain
