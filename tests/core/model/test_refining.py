"""A model reads after the script: what waits, what stands, and what comes of each failure."""

from pathlib import Path

import pytest

from core.domain import effects as fx
from core.domain.follow_ups import FollowUp
from core.domain.ids import StepId
from core.domain.model_calls import ModelLine, Usage
from core.domain.persona_proposals import PersonaProposal
from core.domain.session.halt import Fault
from core.domain.session.step import StepState
from core.engine.model.needed import needed_tasks
from core.store.journal.replay import replayed
from tests.support.fakes import DEV, OWNER, DrivenClock, FakeStage
from tests.support.harness import Harness, small_table
from tests.support.model_calls import (
    TWO,
    USED,
    ListedModels,
    asked,
    fails,
    hangs,
    line_ref,
    read,
)

ANSWER = "The page must show the total, and please no ads."


class Read(Harness):
    """A session that language models read."""

    models: ListedModels

    @property
    def step(self) -> StepState:
        state = self.runtime.reader.step_state(self.id, StepId("01-01"))
        assert state is not None
        return state


@pytest.fixture
def table(tmp_path: Path) -> Read:
    return table_in(tmp_path)


def table_in(folder: Path, **options: object) -> Read:
    stage = FakeStage(DrivenClock())
    models = ListedModels(stage.clock)
    base = small_table(folder, stage=stage, offer=TWO, models=models, **options)
    base.__class__ = Read
    base.models = models  # type: ignore[attr-defined]
    base.start()
    return base  # type: ignore[return-value]


def a_line(table: Read, text: str = "the page shows the total") -> ModelLine:
    (answer,) = table.runtime.reader.answers(table.id)
    return ModelLine("requirement", text, (line_ref(answer.id, "The page must show the total"),))


def failures(table: Read) -> list[Fault]:
    return [fault for fault in table.runtime.reader.faults(table.id) if fault.code == "ERR-INT-001"]


def hold(table: Read, text: str = ANSWER) -> None:
    """People answer, and the model's reply is not there yet."""
    table.models.says.append(hangs)
    table.say(text)


def test_the_steps_message_waits_for_the_model(table: Read) -> None:
    hold(table)
    assert table.session.status == "asking"
    assert not table.shown(fx.ShowStep)
    (request,) = table.models.requests
    assert (request.asks, request.tier, request.model) == (
        "read_answers",
        "fast",
        "anthropic:haiku",
    )


def test_its_lines_stand_with_the_step_once_both_requests_are_answered(table: Read) -> None:
    hold(table)
    line = a_line(table)
    table.models.answer(read(line))
    table.settle()
    assert [request.asks for request in table.models.requests] == [
        "read_answers",
        "ask_and_propose",
    ]
    assert table.models.requests[1].tier == "middle"
    assert table.step.model.tier == "fast"  # of the request that read the answers
    assert table.session.status == "choosing"
    assert table.step.model.lines == (line,)
    assert (table.step.model.tries, table.step.model.usage.tokens) == (2, 2 * USED.tokens)
    assert table.session.model.calls == 2


def test_the_first_message_quotes_what_people_said_and_not_that_nothing_is_new(
    table: Read,
) -> None:
    hold(table)
    scripts = table.step.recorded
    assert scripts.startswith("From Priya: “The page must show the total")
    table.models.answer(read(a_line(table, "")))
    table.settle()
    assert table.step.recorded == scripts


def test_lines_that_the_model_sorts_otherwise_are_quoted_as_what_people_said(table: Read) -> None:
    hold(table)
    whole = line_ref(table.runtime.reader.answers(table.id)[0].id, ANSWER)
    table.models.answer(read(ModelLine("fact", "", (whole,))))
    table.settle()
    assert [claim.kind for claim in table.runtime.reader.claims(table.id)] == ["fact"]
    assert table.step.recorded.startswith("From Priya: ")
    assert "is now" not in table.step.recorded


def test_who_reads_is_shown_while_the_message_waits_and_then_no_more(table: Read) -> None:
    hold(table)
    shown = [fx.ShowReading(StepId("01-01"), table.session.course.current_phase.persona)]
    assert table.shown(fx.ShowReading) == shown
    table.models.answer(read(a_line(table)))
    table.settle()
    assert table.shown(fx.ShowReading) == shown * 2


