"""Lines that their authors give up after an objection or a doubt, with a word for it or without."""

from dataclasses import replace

import pytest

from core.brains.script.reading import read
from core.domain.answers import Draft, LineRef
from core.domain.follow_ups import FollowUp
from core.domain.ids import UserId
from core.domain.lines import settled, superseded
from tests.core.test_scripted import PRIYA, SAM, request

OLU = UserId("U3")
Said = tuple[UserId, str]


def drafted(step: str, *said: Said) -> Draft:
    return read(request(step, *said))


def replaced(draft: Draft) -> list[tuple[str, str]]:
    """Each line that another one stands in place of, with that one."""
    texts = {claim.id: claim.text for claim in draft.claims}
    return [(texts[old], newer.text) for old, newer in superseded(draft.claims).items()]


def differing(draft: Draft) -> set[str]:
    """The lines that name another one as differing."""
    return {claim.text for claim in draft.claims if "differs" in claim.data}


@pytest.mark.parametrize(
    ("step", "first", "against", "then"),
    [
        ("03-03", "the gate pass lives for 30 days", "pass 30 days? that's a month", "ok 7"),
        ("02-04", "pilot at the pool for 3 weeks", "1 week is plenty, not 3", "two then."),
        (
            "02-04",
            "we start with the 17 ladders, then the rest",
            "start with the ropes, ladders hang where nobody has signal",
            "that was the point but ok, ropes first",
        ),
        ("02-04", "opening on 4 May", "opening on the 11th, I'm away", "ok 11 May"),
        (
            "03-03",
            "one letter with a list of all books",
            "a list? no. one per reader",
            "per reader, ok",
        ),
        (
            "02-02",
            "the skipper gets a text at six",
            "texts cost 16 cents, mails nothing",
            "mail then.",
        ),
        (
            "02-02",
            "keys hang on the hook by the door",
            "the hook is where everybody walks past",
            "ok the drawer then",
        ),
        ("02-02", "we keep the slips for a month", "the auditor comes twice a year", "a year then"),
        (
            "04-01",
            "LoanBook: writes loans down",
            "loan book is what we call the shelf",
            "LoanPad then",
        ),
    ],
)
def test_a_line_is_replaced_by_what_its_author_gives_in_to(
    step: str, first: str, against: str, then: str
) -> None:
    draft = drafted(step, (PRIYA, first), (SAM, against), (PRIYA, then))
    assert first.rstrip(".") in [old.rstrip(".") for old, _ in replaced(draft)]
    assert not any(one.kind == "difference" for one in (draft.follow_up,) if one)


@pytest.mark.parametrize(
    ("said", "old"),
    [
        (
            "The list is sent every 4 h. No wait, once a night is enough.",
            "The list is sent every 4 h.",
        ),
        ("We print two labels. Scratch that, one label.", "We print two labels."),
        (
            "Stickers on the jars. hm, no, they come off in the wash. engraved",
            "Stickers on the jars.",
        ),
        (
            "First no outage, then right prices, then cheap. Wait, no. Right prices first, then no "
            "outage, then cheap.",
            "First no outage, then right prices, then cheap.",
        ),
    ],
)
def test_a_line_is_replaced_by_what_corrects_it_in_the_same_answer(said: str, old: str) -> None:
    lines = replaced(drafted("03-02", (PRIYA, said)))
    assert old in [line for line, _ in lines]
    assert "Wait, no." not in [newer for _, newer in lines]


@pytest.mark.parametrize(
    ("said", "then"),
    [
        ("whoever refuses twice goes to the end of the list", "Twice it is."),
        ("a daughter may have ten numbers", "Ten is fine."),
        ("The export is a CSV or an XLS, there is no API", "Ok, CSV."),
    ],
)
def test_who_says_words_of_a_line_again_takes_nothing_back(said: str, then: str) -> None:
    draft = drafted("01-06", (PRIYA, said), (SAM, "isn't that a lot?"), (PRIYA, then))
    assert (replaced(draft), differing(draft)) == ([], set())


def test_a_part_of_a_sum_that_is_struck_is_asked_about_and_leaves_the_rest() -> None:
    said, then = (
        "Bill = rent + water + missing hours + deposit interest.",
        "No; strike the deposit interest",
    )
    draft = drafted("01-06", (PRIYA, said), (SAM, "that was Reg"), (PRIYA, then))
    assert (replaced(draft), differing(draft)) == ([], {said, then})


