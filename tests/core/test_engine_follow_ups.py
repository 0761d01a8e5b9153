"""A follow-up ends by an answer, by a button, by a word, or by people going on; none vanishes."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from core.brains.script import reading
from core.domain.answers import Draft, ReadRequest
from core.domain.follow_ups import FollowUp
from tests.support.fakes import Thinking
from tests.support.harness import Harness, small_table

WHO, WHEN = "Who may enter the cellar?", "When does the gate close?"


def asking(*questions: str) -> Callable[[ReadRequest], Draft]:
    """Asks what was not asked before, once no other one is open."""

    def read(request: ReadRequest) -> Draft:
        draft = reading.read(request)
        over = {one.question for one in (*request.follow_ups, *draft.closed)}
        still = {one.question for one in request.follow_ups if one.outcome == "open"}
        still -= {one.question for one in draft.closed}
        fresh = [text for text in questions if text not in over]
        if still or not fresh:
            return draft
        newest = request.answers[-1].ts if request.answers else ""
        return replace(draft, follow_up=FollowUp("missing", fresh[0], after=newest))

    return read


@pytest.fixture
def table(tmp_path: Path) -> Harness:
    table = small_table(tmp_path, brains={None: Thinking([asking(WHO, WHEN)] * 20)})
    table.start()
    table.say("Guests walk into the wine cellar.")
    return table


def outcomes(table: Harness) -> list[tuple[str, str]]:
    asked = table.runtime.reader.all_steps(table.id)[0].questions.follow_ups
    return [(one.question, one.outcome) for one in asked]


def lines(table: Harness) -> list[tuple[str, str]]:
    claims = table.runtime.reader.claims(table.id)
    return [(claim.kind, claim.text) for claim in claims if not claim.sources]


def test_an_answer_that_has_to_do_with_it_closes_it_and_the_next_one_is_asked(
    table: Harness,
) -> None:
    table.say("only the cellar master")
    assert outcomes(table) == [(WHO, "answered"), (WHEN, "open")]


@pytest.mark.parametrize("noise", ["+1", "brb", "👍", "what do you mean?", "ok", "thanks!"])
def test_noise_and_a_question_back_close_nothing(table: Harness, noise: str) -> None:
    table.say(noise)
    assert outcomes(table) == [(WHO, "open")]


def test_skip_ends_it_with_the_name_of_who_skipped_it(table: Harness) -> None:
    table.click("skip-question", menu=table.session.menus.follow_up)
    assert outcomes(table) == [(WHO, "skipped"), (WHEN, "open")]
    ((kind, text),) = lines(table)
    assert (kind, text) == ("assumption", f"Skipped by Priya: {WHO}")


def test_the_word_skip_ends_the_follow_up_and_not_the_rest_of_the_phase(table: Harness) -> None:
    table.say("Skip")
    table.say("skip!")
    assert outcomes(table) == [(WHO, "skipped"), (WHEN, "skipped")]
    assert table.session.status == "choosing"
    assert table.session.menus.follow_up is None


def test_what_nobody_knows_yet_is_an_open_question_with_a_name_on_it(table: Harness) -> None:
    table.click("unknown", menu=table.session.menus.follow_up)
    assert outcomes(table) == [(WHO, "unknown"), (WHEN, "open")]
    assert lines(table) == [("question", f"{WHO} (Priya does not know yet)")]


def test_somebody_can_say_so_in_words(table: Harness) -> None:
    table.say("idk")
    assert outcomes(table)[0] == (WHO, "unknown")


def test_whoever_goes_on_passes_it_by(table: Harness) -> None:
    table.click("continue")
    assert outcomes(table) == [(WHO, "passed")]
    assert lines(table) == [("assumption", f"Asked, not answered: {WHO}")]


def test_a_later_edit_still_answers_what_was_passed(table: Harness) -> None:
    table.click("continue")
    table.edit(
        table.runtime.reader.answers(table.id)[0].ts, "Only the cellar master may enter the cellar."
    )
    assert outcomes(table) == [(WHO, "answered")]


def test_two_follow_ups_are_enough(table: Harness) -> None:
    for text in ("the cellar master", "at ten", "the barrels are old", "and dusty"):
        table.say(text)
    assert outcomes(table) == [(WHO, "answered"), (WHEN, "answered")]


def test_a_second_click_on_its_button_changes_nothing(table: Harness) -> None:
    menu = table.session.menus.follow_up
    table.click("skip-question", menu=menu)
    before = outcomes(table)
    table.click("unknown", menu=menu)
    assert outcomes(table) == before