def test_the_same_answers_are_not_given_to_a_model_twice(table: Read) -> None:
    table.say(ANSWER)
    read = list(table.models.requests)
    table.click("elaborate")
    assert [one for one in table.models.requests if one.speech is None] == read


def test_after_twelve_seconds_the_scripts_reading_is_shown_and_the_models_follows(
    table: Read,
) -> None:
    hold(table)
    table.pass_time(11.0)
    assert not table.shown(fx.ShowStep)
    table.pass_time(1.5)
    assert table.shown(fx.ShowStep)
    assert table.session.status == "choosing"
    assert table.step.model.why_script == "waiting"
    table.models.answer(read(a_line(table)))
    table.settle()
    assert table.step.model.lines
    assert table.step.model.why_script == ""


def test_what_comes_after_people_went_on_waits_and_changes_nothing(table: Read) -> None:
    hold(table)
    table.pass_time(13.0)
    line = a_line(table)
    table.forward()
    before = table.runtime.reader.claims(table.id)
    table.models.answer(read(line))
    table.settle()
    assert table.step.model.lines == ()
    assert table.step.model.waiting == (line,)
    assert table.runtime.reader.claims(table.id) == before


def test_a_newer_answer_ends_the_waiting_for_what_is_read_without_it(table: Read) -> None:
    hold(table)
    (older,) = table.models.under_way
    table.models.says.append(hangs)
    table.say("It must print as well.")
    assert older not in needed_tasks(table.session, (table.step,))
    assert [request.asks for request in table.models.requests] == ["read_answers"] * 2
    table.models.answer(read(ModelLine("note", "It prints", ())))
    table.settle()
    assert table.step.model.lines == ()  # it came too late
    assert table.session.model.calls == 1  # and counts all the same
    table.models.answer(read())
    table.settle()
    assert table.session.status == "choosing"
    assert len(table.step.model.basis) == 2
    assert not replayed(table.runtime.database, table.id).differences


def test_once_patience_is_over_a_newer_answer_cuts_off_what_is_late(table: Read) -> None:
    hold(table)
    table.pass_time(13.0)
    assert table.session.status == "choosing"
    table.models.says.append(hangs)
    table.say("It must print as well.")
    assert needed_tasks(table.session, (table.step,)) == {table.models.requests[-1].task}
    assert len(table.models.requests) == 2


def test_a_fault_that_passes_is_tried_again_after_its_wait(table: Read) -> None:
    table.models.says.extend([fails("transient", status_code=429, retry_after=7.0)])
    table.say(ANSWER)
    assert len(table.models.requests) == 1
    table.pass_time(6.0)
    assert len(table.models.requests) == 1
    table.pass_time(1.5)
    assert [request.model for request in table.models.requests][:2] == ["anthropic:haiku"] * 2
    assert table.session.status == "choosing"
    (fault,) = failures(table)
    assert fault.facts["http_status"] == 429
    assert fault.facts["will_retry"]
    assert not table.messages  # nobody is told


def test_a_wrong_key_leads_to_the_next_provider_and_is_told_once(table: Read) -> None:
    table.models.says.append(fails("configuration", "401", status_code=401, config="key"))
    table.say(ANSWER)
    assert [request.model for request in table.models.requests][:2] == [
        "anthropic:haiku", "openai:nano",
    ]  # fmt: skip
    (told,) = table.shown(fx.Tell)
    assert told.reply.args == {"model": "anthropic:haiku", "setting": "key"}
    assert len(table.shown(fx.TellOperators)) == 1
    assert table.step.model.detours == ("anthropic:haiku",)
    table.forward()
    table.pass_time(61.0)  # it has rested
    table.models.says.append(fails("configuration", "401", status_code=401, config="key"))
    table.say("Another thing that the page must do is to print.")
    assert len(table.shown(fx.Tell)) == 1


