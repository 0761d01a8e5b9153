"""Questions to a person on how that person is: asides, and none of the item's open questions."""

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim
from core.domain.ids import UserId
from tests.core.test_artifacts_files import made
from tests.core.test_scripted import SAM, request

ITEM = "The kiln must stop at 1200 degrees."


def asked(question: str, *more: str | tuple[UserId, str], item: str = ITEM) -> Claim:
    """The line of the question, behind a line of the item."""
    claims = read(request("01-06", item, question, *more)).claims
    return next(claim for claim in claims if claim.text == question)


@pytest.mark.parametrize(
    "question",
    [
        "@lars you still grumpy?",
        "did you sleep at all?",
        "Sam, are you alive?",
        "coffee?",
        "coffee anyone?",
        "and how was your weekend, Sam?",
        "have you eaten yet??",
        "you coming?",
        "anyone awake?",
    ],
)
def test_a_question_on_how_somebody_is_is_an_aside(question: str) -> None:
    for reply in ([], [(SAM, "barely, toddler")], [(SAM, "The kiln must beep.")]):
        line = asked(question, *reply)
        assert (line.kind, dict(line.data)) == ("note", {})


@pytest.mark.parametrize(
    "question",
    [
        "did you ask the bank?",
        "have you tested?",
        "Sam, are you insured?",
        "are you sure?",
        "can you export?",
        "@sam webhooks?",
        "you print?",
        "and who pays?",
        "deadline?",
    ],
)
def test_a_question_on_what_is_done_stays_open(question: str) -> None:
    assert asked(question).kind == "question"


def test_a_question_with_a_word_of_the_item_is_one_of_it() -> None:
    assert asked("coffee?", item="The machine must brew coffee by weight.").kind == "question"


def test_a_question_that_a_fact_of_the_item_answers_is_one_of_it() -> None:
    said = "The kiln is hot until noon.", "are you around?", (SAM, "only when the kiln is cold")
    claims = read(request("01-01", *said)).claims
    assert [claim.kind for claim in claims if claim.text == said[1]] == ["question"]


def test_the_files_list_no_such_question() -> None:
    asked = "did you sleep?", "who fires the kiln?", "coffee?"
    claims = read(request("01-06", ITEM, *asked)).claims
    summary = made("04-05", "design-summary.md", *claims)
    assert [question in summary for question in asked] == [False, True, False]

    said = "did you sleep?", (SAM, "barely"), "who fires the kiln?", (SAM, "the potter fires it")
    text = made("01-06", "requirements-spec.md", *read(request("01-06", ITEM, *said)).claims)
    answered = text.partition("Asked and answered")[2].partition("\n#")[0]
    assert "who fires the kiln?" in answered
    assert "did you sleep?" not in answered


@pytest.mark.parametrize(
    "cry", ["excuse me??", "seriously?", "really??", "what?!?", "sorry, what?", "remember?"]
)
def test_a_cry_asks_nothing(cry: str) -> None:
    assert asked(cry).kind == "note"


def test_who_wants_to_be_left_out_asks_nothing() -> None:
    (claim,) = read(request("04-02", "idk what any of this means, skip me 😅")).claims
    assert claim.kind == "note"


@pytest.mark.parametrize("question", ["what now?", "really hot?", "sorry, who pays?", "no glaze?"])
def test_a_question_that_opens_with_a_cry_asks_all_the_same(question: str) -> None:
    assert asked(question).kind == "question"


def test_no_idea_right_behind_somebody_elses_question_is_no_question_of_its_own() -> None:
    question = "and who has the key of the kiln at night?"
    claims = read(request("01-06", ITEM, question, (SAM, "...no idea yet"), "The bell is loud"))
    _, asked_line, reply, *_ = claims.claims
    assert (asked_line.kind, reply.kind) == ("question", "note")
    assert "answered_by" not in asked_line.data
    own = read(request("01-06", ITEM, question, "no idea yet")).claims
    assert [claim.kind for claim in own[1:]] == ["question", "question"]


def test_not_knowing_on_the_line_of_a_question_is_no_question_of_its_own() -> None:
    own = read(request("01-06", "Who fires the kiln on Sundays? I am not sure.")).claims
    assert [claim.kind for claim in own] == ["question", "note"]
    claims = read(request("01-06", "who has the key?", (SAM, "Ooh. Don't know."))).claims
    assert [claim.kind for claim in claims] == ["question", "note", "note"]
    assert "answered_by" not in claims[0].data


@pytest.mark.parametrize(
    ("question", "reply", "is_answer"),
    [
        ("Is that a lot?", "no", True),
        ("400?", "350. Fire office.", True),
        ("who rings the bell?", "no", False),
        ("steam?", "do we pay for the water", False),
    ],
)
def test_a_bare_yes_or_no_right_behind_a_question_answers_it_and_a_question_does_not(
    question: str, reply: str, is_answer: bool
) -> None:
    claims = read(request("01-06", ITEM, question, (SAM, reply))).claims
    line = next(claim for claim in claims if claim.text == question)
    assert line.data.get("answer") == (reply if is_answer else None)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("We need a yes from Ada, and from the fire office, whose name nobody knows", "fact"),
        ("We need the blessing of the potter, and nobody knows when he is back", "fact"),
        ("Nobody knows whether we need a yes from Ada", "question"),
        ("do we need a yes from Ada?", "question"),
    ],
)
def test_who_has_to_agree_is_no_open_question(said: str, kind: str) -> None:
    assert read(request("03-04", said)).claims[0].kind == kind
