"""What a phase assumes: people stand by it, or say that it is wrong and are asked again."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.brains.script import reading
from core.brains.tasks import BrainError
from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import Claim, Draft, ReadRequest
from core.domain.assumptions import Assumption, assumptions
from core.domain.effects import Reply
from core.domain.ids import ChannelId, MenuId, StepId, UserId
from core.domain.session.step import Doubt
from tests.support.fakes import DEV, OWNER, TEAM, Thinking
from tests.support.harness import Harness, small_table, spec

SMALL = "Assumption: the file stays below 10 MB."
BROWSER = "Assumption: people have a browser."
OPEN = "FR-001 “It should be fast”: how much is good enough, as a number?"
NOT_ANSWERED = f"Asked, not answered: {OPEN}"


def at_the_end(table: Harness) -> Harness:
    """The first phase is answered; it assumes two things and left a question open."""
    table.start()
    table.say(f"It should be fast.\n{SMALL}")
    table.forward()
    table.say(f"Nothing to add.\n{BROWSER}")
    assert table.menu.kind == "phase"
    return table


@pytest.fixture
def table(tmp_path: Path) -> Harness:
    return at_the_end(small_table(tmp_path))


def assumed(table: Harness) -> list[Assumption]:
    steps = table.runtime.reader.all_steps(table.id)
    here = [each for each in steps if each.phase == table.session.course.phase]
    return list(assumptions(here, table.runtime.reader.claims(table.id)))


def texts(table: Harness) -> list[str]:
    return [each.text for each in assumed(table)]


def claim(table: Harness, text: str) -> Claim:
    (found,) = [each for each in table.runtime.reader.claims(table.id) if each.text == text]
    return found


def menu_of(table: Harness) -> MenuId:
    menu = table.session.menus.assumptions
    assert menu is not None
    return menu


def say_of(
    table: Harness, text: str, verb: str, by: UserId = DEV, menu: MenuId | None = None
) -> Reply | None:
    key = next(each.key for each in assumed(table) if each.text == text)
    return table.click(f"{verb}:{key}", by, menu=menu or menu_of(table)).reply


def test_a_phase_ends_with_what_it_assumes_and_what_was_left_open(table: Harness) -> None:
    assert texts(table) == [SMALL, NOT_ANSWERED, BROWSER]
    assert [each.question for each in assumed(table)] == ["", OPEN, ""]
    assert len({each.key for each in assumed(table)}) == 3


# ── that's right ──


@pytest.mark.parametrize("text", [SMALL, BROWSER])
def test_what_is_right_is_stated_by_whoever_says_so_and_moves_nothing(
    table: Harness, text: str
) -> None:
    before, prompts = table.session, table.prompts
    assert say_of(table, text, "right") is None
    assert text not in texts(table)
    known = claim(table, text)
    assert (known.kind, known.confidence) == ("fact", "stated")
    assert f"{text} — said by Priya" in spec(table)
    assert ", confirmed by Sam" in spec(table)
    after = table.session
    assert (after.status, after.course.step, after.menus.current) == (
        "choosing",
        before.course.step,
        before.menus.current,
    )
    assert after.course.done == before.course.done
    assert table.prompts == prompts


def test_a_question_can_be_left_open_on_purpose(table: Harness) -> None:
    say_of(table, NOT_ANSWERED, "right")
    assert claim(table, NOT_ANSWERED).kind == "question"
    assert f"{NOT_ANSWERED} — confirmed by Sam" in spec(table)
    assert NOT_ANSWERED not in spec(table).partition("## Assumptions")[2].partition("## Open")[0]


def test_the_summary_shows_it_wherever_it_stands(table: Harness) -> None:
    """Here it stands in the last step's message, and the assumption is another step's."""
    shown = len(table.stage.shown)
    say_of(table, SMALL, "right")
    repaints = [each for each in table.stage.shown[shown:] if isinstance(each, fx.ShowStep)]
    assert [each.step for each in repaints] == ["01-02"]


def test_all_of_them_one_after_the_other(table: Harness) -> None:
    for text in texts(table):
        assert say_of(table, text, "right") is None
    assert assumed(table) == []
    everything = [each.text for each in table.runtime.reader.claims(table.id)]
    assert len(everything) == len(set(everything)) == 5


def test_it_holds_when_the_step_is_read_again(table: Harness) -> None:
    say_of(table, SMALL, "right")
    say_of(table, NOT_ANSWERED, "right")
    root, step = table.thread(), StepId("01-01")
    first = next(a for a in table.runtime.reader.answers(table.id, step) if a.source == "said")
    table.edit(first.ts, f"It must be fast.\n{SMALL}")
    assert root == first.thread_ts
    assert claim(table, "It must be fast.").confidence == "stated"
    assert claim(table, SMALL).confidence == "stated"
    assert claim(table, NOT_ANSWERED).kind == "question"
    assert texts(table) == [BROWSER]


def test_no_brain_is_asked_for_it(tmp_path: Path) -> None:
    brain = Thinking()
    table = at_the_end(small_table(tmp_path, brains={None: brain}))
    asked = len(brain.asked)
    brain.turns = [BrainError("silent", "it is away")] * 5
    say_of(table, SMALL, "right")
    assert (len(brain.asked), texts(table)) == (asked, [NOT_ANSWERED, BROWSER])


def test_a_brain_never_sees_it_as_an_answer_of_its_own(tmp_path: Path) -> None:
    brain = Thinking()
    table = at_the_end(small_table(tmp_path, brains={None: brain}))
    say_of(table, SMALL, "right")
    table.click("accept")
    table.say("One more thing.")
    for request in brain.asked:
        said = (*request.answers, *request.other_answers)
        assert "confirmed" not in {answer.source for answer in said}


def test_one_that_a_brain_words_anew_is_not_lost(tmp_path: Path) -> None:
    brain = Thinking()
    table = at_the_end(small_table(tmp_path, brains={None: brain}))
    say_of(table, SMALL, "right")

    def otherwise(request: ReadRequest) -> Draft:
        draft = reading.read(request)
        kept = tuple(each for each in draft.claims if each.text != SMALL)
        return replace(draft, claims=kept)

    brain.turns = [otherwise]
    first = next(
        each
        for each in table.runtime.reader.answers(table.id, StepId("01-01"))
        if each.source == "said"
    )
    table.edit(first.ts, f"It must be quick.\n{SMALL}")
    known = claim(table, SMALL)
    assert (known.confidence, len(known.sources)) == ("stated", 1)


def test_a_reading_that_is_under_way_does_not_lose_it(table: Harness) -> None:
    """Two things at once: a late answer that is being read, and a click beside it."""
    answers = table.runtime.reader.answers(table.id, StepId("01-01"))
    edit = on.MessageEdited(
        OWNER, table.clock.now(), answers[0].thread_ts and ChannelId("C1"), answers[0].ts,
        table.stage.next_ts(), f"It must be quick.\n{SMALL}",
    )  # fmt: skip
    key = next(each.key for each in assumed(table) if each.text == SMALL)
    table.runtime.handle(edit, team="T1")  # type: ignore[arg-type]
    table.click(f"right:{key}", DEV, menu=menu_of(table))
    assert claim(table, "It must be quick.").confidence == "stated"
    assert claim(table, SMALL).confidence == "stated"


def test_a_second_click_is_told_who_was_first_before_and_after_it_is_written(
    table: Harness,
) -> None:
    key = next(each.key for each in assumed(table) if each.text == SMALL)
    click = table.choice(f"right:{key}", DEV, menu_of(table))
    table.runtime.handle(click, team="T1")  # type: ignore[arg-type]
    for verb in ("right", "wrong"):
        again = table.choice(f"{verb}:{key}", OWNER, menu_of(table))
        handled = table.runtime.handle(again, team="T1")  # type: ignore[arg-type]
        assert handled.reply == Reply("used-menu", {"by": DEV, "choice": "right"})
    table.settle()
    assert table.take(click).reply == Reply("used-by-you", {"choice": "right"})


# ── wrong ──


def test_what_is_wrong_asks_just_its_own_step_again(table: Harness) -> None:
    assert say_of(table, SMALL, "wrong") is None
    assert (table.session.course.step, table.session.status) == ("01-01", "choosing")
    assert table.prompts == ["01-01", "01-02", "01-01"]
    assert table.statuses["01-02"] == "completed"
    state = table.runtime.reader.step_state(table.id, StepId("01-01"))
    assert state is not None
    assert state.doubts == (Doubt(DEV, SMALL, 2),)
    assert SMALL not in [each.text for each in table.runtime.reader.claims(table.id)]


def test_afterwards_the_phase_is_summed_up_again(table: Harness) -> None:
    say_of(table, SMALL, "wrong")
    table.say("It is 50 MB.")
    assert table.menu.choices == ("accept", "amend", "elaborate")
    assert texts(table) == [NOT_ANSWERED, BROWSER]
    table.click("accept")
    assert table.session.course.phase == "02-impact"
    assert table.session.course.step == "02-01"


def test_from_a_summary_of_its_own_the_flow_returns_to_one(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.say(f"It should be fast.\n{SMALL}")
    table.click("skip")
    assert table.session.menus.on_summary
    say_of(table, SMALL, "wrong")
    table.say("It is 50 MB.")
    assert table.menu.kind == "phase"
    table.click("accept")
    assert table.session.course.step == "02-01"


def test_an_open_question_that_matters_is_asked_again(table: Harness) -> None:
    say_of(table, NOT_ANSWERED, "wrong")
    state = table.runtime.reader.step_state(table.id, StepId("01-01"))
    assert state is not None
    assert state.doubts == (Doubt(DEV, OPEN, 2, question=True),)
    assert state.questions.open is not None
    assert state.questions.open.question == OPEN
    assert NOT_ANSWERED not in texts(table)
    table.say("The finance team benefits.")
    assert NOT_ANSWERED not in texts(table)


def test_one_that_stays_unanswered_is_an_assumption_again(table: Harness) -> None:
    say_of(table, NOT_ANSWERED, "wrong")
    table.forward()
    table.click("back")
    assert NOT_ANSWERED in [each.text for each in table.runtime.reader.claims(table.id)]


def test_the_step_that_is_left_keeps_its_open_question(table: Harness) -> None:
    table.say("Assumption: it is small.")
    here = table.runtime.reader.step_state(table.id, StepId("01-02"))
    assert here is not None
    question = here.questions.open
    say_of(table, SMALL, "wrong")
    left = table.runtime.reader.step_state(table.id, StepId("01-02"))
    assert left is not None
    assert left.questions.unanswered == ((question.ended("passed"),) if question else ())


def test_what_was_wrong_stays_out_when_the_step_is_read_again(table: Harness) -> None:
    say_of(table, SMALL, "wrong")
    table.say("It is 50 MB.")
    table.say("Or 60.")
    assert SMALL not in [each.text for each in table.runtime.reader.claims(table.id)]


def test_the_baseline_is_what_was_looked_at(table: Harness) -> None:
    before = [each.text for each in table.runtime.reader.claims(table.id)]
    say_of(table, SMALL, "wrong")
    kept = table.runtime.reader.baseline(table.id, table.session.course.phases[0].key)
    assert kept is not None
    assert [each.text for each in kept] == before


# ── clicks that come too late, and clicks that were never offered ──


def test_a_late_click_after_wrong_is_told_who_chose(table: Harness) -> None:
    menu = menu_of(table)
    key = next(each.key for each in assumed(table) if each.text == BROWSER)
    say_of(table, SMALL, "wrong")
    reply = table.click(f"right:{key}", OWNER, menu=menu).reply
    assert reply is not None
    assert (reply.kind, reply.args["by"]) == ("used-menu", DEV)
    assert claim(table, BROWSER).confidence == "assumed"


def test_a_late_click_after_accepting_changes_nothing(table: Harness) -> None:
    menu = menu_of(table)
    key = next(each.key for each in assumed(table) if each.text == SMALL)
    table.click("accept")
    for verb in ("right", "wrong"):
        assert table.click(f"{verb}:{key}", DEV, menu=menu).reply == Reply("unknown-choice")
    assert table.session.course.step == "02-01"


@pytest.mark.parametrize(
    ("choice", "kind"),
    [
        ("right:0000000000000000", "assumption-settled"),
        ("wrong:", "assumption-settled"),
        ("wrong", "assumption-settled"),
        ("accept", "unknown-choice"),
        ("", "unknown-choice"),
        ("right:' OR 1=1 --", "assumption-settled"),
    ],
)
def test_a_forged_click_is_told_kindly_and_changes_nothing(
    table: Harness, choice: str, kind: str
) -> None:
    rows = table.snapshot()
    reply = table.click(choice, DEV, menu=menu_of(table)).reply
    assert reply is not None
    assert reply.kind == kind
    assert table.snapshot() == rows


def test_an_assumption_of_another_phase_is_none_here(table: Harness) -> None:
    key = next(each.key for each in assumed(table) if each.text == SMALL)
    table.click("accept")
    table.say("Assumption: nobody else notices.")
    reply = table.click(f"wrong:{key}", DEV, menu=menu_of(table)).reply
    assert reply == Reply("assumption-settled")


def test_from_another_channel_nothing_is_there(table: Harness) -> None:
    key = assumed(table)[0].key
    click = on.ChoiceMade(DEV, table.clock.now(), menu_of(table), f"right:{key}", ChannelId("C9"))
    assert table.take(click).reply == Reply("gone")


def test_while_it_is_paused_it_waits(table: Harness) -> None:
    menu, key = menu_of(table), assumed(table)[0].key
    table.click("pause")
    reply = table.click(f"right:{key}", DEV, menu=menu).reply
    assert reply is not None
    assert reply.kind == "is-paused"
    table.resume()
    assert table.click(f"right:{key}", DEV, menu=menu_of(table)).reply is None


def test_it_outlives_a_restart(table: Harness) -> None:
    key, menu = assumed(table)[0].key, menu_of(table)
    later = table.again()
    assert later.click(f"right:{key}", DEV, menu=menu).reply is None
    assert SMALL not in texts(later)


def test_what_is_confirmed_while_more_is_read_is_read_next(tmp_path: Path) -> None:
    brain = Thinking()
    table = at_the_end(small_table(tmp_path, brains={None: brain}))

    def meanwhile(_: object) -> None:
        brain.turns.clear()
        key = next(each.key for each in assumed(table) if each.text == BROWSER)
        right = table.choice(f"right:{key}", DEV, menu_of(table))
        table.runtime.handle(right, team=TEAM, session=table.id)

    brain.turns.append(meanwhile)
    table.say("It is for the auditors.")
    assert claim(table, BROWSER).confidence == "stated"
    assert BROWSER not in texts(table)
