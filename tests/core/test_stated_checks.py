"""Which line a check is of, as people of other trades say it.

Its line is told by a label, by the reply it is, by what stands before it, else by words. Nobody is
made to have said of what. What makes a line a check is in `test_checks_in_words`.
"""

from dataclasses import replace

import pytest

from core.brains.bookkeeping.answering import opens_with_name
from core.brains.bookkeeping.references.checks import attached, perhaps_checked
from core.brains.script.reading import read
from core.domain.answers import Claim, Draft, LineRef, ReadRequest
from core.domain.follow_ups import FollowUp
from core.domain.ids import UserId
from tests.core.test_scripted import PRIYA, SAM, answer, request, shipped

LIBRARY = (
    "a) a member reserves a book that is lent out\n"
    "b) the desk must refuse a third renewal\n"
    "c) overdue mails go out at 7 each morning"
)
STORY = "As a member I want to see my loans so that I return them in time."


def checks(draft: Draft) -> list[tuple[str, str]]:
    return [
        (claim.text, claim.data.get("of", "")) for claim in draft.claims if claim.kind == "check"
    ]


def sure(draft: Draft) -> list[tuple[str, str]]:
    """The line that each check is of, and whether somebody said so or it was inferred."""
    checked = (claim for claim in draft.claims if claim.kind == "check")
    return [(claim.data.get("of", ""), claim.confidence) for claim in checked]


def of_somebody_else(said: str) -> list[str]:
    """The lines that Sam's checks are of, when Priya listed the three of the library."""
    return [of for _, of in checks(read(request("01-06", LIBRARY, (SAM, said))))]


@pytest.mark.parametrize(
    ("said", "of"),
    [
        ("We test b) with a card that has two renewals: it says no.", ["FR-002"]),
        ("check c: look in the outbox at 7:05", ["FR-003"]),
        ("b) is ok when my colleague tries a third time and can't", ["FR-002"]),
        ("and b) from above is done if the third slip prints red", ["FR-002"]),
        ("proof for a): two people, one book, the second gets a sorry", ["FR-001"]),
        ("check a) and c) in one go: reserve at 6:50, read the mail", ["FR-001", "FR-003"]),
        (
            "how we know: (a) I try it with my own card. (b) third slip, refused.",
            ["FR-001", "FR-002"],
        ),
        ("done when: R2 - two cards, one desk. R1 - pay, the slip is in the mail",
         ["FR-002", "FR-001"]),
        ("done when no member gets overdue mails after 7 any more", ["FR-003"]),
    ],
)  # fmt: skip
def test_a_check_belongs_to_the_line_that_it_calls_by_its_label(said: str, of: list[str]) -> None:
    assert [ref for refs in of_somebody_else(said) for ref in refs.split(", ")] == of


def test_a_check_inside_a_line_is_a_line_of_its_own() -> None:
    draft = read(request("01-06", "The desk refuses a third renewal (check: try it with my card)"))
    assert [(claim.kind, claim.text, claim.data.get("of")) for claim in draft.claims] == [
        ("requirement", "The desk refuses a third renewal", None),
        ("check", "check: try it with my card", "FR-001"),
    ]


@pytest.mark.parametrize(("by", "of"), [(PRIYA, "FR-001"), (SAM, "")])
def test_a_check_belongs_to_the_line_that_its_author_sent_right_before(by: str, of: str) -> None:
    said = (by, "done when everybody is happy")
    draft = read(request("01-06", "The desk must refuse a third renewal.", said))
    assert checks(draft) == [("done when everybody is happy", of)]


def test_a_check_further_down_in_the_next_message_is_inferred_to_be_of_the_line_before() -> None:
    said = "Kim is ill. done when everybody is happy"
    draft = read(request("01-06", "The desk must refuse a third renewal.", said))
    assert sure(draft) == [("FR-001", "inferred")]


