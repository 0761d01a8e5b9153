"""Options that people put in a list: their names, what is said of them, and which one is taken."""

from dataclasses import replace

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim, ReadRequest
from core.domain.ids import UserId
from tests.core.test_compose import made, page
from tests.core.test_scripted import PRIYA, SAM, answer, kinds, request

OPTIONS = """\
- A headless browser on the server draws the dashboard.
- The browser of the person prints it. That is plain."""
LETTERED = "A) bake at night\nB) bake at noon, deliver by bike\nC) buy frozen rolls"


def at_decisions(*said: str) -> list[tuple[str, str]]:
    """The lines of the step of decisions, after two options were put at the one before it."""
    put = read(request("03-01", OPTIONS))
    earlier = answer("03-01", 1, OPTIONS)
    return kinds(read(request("03-02", *said, claims=put.claims, other_answers=(earlier,))))


@pytest.mark.parametrize(
    "said",
    [
        "We use a headless browser for both ways, since people have shown that it works.",
        "let's use the browser of the person, it can print",
    ],
)
def test_using_what_was_put_as_an_option_chooses_it(said: str) -> None:
    assert ("decision", said) in at_decisions(said)


def test_a_choice_of_what_was_put_is_no_requirement_for_its_reason() -> None:
    said = "A it is, because the ovens are there and nobody has to wake up"
    put = read(request("03-01", LETTERED))
    earlier = answer("03-01", 1, LETTERED)
    draft = read(request("03-02", said, claims=put.claims, other_answers=(earlier,)))
    assert kinds(draft) == [("decision", said)]


@pytest.mark.parametrize(
    "said",
    [
        "We use a headless browser today.",
        "We use a headless browser for the invoices already.",
        "We use the browser.",
        "We use a headless browser if the memory allows it.",
        "We use a headless browser?",
        "We could use a headless browser.",
        "We use the mail server.",
        "The other team does use a headless browser.",
    ],
)
def test_use_of_it_today_or_perhaps_or_of_neither_option_chooses_nothing(said: str) -> None:
    assert "decision" not in [kind for kind, _ in at_decisions(said)]


def test_what_was_no_option_is_not_chosen_by_its_use() -> None:
    alone = read(request("03-02", "We use a headless browser for both ways."))
    assert kinds(alone)[0][0] == "fact"


SOWING = "A) sow the field in rows\nB) sow it by hand"


def which(*said: str | tuple[UserId, str]) -> str:
    """What the step of options asks about those of which nobody chose one."""
    asked = read(_of_options(*said)).follow_up
    return asked.question if asked and "which is it to be" in asked.question else ""


def _of_options(*said: str | tuple[UserId, str]) -> ReadRequest:
    made = request("03-01", *said)
    return replace(made, step=next(step for step in made.steps if step.id == "03-01"))


def test_options_are_asked_about_once_somebody_else_has_answered_and_nobody_chose() -> None:
    against = (SAM, "rows need the big tractor")
    assert which(SOWING) == ""
    assert which(SOWING, against) == (
        "“sow the field in rows” or “sow it by hand”: which is it to be, and who decides?"
    )
    assert which(SOWING, against, "B.") == ""
    assert which(SOWING, against, (SAM, "we go with A")) == ""


@pytest.mark.parametrize(
    "put",
    [
        "1) bake at night 2) bake at noon\n3) use the kiln of the neighbour",
        "A) bake at night\nB) take frozen rolls\nC) let's rent a kiln",
    ],
)
def test_a_line_that_puts_an_option_takes_none(put: str) -> None:
    options = read(request("03-01", put)).claims
    assert len({claim.data["option"] for claim in options}) == 3
    assert not [claim.text for claim in options if claim.data.get("choice") == "chosen"]


def test_options_of_a_list_go_by_the_names_that_others_call_them() -> None:
    choice, *others = reversed(read(_of_options(SOWING, (SAM, "so B it is"))).claims)
    assert [claim.data["option"] for claim in reversed(others)] == ["Option A", "Option B"]
    assert choice.data["option"] == "Option B"


