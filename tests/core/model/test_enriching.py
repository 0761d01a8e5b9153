"""Models read once people went on, because somebody asked: offered, accepted or kept, also late."""

from pathlib import Path

import pytest

from core.domain import effects as fx
from core.domain import events as on
from core.domain.model_calls import ModelLine, Usage
from core.domain.session.enriching import Decided, EnrichedPhase
from core.domain.session.step import StepState
from core.engine.model.enriching import ACCEPT, KEEP, STEPWISE
from core.runtime.commit import Handled
from core.store.journal.replay import replayed
from tests.core.model.test_refining import Read, hold, table_in
from tests.support.fakes import CHANNEL, DEV, TEAM
from tests.support.model_calls import TWO, Said, fails, hangs, line_ref, read

SAID = "The page must show the total. The page must print. Sam keeps the books."
TOTAL, PRINT, _ = (part.strip() for part in SAID.rstrip(".").split("."))
ARCHIVE, ARCHIVED = "It must keep the archive for a year", "The archive is kept for a year."


@pytest.fixture
def table(tmp_path: Path) -> Read:
    return read_by_script(tmp_path)


def read_by_script(folder: Path) -> Read:
    """A session whose two first steps the script alone read, and that is completed."""
    table = table_in(folder)
    choose(table, script_only=True)
    table.answer(SAID)
    table.answer(f"{ARCHIVE}.")
    table.finish()
    assert table.session.status == "completed"
    assert not table.models.requests
    choose(table, script_only=False)
    return table


def choose(table: Read, *, script_only: bool) -> None:
    event = on.BrainChosen(
        table.cast.owner, table.clock.now(), TEAM, CHANNEL, script_only=script_only
    )
    table.take(event)


def enrich(table: Read) -> Handled:
    return table.take(on.EnrichRequested(DEV, table.clock.now()))


def line_of(
    table: Read, step: str, quote: str, text: str, kind: str = "requirement", *more: str
) -> ModelLine:
    (answer,) = [one for one in table.runtime.reader.answers(table.id) if one.step == step]
    quotes = tuple(line_ref(answer.id, part) for part in (quote, *more))
    return ModelLine(kind, text, quotes)


def says(table: Read, *lines: ModelLine) -> None:
    """What comes of the first request; of those after it nothing is read."""
    table.models.says.append(read(*lines))


def phases(table: Read) -> tuple[EnrichedPhase, ...]:
    return table.session.model.enriched


def first(table: Read) -> EnrichedPhase:
    return phases(table)[0]


def state(table: Read, step: str) -> StepState:
    return next(one for one in table.runtime.reader.all_steps(table.id) if one.id == step)


def lines_at(table: Read, step: str) -> list[tuple[str, str]]:
    return [
        (one.kind, one.text) for one in table.runtime.reader.claims(table.id) if one.step == step
    ]


def refs(table: Read) -> dict[str, str]:
    return {one.ref: one.id for one in table.runtime.reader.claims(table.id) if one.ref}


def test_every_step_is_read_one_after_the_other_and_each_phase_gets_one_message(
    table: Read,
) -> None:
    read_steps = [one.id for one in table.runtime.reader.all_steps(table.id) if one.basis]
    assert len(read_steps) > 2
    before = table.runtime.reader.claims(table.id), table.statuses, table.phases
    table.models.says.append(hangs)
    line = line_of(table, "01-01", TOTAL, "The page shows the total.")
    done = enrich(table)
    assert done.reply is not None
    assert done.reply.kind == "enrich-begun"
    assert [one.step for one in table.models.requests] == read_steps[:1]
    assert not table.shown(fx.ShowEnriched)
    table.models.answer(read(line))
    table.settle()
    assert [one.step for one in table.models.requests] == read_steps
    assert {one.asks for one in table.models.requests} == {"read_answers"}
    shown = [effect.phase for effect in table.shown(fx.ShowEnriched)]
    assert shown == sorted(set(shown))
    assert state(table, "01-01").model.waiting == (line,)
    assert first(table).offered == ("01-01",)
    assert (table.runtime.reader.claims(table.id), table.statuses, table.phases) == before
    assert table.session.status == "completed"