def test_behind_a_list_in_another_message_it_is_inferred_to_be_of_the_last_line() -> None:
    draft = read(request("01-06", LIBRARY, "done when everybody is happy"))
    assert sure(draft) == [("FR-003", "inferred")]


NUMBERED = (
    "1 - A guard opens a lock for one barge at a time.\n"
    "2 - The gate refuses a barge above 85 m.\n"
    "3 - The night list is printed at 20:00."
)
BREWERY = (
    "1. every barrel has one card with its filling date\n"
    "2. whoever tastes signs with the hour\n"
    "3. you can see who has opened a valve\n"
    "4. the cellar gets a list of the barrels above 9 degrees\n"
    "5. a card may be corrected but never thrown away"
)


def asked_in_full(*said: str | tuple[UserId, str]) -> ReadRequest:
    """What people say at the step itself, with its three numbered questions."""
    step = next(step for step in shipped() if step.id == "01-06")
    return replace(request("01-06", BREWERY, *said), step=step)


@pytest.mark.parametrize(
    "said",
    [
        "6. the cooper gets a mail when a hoop is loose",
        "3: no photos, no smell, that's for later",
        "no 4 - make it 10, not 9",
        "no 4 - drop that, nobody reads it",
        "number 3 is the one I'm here for",
        "no 4 people in the cellar, ever",
    ],
)
def test_what_is_said_of_an_item_otherwise_is_no_check(said: str) -> None:
    assert checks(read(asked_in_full((SAM, said)))) == []


def test_what_answers_the_question_for_checks_by_its_number_is_of_no_item() -> None:
    (check,) = checks(
        read(asked_in_full((SAM, "2. I open a valve twice, the second time refused")))
    )
    assert check[1] != "FR-002"


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (
            "how i know its done\nred: park in the last space, watch it flip within 5 seconds\n"
            "counting: replay the film of yesterday, diff against the counter, diff is empty",
            [
                "red: park in the last space, watch it flip within 5 seconds",
                "counting: replay the film of yesterday, diff against the counter, diff is empty",
            ],
        ),
        ("mail: I like it and so does Ann", []),
        ("we sign the lease once the bank has paid", []),
        ("no idea how i know its done\nred: it is ugly", []),
    ],
)
def test_what_somebody_does_for_a_thing_by_its_name_is_a_check(said: str, found: list[str]) -> None:
    draft = read(asked_in_full((SAM, said)))
    assert [text for text, _ in checks(draft)] == found


KILN = "The kiln must shut itself off at 1200"
DIVER = "As a diver I want to see the depth so that I come up in time"


@pytest.mark.parametrize("line", [KILN, DIVER])
@pytest.mark.parametrize(
    "check",
    [
        "I'd believe it if it did so three nights in a row",
        "I'd pull the cable of the probe and see whether it still stops",
    ],
)
def test_a_check_is_told_by_how_it_is_led_to_and_is_of_what_stands_before_it(
    line: str, check: str
) -> None:
    step = "01-07" if line == DIVER else "01-06"
    draft = read(request(step, f"{line}. {check}"))
    (ref,) = [claim.ref for claim in draft.claims if claim.kind in ("requirement", "story")]
    assert checks(draft) == [(check, ref)]


@pytest.mark.parametrize(
    ("said", "of"),
    [
        ("→ test 2: 86 m barge at noon, red lamp, gate stays shut", ["FR-002"]),
        ("-> check 3: 20:01, the sheet is in the tray", ["FR-003"]),
        ("for 1 i know it's done when two barges hoot and one of them waits", ["FR-001"]),
        ("R2: works if an 86 m barge gets a red lamp", ["FR-002"]),
        ("3) is fine when the sheet is in the tray at 20:01", ["FR-003"]),
        ("how I'd test them:\n1. hoot twice\n2. 86 m barge\n3. look in the tray",
         ["FR-001", "FR-002", "FR-003"]),
        ("test 7: hoot twice, nobody moves", [""]),
    ],
)  # fmt: skip
def test_a_check_calls_a_line_by_the_number_that_its_author_wrote_before_it(
    said: str, of: list[str]
) -> None:
    assert [ref for _, ref in checks(read(request("01-06", NUMBERED, (SAM, said))))] == of


