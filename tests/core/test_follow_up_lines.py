"""Lines of many trades: which of them is asked about, and which look alike and are not."""

from dataclasses import replace

import pytest

from core.brains.bookkeeping.drafting import drafted
from core.brains.script.follow_ups.lines import Grounds
from core.brains.script.follow_ups.numbers import without_number, without_unit
from core.brains.script.reading import read
from core.domain.answers import Claim, ClaimKind, Scan
from core.domain.follow_ups import SO_FAR, WHICH_UNIT, FollowUp
from core.domain.ids import AnswerId, StepId
from tests.core.test_scripted import request


def said_as(kind: ClaimKind, text: str) -> Grounds:
    made = request("01-05", text)
    return Grounds(made, (Claim("01-05/1", StepId("01-05"), kind, text, (AnswerId("01-05:1"),)),))


@pytest.mark.parametrize(
    ("kind", "text", "number"),
    [
        ("requirement", "The kiln must be cool again within 6.", "6"),
        ("interface", "limit 200.", "200"),
        ("fact", "limit 200", "200"),
        ("fact", "uptime: 98 in the harvest weeks", "98"),
        ("fact", "loaves come back burnt too often (now 12)", "12"),
        ("data", "a tank reading is kept for 30, then dropped", "30"),
        ("error", "the gate retries at most 4, then rings", "4"),
        ("decision", "we take 8 and a bell that adds 2, once", "8"),
        ("constraint", "bookings close 3 before the ferry leaves", "3"),
        ("fact", "max 15 per van", "15"),
        ("decision", "Max 15 and a bell", "15"),
        ("entry-point", "locks itself after 10", "10"),
        ("fact", "the till locks itself after 10 without a touch", "10"),
    ],
)
def test_a_number_that_bounds_something_is_asked_for_its_unit(
    kind: ClaimKind, text: str, number: str
) -> None:
    (asked,) = without_unit(said_as(kind, text))
    assert asked.kind == "unit"
    assert asked.question.endswith(f"{number} of what?")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("requirement", "The kiln must be cool again within 6 hours."),
        ("requirement", "Open 7 in the morning, as the bakers come"),
        ("requirement", "A berth is free again at 10:30."),
        ("requirement", "the keeper gets a list every morning at 7"),
        ("requirement", "mails go out at 7"),
        ("decision", "last time is 15, as we said"),
        ("constraint", "boats from 30 to 50 feet"),
        ("constraint", "the rules of 2019."),
        ("interface", "speaks version 2."),
        ("requirement", "a till is named when it is closed, else 422."),
        ("requirement", "The gate answers with error 409."),
        ("interface", "POST /tills/close is 200, or 403 if it is not yours, and 429."),
        ("quality", "Two of the harbours follow ISO 27001."),
        ("constraint", "The kiln speaks S/4."),
        ("constraint", "We fall under article 20."),
        ("fact", "the gate listens at port 8080."),
        ("fact", "one family brings 6, two stay for lunch"),
        ("fact", "mostly keepers, 20 or 30, they know the place"),
        ("error", 'unknown crop (15, "X") -> refused'),
        ("data", "rows 2100 to 2800 were written by hand"),
        ("decision", "Django 5, Postgres 16. Celery for the mails"),
        ("requirement", "not 20, a few boats are enough"),
        ("requirement", "berth unknown at the registry: 422, right in the form"),
    ],
)
def test_a_number_that_counts_names_or_dates_is_not(kind: ClaimKind, text: str) -> None:
    assert list(without_unit(said_as(kind, text))) == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("quality", "the map should be quick"),
        ("fact", "and the till mustn't be slow on market day"),
        ("quality", "it has to feel snappy with gloves on"),
        ("requirement", "boarding closes some time before the ferry leaves"),
        ("requirement", "the barn log must hold a lot of readings"),
        ("quality", "it has to be easy for the keepers"),
        ("requirement", "and it better not eat the battery"),
    ],
)
def test_a_demand_without_a_number_is_asked_for_one(kind: ClaimKind, text: str) -> None:
    (asked,) = without_number(said_as(kind, text))
    assert asked.kind == "number"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("quality", "the map should be there in 2 s"),
        ("fact", "the ferry was slow last year"),
        ("fact", "a lot of keepers are on leave"),
        ("requirement", "the till must refuse torn notes"),
        ("fact", "we were quick to agree on that"),
    ],
)
def test_a_degree_that_nobody_demands_is_not(kind: ClaimKind, text: str) -> None:
    assert list(without_number(said_as(kind, text))) == []


