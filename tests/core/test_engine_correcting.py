"""A tap on how a line was sorted: it is kept, the step is read by it, and nothing moves."""

from pathlib import Path

import pytest

from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import Claim, LineRef
from core.domain.ids import StepId, UserId
from core.domain.lines import Correction, Sort, line_of, lines_mark
from core.runtime.commit import Handled
from core.store.journal.replay import replayed
from tests.support.fakes import DEV, OWNER
from tests.support.harness import Harness, small_table

FIRST = StepId("01-01")
SAID = "The desk can hold a slot.\nWe tried stickers once."
HOLD, STICKERS = "The desk can hold a slot.", "We tried stickers once."


@pytest.fixture
def table(tmp_path: Path) -> Harness:
    table = small_table(tmp_path)
    table.start()
    table.say(SAID)
    return table


def lines(table: Harness, step: StepId = FIRST) -> list[Claim]:
    return [claim for claim in table.runtime.reader.claims(table.id) if claim.step == step]


def line(table: Harness, quote: str) -> LineRef:
    found = next(line_of(claim) for claim in lines(table) if claim.text == quote)
    assert found is not None
    return found


def kind_of(table: Harness, quote: str) -> str:
    return next(claim.kind for claim in lines(table) if claim.text == quote)


def tap(
    table: Harness,
    quote: str,
    sort: Sort,
    of: str | None = None,
    *,
    by: UserId = DEV,
    shown: str | None = None,
    why: str = "",
) -> Handled:
    other = line(table, of) if of else None
    at = table.clock.now()
    correction = Correction(FIRST, line(table, quote), sort, by, at, other, why)
    mark = lines_mark(lines(table)) if shown is None else shown
    event = on.LinesSorted(by, at, FIRST, mark, (correction,))
    return table.take(event)


def test_a_tap_reads_the_step_again_and_the_line_is_what_was_chosen(table: Harness) -> None:
    handled = tap(table, HOLD, "exclusion")
    assert handled.reply == fx.Reply("lines-sorted", {"step": "First"})
    assert kind_of(table, HOLD) == "exclusion"
    assert (table.session.status, table.session.course.step) == ("choosing", FIRST)


def test_it_is_kept_with_who_and_when(table: Harness) -> None:
    tap(table, HOLD, "risk")
    (kept,) = table.runtime.reader.corrections(table.id)
    assert (kept.by, kept.sort, kept.line.quote) == (DEV, "risk", HOLD)


def test_it_outlives_late_answers_and_edits_of_other_words(table: Harness) -> None:
    ts = table.say("The nurse sees the list.")
    tap(table, HOLD, "exclusion")
    table.edit(ts, "The nurse sees the whole list.")
    table.forward()
    table.say("One thing more.")
    assert kind_of(table, HOLD) == "exclusion"


def test_a_passed_step_is_rebuilt_and_nothing_moves(table: Harness) -> None:
    table.forward()
    said, here = len(table.said), table.session.course.step
    tap(table, HOLD, "exclusion")
    assert kind_of(table, HOLD) == "exclusion"
    assert (table.session.course.step, table.session.status) == (here, "asking")
    assert len(table.said) == said
    assert table.statuses[FIRST] == "completed"


def test_what_was_submitted_against_older_lines_changes_nothing(table: Harness) -> None:
    shown = lines_mark(lines(table))
    table.say("The nurse sees the list.")
    handled = tap(table, HOLD, "exclusion", shown=shown)
    assert handled.reply == fx.Reply("lines-changed")
    assert table.runtime.reader.corrections(table.id) == ()


def test_a_halted_session_takes_none_and_says_so(table: Harness) -> None:
    mark, said = lines_mark(lines(table)), line(table, HOLD)
    table.take(on.DamageFound(table.clock.now(), "ERR-DATA-002", "a rule"))
    correction = Correction(FIRST, said, "note", DEV, 1.0)
    event = on.LinesSorted(DEV, table.clock.now(), FIRST, mark, (correction,))
    handled = table.take(event)
    assert handled.reply is not None
    assert handled.reply.kind == "is-halted"


def test_while_it_is_paused_it_is_kept_and_read_at_resume(table: Harness) -> None:
    table.take(on.PauseRequested(OWNER, table.clock.now()))
    tap(table, HOLD, "exclusion")
    table.resume()
    assert kind_of(table, HOLD) == "exclusion"


def test_a_completed_session_is_corrected_too(table: Harness) -> None:
    table.finish()
    tap(table, HOLD, "exclusion")
    assert kind_of(table, HOLD) == "exclusion"
    assert table.session.status == "completed"


def test_a_credential_in_why_is_not_taken_in(table: Harness) -> None:
    token = "xoxb-" + "123456789012-1234567890123-" + "AbCdEfGhIjKlMnOpQrStUvWx"
    handled = tap(table, HOLD, "beside", STICKERS, why=f"it says {token}")
    assert handled.reply == fx.Reply("secret-sentence")
    assert table.runtime.reader.corrections(table.id) == ()


def test_its_journal_decides_the_same_again(table: Harness) -> None:
    tap(table, HOLD, "exclusion")
    tap(table, HOLD, "note", by=OWNER)
    table.forward()
    tap(table, STICKERS, "replaces", HOLD)
    found = replayed(table.runtime.database, table.id)
    assert (found.differences, found.events == found.compared) == ((), True)