@pytest.mark.parametrize(
    ("said", "option"),
    [
        ("frozen rolls are off the table", "Option C"),
        ("forget the frozen rolls", "Option C"),
        ("ok, drop the bikes, too slow", "bikes"),
        ("B is dead", "Option B"),
        ("so B is dead then", "Option B"),
        ("no to B, the bikes rust", "Option B"),
        ("the bikes won't work in winter", "the bikes"),
        ("baking at noon, certainly not", "baking at noon"),
        ("frozen rolls please no", "Option C"),
        ("C is out, too dear", "Option C"),
    ],
)
def test_what_somebody_turns_down_is_a_rejection(said: str, option: str) -> None:
    claims = read(request("03-01", (PRIYA, LETTERED), (SAM, said))).claims
    turned_down = [one.data["option"] for one in claims if one.data.get("choice") == "rejected"]
    assert turned_down == [option]


@pytest.mark.parametrize(
    "said",
    [
        "forget it",
        "forget about that",
        "is B off the table?",
        "if the bikes won't work we walk",
        "when B is off the table we walk",
        "the lift is out of order",
        "maybe drop the bikes",
        "drop me a line about the bikes",
        "my uncle is dead tired of rolls",
    ],
)
def test_what_only_sounds_like_turning_down_rejects_nothing(said: str) -> None:
    claims = read(request("03-01", (PRIYA, LETTERED), (SAM, said))).claims
    assert not any("choice" in one.data for one in claims)


@pytest.mark.parametrize(
    ("said", "about"),
    [
        ("A) one oven. fast to heat. hard to clean\nB) two ovens",
         {"fast to heat.": "Option A", "hard to clean": "Option A"}),
        ("Option A: one oven\nwe know it by heart\nOption B: two ovens\nnobody has the room",
         {"we know it by heart": "Option A", "nobody has the room": "Option B"}),
        ("A) one oven\nB) two ovens\nboth need a permit", {"both need a permit": ""}),
        ("A) one oven\nB) two ovens\n- the permit takes a year", {"the permit takes a year": ""}),
    ],
)  # fmt: skip
def test_what_stands_behind_an_option_in_its_answer_is_about_it(
    said: str, about: dict[str, str]
) -> None:
    lines = {
        claim.text: claim.data.get("option", "") for claim in read(request("03-01", said)).claims
    }
    assert {text: lines[text] for text in about} == about


@pytest.mark.parametrize(
    ("remark", "option"),
    [
        ("the sidecar is one more thing to page me", "rotate via sidecar"),
        ("restart = 20 minutes of nothing", "rotate in the app, restart needed"),
        ("rotate when it suits", ""),
        ("no opinion tbh", ""),
    ],
)
def test_a_remark_on_one_option_alone_stands_with_it(remark: str, option: str) -> None:
    asked = _of_options("- rotate via sidecar\n- rotate in the app, restart needed", (SAM, remark))
    assert read(asked).claims[-1].data.get("option", "") == option


@pytest.mark.parametrize(
    ("remark", "option"),
    [
        ("what speaks for option B is that no oven is moved", "Option B"),
        ("what speaks for option B, and against option A, is the oven", None),
    ],
)
def test_a_remark_that_names_one_option_stands_with_it_whatever_words_it_shares(
    remark: str, option: str | None
) -> None:
    asked = _of_options("A) the oven is moved to the yard\nB) bread from next door", (SAM, remark))
    assert read(asked).claims[-1].data.get("option") == option


@pytest.mark.parametrize(
    ("said", "option"),
    [
        ("ok we go with the cron then", "a small cron job"),
        ("the cron job is a night shift", ""),
    ],
)
def test_an_option_of_a_plain_list_may_be_called_by_some_of_its_words(
    said: str, option: str
) -> None:
    asked = _of_options("- a small cron job\n- or a queue\n- cheap matters most to me", said)
    *_, last = read(asked).claims
    assert (last.data["option"] if last.data.get("choice") == "chosen" else "") == option


