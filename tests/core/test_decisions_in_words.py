"""What people decide, by the words of a line, in lines of several trades and languages."""

import pytest

from core.brains.script.reading import read
from tests.core.listed_lines import listed_lines
from tests.core.test_scripted import PRIYA, SAM, request

MISSED_MAX = 0.57  # of the lines that decide something
MISTAKEN_MAX = 0.03  # of the lines that decide nothing
MISSED_MAX_APART = 0.7  # … where the weights are not fitted to the lines
MISTAKEN_MAX_APART = 0.06
BEFORE = "we have to settle this today"
PLAIN = (
    "we take the small oven", "postgres it is", "ok 40 then", "we go with the barn",
    "ok, paper then", "let's go with gas",
)  # fmt: skip


def decides(step: str, line: str) -> bool:
    claims = read(request(step, (PRIYA, BEFORE), (SAM, line))).claims
    return any(claim.data.get("choice") == "chosen" for claim in claims if claim.text in line)


def share(name: str, kind: str, *, is_decided: bool) -> tuple[float, list[str]]:
    """The share of such lines that are read so, and the lines."""
    lines = listed_lines(name, kind)
    found = [line for step, line in lines if decides(step, line) is is_decided]
    return len(found) / len(lines), found


def test_who_speaks_again_settles_something_in_fewer_words() -> None:
    settles = "okay, we keep paper tickets"
    first, again = (
        read(request("03-01", (PRIYA, BEFORE), *before, (SAM, settles))).claims
        for before in ((), ((SAM, "the printer is slow"), (PRIYA, "it is")))
    )
    chosen = [[one.text for one in claims if "choice" in one.data] for claims in (first, again)]
    assert chosen == [[], [settles]]


@pytest.mark.parametrize(
    ("name", "most"), [("decisions", MISSED_MAX), ("decisions_apart", MISSED_MAX_APART)]
)
def test_what_people_decide_is_a_decision(name: str, most: float) -> None:
    missed, lines = share(name, "decision", is_decided=False)
    assert missed <= most, (missed, lines)


@pytest.mark.parametrize(
    ("name", "most"), [("decisions", MISTAKEN_MAX), ("decisions_apart", MISTAKEN_MAX_APART)]
)
def test_what_only_sounds_like_it_decides_nothing(name: str, most: float) -> None:
    mistaken, lines = share(name, "other", is_decided=True)
    assert mistaken <= most, (mistaken, lines)


@pytest.mark.parametrize("step", ["03-01", "03-02", "03-04"])
@pytest.mark.parametrize("line", PLAIN)
def test_a_plain_line_decides_wherever_that_is_asked(line: str, step: str) -> None:
    assert decides(step, line)


@pytest.mark.parametrize(
    "line",
    [
        "ok",
        "fair.",
        "agreed",
        "the oven it is?",
        "fine",
        "yes",
        "+1",
        "good point, ok",
        "idk, that's days of pain",
        "I sign the rest only if we take the oven",
    ],
)
def test_words_without_a_thing_and_questions_decide_nothing(line: str) -> None:
    assert not decides("03-02", line)


@pytest.mark.parametrize(
    ("before", "line"),
    [
        ("at most 500 letters", "280. or so I'd guess"),
        ("they were 12 last year", "12"),
        ("guests", "They come at noon, know nobody, and take four chairs from my table"),
        ("ovens", "we had this in march 2022 with the oven"),
    ],
)
def test_a_guess_a_number_alone_what_others_do_and_what_once_was_decide_nothing(
    before: str, line: str
) -> None:
    claims = read(request("03-02", (PRIYA, before), (SAM, line))).claims
    assert not [claim for claim in claims if claim.data.get("choice") == "chosen"]


@pytest.mark.parametrize("step", ["01-05", "03-03"])
def test_who_calls_a_number_too_much_and_names_another_has_not_chosen_it(step: str) -> None:
    answers = ((PRIYA, "the lid has 10 s to close"), (SAM, "10 s is too long. 5"))
    assert not [one for one in read(request(step, *answers)).claims if "choice" in one.data]


def test_who_comes_first_is_a_decision_on_the_way_in_and_no_requirement() -> None:
    said = "the night shift goes first, then the rest in May"
    claims = read(request("02-04", (PRIYA, "how?"), (SAM, said))).claims
    assert [claim.kind for claim in claims if claim.text == said] == ["decision"]


def test_what_is_decided_where_requirements_are_collected_is_one_too() -> None:
    said = "ok, the form must ask for the phone number then"
    claims = read(request("01-06", (PRIYA, "name only?"), (SAM, said))).claims
    assert {claim.kind for claim in claims if claim.text == said} == {"requirement", "decision"}


@pytest.mark.parametrize(
    "line",
    [
        "I lean B",
        "I'm leaning to postgres",
        "Point taken, calm down.",
        "stimmt auch wieder",
        "So whatever we take away must be something that we can give back.",
    ],
)
def test_who_leans_to_one_or_only_agrees_decides_nothing(line: str) -> None:
    said = (SAM, "the deposit is too much"), (PRIYA, "you paid none"), (SAM, line)
    claims = [claim for step in ("03-02", "03-04") for claim in read(request(step, *said)).claims]
    assert [claim.text for claim in claims if claim.data.get("choice") == "chosen"] == []


@pytest.mark.parametrize(
    ("step", "line"),
    [
        ("01-03", "ok account owner it is, they're in HubSpot anyway."),
        ("04-01", "Let us keep Raf's names for talking and use plain ones in the code."),
    ],
)
def test_a_line_that_is_read_as_two_kinds_decides_once(step: str, line: str) -> None:
    claims = read(request(step, (PRIYA, "who gets the mail, and how?"), (SAM, line))).claims
    assert [claim.kind for claim in claims if claim.data.get("choice")] == ["decision"]


@pytest.mark.parametrize(
    "line",
    [
        "hosting: mythic beasts or hetzner, haven't looked",
        "push via firebase or just polling, dunno yet, have to try",
        "maybe pest for the tests or we stay on phpunit, dunno",
        "vielleicht Redis, keine Ahnung",
    ],
)
def test_a_choice_that_its_author_leaves_open_is_an_open_question(line: str) -> None:
    claims = read(request("03-02", line)).claims
    assert [(claim.kind, claim.text) for claim in claims] == [("question", line)]


def test_a_label_without_a_decision_behind_it_is_an_open_question() -> None:
    (claim,) = read(request("03-02", "Decision: open")).claims
    assert claim.kind == "question"


@pytest.mark.parametrize(
    "line",
    [
        "new for us: Svelte",
        "New for the others: the admin page.",
        "weighed rules in code against rules in a table.",
        "Hardest to undo: MySQL for the stock.",
        "no, hardest = numbers.",
        "that and the pay rules.",
        "```\nwith transaction.atomic(): save()\n```",
    ],
)
def test_what_is_new_weighed_hard_to_undo_or_code_decides_nothing(line: str) -> None:
    assert "decision" not in {claim.kind for claim in read(request("03-02", line)).claims}


def test_what_comes_instead_right_behind_a_choice_is_the_choice() -> None:
    said = "I take montrose... hm no, own code, 4 rules need no gem"
    second = read(request("03-02", said)).claims[-1]
    assert second.data["option"] == "own code, 4 rules need no gem"
    assert [line.quote for line in second.supersedes] == ["I take montrose..."]
    assert second.kind == "decision"