@pytest.mark.parametrize(
    "said",
    [
        "I'd enter the Friday barge for a quarter and count to 13.",
        "i'd weigh the same sack twice and it'd better say the same",
        "I'd look up my own.",
        "First I'd call the lock from home.",
        "You'd see the lamp go red.",
    ],
)
def test_what_somebody_would_do_right_behind_a_story_is_its_check(said: str) -> None:
    assert checks(read(request("01-07", f"{STORY} {said}"))) == [(said, "US-001")]


@pytest.mark.parametrize(
    ("said", "of"),
    [
        (f"{STORY} I'd believe it once I've renewed and seen the new date.", "US-001"),
        ("I'd believe it once the desk says no to me.", "FR-002"),
        ("I hold a third card to it, red lamp: refused", "FR-002"),
    ],
)
def test_a_check_behind_a_story_is_no_reply_to_what_was_asked_about_another_line(
    said: str, of: str
) -> None:
    lines = read(request("01-06", LIBRARY)).claims
    line = LineRef(lines[1].sources[0], lines[1].text)
    asked = FollowUp("check", f"{line.quote}: how would you see that it works?", line)
    draft = read(request("01-07", said, claims=lines, follow_ups=(asked,)))
    assert [ref for _, ref in checks(draft)] == [of]


NAMED = (
    "- [ ] F1 each dock shows the next barge\n"
    "- [ ] F2 no berth without a pilot → 400\n"
    "- [ ] AC3 moves and cancellations land in the log"
)


@pytest.mark.parametrize(
    ("said", "of"),
    [
        ("Tests\nF1: two docks, two barges, two names\nAC3: move one, read one row",
         ["FR-001", "FR-003"]),
        ("my DoD:\n* no berth: call it without a pilot, expect 400\n* log: I move, two rows",
         ["FR-002", "FR-003"]),
    ],
)  # fmt: skip
def test_a_check_is_of_the_line_whose_name_or_words_stand_before_it(
    said: str, of: list[str]
) -> None:
    assert [ref for _, ref in checks(read(request("01-06", NAMED, (SAM, said))))] == of


def test_what_stands_before_the_colon_says_of_which_line_a_check_is_whatever_was_asked() -> None:
    lines = read(request("01-06", NAMED)).claims
    line = LineRef(lines[0].sources[0], lines[0].text)
    asked = FollowUp("check", f"{line.quote}: how would you see that it works?", line)
    said = (SAM, "check:\n* no berth: book without a pilot\n* the log: two rows")
    draft = read(request("01-06", NAMED, said, follow_ups=(asked,)))
    assert [ref for _, ref in checks(draft)] == ["FR-002", "FR-003"]


WARD = (
    "1. nurses swap two beds with one tap\n2. an isolated patient never shares a room\n"
    "3. every swap is logged with a name\n4. the porter gets a push when a bed is free"
)


@pytest.mark.parametrize(
    ("said", "of"),
    [
        ("2 → try it with two isolated ones, refused", ["FR-002"]),
        ("#3 done when the log shows both names", ["FR-003"]),
        ("how I'd check the push: free a bed, count to five, phone buzzes", ["FR-004"]),
        ("number 4 is ok if the night porter says so", ["FR-004"]),
        ("check on the push: phone off, phone on, push still comes", ["FR-004"]),
        ("you know 1 works if my mother can do it", ["FR-001"]),
        ("1 ok when done with gloves", ["FR-001"]),
        ("how i know 2 works: i put two isolated ones into 14 and get a no", ["FR-002"]),
        ("how we'd know\n- swap: two taps, no reload\n- isolated: two in one room, refused",
         ["FR-001", "FR-002"]),
    ],
)  # fmt: skip
def test_a_check_names_its_line_in_many_ways(said: str, of: list[str]) -> None:
    assert [ref for _, ref in checks(read(request("01-06", WARD, (SAM, said))))] == of