def test_where_every_provider_fails_the_script_reads_to_the_end_of_the_phase(table: Read) -> None:
    table.models.says.extend([fails("permanent", "400"), fails("permanent", "400")])
    table.say(ANSWER)
    assert table.session.status == "choosing"
    assert len(table.messages) == 1
    assert "Falling back to standard analysis" in table.messages[0]
    count = len(table.models.requests)
    assert count == 2
    table.forward()
    table.say("The page must also print.")
    assert len(table.models.requests) == count  # the same phase
    table.forward()
    table.pass_time(120.0)  # the providers have rested
    table.say("The archive must hold it for a year.")
    assert len(table.models.requests) > count


def test_a_reply_with_flaws_is_repaired_once_and_then_left_to_the_script(table: Read) -> None:
    table.models.says.extend([fails("misaligned", flaws=("two questions in one",))] * 2)
    table.say(ANSWER)
    assert [request.flaws for request in table.models.requests] == [(), ("two questions in one",)]
    assert table.session.status == "choosing"
    assert table.step.model.why_script == "flawed"


SCRIPTS = "Who benefits from this?"


def test_a_models_question_is_asked_in_place_of_the_scripts(table: Read) -> None:
    hold(table)
    assert table.step.questions.open is None  # it waits with the message
    line = a_line(table)
    better = FollowUp("check", "How would you see the total?", line.quotes[0])
    table.models.says.append(asked(better))
    table.models.answer(read(line))
    table.settle()
    (question,) = table.step.questions.follow_ups
    assert question.question.endswith(better.question)
    assert not replayed(table.runtime.database, table.id).differences


@pytest.mark.parametrize("is_late", [True, False])
def test_without_a_question_of_a_models_in_time_the_scripts_is_asked(
    table: Read, is_late: bool
) -> None:
    hold(table)
    line = a_line(table)
    if is_late:
        table.pass_time(13.0)
        better = FollowUp("check", "How would you see the total?", line.quotes[0])
        table.models.says.append(asked(better))
    table.models.answer(read(line) if is_late else fails("permanent", "400"))
    table.settle()
    (question,) = table.step.questions.follow_ups
    assert question.question.startswith(SCRIPTS)
    assert table.step.model.scripts_question is None
    assert table.session.status == "choosing"
    assert not replayed(table.runtime.database, table.id).differences


def test_what_no_model_can_tell_people_are_asked(table: Read) -> None:
    unsure = fails("unsure", "The total may be of the page or of the month.")
    table.models.says.extend([unsure] * 3)
    table.say(ANSWER)
    assert [request.tier for request in table.models.requests] == ["fast", "middle", "strong"]
    asked = table.step.questions.open
    assert asked is not None
    assert asked.question == (
        "I cannot tell what is meant: “The total may be of the page or of the month.” Which is it?"
    )
    assert (table.session.status, table.step.model.why_script) == ("choosing", "unsure")
    assert not replayed(table.runtime.database, table.id).differences


FLAWED = fails("misaligned", flaws=("two questions in one",))


@pytest.mark.parametrize("is_late", [False, True])
def test_after_two_flawed_replies_the_owner_can_have_it_read_once_more(
    table: Read, is_late: bool
) -> None:
    table.models.says.extend([hangs, FLAWED])
    table.say(ANSWER)
    if is_late:
        table.pass_time(13.0)
    table.models.answer(FLAWED)
    table.settle()
    menu = table.session.menus.rereading
    assert menu is not None
    assert table.session.status == "choosing"  # and people can go on meanwhile
    refusal = table.click("ask-again", DEV, menu).reply
    assert refusal is not None
    assert refusal.kind == "not-yours"
    line = a_line(table)
    table.models.says.append(read(line))
    table.click("ask-again", OWNER, menu)
    assert table.session.menus.rereading is None
    assert (table.step.model.lines, table.step.model.why_script) == ((line,), "")
    assert table.step.model.wanted_by == OWNER
    assert table.session.status == "choosing"
    assert not replayed(table.runtime.database, table.id).differences


def test_nobody_can_have_a_step_read_once_more_that_people_went_on_from(table: Read) -> None:
    table.models.says.extend([FLAWED] * 2)
    table.say(ANSWER)
    menu, count = table.session.menus.rereading, len(table.models.requests)
    table.forward()
    table.click("ask-again", OWNER, menu)
    assert len(table.models.requests) == count


