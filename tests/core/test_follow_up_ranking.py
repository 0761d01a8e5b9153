"""What is asked is about a line, of what it lacks most, and never about what was said."""

from dataclasses import replace

import pytest

from core.brains.script.follow_ups.lines import Grounds
from core.brains.script.follow_ups.numbers import bare_numbers, without_unit
from core.brains.script.follow_ups.people import without_alternative, without_person
from core.brains.script.reading import read
from core.domain.answers import Claim, LineRef
from core.domain.follow_ups import FollowUp
from core.domain.ids import StepId, UserId
from tests.core.test_scripted import SAM, request


def asked(*said: str, step: str = "01-06", **more: object) -> FollowUp | None:
    return read(request(step, *said, **more)).follow_up  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("the kiln must stop at 900.", "900"),
        ("keeps a loaf for 3", "3"),
        ("holds 40 max", "40"),
        ("loans run for 14 days", ""),
        ("since 2019", ""),
        ("see option 2.", ""),
        ("opens at 10:30", ""),
        ("takes 30-40 minutes", ""),
        ("it is 3.50 each", ""),
        ("60 per shop, ought to do", "60"),
        ("everyone else gets a 403", ""),
        ("call it twice → 404, harmless", ""),
        ("tries again after 1, 5, 15 and then each 30 min", ""),
        ("Loaves: up to 12, no more", ""),
        ("card 4000 0000 0000 9979, no button", ""),
        ("quantity 0, refused", ""),
        ("on day 1, 3, 5, 7 after the storm", ""),
    ],
)
def test_a_number_is_bare_where_nothing_countable_follows(text: str, number: str) -> None:
    assert "".join(bare_numbers(text)) == number


def test_a_must_without_a_check_comes_first_and_is_named() -> None:
    follow_up = asked("The till must refuse a voucher that was used before.")
    assert follow_up is not None
    assert follow_up.kind == "check"
    assert follow_up.line is not None
    assert follow_up.question == (
        "FR-001 “The till must refuse a voucher that was used before”: "
        "how would you see that it works?"
    )


def test_a_line_is_asked_about_once_wherever_it_was_asked() -> None:
    made = request("01-06", "The till must refuse a voucher that was used before.")
    first = read(made).follow_up
    assert first is not None
    elsewhere = replace(made, asked_elsewhere=(first.ended("answered"),))
    second = read(elsewhere).follow_up
    assert second is None or not second.is_same(first)


def test_a_long_line_is_cut_at_a_word() -> None:
    follow_up = asked("The oven must " + "warn the baker on duty " * 8 + "at night.")
    assert follow_up is not None
    assert " …”: how" in follow_up.question


def test_nothing_is_asked_about_a_line_that_another_one_replaced() -> None:
    made = request("01-08", "Fine by all of us, let us go on then please.")
    old = Claim("01-06/1", StepId("01-06"), "requirement", "It must ring", ("x:1",), ref="FR-001")  # type: ignore[arg-type]
    line = read(request("01-06", "It must ring.")).claims[0]
    newer = replace(
        line,
        id="01-06/2",
        text="It must blink",
        ref="FR-002",
        supersedes=(LineRef(old.sources[0], old.text),),
    )
    follow_up = read(replace(made, claims=(old, newer))).follow_up
    assert follow_up is None or "It must ring" not in follow_up.question


def test_of_several_numbers_the_one_that_bounds_something_is_asked_about() -> None:
    follow_up = asked("he walks 3 in the morning, the dog may take up to 120", step="01-03")
    assert follow_up is not None
    assert follow_up.question.endswith("120 of what?")


def test_a_number_that_the_line_counts_itself_is_not_asked_about() -> None:
    follow_up = asked("fire 3 test alerts at once, the list must show 3")
    assert follow_up is None or follow_up.kind != "unit"


def test_what_a_step_lacks_names_a_question_where_it_has_no_other_line() -> None:
    asks = "do muted minutes count as downtime or not?"
    made = request("02-01", asks)
    criteria = {"Validation": "- Somebody says who notices."}
    follow_up = read(replace(made, step=replace(made.step, sections=criteria))).follow_up
    assert follow_up is not None
    assert follow_up.line is not None
    assert follow_up.line.quote == asks