@pytest.mark.parametrize(
    "said",
    [
        "Bettina would take Monday's list and compare the totals.",
        "They'd check with a skipper who is always late.",
        "The night shift would trust it after two weeks without a hoot.",
    ],
)
def test_behind_a_story_anybody_may_try_it(said: str) -> None:
    assert checks(read(request("01-07", f"{STORY} {said}"))) == [(said, "US-001")]


def test_a_line_that_takes_up_a_name_of_its_own_answer_may_be_its_check() -> None:
    said = (
        "R1 a nurse swaps two beds\nR2 a bed has one patient, never two at once\n\n"
        'R2: two tablets, put somebody into bed 4 on both, the second one gets "already taken"'
    )
    assert [ref for _, ref in checks(read(request("01-06", said)))] == ["FR-002"]


@pytest.mark.parametrize("step", ["02-04", "03-04", "04-05"])
def test_a_check_is_one_where_nobody_asks_for_checks(step: str) -> None:
    said = "done when nobody hoots in the last week"
    assert checks(read(request(step, said))) == [(said, "")]


@pytest.mark.parametrize(
    ("said", "role"),
    [
        ("as lock keeper: see who waits, so I can eat", "lock keeper"),
        ("as skipper i wanna know my slot", "skipper"),
        ("As a miller I should like to learn what each sack weighed.", "miller"),
        ("want: last 3 weights next to the new one", ""),
        ("would love a button for a broken sack", ""),
        ("I'd love to see all three weights", ""),
    ],
)
def test_a_story_is_one_however_it_says_as_whom(said: str, role: str) -> None:
    draft = read(request("01-07", said))
    assert [(claim.kind, claim.data["role"]) for claim in draft.claims] == [("story", role)]


@pytest.mark.parametrize("said", ["as agreed: the list is red", "as always: print it twice"])
def test_a_manner_is_nobody(said: str) -> None:
    assert "story" not in {claim.kind for claim in read(request("01-07", said)).claims}


def test_a_column_on_how_it_is_tested_holds_the_checks_of_its_rows() -> None:
    rows = (
        "what | how we test it",
        "--- | ---",
        "sack warning | lift a sack",
        "numbers | read one",
    )
    said = "\n".join(f"| {row} |" for row in rows)
    assert checks(read(request("01-06", said))) == [
        ("lift a sack", "FR-001"),
        ("read one", "FR-002"),
    ]


@pytest.mark.parametrize(
    "said",
    [
        "Each lorry gets a slot -> test: two lorries, one slot",
        "Each lorry gets a slot. I'd see it on the board.",
        "Each lorry gets a slot (test: two lorries, one slot)",
    ],
)
def test_a_check_stands_beside_its_line(said: str) -> None:
    assert [of for _, of in checks(read(request("01-06", said)))] == ["FR-001"]


def test_a_number_of_something_else_names_no_line() -> None:
    said = "Each lorry gets a slot.\nThe gate opens by itself.\nOn a day there are at most 2 slots."
    tried = "I'd book 2 slots, then number 1 of the next day, then number 3 gets a no"
    assert checks(read(request("01-06", f"{said}\n{tried}"))) == [(tried, "FR-003")]
    by_number = "check number 1: two lorries, one slot"
    assert checks(read(request("01-06", f"{said}\n{by_number}"))) == [(by_number, "FR-001")]