def test_what_its_author_thinks_of_the_options_is_none() -> None:
    asked = _of_options(
        "- a small cron job\n- or a queue\n- cheap matters most\n- I'd go with cron"
    )
    names = [claim.data.get("option") for claim in read(asked).claims]
    assert names == ["a small cron job", "or a queue", None, "a small cron job"]


def test_another_persons_line_is_about_no_option_that_it_does_not_name() -> None:
    claims = read(
        request("03-01", "A) one oven. fast\nB) two ovens", (SAM, "hard to clean"))
    ).claims
    assert (
        next(claim for claim in claims if claim.text == "hard to clean").data.get("option") is None
    )


def test_the_table_of_options_points_at_what_was_said_beside_an_option() -> None:
    said = "A) one oven. fast to heat\nB) two ovens"
    text = page(made("03-01", "architecture-overview.md", said))
    one, two = [row for row in text.splitlines() if row.startswith("| Option ")][1:]
    assert "| one oven. / fast to heat | see left | see left |" in one
    assert "| two ovens | not said | not said |" in two


OVENS = "A) one oven\nB) two ovens"


@pytest.mark.parametrize(
    "more",
    [
        [(SAM, "no bread on sundays with A?"), (PRIYA, "Then B.")],
        [(SAM, "no bread on sundays with A? I asked the baker. Then B.")],
        [(SAM, "no bread on sundays with A? Then B, since bread matters most to people here.")],
    ],
)
def test_a_question_that_somebody_else_may_answer_stays_one(more: list[tuple[UserId, str]]) -> None:
    claims = read(request("03-01", OVENS, *more)).claims
    assert "no bread on sundays with A?" in [
        claim.text for claim in claims if claim.kind == "question"
    ]


@pytest.mark.parametrize(
    ("put", "said", "name"),
    [
        ("a/ one oven. slow\nb/ two ovens. loud\nc/ buy bread", "(B) then", "Option B"),
        ("way 1: one oven\nway 2: two ovens", "So it's way 2", "way 2"),
        ("a/ one oven\nb/ two ovens\nc/ buy bread", "The third one I cannot sign.", "Option C"),
    ],
)
def test_an_option_is_called_as_its_list_calls_it(put: str, said: str, name: str) -> None:
    """True if a line takes it or only speaks of it: no second row for one option."""
    claims = read(request("03-01", (PRIYA, put), (SAM, said))).claims
    *_, last = claims
    assert last.data["option"] == name
    assert name in {claim.data.get("option") for claim in claims if claim is not last}


def test_a_list_at_another_step_takes_none_of_the_options_by_its_letters() -> None:
    put = request("03-01", (PRIYA, "a/ one oven\nb/ two ovens\nc/ buy bread"))
    failures = "a. no gas -> one more try -> then a card\nc. half a file -> stop"
    later = request("04-04", (PRIYA, failures), claims=read(put).claims, other_answers=put.answers)
    assert not [claim for claim in read(later).claims if claim.kind == "decision"]


SMALL = "a) bake at night\nb) bake at noon, deliver by bike\nc) buy frozen rolls"


def _named(*said: str | tuple[UserId, str], put: str = LETTERED) -> dict[str, tuple[str, str]]:
    """What is said behind a list of options: of each line which one it is of, and what it does."""
    claims = read(request("03-01", (SAM, put), *said)).claims
    return {
        claim.text: (claim.data.get("option", ""), claim.data.get("choice", "")) for claim in claims
    }


def test_what_opens_with_a_letter_and_a_verb_is_about_that_option() -> None:
    lines = _named("B breaks the day it rains. C is 90 a month.", "A class of 30 comes twice")
    assert lines["B breaks the day it rains."] == ("Option B", "")
    assert lines["C is 90 a month."] == ("Option C", "")
    assert lines["A class of 30 comes twice"] == ("", "")


