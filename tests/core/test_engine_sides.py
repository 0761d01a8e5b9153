"""Two lines that differ: which one holds is said by a button or in words, and nothing is lost."""

from pathlib import Path

import pytest

from core.domain.answers import Claim
from core.domain.ids import StepId, UserId
from core.domain.lines import superseded
from tests.support.fakes import OWNER
from tests.support.harness import Harness

DEV, DESK = UserId("U2"), UserId("U3")
TEN = "The system must hold a slot for 10 minutes"
FIFTEEN = "The system must hold a slot for 15 minutes"


@pytest.fixture
def table(tmp_path: Path) -> Harness:
    table = Harness(tmp_path)
    table.start()
    table.go_to("01-06")
    table.say(TEN, DEV)
    table.say(FIFTEEN, DESK)
    return table


def claims(table: Harness) -> tuple[Claim, ...]:
    return table.runtime.reader.claims(table.id)


def replaced(table: Harness) -> dict[str, str]:
    """Text of a line that another one stands in place of → that one's."""
    every = {claim.id: claim for claim in claims(table)}
    return {every[old].text: new.text for old, new in superseded(every.values()).items()}


def asked(table: Harness) -> list[str]:
    """What became of the questions on a difference."""
    state = table.runtime.reader.step_state(table.id, StepId("01-06"))
    assert state is not None
    return [one.outcome for one in state.questions.follow_ups if one.kind == "difference"]


def test_two_people_who_say_different_things_are_asked_which_one_holds(table: Harness) -> None:
    state = table.runtime.reader.step_state(table.id, StepId("01-06"))
    assert state is not None
    assert state.questions.open is not None
    assert state.questions.open.kind == "difference"
    assert f"“{TEN}”" in state.questions.open.question
    assert f"“{FIFTEEN}”" in state.questions.open.question
    assert state.questions.open.question.endswith("Which one holds?")
    assert replaced(table) == {}


@pytest.mark.parametrize(
    ("side", "outcome"),
    [("first", {FIFTEEN: TEN}), ("second", {TEN: FIFTEEN}), ("both", {})],
)
def test_a_button_says_which_one_holds_and_the_other_stays_struck_through(
    table: Harness, side: str, outcome: dict[str, str]
) -> None:
    table.click(side, menu=table.session.menus.follow_up, by=DESK)
    assert replaced(table) == outcome
    assert asked(table) == ["answered"]
    assert {TEN, FIFTEEN} <= {claim.text for claim in claims(table)}


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ("the second", {TEN: FIFTEEN}),
        ("B", {TEN: FIFTEEN}),
        ("A then", {FIFTEEN: TEN}),
        ("15 then", {TEN: FIFTEEN}),
        ("10 minutes", {FIFTEEN: TEN}),
        ("12 minutes it is", {TEN: "12 minutes it is", FIFTEEN: "12 minutes it is"}),
        ("both, 15 for the older patients", {}),
    ],
)
def test_a_reply_in_words_settles_it_too(
    table: Harness, reply: str, outcome: dict[str, str]
) -> None:
    table.say(reply, DEV)
    assert replaced(table) == outcome
    assert asked(table) == ["answered"]


def test_the_replaced_line_stands_struck_through_below_the_one_that_holds(table: Harness) -> None:
    table.click("second", menu=table.session.menus.follow_up, by=DESK)
    rows = (table.folder() / "requirements-spec.md").read_text().splitlines()
    at = next(n for n, row in enumerate(rows) if f"~~{TEN}~~" in row)
    assert rows[at].startswith("  - ")
    assert FIFTEEN in rows[at - 1]


def test_the_size_stays_unknown_until_somebody_says_which_one_holds(tmp_path: Path) -> None:
    table = Harness(tmp_path)
    table.start()
    table.say("medium", DEV)
    table.say("large", DESK)
    assert table.session.scan.scope is None
    table.click("second", menu=table.session.menus.follow_up, by=DEV)
    assert table.session.scan.scope == "large"
    assert replaced(table) == {"medium": "large"}


def test_a_size_between_the_two_stands_in_place_of_both(tmp_path: Path) -> None:
    table = Harness(tmp_path)
    table.start()
    table.say("SMALL!!!", DEV)
    table.say("Large. It touches every screen", DESK)
    table.say("medium, we stay friends", DEV)
    assert table.session.scan.scope == "medium"
    assert set(replaced(table)) == {"SMALL!!!", "Large."}


def test_a_line_of_a_later_step_replaces_one_of_an_earlier_and_what_rests_on_it_says_so(
    tmp_path: Path,
) -> None:
    table = Harness(tmp_path)
    table.start()
    table.go_to("01-06")
    table.say(TEN, DEV)
    ref = next(claim.ref for claim in claims(table) if claim.text == TEN)
    table.forward()
    table.go_to("01-08")
    table.say(f"{ref} must", DEV)
    table.forward()
    table.go_to("02-01")
    table.say("Actually the system must hold a slot for 15 minutes", DEV)
    assert replaced(table) == {TEN: "Actually the system must hold a slot for 15 minutes"}
    spec = (table.folder() / "requirements-spec.md").read_text()
    assert f"~~{TEN}~~" in spec
    assert f"(rests on {ref}, which was replaced)" in spec


@pytest.fixture
def accepted(tmp_path: Path) -> Harness:
    """The requirements are accepted, and people are at the next phase."""
    table = Harness(tmp_path)
    table.start()
    table.go_to("01-06")
    table.say(TEN, DEV)
    table.go_to("02-01")
    return table


def accepted_line(table: Harness) -> str:
    """How the accepted requirement reads."""
    spec = (table.folder() / "requirements-spec.md").read_text()
    return next(line for line in spec.splitlines() if TEN in line)


def test_what_somebody_else_says_later_changes_no_accepted_text_until_a_person_says_so(
    accepted: Harness,
) -> None:
    before = accepted_line(accepted)
    accepted.say(FIFTEEN, DESK)
    assert accepted_line(accepted) == before
    accepted.click("second", menu=accepted.session.menus.follow_up, by=OWNER)
    assert f"~~{TEN}~~" in accepted_line(accepted)
    assert "(sorted by Priya)" in (accepted.folder() / "requirements-spec.md").read_text()


def test_reading_a_later_step_again_changes_no_accepted_text(accepted: Harness) -> None:
    before = accepted_line(accepted)
    said = accepted.say(FIFTEEN, DESK)
    accepted.edit(said, FIFTEEN.replace("15", "20"), DESK)
    accepted.settle()
    accepted.forward()
    assert accepted_line(accepted) == before