@pytest.mark.parametrize(
    ("said", "role", "when"),
    [
        ("S1: as a miller I want to weigh at night so that the day is free", "miller", ""),
        ("S2: A neighbour reports the noise and gets told who comes", "neighbour", ""),
        ("Story 3: Jon weighs a sack", "Jon", ""),
        ("US-4: The customers get a text when it rains", "customers", "when it rains"),
        ("When it rains, customers get a text by 7", "customers", "When it rains"),
    ],
)
def test_a_story_is_what_its_author_calls_one_or_a_person_and_a_moment(
    said: str, role: str, when: str
) -> None:
    (story,) = read(request("01-07", said)).claims
    assert (story.kind, story.text, story.data["role"]) == ("story", said, role)
    assert story.data.get("when", "").startswith(when)


def test_how_it_goes_today_is_no_check() -> None:
    assert checks(read(request("01-01", "It works when the wind is low"))) == []


@pytest.mark.parametrize(
    ("item", "of"),
    [
        ("- coffee is nice", ("FR-001", "inferred")),
        ("- a sack can be sent back", ("FR-002", "stated")),
        ("coffee is nice", ("FR-001", "inferred")),
    ],
)
def test_a_check_behind_an_aside_is_only_inferred_to_be_of_the_line_before(
    item: str, of: tuple[str, str]
) -> None:
    said = f"- Each lorry gets a slot by text\n{item}\ncheck: count the cups"
    assert sure(read(request("01-06", said))) == [of]


@pytest.mark.parametrize(
    ("check", "of"),
    [
        ("check: count the cups in the kitchen", ("FR-002", "inferred")),
        ("check: the lorry at noon", ("FR-002", "stated")),
        ("check: the wet sack at noon", ("FR-001", "stated")),
    ],
)
def test_behind_other_things_a_check_belongs_to_the_line_that_has_its_words(
    check: str, of: tuple[str, str]
) -> None:
    said = f"A wet sack can be sent back\nEach lorry gets a slot by text. Kim is ill. {check}"
    assert sure(read(request("01-06", said))) == [of]


def test_who_asks_how_it_is_seen_and_goes_on_tells_a_check_of_the_line_before() -> None:
    said = "The barrier opens for a known plate. How do we know? All 20 test plates get in."
    assert checks(read(request("01-06", said))) == [("All 20 test plates get in.", "FR-001")]


def test_a_reply_that_speaks_of_another_line_is_a_check_of_that_one() -> None:
    lines = read(request("01-06", WARD)).claims
    line = LineRef(lines[0].sources[0], lines[0].text)
    asked = FollowUp("check", f"{line.quote}: how would you see that it works?", line)
    said = (SAM, "I put an isolated patient into a room with two beds, it says no")
    draft = read(request("01-06", WARD, said, follow_ups=(asked,)))
    assert [ref for _, ref in checks(draft)] == ["FR-002"]


@pytest.mark.parametrize(
    ("said", "of"),
    [
        ("a card must hold 30 loans at most: I put 31 on one, the last is refused", "FR-002"),
        ("I stamp a card twice, then I count to thirty, refused", ""),
        ("I bring back a torn magazine, stamp it, it shows red", ""),
    ],
)
def test_at_another_step_a_word_in_common_does_not_say_what_a_check_is_of(
    said: str, of: str
) -> None:
    lines = ("The desk refuses a child alone.\nA card must hold at most 30 loans.\n"
             "Every magazine must be on the list.")  # fmt: skip
    earlier = request("01-06", lines)
    requirements = read(earlier).claims
    later = request("02-01", (SAM, said), claims=requirements, other_answers=earlier.answers)
    check = Claim("02-01/1", later.step.id, "check", said, (later.answers[0].id,), ref="AC-001")
    (read_as,) = attached((check,), later)
    assert read_as.data.get("of", "") == of


def test_a_line_that_a_check_may_be_of_is_perhaps_checked_though_it_stands_under_another() -> None:
    said = ("A wet sack can be sent back", "Each lorry gets a slot by text. check: a sack at noon")
    made_of = request("01-06", *said)
    claims = read(made_of).claims
    assert perhaps_checked(claims, made_of) == {"FR-001", "FR-002"}
    later = request("02-01", (SAM, "check: the cups"), claims=claims, other_answers=made_of.answers)
    assert perhaps_checked(read(later).claims, later) == frozenset()