def test_accepted_lines_stand_and_no_name_line_or_step_is_lost(table: Read) -> None:
    before, claims = refs(table), table.runtime.reader.claims(table.id)
    progress = table.statuses, table.phases, table.session.course.done
    reworded = line_of(table, "01-01", TOTAL, "The page shows the total.")
    says(table, reworded)
    enrich(table)
    table.click(ACCEPT, DEV, first(table).menu)
    assert "The page shows the total." in [text for _, text in lines_at(table, "01-01")]
    assert refs(table) == before
    assert len(table.runtime.reader.claims(table.id)) == len(claims)
    assert (table.statuses, table.phases, table.session.course.done) == progress
    assert state(table, "01-01").model.waiting == ()
    assert first(table).decided == (Decided("01-01", "accepted", DEV),)
    assert first(table).menu is None
    sections = [one.body for one in table.runtime.reader.sections(table.id)]
    assert any("The page shows the total." in body for body in sections)


@pytest.mark.parametrize("way", ["joined", "another kind"])
def test_a_line_with_a_name_is_not_joined_away_once_people_went_on(table: Read, way: str) -> None:
    before = refs(table)
    assert len([ref for ref in before if ref.startswith("FR-")]) >= 2
    both = "The page must show the total and print."
    line = (
        line_of(table, "01-01", TOTAL, both, "requirement", PRINT)
        if way == "joined"
        else line_of(table, "01-01", TOTAL, TOTAL, "exclusion")
    )
    says(table, line)
    enrich(table)
    table.click(ACCEPT, DEV, first(table).menu)
    assert refs(table) == before


def test_kept_as_it_is_nothing_changes_and_it_is_not_read_again(table: Read) -> None:
    before = table.runtime.reader.claims(table.id), table.runtime.reader.sections(table.id)
    says(table, line_of(table, "01-01", TOTAL, "The page shows the total."))
    enrich(table)
    count = len(table.models.requests)
    table.click(KEEP, DEV, first(table).menu)
    assert (table.runtime.reader.claims(table.id), table.runtime.reader.sections(table.id)) == (
        before
    )
    assert state(table, "01-01").model.waiting == ()
    assert first(table).decided == (Decided("01-01", "kept", DEV),)
    enrich(table)
    assert table.reply == "enrich-nothing"
    assert len(table.models.requests) == count


def test_step_by_step_each_step_is_decided_alone(table: Read) -> None:
    one = line_of(table, "01-01", TOTAL, "The page shows the total.")
    other = line_of(table, "01-02", ARCHIVE, ARCHIVED)
    says(table, one)
    says(table, other)
    enrich(table)
    whole = first(table).menu
    assert first(table).offered == ("01-01", "01-02")
    table.click(STEPWISE, DEV, whole)
    assert first(table).shown == ("01-01",)
    table.click(KEEP, DEV, first(table).menu)
    assert first(table).shown == ("01-02",)
    table.click(ACCEPT, None, first(table).menu)
    assert first(table).decided == (
        Decided("01-01", "kept", DEV),
        Decided("01-02", "accepted", table.cast.owner),
    )
    assert state(table, "01-01").model.lines == ()
    assert state(table, "01-02").model.lines == (other,)
    assert table.click(ACCEPT, DEV, whole).reply is not None  # the first menu has acted
    assert state(table, "01-01").model.lines == ()
    shown = [
        effect for effect in table.shown(fx.ShowEnriched) if effect.phase == first(table).phase
    ]
    assert len(shown) > 1
    assert len({effect.name for effect in shown}) == 1  # one message, edited


def test_accepted_steps_are_read_one_after_the_other_so_that_none_undoes_another(
    table: Read,
) -> None:
    says(table, line_of(table, "01-01", TOTAL, "The page shows the total."))
    says(table, line_of(table, "01-02", ARCHIVE, ARCHIVED))
    enrich(table)
    accept = table.choice(ACCEPT, DEV, first(table).menu)
    table.runtime.handle(accept, team=TEAM, session=table.id)
    rows = table.outbox_worker.brains_due(table.id)[0]
    assert [vars(row.effect)["step"] for row in rows] == ["01-01"]
    assert first(table).unwritten == ("01-01", "01-02")
    table.settle()
    assert first(table).unwritten == ()
    bodies = " ".join(one.body for one in table.runtime.reader.sections(table.id))
    assert "The page shows the total." in bodies
    assert ARCHIVED in bodies