def test_one_matter_is_asked_about_once() -> None:
    made = request("01-05", "The records should be safe. Safe enough, we are no bank.")
    first = read(made).follow_up
    assert first is not None
    assert first.kind == "number"
    second = read(replace(made, follow_ups=(first.ended("answered"),))).follow_up
    assert second is None or second.kind != "number"


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("a refund under 4 s for most, availability same as the shop", "number"),
        ("The records should be safe.", "number"),
        ("one order, one charge, never two", "check"),
        ("Every charge is traceable to one person.", "check"),
        ("a refund in under 4 s on an old phone", None),
    ],
)
def test_a_quality_is_asked_for_its_number_or_how_it_would_be_seen(
    said: str, kind: str | None
) -> None:
    follow_up = asked(said, step="01-05")
    found = follow_up.kind if follow_up and follow_up.kind != "missing" else None
    assert found == kind


@pytest.mark.parametrize(
    "said",
    [
        "`ring-buffer` (new, one day to learn), cheap instead of good",
        "went w/ plain `key=value`",
        "Kotlin, Room, WorkManager for the phone",
    ],
)
def test_a_tool_that_is_new_is_asked_for_what_else_it_could_have_been(said: str) -> None:
    follow_up = asked(said, step="03-02")
    assert follow_up is not None
    assert follow_up.kind == "alternative"


@pytest.mark.parametrize(
    "said",
    [
        ("SSE for the countdown. tried websockets in the spike, proxies eat them",),
        ("not Dublin, they have the new hires. Lisbon", "Lisbon it is."),
    ],
)
def test_what_was_weighed_in_passing_is_not_asked_about(said: tuple[str, ...]) -> None:
    follow_up = asked(*said, step="03-02")
    assert follow_up is None or follow_up.kind != "alternative"


def units_asked(*said: str | tuple[UserId, str], step: str) -> set[str]:
    """Of which numbers the unit may be asked."""
    made = request(step, *said)
    request_of = without_unit(Grounds(made, read(made).claims))
    return {one.question.rpartition(": ")[2] for one in request_of}


@pytest.mark.parametrize(
    ("before", "units"),
    [
        ("I need 90 days, for the markets", set()),
        ("90 is a lot", {"90 of what?"}),
        ("I need 9 days and 90 loaves", {"90 of what?"}),
    ],
)
def test_a_number_that_a_decision_takes_up_from_another_answer_has_its_unit(
    before: str, units: set[str]
) -> None:
    said = ("a loaf is kept 30 days", (SAM, before), "ok 90 then, the baker has to nod")
    assert units_asked(*said, step="04-03") == units


def test_of_two_numbers_of_a_decision_the_one_without_a_unit_is_asked_about() -> None:
    said = ("The oven rests for 10 minutes", (SAM, "20, please"))
    of_five = units_asked(*said, "we take 10 and a button that adds 5, once", step="01-06")
    assert of_five == {"5 of what?"}


@pytest.mark.parametrize(
    "said",
    [
        "The trainer must see RANK 4 and above, and who is new",
        "It must also run on Kestrel 41 in the office",
        "berth 12, then berth 14, must stay free for the pilot",
        "They must say what stops them: till 3, and the ledger",
        "a goat counts as a 4, if it limps",
        "the map must load in 6 seconds at first, and 2 once it is there",
        "masts must be looked at every 12 months, ropes every 6",
        "Every boat must be back after 6 hours; half days 3",
        "Applications for anyone under 18 must be refused",
        "must be lost: fewer than 1 in a million",
        "9 of 10 people must find it on their own",
        "a key must end after 90 days, max 365",
        "there must be room for 40 bags, not for 70",
        "it must run on Safari 15, and on paper",
        "whoever owes us must get a 402, and nothing else",
        "```\nPOST /loans -> 201 | 200\n```\nyou may rely on the 200, and on the path",
    ],
)
def test_a_number_of_a_name_a_status_and_one_whose_unit_was_just_said_are_not_asked_about(
    said: str,
) -> None:
    assert units_asked(said, step="04-02") == set()


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("It must be back within 2 days, limit 50", "50"),
        ("If it was above 25 °C for more than 30, it must be marked", "30"),
        ("orders over 300 must wait for a nod", "300"),
    ],
)
def test_a_limit_of_its_own_behind_a_number_with_a_unit_is_asked_about(
    said: str, number: str
) -> None:
    assert units_asked(said, step="01-06") == {f"{number} of what?"}