THINGS = ("gate", "barn", "shed", "attic", "cellar", "garage", "loft", "kiosk")


def asked_about_the_kiosk(step: str, said: str) -> Draft:
    """What is made of a reply, after it was asked how FR-008 is seen to hold."""
    listed = "\n".join(f"- The owner can open the {thing} by phone" for thing in THINGS)
    lines = read(request("01-06", listed)).claims
    assert [line.ref for line in lines][-1] == "FR-008"
    line = LineRef(lines[7].sources[0], lines[7].text)
    question = f"FR-008 “{line.quote}”: how would you see that it works?"
    asked = (FollowUp("check", question, line),)
    earlier = (answer("01-06", 1, listed),)
    return read(request(step, "hm", said, claims=lines, other_answers=earlier, follow_ups=asked))


@pytest.mark.parametrize("name", ["FR-008: ", "8: ", "8 - ", "ok 8: "])
@pytest.mark.parametrize("step", ["01-06", "02-03"])
def test_a_reply_that_opens_with_the_number_of_the_line_in_question_is_its_check(
    name: str, step: str
) -> None:
    draft = asked_about_the_kiosk(step, f"{name}my cousin stands there and it says so")
    assert [ref for _, ref in checks(draft)] == ["FR-008"]
    assert [one.outcome for one in draft.closed] == ["answered"]


@pytest.mark.parametrize("said", ["R2 and R8 are no risks, just talk", "R8 is not a risk"])
def test_who_says_of_risks_that_they_are_none_tells_no_check(said: str) -> None:
    draft = asked_about_the_kiosk("02-04", said)
    assert not checks(draft)
    assert not draft.closed


@pytest.mark.parametrize(
    ("said", "is_of_line"),
    [
        ("7 you see at the desk", True),
        ("7: at the desk", True),
        ("8: at the desk", False),
        ("7 desks have it", False),
    ],
)
def test_a_bare_number_names_the_line_in_question_and_no_other(said: str, is_of_line: bool) -> None:
    asked = FollowUp("check", "FR-007 “a desk”: how would you see that it works?")
    assert opens_with_name(said, asked) == is_of_line


def test_a_small_number_is_that_of_a_question_of_the_step() -> None:
    asked = FollowUp("check", "FR-002 “a desk”: how would you see that it works?")
    assert not opens_with_name("2: at the desk", asked)
    assert opens_with_name("FR-2: at the desk", asked)


def later_checks(step: str, *said: str) -> list[tuple[str, str]]:
    """Checks and their lines at a later step, where nobody asked about a line."""
    listed = "\n".join(f"The owner can open the {thing} by phone" for thing in THINGS)
    lines = read(request("01-06", listed)).claims
    earlier = (answer("01-06", 1, listed),)
    return checks(read(request(step, *said, claims=lines, other_answers=earlier)))


@pytest.mark.parametrize("step", ["01-07", "02-01", "03-04", "04-05"])
@pytest.mark.parametrize(
    "said",
    [
        "7: look at the list the next morning, the shed is not on it",
        "7: I tap it, the label is gone and the light is on",
        "7 you see it in the mailbox: one mail, once only",
    ],
)
def test_the_number_of_a_line_and_what_is_seen_then_are_its_check_at_any_step(
    step: str, said: str
) -> None:
    assert later_checks(step, said) == [(said, "FR-007")]


@pytest.mark.parametrize(
    "said",
    [
        "3: look at the door at night, the light is on",
        "99: look at the door at night, the light is on",
        "7: should be 5 days",
        "7: only for owners",
        "7: we have two doors",
    ],
)
def test_a_small_or_unknown_number_and_what_shows_nothing_are_no_check(said: str) -> None:
    assert later_checks("02-01", said) == []
