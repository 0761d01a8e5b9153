"""A question of a person to the others is open until an answer follows it."""

from dataclasses import replace

import pytest

from core.artifacts.compose.lines.claims import is_asked, open_questions
from core.brains.bookkeeping.pairing import paired
from core.brains.script.reading import read
from core.domain.answers import Claim, LineRef
from core.domain.follow_ups import FollowUp
from core.domain.ids import AnswerId, StepId, UserId
from core.domain.lines import Correction
from tests.core.test_compose import made, page
from tests.core.test_scripted import NAMES, PRIYA, SAM, request

OTHER = UserId("U3")
ASKED = "do couriers on a bike count as a fleet of their own?"


def paired_with(*replies: tuple[str, str]) -> Claim:
    """The question of Priya's first answer, after these replies."""
    made = request("01-02", (PRIYA, ASKED), *replies)  # type: ignore[arg-type]
    question = Claim("01-02/1", StepId("01-02"), "question", ASKED, (made.answers[0].id,))
    (claim,) = paired((question,), made)
    return claim


@pytest.mark.parametrize(
    "reply",
    [
        "yes, they do",
        "no, only vans",
        "bikes are in the fleet too, since the couriers share the same depot and the same keys",
    ],
)
def test_the_next_answer_of_somebody_else_answers_it(reply: str) -> None:
    claim = paired_with((SAM, reply))
    assert claim.data["answered_by"] == "01-02:2"
    assert claim.data["answer"] == reply
    assert not is_asked(claim)


@pytest.mark.parametrize(
    ("by", "reply"),
    [
        (PRIYA, "and what about trams"),
        (SAM, "+1"),
        (SAM, "brb, 10 min"),
        (SAM, "idk, ask somebody else"),
        (SAM, "I will ask the depot on Monday."),
        (SAM, "hm, let me think about it"),
        (SAM, "we didn't settle that"),
        (SAM, "ni idea"),
        (SAM, "depends who is asking"),
        (SAM, "Ask me in March"),
        (SAM, "which fleet?"),
    ],
)
def test_noise_and_a_question_leave_it_open(by: str, reply: str) -> None:
    claim = paired_with((by, reply))
    assert "answered_by" not in claim.data
    assert is_asked(claim)


@pytest.mark.parametrize(
    "reply",
    [
        "Out: the night shift",
        "1. the app\n2. the board in the hall",
        "also the gate must stay shut at night",
        "By the way I have talked with the town about all the other things that they want from us "
        "until the summer, and there are many",
    ],
)
def test_a_line_of_somebodys_own_answers_no_question(reply: str) -> None:
    assert "answered_by" not in paired_with((SAM, reply)).data


def question_in(*said: str | tuple[UserId, str]) -> Claim:
    claims = read(request("02-04", *said)).claims
    return next(claim for claim in claims if claim.kind == "question")


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("who writes the help text? me, until 6 June", "me, until 6 June"),
        ("and who tests the boxes? I do, at Nordstadt", "I do, at Nordstadt"),
        ("who signs it? Sam, by Friday", "Sam, by Friday"),
    ],
)
def test_whoever_says_behind_a_question_who_it_is_answers_it(said: str, answer: str) -> None:
    assert question_in(said).data["answer"] == answer


@pytest.mark.parametrize(
    "said", ["who signs? me? or Sam", "who signs it? the boxes are red", "what is it? me, I guess"]
)
def test_what_else_stands_behind_a_question_does_not_answer_it(said: str) -> None:
    assert "answer" not in question_in(said).data


def test_a_yes_to_what_the_author_of_a_question_would_say_answers_it() -> None:
    said = "a reader is blocked: may they still pause? I'd say yes"
    assert question_in(said, (SAM, "yes")).data["answer"] == "yes"
    assert "answer" not in question_in(said).data


def test_then_answers_what_if_at_any_length() -> None:
    reply = (
        "then the copy goes back to the open shelf at its home branch. and it is pulled again in "
        "the night in which somebody comes home"
    )
    asked = "what happens if EVERYBODY in the queue is paused?"
    assert question_in(asked, (SAM, reply)).data["answer"] == reply
    assert "answer" not in question_in("is EVERYBODY in the queue paused?", (SAM, reply)).data


