"""Later steps that rest on what changed: still right, ask again, or keep all."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.brains.script import reading
from core.domain import effects as fx
from core.domain.answers import Draft, ReadRequest
from core.domain.ids import Ts
from tests.support.fakes import DEV, ReadingBrain
from tests.support.harness import Harness, small_table

Told = tuple[Harness, Ts]


class Resting(ReadingBrain):
    """A brain whose later claims rest on what was said to the first step."""

    def read(self, request: ReadRequest) -> Draft:
        draft = reading.read(request)
        first = tuple(each.id for each in request.other_answers if each.step == "01-01")
        if request.step.id == "01-01":
            return draft
        claims = tuple(
            replace(claim, sources=(*claim.sources, *first[:1])) for claim in draft.claims
        )
        return replace(draft, claims=claims)


@pytest.fixture
def back(tmp_path: Path) -> Told:
    """All of the first phase is answered, and somebody went back to its first step."""
    table = small_table(tmp_path, brains={None: Resting()})
    table.start()
    ts = table.say("Because of the bank.")
    table.forward()
    table.answer("The bank checks it monthly.")
    assert table.session.course.step == "02-01"
    table.click("back")
    table.click("back")
    assert (table.session.course.step, table.session.status) == ("01-01", "choosing")
    return table, ts


def test_reading_the_same_again_makes_nothing_stale(back: Told) -> None:
    table, _ = back
    assert table.session.course.stale == ()
    assert table.statuses["01-02"] == "completed"


def test_a_step_is_stale_where_its_claims_rest_on_what_changed(back: Told) -> None:
    table, ts = back
    table.edit(ts, "Because of the auditors.")
    assert table.statuses["01-02"] == "stale"
    assert table.session.course.stale == ("01-02",)
    stale = next(menu for menu in table.menus if menu.kind == "stale")
    assert stale.choices == ("keep:01-02", "again:01-02", "keep-all")
    assert "01-02" in table.session.course.done


@pytest.mark.parametrize("choice", ["keep:01-02", "keep-all"])
def test_what_is_still_right_is_not_asked_again(back: Told, choice: str) -> None:
    table, ts = back
    table.edit(ts, "Because of the auditors.")
    table.click(choice, DEV)
    assert (table.statuses["01-02"], table.session.course.stale) == ("completed", ())
    assert table.menu.choices == ("accept", "amend", "elaborate")
    asked = table.prompts
    table.click("accept")
    assert table.prompts == [*asked, "02-01"]


def test_what_is_not_right_any_more_is_asked_again(back: Told) -> None:
    table, ts = back
    table.edit(ts, "Because of the auditors.")
    table.click("again:01-02")
    assert (table.statuses["01-02"], table.session.course.stale) == ("pending", ())
    assert "01-02" not in table.session.course.done
    table.forward()
    assert table.prompts[-1] == "01-02"
    assert "The bank checks it monthly." in table.said


def test_a_choice_about_a_stale_step_is_made_once(back: Told) -> None:
    table, ts = back
    table.edit(ts, "Because of the auditors.")
    click = table.choice("keep-all", DEV)
    table.take(click)
    table.take(click)
    assert table.handled.reply == fx.Reply("used-by-you", {"choice": "keep-all"})


def test_skipping_the_rest_leaves_a_stale_step_as_it_is(back: Told) -> None:
    table, ts = back
    table.edit(ts, "Because of the auditors.")
    table.click("skip")
    assert table.statuses["01-02"] == "completed"
    assert "01-02" in table.session.course.done


def test_going_on_without_a_choice_asks_again(back: Told) -> None:
    table, ts = back
    table.edit(ts, "Because of the auditors.")
    table.click("continue")
    assert (table.session.course.step, table.session.course.stale) == ("01-02", ())