# ── what comes before what ──


def test_a_unit_given_of_something_else_does_not_count() -> None:
    made = request("01-05", "limit 200.", "The bell weighs 200 kg.")
    line = Claim("01-05/1", StepId("01-05"), "interface", "limit 200.", (AnswerId("01-05:1"),))
    assert [asked.kind for asked in without_unit(Grounds(made, (line,)))] == ["unit"]


def test_a_difference_takes_the_place_of_a_question_that_nobody_answered() -> None:
    made = request("01-06", "The till must refuse torn notes.")
    waiting = FollowUp("check", "How would you see that it works?", after=made.answers[0].ts)
    newer = FollowUp("difference", "Which one holds?")
    draft = drafted(
        replace(made, follow_ups=(waiting,)),
        (),
        prefixes={},
        estimate=lambda _: None,
        ask=lambda _claims, _scan: newer,
    )
    assert draft.follow_up is not None
    assert draft.follow_up.is_same(newer)
    assert [one.outcome for one in draft.closed] == ["passed"]
    assert any(waiting.question in claim.text for claim in draft.claims)


HELD = "A stall is held for at most 4.\nEvery keeper on the market side wants his own place back."


def test_a_line_given_since_that_lacks_what_cannot_wait_takes_its_place() -> None:
    waiting = read(request("01-06", "The till must refuse torn notes.")).follow_up
    assert waiting is not None
    made = request("01-06", "The till must refuse torn notes.", HELD)
    draft = read(replace(made, follow_ups=(waiting,)))
    assert draft.follow_up is not None
    assert draft.follow_up.question.endswith("4 of what?")
    assert [asked.outcome for asked in draft.closed] == ["passed"]


def test_nothing_else_takes_its_place() -> None:
    made = request("01-06", "The till must refuse torn notes.")
    waiting = FollowUp("check", "How would you see that it works?", after=made.answers[0].ts)
    draft = drafted(
        replace(made, follow_ups=(waiting,)),
        (),
        prefixes={},
        estimate=lambda _: Scan(),
        ask=lambda _claims, _scan: FollowUp("unit", "4 of what?"),
    )
    assert draft.follow_up == waiting
    assert draft.closed == ()


def test_what_had_no_room_at_its_step_is_asked_before_what_the_criteria_lack() -> None:
    before = request("01-06", "The till must refuse torn notes.")
    claims = read(before).claims
    here = request(
        "01-07", "A keeper closes the stall.", claims=claims, other_answers=before.answers
    )
    follow_up = read(here).follow_up
    assert follow_up is not None
    assert follow_up.kind != "missing"


def test_a_question_tells_which_number_it_asks_about() -> None:
    question = WHICH_UNIT.format("FR-001 “12 of 5 what?”", "50")
    assert FollowUp("unit", question).number_asked_about == "50"
    assert FollowUp("unit", "In what is that counted?").number_asked_about == ""


def test_what_there_is_so_far_is_no_part_of_what_is_asked() -> None:
    question = SO_FAR.format("Who is it for? And when?", "“the clerk”")
    assert FollowUp("missing", question).what_is_asked == "Who is it for? And when?"
    assert FollowUp("missing", "Who is it for?").what_is_asked == "Who is it for?"