def test_whoever_is_named_answers_and_nobody_else() -> None:
    made = request("01-02", (PRIYA, "Sam, can we ring before six?"), (OTHER, "we are all asleep"),
                   (SAM, "on weekdays only"), names={**NAMES, OTHER: "Ola"})  # fmt: skip
    text = "Sam, can we ring before six?"
    question = Claim("01-02/1", StepId("01-02"), "question", text, (made.answers[0].id,))
    (claim,) = paired((question,), made)
    assert claim.data["answer"] == "on weekdays only"


def test_what_answers_our_follow_up_does_not_answer_the_question_before_it() -> None:
    line = "The gate must be held for 4."
    made = request("01-06", (PRIYA, f"{line} {ASKED}"), (SAM, "hours"))
    asked = FollowUp("unit", "4 of what?", LineRef(made.answers[0].id, line),
                     after=made.answers[0].ts)  # fmt: skip
    question = Claim("01-06/1", StepId("01-06"), "question", ASKED, (made.answers[0].id,))
    (claim,) = paired((question,), replace(made, follow_ups=(asked,)))
    assert "answered_by" not in claim.data


@pytest.mark.parametrize(
    ("asked", "replies"),
    [
        (ASKED, [(SAM, "🎺 a fanfare for the tram?? nobody? ok")]),
        (ASKED, [(OTHER, "which vans?"), (SAM, "the green ones")]),
        (ASKED, [(PRIYA, "three shops want to know"), (SAM, "the depot opens at six")]),
        (
            f"{ASKED} shops want to know",
            [(SAM, "please no red pages, my clients take them for ads")],
        ),
    ],
)
def test_what_stands_next_answers_a_question_only_right_behind_it(
    asked: str, replies: list[tuple[UserId, str]]
) -> None:
    """Where it asks nothing and, behind a question that more was said to, says little."""
    made = request("01-02", (PRIYA, asked), *replies)
    question = Claim("01-02/1", StepId("01-02"), "question", ASKED, (made.answers[0].id,))
    (claim,) = paired((question,), made)
    assert "answered_by" not in claim.data


def test_a_short_answer_reaches_a_question_that_more_was_said_to() -> None:
    made = request("01-02", (PRIYA, f"{ASKED} three shops want to know"), (SAM, "one fleet, fine"))
    question = Claim("01-02/1", StepId("01-02"), "question", ASKED, (made.answers[0].id,))
    (claim,) = paired((question,), made)
    assert claim.data["answer"] == "one fleet, fine"


def test_whoever_is_called_behind_a_question_answers_it() -> None:
    made = request("01-02", (PRIYA, f"{ASKED} @sam"), (OTHER, "we sleep"), (SAM, "I think so"))
    question = Claim("01-02/1", StepId("01-02"), "question", ASKED, (made.answers[0].id,))
    (claim,) = paired((question,), made)
    assert claim.data["answer"] == "I think so"


def test_a_check_of_a_line_answers_no_question_before_it() -> None:
    made = request("01-06", (PRIYA, ASKED), (SAM, "I lend one alone and it does not move."))
    reply = made.answers[1]
    question = Claim("01-06/1", StepId("01-06"), "question", ASKED, (made.answers[0].id,))
    check = Claim("01-06/2", StepId("01-06"), "check", reply.text, (reply.id,))
    claim, _ = paired((question, check), made)
    assert "answered_by" not in claim.data


def test_an_answer_that_shares_its_words_is_found_behind_another_one() -> None:
    long = " ".join(["the depot opens at six and closes at ten, every day of the week,"] * 5)
    claim = paired_with((SAM, long), (SAM, "couriers are one fleet"))
    assert claim.data["answer"] == "couriers are one fleet"


def asked_again(first: str, then: str) -> str:
    """Which question another one of a later step asks again, if any."""
    made = request("01-03", then)
    earlier = Claim("01-02/1", StepId("01-02"), "question", first, (AnswerId("01-02:1"),))
    claim = Claim("01-03/1", StepId("01-03"), "question", then, (made.answers[0].id,))
    (line,) = paired((claim,), replace(made, claims=(earlier,)))
    return line.data.get("again", "")


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Who feeds the goats on Sundays?", "Nobody has decided who feeds the goats."),
        ("and who feeds the goats??", "who feeds the goats?"),
        ("how many keys do we cut", "still open how many keys we cut"),
        ("What happens to the milk when it fails?", "it fails: nobody has said what happens then"),
        ("What happens to milk if the fridge fails?", "fridge fails? nobody has said what happens"),
    ],
)
def test_whoever_says_that_a_question_is_open_asks_it_again(first: str, then: str) -> None:
    assert asked_again(first, then) == first


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Who feeds the goats?", "Nobody has decided what the goats feed on."),
        ("Who feeds the goats?", "Nobody has decided who feeds the goats and the hens."),
        ("Who feeds the goats on Sundays?", "Who feeds the goats?"),
        ("Who feeds the goats?", "nobody knows who"),
        ("When does the fridge fail?", "nobody has said what happens when the fridge fails"),
    ],
)
def test_another_question_with_some_of_its_words_is_one_of_its_own(first: str, then: str) -> None:
    assert asked_again(first, then) == ""