@pytest.mark.parametrize("said", ["except 408, 429", "from > to gives 400"])
def test_a_status_of_http_has_no_unit(said: str) -> None:
    assert units_asked(f"A late call is tried again. {said}", step="04-04") == set()


def test_a_number_set_against_that_of_somebody_else_has_its_unit() -> None:
    limit = (SAM, "at most 40 words on a label")
    assert units_asked(limit, "I'd go 25, like on a stamp", step="04-02") == set()
    assert units_asked((SAM, "a label has to be short"), "limit 25.", step="04-02") == {
        "25 of what?"
    }
    both = (SAM, "at most 40 words on a label, 3 lines each")
    assert units_asked(both, "limit 25.", step="04-02") == {"25 of what?"}


def technologies_asked_about(said: str) -> list[str]:
    made = request("03-02", said)
    claims = read(made).claims
    return [
        asked.line.quote
        for asked in without_alternative(Grounds(made, claims), {"decision"})
        if asked.line
    ]


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        ("Labels through StickerHub (new to me).", "Labels through StickerHub (new to me)."),
        ("New for us: the queue.", "New for us: the queue."),
        ("Badges by card.\nThat is new for all of us.", "Badges by card."),
        ("Badges by NFC.\nThat'd be new to run for us, readers and such", "Badges by NFC."),
        ("Tried QR codes. Labels by StickerHub (new to me).", "Labels by StickerHub (new to me)."),
    ],
)
def test_what_is_told_to_be_new_to_the_team_is_asked_for_its_alternative(
    said: str, quote: str
) -> None:
    assert quote in technologies_asked_about(said)


def test_nothing_new_has_no_alternative() -> None:
    assert technologies_asked_about("Nothing new for us.\nnothing new to run") == []


def persons_asked_about(said: str) -> list[str]:
    made = request("01-07", said)
    asked = without_person(Grounds(made, read(made).claims), {"story"})
    return [follow_up.line.quote for follow_up in asked if follow_up.line]


def test_what_somebody_wants_is_asked_for_its_person_before_the_rest() -> None:
    said = "I want to see the free stalls.\nSomebody wants to close a stall for the day."
    assert persons_asked_about(said)[:1] == ["Somebody wants to close a stall for the day."]


def test_who_names_themselves_is_not_asked_who_it_is() -> None:
    assert persons_asked_about("me, market office: I want to see the free stalls") == []


def test_a_thing_that_is_only_wished_for_is_asked_for_its_person() -> None:
    said = "and a list of free stalls on the gate screen\nA list of the stalls is on the door."
    assert persons_asked_about(said) == ["and a list of free stalls on the gate screen"]


@pytest.mark.parametrize(
    "said",
    [
        "also a weekly list of the empty stalls would be gold",
        "oh and a monthly report of what got lost",
        "What would be welcome is an overview of the refused traders per month.",
        "Fees should be exportable as CSV, that came up twice.",
        "need: list of stalls without a photo",
    ],
)
def test_a_list_for_nobody_by_name_is_asked_for_its_person(said: str) -> None:
    assert persons_asked_about(said) == [said]


@pytest.mark.parametrize(
    "said",
    [
        "The list of the stalls was on the door.",
        "ok, as a warden I want a list of the locked stalls so I can walk round once",
        "I would take a saturday list",
    ],
)
def test_a_list_of_somebody_and_one_that_there_is_are_not(said: str) -> None:
    assert persons_asked_about(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "card reader stuck: needs a human",
        "no price on the sign → parked, somebody looks at it",
        "vault sealed = somebody has to get out of bed.",
    ],
)
def test_whom_a_failure_needs_is_asked(said: str) -> None:
    made = request("04-04", said)
    grounds = Grounds(made, read(made).claims)
    asked = [one.line.quote for one in without_person(grounds, {"error"}) if one.line]
    assert asked == [said]
    assert not list(without_person(grounds, set()))


def test_a_heading_is_not_asked_about() -> None:
    made = request("01-06", "What it must do:\n- it must refuse torn notes")
    asked = read(made).follow_up
    assert asked is not None
    assert asked.line is not None
    assert asked.line.quote == "it must refuse torn notes"


def test_what_has_to_be_done_by_somebody_else_is_asked_for_its_person() -> None:
    made = request("01-06", "A refund above 200 euros must be approved by a second person.")
    asked = without_person(Grounds(made, read(made).claims), set())
    assert ["approved by a second person" in follow_up.question for follow_up in asked] == [True]