def test_a_new_number_stands_in_place_of_the_line_that_demands_the_old_one() -> None:
    said = "refuse the swap if the new index has less than 98 % of the documents"
    about, then = "somebody argue with me about the 98 %.", "ok 90 % then"
    draft = drafted(
        "01-06", (PRIYA, said), (PRIYA, about), (SAM, "that is too much"), (PRIYA, then)
    )
    assert replaced(draft) == [(said, then)]


def test_who_calls_a_number_too_late_and_names_another_is_asked_about_the_other() -> None:
    said = "Email at 80% of the day please"
    draft = drafted("01-06", (PRIYA, said), (SAM, "And hm, 80% is too late. Make it 70%"))
    assert differing(draft) == {said, "Make it 70%"}


@pytest.mark.parametrize(
    "said", ["Correct, I withdraw it.", "true, i take that back", "scratch that", "never mind!"]
)
def test_who_only_takes_back_means_the_last_thing_they_asked_for(said: str) -> None:
    first, last = "The list keeps the old names.", "At noon the list must be emptied."
    against = "that contradicts the history"
    draft = drafted("01-06", (PRIYA, first), (PRIYA, last), (SAM, against), (PRIYA, said))
    assert replaced(draft) == [(last, said)]
    assert [one.kind for one in draft.claims if one.text == said] == ["note"]


def test_nobody_takes_back_what_somebody_else_asked_for() -> None:
    draft = drafted("01-06", (SAM, "The list must be emptied."), (PRIYA, "I take that back."))
    assert replaced(draft) == []


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ("1. one ticket per boat\n2. the ticket is deleted after a year", "2 is off, ray decides"),
        ("a) one ticket per boat\nb) the ticket is deleted after a year", "ok no (b)"),
    ],
)
def test_an_item_of_a_list_is_off_by_its_number_or_letter(listed: str, said: str) -> None:
    draft = drafted("01-06", (PRIYA, listed), (SAM, "deleted??"), (PRIYA, said))
    assert [old for old, _ in replaced(draft)] == ["the ticket is deleted after a year"]


def test_what_its_author_turns_down_later_is_replaced() -> None:
    draft = drafted(
        "03-02", (PRIYA, "web sockets for the queue"), (PRIYA, "web sockets won't work")
    )
    assert replaced(draft) == [("web sockets for the queue", "web sockets won't work")]


@pytest.mark.parametrize(
    ("step", "first", "then"),
    [
        ("02-02", "in: desk, phone, kiosk, `/walk-in`", "kiosk please no"),
        ("02-04", "behind a flag, Porto's team for one week", "not Porto, they are new"),
        ("01-03", "one reminder per loan", "one reminder per loan? no. one per reader"),
        ("01-04", "up to 120 seats", "120 is an eternity to count"),
        ("01-08", "P2: alarm, resume", "The alarm isn't a P2 for me."),
        ("03-02", "the kiosk prints", "forget the kiosk"),
        ("03-02", "the kiosk prints", "the kiosk is off the table"),
        ("03-02", "the kiosk prints", "the kiosk is dead"),
        ("03-02", "the kiosk prints", "no to the kiosk"),
        ("03-02", "the kiosk prints", "let's drop the kiosk"),
    ],
)
def test_what_somebody_else_turns_down_is_asked_about_and_marked(
    step: str, first: str, then: str
) -> None:
    draft = drafted(step, (PRIYA, first), (SAM, then))
    assert not replaced(draft)
    assert {first, then} & differing(draft)


@pytest.mark.parametrize(
    ("first", "against", "then"),
    [
        ("the pool opens at 7", "who has the key?", "ok, Olu has the key"),
        ("readers see their loans", "the printer is broken", "ok, thanks"),
        ("readers see their loans", "staff see all loans", "fine with me"),
        ("two desks, three phones, one kiosk", "the kiosk is nice", "true, and cheap"),
        ("the pool opens at 7", "and the sauna at 9", "ok"),
    ],
)
def test_going_on_talking_takes_nothing_back(first: str, against: str, then: str) -> None:
    draft = drafted("01-04", (PRIYA, first), (SAM, against), (PRIYA, then))
    assert not replaced(draft)
    assert not differing(draft)


