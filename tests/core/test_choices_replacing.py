"""A few words that put something in place of a line of which somebody else has just spoken."""

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim
from core.domain.ids import UserId
from tests.core.test_scripted import PRIYA, SAM, request

LORRY = (PRIYA, "apples go by lorry")
DEARER = (SAM, "the lorry got 40% dearer in May")
STEPS = (PRIYA, "1. pick the stall\n2. confirm by typing the number\n3. siren with a lamp, 10 s")
STAGES = (PRIYA, "- trial: north row, Jan 26\n- all rows: March 9")
BUILD = (PRIYA, "Only the smith knows. We build from 11 January")
SHUT = (SAM, "Jan 26 isn't a date, the square is shut")
TARGETS = (
    PRIYA,
    "| # | What | Target |\n|---|---|---|\n| N2 | open | 10 s |\n| N3 | return for | 24 h |",
)
GLOVES = (SAM, "nobody's typing with gloves on")


def last(step: str, *said: tuple[UserId, str]) -> Claim | None:
    """What the last of those who speak has chosen or dropped."""
    draft = read(request(step, *said))
    own = [claim for claim in draft.claims if "choice" in claim.data]
    answer = f"{step}:{len(said)}"
    return next((claim for claim in own if claim.sources[0] == answer), None)


@pytest.mark.parametrize(
    ("step", "before", "said", "option", "old"),
    [
        ("03-02", [LORRY, DEARER], "ok then the barge.", "the barge", "apples go by lorry"),
        ("03-02", [LORRY], "thought about a date on the ticket. nah, plain tickets",
         "plain tickets", ""),
        ("03-02", [LORRY, (SAM, "lorry, on that bridge?")], "barge. 20% slower, whatever", "barge",
         "apples go by lorry"),
        ("02-04", [STAGES, SHUT], "Feb 2", "Feb 2", "trial: north row, Jan 26"),
        ("04-05", [BUILD, (SAM, "the smith is back on the 12th")], "13th", "13th",
         "We build from 11 January"),
        ("01-03", [STEPS, GLOVES], "Typing only above 50 stalls.", "Typing only above 50 stalls",
         "confirm by typing the number"),
        ("01-03", [STEPS, GLOVES], "Siren dies, lamp on the board lives",
         "Siren dies, lamp on the board lives", "siren with a lamp, 10 s"),
        ("03-03", [(PRIYA, "the pager gets one text"), (SAM, "nobody asked for it")],
         "Pager dropped.", "Pager", "the pager gets one text"),
        ("01-05", [TARGETS, (SAM, "re N3, Friday to Monday, I did say")], "you did. 72 h", "72 h",
         "N3 | return for | 24 h"),
        ("02-04", [(SAM, "and not on Monday")], "Tuesdays 10:00, nothing else",
         "Tuesdays 10:00, nothing else", ""),
        ("02-04", [STAGES, (SAM, "not the north row. south row, they like us")],
         "Good shout, south row first.", "south row", ""),
    ],
)  # fmt: skip
def test_a_few_words_take_the_place_of_what_was_spoken_of(
    step: str, before: list[tuple[UserId, str]], said: str, option: str, old: str
) -> None:
    choice = last(step, *before, (PRIYA, said))
    assert choice is not None
    assert choice.data["option"] == option
    if old:
        assert [line.quote for line in choice.supersedes] == [old]


@pytest.mark.parametrize(
    ("step", "before", "said"),
    [
        ("03-02", [LORRY, DEARER], "ok then see you"),
        ("03-02", [LORRY, DEARER], "ok then who pays"),
        ("03-02", [LORRY, (SAM, "lunch is at one")], "ok then the barge"),
        ("03-02", [LORRY], "nah, too big for four stalls"),
        ("03-02", [LORRY], "nah, plain tickets"),
        ("03-02", [LORRY, (SAM, "lorry, on that bridge?")], "sometimes. the bridge is 3 t"),
        ("03-02", [LORRY, (SAM, "lorry, on that bridge?")], "later. easier for me"),
        ("02-04", [STAGES, (SAM, "who tells the north row?")], "Feb 2"),
        ("02-04", [STAGES, SHUT], "the mayor is away on Feb 2"),
        ("01-03", [STEPS, (SAM, "fine")], "Typing only above 50 stalls."),
        ("01-03", [STEPS, GLOVES], "rain only on Tuesdays."),
        ("01-03", [STEPS, GLOVES], "the phone dies"),
        ("01-05", [TARGETS, (SAM, "N2 is fine")], "72 h"),
        ("02-04", [(SAM, "and not on Monday")], "I know the square, nothing else"),
    ],
)
def test_what_only_looks_like_it_takes_the_place_of_nothing(
    step: str, before: list[tuple[UserId, str]], said: str
) -> None:
    assert last(step, *before, (PRIYA, said)) is None
