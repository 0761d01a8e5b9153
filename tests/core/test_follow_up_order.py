"""At which step what is asked: own lines first, one question about earlier ones, checks last."""

from dataclasses import replace

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim, ReadRequest
from core.domain.follow_ups import FollowUp
from tests.core.test_scripted import PRIYA, SAM, request, shipped

MUST = "The weighbridge must refuse a lorry without a delivery note."
LIMIT = "A lorry is kept waiting at most 20."


def then(step: str, said: str, *before: str) -> ReadRequest:
    """A later step, with what was said at 01-06 before it."""
    earlier = request("01-06", *before)
    made = request(step, said, other_answers=earlier.answers)
    return replace(made, claims=read(earlier).claims)


def asked(made: ReadRequest) -> FollowUp | None:
    return read(made).follow_up


def test_a_demand_of_the_first_steps_is_asked_for_no_check_there() -> None:
    follow_up = asked(request("01-01", MUST))
    assert follow_up is None or follow_up.kind != "check"


def test_its_check_is_asked_for_where_the_step_needs_checks() -> None:
    earlier = request("01-01", MUST)
    made = request("01-07", "A clerk weighs a lorry in.", other_answers=earlier.answers)
    follow_up = asked(replace(made, claims=read(earlier).claims))
    assert follow_up is not None
    assert (follow_up.kind, "delivery note" in follow_up.question) == ("check", True)


def test_a_number_that_had_no_room_comes_before_a_check_that_had_none() -> None:
    follow_up = asked(then("02-01", "The weighing clerks will notice it first.", MUST, LIMIT))
    assert follow_up is not None
    assert follow_up.question.endswith("20 of what?")


def test_a_line_of_the_step_comes_before_those_that_had_no_room() -> None:
    follow_up = asked(then("04-02", "batch limit 300", MUST, LIMIT))
    assert follow_up is not None
    assert "300" in follow_up.question


def test_one_question_a_step_is_about_lines_that_had_no_room() -> None:
    made = then("04-01", "The yard plan shows the lanes.", MUST, LIMIT)
    first = asked(made)
    assert first is not None
    second = asked(replace(made, follow_ups=(first.ended("answered"),)))
    earlier = {source for claim in made.claims for source in claim.sources}
    assert second is None or second.line is None or second.line.answer not in earlier


def test_nothing_is_asked_where_nothing_is_missing() -> None:
    check = "Given a lorry without a note, when it drives up, then the barrier stays down."
    earlier = request("01-06", f"{MUST}\n{check}")
    claims: tuple[Claim, ...] = read(earlier).claims
    made = request("02-02", "weighbridge/barrier.py", other_answers=earlier.answers)
    follow_up = asked(replace(made, claims=claims))
    assert follow_up is None or follow_up.kind == "missing"


def test_a_check_of_what_was_told_in_passing_comes_after_those_that_were_asked_for() -> None:
    earlier = request("01-06", "A clerk can weigh a lorry twice.")
    passing = "The yard gate must stay shut while a lorry is weighed."
    made = request("02-01", passing, other_answers=earlier.answers)
    before = read(earlier).claims
    first = asked(replace(made, claims=before))
    for _ in range(2):
        assert first is not None
        if first.kind == "check":
            break
        first = asked(replace(made, claims=before, follow_ups=(first.ended("answered"),)))
    assert first is not None
    assert (first.kind, "weigh a lorry twice" in first.question) == ("check", True)


def test_a_check_is_not_asked_for_of_what_was_told_in_passing_and_is_no_must() -> None:
    passing = "- app -> gate: the ticket\n- kept on the gate, deleted after 30 days"
    claims = read(request("04-03", passing)).claims
    assert any(claim.kind == "requirement" for claim in claims)
    made = then("04-03", passing, "A clerk can weigh a lorry twice.")
    follow_up = asked(made)
    assert follow_up is not None
    assert "weigh a lorry twice" in follow_up.question


def test_the_likeliest_requirement_is_asked_about_first() -> None:
    made = request("01-06", "- the list, shout if wrong\n- A clerk can reprint a ticket alone")
    first, second = (claim for claim in read(made).claims if claim.kind == "requirement")
    follow_up = asked(made)
    assert follow_up is not None
    assert follow_up.line is not None
    assert (follow_up.kind, follow_up.line.quote) == ("check", second.text)
    assert first.text != second.text


def test_a_check_of_another_line_is_none_of_this_one_though_it_has_its_words() -> None:
    check = "check for FR-001: a lorry without a delivery note, the weighbridge stays dark"
    made = request("01-06", f"{MUST}\nThe weighbridge must print the lorry's number.\n{check}")
    claims = read(made).claims
    (of,) = [claim.data["of"] for claim in claims if claim.kind == "check"]
    follow_up = asked(made)
    assert follow_up is not None
    assert (of, follow_up.question[:6]) == ("FR-001", "FR-002")


