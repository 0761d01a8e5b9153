"""Options with letters, and short messages that take one of them by its letter."""

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim
from core.domain.ids import UserId
from tests.core.test_compose import made, page
from tests.core.test_scripted import PRIYA, SAM, answer, request

STALLS = "A) tents on the square\nB) the old hall, 190 a month\nC) own small kiosks"
BARE = """\
3 ways
A tents on the square. cheap. wet when it rains
B rent the old hall. 190 a month
C own small kiosks w roof. six weeks of us"""


def chosen(*said: str | tuple[UserId, str], step: str = "03-01") -> list[tuple[str, str]]:
    return [
        (claim.text, claim.data["option"])
        for claim in _claims(*said, step=step)
        if claim.data.get("choice") == "chosen"
    ]


def _claims(*said: str | tuple[UserId, str], step: str = "03-01") -> tuple[Claim, ...]:
    return read(request(step, *said)).claims


@pytest.mark.parametrize("put", [STALLS, BARE])
@pytest.mark.parametrize(
    "said",
    [
        "C.", "so C", "fine, C", "ok ok, C wins", "right then, option C, because of the roof",
        "C it is", "let's do C", "ok going with C", "agreed: C", "I decide: C", "we said C",
        "C for me", "C+1", "C +1.", "C. B is dead, A is too wet",
        "C, done.", "C. final.", "→ C", "we're doing C", "C, settled",
    ],
)  # fmt: skip
@pytest.mark.parametrize("step", ["03-01", "03-02"])
def test_a_letter_and_little_else_chooses_its_option(put: str, said: str, step: str) -> None:
    assert "Option C" in [option for _, option in chosen((PRIYA, put), (SAM, said), step=step)]


@pytest.mark.parametrize("put", [STALLS, BARE])
@pytest.mark.parametrize(
    "said",
    [
        "A wet one",
        "B sounds nice, my stall stays",
        "C?",
        "not C",
        "C, if it stays dry",
        "C. If the mayor signs",
        "C. But B is drier",
        "C. B is drier",
        "C or B",
        "maybe C",
        "I like C",
        "C. too dear",
        "A. Smith rents one",
        "it is a",
        "it rains, so dry",
        "if it rains, so own kiosks, I stay at home",
    ],
)
def test_a_letter_in_passing_chooses_nothing(put: str, said: str) -> None:
    assert chosen((PRIYA, put), (SAM, said)) == []


def test_lines_that_open_with_letters_in_turn_are_options_with_what_is_told_of_each() -> None:
    names = {claim.text: claim.data.get("option", "") for claim in _claims(BARE)}
    assert names["3 ways"] == ""
    assert names["wet when it rains"] == "Option A"
    assert names["C own small kiosks w roof."] == names["six weeks of us"] == "Option C"


def test_a_line_that_opens_with_an_article_is_no_option_with_a_letter() -> None:
    claims = _claims("A tent keeps the rain off\nThe hall is dry\nB is what my aunt likes")
    assert not any(claim.data.get("option", "").startswith("Option") for claim in claims)


def test_an_option_of_somebody_else_that_goes_on_with_the_letters_is_one() -> None:
    more = (SAM, "D) borrow tables")
    assert chosen((PRIYA, STALLS), more, (PRIYA, "so D.")) == [("so D.", "Option D")]
    assert chosen((PRIYA, STALLS), (SAM, "E) borrow tables"), (PRIYA, "so E.")) == []


def test_where_nobody_put_options_a_letter_is_a_letter() -> None:
    assert chosen((PRIYA, "which hall?"), (SAM, "C.")) == []
    assert chosen((PRIYA, "which row of stalls is free?"), (SAM, "A."), step="01-06") == []


def test_the_table_of_options_shows_which_letter_was_taken() -> None:
    text = page(made("03-01", "architecture-overview.md", BARE, (SAM, "ok ok, C wins")))
    one, _, three = [row for row in text.splitlines() if row.startswith("| Option ")][1:]
    assert "chosen" in three
    assert "chosen" not in one
    assert "wet when it rains" in one


WAYS = (
    "1 the limiter of the proxy\n2 a middleware of our own\n3 counters per pod\n4 a cloud does it"
)


def test_options_under_bare_numbers_are_taken_and_spoken_of_by_them() -> None:
    said = "3 breaks with every pod. 4 doesnt know us. 1 wants a redeploy. so 2, we own the bugs"
    claims = read(request("03-01", (PRIYA, WAYS), (SAM, said))).claims
    told = {claim.text: (claim.data["option"], claim.data.get("choice")) for claim in claims}
    assert told["a middleware of our own"] == ("Option 2", None)
    assert told["4 doesnt know us."] == ("Option 4", None)
    assert told["1 wants a redeploy."] == ("Option 1", None)
    assert told["so 2, we own the bugs"] == ("Option 2", "chosen")


def test_two_lines_that_begin_with_numbers_are_no_options() -> None:
    said = "2 weeks for the proxy\n3 weeks for our own"
    claims = read(request("03-01", (PRIYA, said))).claims
    assert not any("Option" in claim.data.get("option", "") for claim in claims)


def test_no_and_a_letter_turns_an_option_down_before_more_is_said() -> None:
    said = "A) postgres\nB) kafka\nC) a cloud"
    claims = read(request("03-01", (PRIYA, said), (SAM, "No C. Took us a year to get out"))).claims
    assert [(one.text, one.data["option"]) for one in claims if one.data.get("choice")] == [
        ("No C.", "Option C")
    ]


def test_options_behind_a_word_for_them_on_one_line_have_their_letters() -> None:
    put = "options: A) tents on the square, as last year. B) rent the old hall. C) own kiosks"
    weighed = "A pro: cheap, we have them. con: wet. C no, ops hates it"
    claims = _claims((PRIYA, put), (SAM, weighed), (SAM, "we take option A, the tents"))
    options = [(claim.text.split()[0], claim.data["option"]) for claim in claims]
    assert options == [
        ("options:", "Option A"), ("B)", "Option B"), ("C)", "Option C"),
        ("A", "Option A"), ("C", "Option C"), ("we", "Option A"),
    ]  # fmt: skip


def test_what_stands_behind_a_question_is_not_of_the_option_that_was_taken_before_it() -> None:
    said = "C+1. also the till: paper or tablet? I say tablet, one truth"
    claims = _claims((PRIYA, STALLS), (SAM, said))
    assert [claim.data.get("option") for claim in claims if "tablet," in claim.text] == [None]


def test_the_second_of_what_was_put_at_an_earlier_step_is_no_option() -> None:
    earlier = answer("03-01", 1, STALLS)
    put = read(request("03-01", STALLS)).claims
    said = "the second then, but only with a roof = 2"
    claims = read(request("04-04", said, claims=put, other_answers=(earlier,))).claims
    assert "decision" not in [claim.kind for claim in claims]
