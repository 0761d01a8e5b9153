"""Lines that point back to an earlier one without its words: taken back, taken in, restricted."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from core.brains.bookkeeping.differences.asking import difference_asked
from core.brains.bookkeeping.differences.finder import found
from core.brains.script.reading import read
from core.domain.answers import Claim, Draft, ReadRequest
from core.domain.ids import Ts, UserId
from core.domain.lines import line_of, superseded
from tests.core.test_scripted import PRIYA, SAM, request, shipped

LEE = UserId("U0LEE0001")
Said = tuple[UserId, str]


def at(step: str, *said: Said) -> ReadRequest:
    """Answers to a step as it is shipped."""
    content = next(one for one in shipped() if one.id == step)
    return replace(request(step, *said), step=content)


def later(before: ReadRequest, step: str, *said: Said) -> tuple[ReadRequest, Draft]:
    """A later step, read behind an earlier one."""
    made = at(step, *said)
    answers = tuple(replace(one, ts=Ts(f"18{one.ts[2:]}")) for one in made.answers)
    claims, others = read(before).claims, before.answers
    made = replace(made, answers=answers, claims=claims, other_answers=others)
    return made, read(made)


def asked(made: ReadRequest, draft: Draft) -> list[tuple[str, str]]:
    """The lines of which one is asked which of both holds."""
    return list(_pairs(made, draft))


def _pairs(made: ReadRequest, draft: Draft) -> Iterator[tuple[str, str]]:
    for one in difference_asked(made, draft.claims):
        assert one.line
        assert one.other
        yield one.line.quote, one.other.quote


def asked_here(step: str, *said: Said) -> list[tuple[str, str]]:
    made = at(step, *said)
    return asked(made, read(made))


HUT = "Weighed against a keypad. I'd stay with padlocks."


def test_what_somebody_takes_back_in_quotes_replaces_their_last_line_of_it() -> None:
    made, draft = later(
        at("03-02", (PRIYA, HUT)),
        "03-04",
        (SAM, "two of ten padlocks freeze"),
        (PRIYA, "ok, keypad with a roof then. I take back “padlocks”."),
    )
    gone = superseded((*made.claims, *draft.claims))
    assert [one.text for one in made.claims if one.id in gone] == ["I'd stay with padlocks."]


@pytest.mark.parametrize(
    "reply",
    [
        (PRIYA, "I take back padlocks that are broken, every Monday"),
        (SAM, "I take back “padlocks”."),
        (PRIYA, "the shop takes “padlocks” back"),
    ],
)
def test_nobody_takes_back_the_line_of_another_nor_in_other_words(reply: Said) -> None:
    made, draft = later(at("03-02", (PRIYA, HUT)), "03-04", reply)
    assert not superseded((*made.claims, *draft.claims))


OUT = (PRIYA, "Out: gift cards, frozen fish, parking.")
FISH = (SAM, "everybody asks for frozen fish, half the street does. could that not come in?")


def test_what_comes_in_after_all_is_asked_about_with_what_was_left_out_and_spoken_of() -> None:
    pairs = asked(*later(at("01-06", OUT), "04-05", FISH, (PRIYA, "ok herring comes in after all")))
    assert pairs == [("frozen fish", "ok herring comes in after all")]


@pytest.mark.parametrize(
    "said",
    [
        [(PRIYA, "ok herring comes in after all")],
        [FISH, (PRIYA, "the delivery is in")],
        [(SAM, "frozen peas, please"), (PRIYA, "ok herring comes in after all")],
        [FISH, (SAM, "who bakes there?"), (PRIYA, "ok benches come in after all")],
    ],
)
def test_what_comes_in_where_nobody_spoke_of_what_was_left_out_is_no_question(
    said: Sequence[Said],
) -> None:
    assert asked(*later(at("01-06", OUT), "04-05", *said)) == []


SCREEN = (PRIYA, "- the desk screen shows the photo and the name\n- a chip opens the gate")


def test_of_two_left_out_things_the_one_that_was_spoken_of_in_more_words_is_meant() -> None:
    before = at("01-06", OUT, (SAM, "won't: fish, parking"))
    pairs = asked(*later(before, "04-05", FISH, (PRIYA, "ok herring comes in after all")))
    assert pairs == [("frozen fish", "ok herring comes in after all")]


def test_of_a_thing_with_many_requirements_nobody_can_tell_which_is_restricted() -> None:
    many = (PRIYA, "- the gate takes a photo\n- the mail has the photo\n- the photo is kept a day")
    said = (PRIYA, "photo for guests only?"), (SAM, "yes: photo only for guests under twelve")
    assert asked(*later(at("01-06", many), "03-04", *said)) == []


def test_a_line_of_some_is_asked_about_with_the_requirement_of_all() -> None:
    said = (PRIYA, "photo for guests only?"), (SAM, "yes: photo only for guests under twelve")
    ((first, second),) = asked(*later(at("01-06", SCREEN), "03-04", *said))
    assert first == "the desk screen shows the photo and the name"
    assert second == "yes: photo only for guests under twelve"


@pytest.mark.parametrize(
    "text",
    [
        "decided: lamps only for guests under twelve",
        "we decided: it opens only for guests",
        "photo only for guests under twelve?",
        "decided: name only for the photo",
    ],
)
def test_what_is_only_for_some_and_restricts_no_requirement_is_no_question(text: str) -> None:
    assert asked(*later(at("01-06", SCREEN), "03-04", (SAM, text))) == []


def test_a_ban_on_new_things_is_asked_about_with_what_its_own_answer_calls_new() -> None:
    line = "Rails as now, no new library. Stimulus for the clock, that one would be new for us."
    ((first, second),) = asked_here("03-02", (PRIYA, line))
    assert (first, second[:8]) == ("Rails as now, no new library.", "Stimulus")
    assert not asked_here("03-02", (PRIYA, "Rails as now, no new library. The clock is old."))


def test_figures_that_open_two_answers_in_turn_are_asked_about() -> None:
    forty, ninety = (PRIYA, "40. Less is no fun."), (SAM, "90. That is my last word.")
    letter = (PRIYA, "from how many on do we send a letter?")
    pairs = asked_here("03-04", letter, forty, ninety)
    assert pairs == [("40. Less is no fun.", "90. That is my last word.")]
    assert not asked_here("03-04", letter, forty, (SAM, "hm, and the rain?"), ninety)
    assert not asked_here("03-04", letter, forty, (SAM, "90 people signed up"))


def test_whoever_says_of_what_wins_that_it_does_not_is_asked_about() -> None:
    wins = (PRIYA, "The paper list wins over the app.")
    pairs = asked_here("04-03", wins, (SAM, "The app is proof. The paper list is not."))
    assert pairs == [("The paper list wins over the app.", "The paper list is not.")]
    assert not asked_here("04-03", wins, (SAM, "The pen is blue. The desk is not."))


LIST = (PRIYA, "The hut must:\na) keep the old book\nb) show the guests under their month")


@pytest.mark.parametrize("no", ["b) no. Month of payment.", "b) no, the month of payment"])
def test_whoever_says_no_to_a_line_by_its_label_is_asked_about_with_it(no: str) -> None:
    ((first, second),) = asked_here("01-06", LIST, (SAM, no))
    assert first == "show the guests under their month"
    assert "onth of payment" in second


@pytest.mark.parametrize("more", ["c) no dogs in the hut", "b) by name, please", "no. b is fine"])
def test_a_line_under_another_label_or_without_a_no_is_no_question(more: str) -> None:
    assert not asked_here("01-06", LIST, (SAM, more))


def test_of_a_line_with_two_ranks_the_one_that_still_holds_may_differ() -> None:
    said = ((PRIYA, "Should: B, E"), (PRIYA, "B joins the musts"), (SAM, "E is a must too!!"))
    made = at("01-08", *said)

    def rank(answer: int, requirement: str, priority: str, **more: Any) -> Claim:
        spoken, data = made.answers[answer], {"requirement": requirement, "priority": priority}
        id_ = f"01-08/{requirement}{answer}"
        return Claim(id_, spoken.step, "priority", spoken.text, (spoken.id,), data=data, **more)

    replaced = rank(0, "FR-002", "should")
    newer = rank(1, "FR-002", "must", supersedes=(line_of(replaced),))
    contested, other = rank(0, "FR-005", "should"), rank(2, "FR-005", "must")
    differences = found(made, (replaced, contested, newer, other))
    assert [(one.first.claim, one.second.claim) for one in differences] == [(contested, other)]


def test_a_bare_number_stands_for_the_line_with_the_number_that_was_named_right_before() -> None:
    keys, bread = "Sums over 250 need two keys.", "the bread alone is 4k a month!"
    said = (keys, bread, "250 is half the market. make that 400")
    draft = read(request("01-06", *((PRIYA, text) for text in said)))
    gone = superseded(draft.claims)
    texts = {claim.text for claim in draft.claims if claim.id in gone}
    assert keys in texts
    assert bread not in texts


def test_a_no_to_a_question_of_its_author_replaces_nothing_else() -> None:
    said = ("make that 400", "who empties the bins? is that us?? no. that's the harbour")
    draft = read(request("01-06", *((PRIYA, text) for text in said)))
    assert not superseded(draft.claims)


NAMES = {PRIYA: "Priya", SAM: "Sam Okoye"}


@pytest.mark.parametrize(
    ("first", "second", "is_asked"),
    [
        ("Sam Okoye mends the lamps", "Out: Sam Okoye, music", False),
        ("the head keeper mends the lamps", "Out: head keeper, music", True),
    ],
)
def test_a_person_who_takes_part_is_no_matter_on_which_lines_differ(
    first: str, second: str, is_asked: bool
) -> None:
    made = request("01-06", (PRIYA, first), (SAM, second), names=NAMES)
    assert bool(found(made, read(made).claims)) is is_asked


@pytest.mark.parametrize(
    ("first", "second", "is_asked"),
    [("45 files", "6 helm files", False), ("45 files", "30 changed files", True)],
)
def test_files_of_one_sort_are_no_other_number_of_files(
    first: str, second: str, is_asked: bool
) -> None:
    made = at("00-03", (PRIYA, first), (SAM, second))
    assert bool(asked(made, read(made))) is is_asked


def test_a_number_offered_right_behind_that_of_somebody_else_is_asked_about() -> None:
    first = (PRIYA, "a label is printed in under 1 s\na full roll is printed within 10 min")
    made = at("01-05", first, (SAM, "1 s can't be done with the old printer. 3 s I can do."))
    assert asked(made, read(made)) == [("a label is printed in under 1 s", "3 s I can do.")]


def test_a_number_offered_behind_several_of_which_none_is_repeated_is_no_question() -> None:
    first = (PRIYA, "a label is printed in under 1 s\na full roll is printed within 10 min")
    made = at("01-05", first, (SAM, "3 s I can do."))
    assert asked(made, read(made)) == []


def test_on_another_part_of_the_size_people_are_asked_before_they_are_asked_on_one_again() -> None:
    said = [(PRIYA, "size: small"), (SAM, "size: medium")]
    made = at("00-01", *said)
    first = read(made).follow_up
    assert first is not None
    more = [(PRIYA, "complexity: low"), (SAM, "complexity: high"), (LEE, "size: large")]
    made = replace(at("00-01", *said, *more), follow_ups=(first.ended("skipped"),))
    second = read(made).follow_up
    assert second is not None
    assert "complexity" in second.question


def test_people_who_differ_on_the_confidence_are_asked_about_it() -> None:
    made = at("00-03", (PRIYA, "confidence: medium"), (SAM, "confidence: low"))
    assert asked(made, read(made)) == [("confidence: medium", "confidence: low")]