def test_a_question_that_fails_is_recorded_as_one_and_the_lines_stand(table: Read) -> None:
    hold(table)
    line = a_line(table)
    table.models.says.extend([fails("unexpected", "no JSON")] * 2)
    table.models.answer(read(line))
    table.settle()
    assert table.step.model.lines == (line,)
    assert {fault.message for fault in failures(table)} == {
        "anthropic:sonnet could not ask or propose anything at “First”: no JSON"
    }


def test_a_model_whose_reply_had_flaws_is_asked_at_the_next_step_all_the_same(table: Read) -> None:
    table.models.says.extend([fails("misaligned", flaws=("two questions in one",))] * 2)
    table.say(ANSWER)
    table.forward()
    table.say("The page must also print.")
    assert len(table.models.requests) > 2


def test_over_its_budget_the_script_reads_until_the_owner_allows_as_much_again(
    tmp_path: Path,
) -> None:
    table = table_in(tmp_path)
    offer = type(TWO)(TWO.models, TWO.patience_s, 20_000)
    table.runtime._decider.conditions = type(table.runtime._decider.conditions)(offer=offer)
    table.models.says.append(read(usage=Usage(15_000, 0, 0.1)))
    table.say(ANSWER)
    assert len(table.models.requests) == 1  # the second would cross it
    (said,) = table.shown(fx.SayBudget)
    table.forward()
    table.say("The page must also print.")
    assert len(table.models.requests) == 1
    assert len(table.shown(fx.SayBudget)) == 1
    assert table.step.model.why_script in ("", "budget")
    assert table.click("allow", DEV, said.menu).reply.kind == "not-yours"  # type: ignore[union-attr]
    table.click("allow", None, said.menu)
    table.forward()
    table.say("The archive must hold it for a year.")
    assert len(table.models.requests) > 1


def test_a_pause_ends_the_waiting_and_a_resume_reads_again(table: Read) -> None:
    hold(table)
    prompt = table.runtime.reader.menu(table.session.menus.prompt)
    assert prompt is not None
    table.click("pause", menu=prompt.id)
    assert table.session.status == "paused"
    table.models.answer(read(a_line(table)))
    table.settle()
    assert table.session.status == "paused"
    table.resume()
    assert table.session.status == "choosing"


def test_a_request_that_a_pause_cuts_off_is_no_failure_and_is_made_again(table: Read) -> None:
    hold(table)
    prompt = table.runtime.reader.menu(table.session.menus.prompt)
    assert prompt is not None
    table.click("pause", menu=prompt.id)
    table.models.answer(fails("permanent", "nobody waits for it any more"))
    table.settle()
    assert not failures(table)
    table.models.says.append(read(a_line(table)))
    table.resume()
    assert [request.model for request in table.models.requests][:2] == ["anthropic:haiku"] * 2
    assert table.step.model.lines


def test_a_proposal_counts_once_somebody_takes_it(table: Read) -> None:
    table.models.says.append(hangs)
    table.say(ANSWER)
    line = a_line(table)
    proposal = PersonaProposal(
        StepId("01-01"),
        "check",
        "the total equals the sum of the rows",
        "nobody said how to see it",
        "Maya Chen",
        line.quotes[0],
    )
    table.models.says.append(asked(None, proposal))
    table.models.answer(read(line))
    table.settle()
    assert table.session.menus.taking is not None
    assert not [claim for claim in table.runtime.reader.claims(table.id) if claim.kind == "check"]
    table.click(f"take:{proposal.key}", DEV, table.session.menus.taking)
    (check,) = [claim for claim in table.runtime.reader.claims(table.id) if claim.kind == "check"]
    assert (check.data["proposed_by"], check.data["taken_by"]) == ("Maya Chen", DEV)
    assert table.session.menus.taking is None
    assert table.session.status == "choosing"


def test_what_models_did_is_decided_again_from_the_journal(table: Read) -> None:
    table.models.says.extend(
        [fails("transient"), read(a_line(table)) if table.said else read(), asked()]
    )
    table.say(ANSWER)
    table.pass_time(5.0)
    table.forward()
    table.say("It must print.")
    result = replayed(table.runtime.database, table.id)
    assert not result.differences, result