def test_an_option_that_somebody_turns_down_is_no_difference() -> None:
    draft = drafted("03-01", (PRIYA, "A) lease a van\nB) buy a van"), (SAM, "no to the lease"))
    assert not differing(draft)


def test_once_both_sizes_stand_nobody_is_asked_about_the_size_again() -> None:
    said = ((PRIYA, "small"), (SAM, "large"))
    asked = drafted("00-01", *said).follow_up
    assert asked
    assert asked.kind == "difference"
    both = settled(asked, "both", drafted("00-01", *said).claims, PRIYA, 1.0)
    assert both
    again = replace(
        request("00-01", *said, (OLU, "medium")),
        follow_ups=(asked.ended("answered", PRIYA),),
        corrections=(both,),
    )
    follow_up = read(again).follow_up
    assert follow_up is None or follow_up.kind != "difference"
    unsettled = replace(again, corrections=(), follow_ups=(asked.ended("passed"),))
    new = read(unsettled).follow_up
    assert new
    assert new.kind == "difference"


DOORS = "doors: the till in the shop, `POST /orders`, price upload at night."


@pytest.mark.parametrize(
    ("later", "sort"),
    [
        ("price upload goes through the queue too, then", "beside"),
        ("everything goes through the queue", "replaces"),
        ("doors: the queue, `POST /orders`, the till", "replaces"),
    ],
)
def test_a_line_about_one_thing_of_a_list_stands_beside_it(later: str, sort: str) -> None:
    """Also where somebody says that it holds: it says nothing of the other things."""
    lines = drafted("02-02", (PRIYA, DOORS), (SAM, later)).claims
    asked = FollowUp("difference", "?", LineRef("02-02:1", DOORS), LineRef("02-02:2", later))
    tapped = settled(asked, "second", lines, PRIYA, 1.0)
    assert tapped
    assert tapped.sort == sort
    said = request("02-02", (PRIYA, DOORS), (SAM, later), (OLU, "the second"))
    asked = replace(asked, after=said.answers[1].ts)
    assert bool(replaced(read(replace(said, follow_ups=(asked,))))) == (sort == "replaces")


def test_a_number_behind_a_doubt_replaces_the_line_with_a_number_that_was_asked_about() -> None:
    said = (
        (PRIYA, "max 4 tries per guest"),
        (SAM, "4 per guest or per day?"),
        (PRIYA, "per guest, for good. Hmm. 3 then, the bank counts ours as well"),
    )
    assert [old for old, _ in replaced(drafted("01-06", *said))] == ["max 4 tries per guest"]


def test_a_number_of_files_that_its_author_gives_anew_takes_the_place_of_the_first() -> None:
    said = ((SAM, "~85 files, tests incl"), (PRIYA, "thx"), (SAM, "actually make it 95"))
    draft = read(request("00-03", *said))
    assert replaced(draft) == [("~85 files, tests incl", "actually make it 95")]


def earlier_and_later(first: str, then: str, by: UserId) -> Draft:
    """A line of Priya's where requirements are collected, and another one at the risks."""
    before = request("01-06", (PRIYA, first))
    made = request("02-03", (by, then), claims=read(before).claims, other_answers=before.answers)
    return read(made)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("a book goes back on the shelf after 30 calm days", "100 calm days in a row, not 30."),
        ("The card must be valid for 400 days.", "Two years, not 400 days, says the contract"),
        ("Loans are kept for 5 years.", "I rang him, the 5 years was wrong: 6 years it is"),
    ],
)
def test_a_number_that_is_said_not_to_be_so_is_that_of_the_line_at_any_step(
    first: str, then: str
) -> None:
    draft = earlier_and_later(first, then, PRIYA)
    assert [one.quote for claim in draft.claims for one in claim.supersedes] == [first]
    by_another = earlier_and_later(first, then, SAM)
    assert [one.supersedes for one in by_another.claims] == [()]
    assert differing(by_another) == {by_another.claims[0].text}


@pytest.mark.parametrize(
    "then",
    [
        "paid in 90 days instead of 30",
        "the lamp burns for 2 hours, not 30",
        "not 30 please",
    ],
)
def test_a_comparison_and_a_number_of_something_else_take_nothing_back(then: str) -> None:
    draft = earlier_and_later("a book goes back on the shelf after 30 calm days", then, PRIYA)
    assert not any(claim.supersedes or "differs" in claim.data for claim in draft.claims)