def test_what_stays_as_it_is_now_needs_no_alternative() -> None:
    assert asked(request("03-02", "We go with MySQL, as now, we know it.")) is None
    new = asked(request("03-02", "We go with MySQL, it is new to us."))
    assert new is not None
    assert new.kind == "alternative"


@pytest.mark.parametrize(
    "said",
    [
        "We decided: the tenors first.",
        "Decided: if time gets short the export goes first.",
        "Decided: we start on 6 October.",
        "Agreed: Nordlicht first, and Hallberg after it.",
    ],
)
def test_what_comes_first_and_when_needs_no_alternative(said: str) -> None:
    follow_up = asked(request("02-04", said))
    assert follow_up is None or follow_up.kind != "alternative"


def test_an_alternative_is_asked_for_where_a_step_needs_decisions_and_nowhere_else() -> None:
    said = "We go with Valkey for the queue."
    elsewhere = asked(request("04-03", said))
    assert elsewhere is None or elsewhere.kind != "alternative"
    earlier = request("03-02", said)
    made = request("03-03", "The clerks hear of it.", other_answers=earlier.answers)
    later = asked(replace(made, claims=read(earlier).claims))
    assert later is not None
    assert (later.kind, "Valkey" in later.question) == ("alternative", True)


def test_people_who_went_on_to_another_difference_are_asked_about_that_one() -> None:
    said = ("The paper list wins over the app.", (SAM, "The app wins."))
    first = request("04-03", *said)
    waiting = asked(first)
    assert waiting is not None
    assert waiting.kind == "difference"
    more = ("The bell rings for 50 s.", (SAM, "the bell rings for 25 s"))
    draft = read(replace(request("04-03", *said, *more), follow_ups=(waiting,)))
    assert [one.outcome for one in draft.closed] == ["passed"]
    assert draft.follow_up is not None
    assert "“the bell rings for 25 s”" in draft.follow_up.question


def test_who_gives_in_is_not_asked_what_else_it_could_have_been() -> None:
    made = request("03-04", (PRIYA, "cards cost 2 € each"), (SAM, "ok, paper then"))
    assert "decision" in [claim.kind for claim in read(made).claims]
    follow_up = asked(made)
    assert follow_up is None or follow_up.kind != "alternative"


def test_what_took_the_place_of_another_line_was_chosen_over_that() -> None:
    said = ("kept in the yard, deleted after 30 days", (SAM, "30 days is too short, 180 days"))
    made = request("04-03", *said, "ok 180 then, the union has to nod")
    claims = read(made).claims
    assert any(claim.supersedes for claim in claims)
    assert any(claim.kind == "decision" for claim in claims)
    follow_up = asked(made)
    assert follow_up is None or follow_up.kind != "alternative"


def test_what_only_gives_another_value_is_asked_for_no_check() -> None:
    follow_up = asked(request("01-06", "max 20 loaves per order", "please make that 30"))
    assert follow_up is None or follow_up.kind != "check"


def test_what_only_gives_another_value_is_asked_for_no_unit_either() -> None:
    said = ("an admin has 7 days to rotate them", "file limit: make that 14")
    follow_up = asked(request("02-01", *said))
    assert follow_up is None or "14 of what" not in follow_up.question


def test_nobody_is_asked_what_else_it_could_have_been_where_something_was_turned_down() -> None:
    settled = asked(request("03-02", "We go with Valkey for the queue."))
    assert settled is not None
    assert settled.kind == "alternative"
    weighed = asked(request("03-02", "We go with Valkey for the queue.", "Kafka is off the table."))
    assert weighed is None or weighed.kind != "alternative"


@pytest.mark.parametrize(
    ("said", "named"),
    [
        (
            "The lorries wait for the weighers all day long.\nDecided: the north gate first.",
            "north",
        ),
        ("The lorries wait for the weighers all day long.\nThe shop would take it.", "The shop"),
        ("The lorries wait for the weighers all day long.\nIt rains here.", "weighers"),
    ],
    ids=["what was decided", "the words of the question", "the longest"],
)
def test_a_question_for_what_a_step_lacks_names_the_line_that_is_nearest_to_it(
    said: str, named: str
) -> None:
    step = next(step for step in shipped() if step.id == "02-04")
    follow_up = asked(replace(request("02-04", said), step=step))
    assert follow_up is not None
    assert follow_up.what_is_asked == "How would you take it back?"
    assert named in follow_up.question