def test_what_came_late_during_the_run_is_offered_without_another_request(tmp_path: Path) -> None:
    table = table_in(tmp_path)
    hold(table, SAID)
    table.pass_time(13.0)
    line = line_of(table, "01-01", TOTAL, "The page shows the total.")
    table.forward()
    table.models.answer(read(line))
    table.settle()
    count = len(table.models.requests)
    enrich(table)
    assert len(table.models.requests) == count
    assert first(table).offered == ("01-01",)
    status = table.session.status
    table.click(ACCEPT, DEV, first(table).menu)
    assert state(table, "01-01").model.lines == (line,)
    assert table.session.status == status


def test_while_it_is_read_nobody_begins_it_a_second_time(table: Read) -> None:
    table.models.says.append(hangs)
    enrich(table)
    enrich(table)
    assert table.reply == "enrich-under-way"
    assert len(table.models.requests) == 1


def test_without_a_model_nothing_is_read(tmp_path: Path) -> None:
    table = table_in(tmp_path)
    choose(table, script_only=True)
    table.answer(SAID)
    enrich(table)
    assert table.reply == "enrich-no-model"
    assert not table.models.requests


def test_before_anything_was_said_there_is_nothing_to_read(tmp_path: Path) -> None:
    table = table_in(tmp_path)
    enrich(table)
    assert table.reply == "enrich-nothing"


def test_where_no_model_can_read_a_step_the_message_says_so_and_it_may_be_asked_again(
    table: Read,
) -> None:
    broken: list[Said] = [fails("permanent", "400"), fails("permanent", "400")]
    table.models.says.extend(broken)
    faults = table.messages
    enrich(table)
    assert "01-01" in first(table).unread
    assert first(table).menu is None
    assert table.messages == faults  # the phase's message says it
    table.pass_time(61.0)
    says(table, line_of(table, "01-01", TOTAL, "The page shows the total."))
    enrich(table)
    assert first(table).offered == ("01-01",)
    assert first(table).unread == ()


def test_over_the_budget_nothing_more_is_read_and_what_came_is_shown(table: Read) -> None:
    offer = type(TWO)(TWO.models, TWO.patience_s, 20_000)
    table.runtime._decider.conditions = type(table.runtime._decider.conditions)(offer=offer)
    line = line_of(table, "01-01", TOTAL, "The page shows the total.")
    table.models.says.append(read(line, usage=Usage(15_000, 0, 0.1)))
    enrich(table)
    assert len(table.models.requests) == 1
    assert first(table).offered == ("01-01",)
    assert all(not one.awaited for one in phases(table))
    (said,) = table.shown(fx.SayBudget)
    table.click("allow", None, said.menu)
    enrich(table)
    assert len(table.models.requests) > 1


def test_somebody_who_keeps_models_away_ends_it(table: Read) -> None:
    table.models.says.append(hangs)
    enrich(table)
    choose(table, script_only=True)
    table.models.answer(fails("permanent", "nobody waits for it any more"))
    table.settle()
    assert len(table.models.requests) == 1
    assert all(not one.awaited and one.unread for one in phases(table))


def test_another_process_goes_on_where_it_stopped(table: Read) -> None:
    table.models.says.append(hangs)
    enrich(table)
    line = line_of(table, "01-01", TOTAL, "The page shows the total.")
    table.models.under_way.clear()
    again = table.again()
    assert isinstance(again, Read)
    again.models = table.models
    says(again, line)
    again.settle()
    assert first(again).offered == ("01-01",)
    assert len(again.shown(fx.ShowEnriched)) == len(phases(again))


def test_what_was_enriched_is_decided_again_from_the_journal(table: Read) -> None:
    says(table, line_of(table, "01-01", TOTAL, "The page shows the total."))
    enrich(table)
    table.click(ACCEPT, DEV, first(table).menu)
    result = replayed(table.runtime.database, table.id)
    assert not result.differences, result


def test_a_step_that_people_are_at_is_left_to_its_own_reading(tmp_path: Path) -> None:
    table = table_in(tmp_path)
    choose(table, script_only=True)
    table.say(SAID)
    choose(table, script_only=False)
    enrich(table)
    assert table.reply == "enrich-nothing"
    assert not table.models.requests