def test_a_question_that_was_asked_again_is_one_of_both_who_asked() -> None:
    first = Claim("01-02/1", StepId("01-02"), "question", ASKED, (AnswerId("a"),))
    again = Claim(
        "01-03/1", StepId("01-03"), "question", "open", (AnswerId("b"),), data={"again": ASKED}
    )
    (one,) = open_questions((first, again))
    assert (one.text, one.sources) == (ASKED, ("a", "b"))
    answered = replace(first, data={"answered_by": "c"})
    assert open_questions((answered, again)) == [again]


def left_open_by_priya(*replies: tuple[str, str]) -> Claim:
    """What Priya says that she cannot say, at the step on the size, after these replies."""
    said = (PRIYA, "1. small\n2. I cannot say, that is for the mechanics.")
    made = request("00-01", said, *replies)  # type: ignore[arg-type]
    step = next(step for step in made.steps if step.id == made.step.id)
    claims = read(replace(made, step=step)).claims
    return next(claim for claim in claims if claim.text.startswith("I cannot say"))


def test_what_somebody_cannot_say_is_open_with_the_question_that_asked_for_it() -> None:
    claim = left_open_by_priya((SAM, "medium, two bikes"))
    assert claim.data["what"].startswith("How complex does it look")
    assert is_asked(claim)


def test_what_somebody_cannot_say_is_answered_by_whoever_can() -> None:
    said = "High complexity, because of the brakes."
    claim = left_open_by_priya((PRIYA, "high complexity maybe?"), (SAM, "+1"), (SAM, said))
    assert claim.data["answer"] == said
    assert not is_asked(claim)


def test_nobody_else_who_cannot_say_answers_it() -> None:
    claim = left_open_by_priya((SAM, "no idea, low or high complexity"))
    assert is_asked(claim)


LONG = (
    "Every branch has a tablet for the time sheets, take that, it lies in the office anyway and "
    "nobody needs it in the morning before the ovens are on, so I would not buy another"
)


@pytest.mark.parametrize("asked", ["on what?", "is that in?", "till?"])
def test_what_follows_a_question_that_is_hardly_open_still_is_perhaps_its_answer(
    asked: str,
) -> None:
    said = ((PRIYA, asked), (SAM, LONG), (OTHER, "the old one has no camera"))
    claim = read(request("01-02", *said)).claims[0]
    assert (claim.kind, claim.data["answered_by"], claim.data["perhaps"]) == (
        "question",
        "01-02:2",
        "yes",
    )
    text = page(made("01-02", "requirements-spec.md", *said))
    assert f"  - Perhaps the answer: {LONG} — said by Sam" in text


def test_a_line_under_a_label_is_not_the_answer_where_somebody_said_more() -> None:
    said = ((PRIYA, "on what?"), (SAM, f"gap: the tests. {LONG}"), (OTHER, LONG))
    claim = read(request("01-02", *said)).claims[0]
    assert (claim.data["answered_by"], claim.data["perhaps"]) == ("01-02:3", "yes")


@pytest.mark.parametrize(
    ("asked", "then"),
    [
        ("till?", "what about the branches! they love charts"),
        ("who of us writes the mail to the branches, you or we?", LONG),
        ("till?", "which of the three do you mean?"),
        ("till?", "no idea, ask Ewa"),
    ],
)
def test_a_question_that_may_be_open_or_was_only_asked_back_stays_open(
    asked: str, then: str
) -> None:
    claim = read(request("01-02", (PRIYA, asked), (SAM, then))).claims[0]
    assert "answered_by" not in claim.data


def test_a_question_that_somebody_sorted_as_one_stays_open() -> None:
    made_of = request("01-02", (PRIYA, "till?"), (SAM, LONG), (OTHER, "the old one has no camera"))
    line = LineRef(made_of.answers[0].id, "till?")
    sorted_as = Correction(made_of.step.id, line, "question", PRIYA, 1.0)
    (claim, *_) = read(replace(made_of, corrections=(sorted_as,))).claims
    assert "answered_by" not in claim.data