def test_a_small_letter_takes_an_option_of_a_list_with_small_letters() -> None:
    said = "b is dead without the bike. a then. ugly bit: nobody sleeps"
    lines = _named(said, put=SMALL)
    assert lines["b is dead without the bike."] == ("Option B", "")
    assert lines["a then."] == ("Option A", "chosen")
    assert lines["ugly bit: nobody sleeps"] == ("Option A", "")
    assert _named("a then.")["a then."] == ("", "")


@pytest.mark.parametrize("said", ["No C.", "not C please", "no C"])
def test_no_with_a_letter_turns_that_option_down(said: str) -> None:
    assert _named((PRIYA, said))[said] == ("Option C", "rejected")


@pytest.mark.parametrize(
    "said",
    [
        "B, then.",
        "B 👍",
        "b",
        "ok, B. final",
        "Then I go along with B.",
        "B it is.",
        "B wint",
        "Then let it be B.",
        "Well that's that, B.",
    ],
)
def test_a_letter_and_little_else_takes_its_option(said: str) -> None:
    assert _named((PRIYA, said))[said] == ("Option B", "chosen")


@pytest.mark.parametrize(
    "said",
    [
        "Dann B.",
        "ok B. slower, and updates are on me",
        "agreed, B. and for the record cheap comes last",
        "So B, and we live with the bike.",
        "B then, and the van stays at home",
        "(B) then; against it: three days more than A",
        "B. Speaks against it: three days more than A",
        "ok, deliver by bike then",
    ],
)
def test_a_letter_with_a_remark_takes_its_option(said: str) -> None:
    assert _named((PRIYA, said))[said] == ("Option B", "chosen")


@pytest.mark.parametrize("said", ["so A, B and C all need a van", "so B is dead", "then B or C?"])
def test_a_letter_among_others_or_with_a_verb_takes_none(said: str) -> None:
    assert _named((PRIYA, said))[said][1] != "chosen"


def test_who_takes_another_option_later_takes_the_first_back_and_of_others_it_is_asked() -> None:
    def last(by: UserId) -> Claim:
        said = [(SAM, LETTERED), (PRIYA, "We take A."), (by, "ok B. slower, but it is ours")]
        return read(request("03-01", *said)).claims[-1]

    own, others = last(PRIYA), last(SAM)
    assert [line.quote for line in own.supersedes] == ["We take A."]
    assert (others.supersedes, others.data["option"]) == ((), "Option B")
    assert others.data["differs"]


def test_what_is_said_below_a_list_of_options_may_decide() -> None:
    said = "A Stripe\nB Mollie\nwe go with a label printer for the bags"
    claims = read(request("03-02", (SAM, "hm"), (PRIYA, "which?"), (SAM, said))).claims
    assert [one.text for one in claims if one.kind == "decision"] == [said.splitlines()[-1]]


def test_what_stands_in_a_list_of_options_decides_nothing_wherever_it_is_put() -> None:
    listed = (
        "payment\nA Stripe. great docs\nB Mollie. cards + PayPal in one contract\nC PayPal only"
    )
    claims = read(request("03-02", (SAM, listed), (PRIYA, "dann Mollie, not Stripe"))).claims
    assert [one.text for one in claims if one.kind == "decision"] == ["dann Mollie, not Stripe"]


def test_what_speaks_against_the_option_that_is_taken_stays_with_it() -> None:
    put = request("03-01", (SAM, LETTERED), (PRIYA, "A then. against it: nobody sleeps"))
    *_, taken = read(put).claims
    assert (taken.data["choice"], taken.data["against"]) == ("chosen", "nobody sleeps")


@pytest.mark.parametrize(
    "said", ["I'd go for A, the rest is dear", "i lean to A", "write down that I'd take A"]
)
def test_what_somebody_prefers_is_said_of_that_option(said: str) -> None:
    assert _named((PRIYA, said))[said] == ("Option A", "")


@pytest.mark.parametrize("said", ["a small oven beside the till", "Cheap comes first."])
def test_what_is_said_beside_lettered_options_chooses_none(said: str) -> None:
    assert _named((PRIYA, said))[said] == ("", "")
