"""What speaks for a line to decide beside its words: who says it, and what was said before."""

import pytest

from core.brains.script.decisions.turn_signs import ALONE, Turn, signs_of, turns_of
from core.brains.script.reading import read
from core.domain.ids import UserId
from tests.core.test_scripted import PRIYA, SAM, request

SETTLES = "we start in May"


def test_the_turn_of_a_message_says_who_has_spoken_and_what_was_said_right_before() -> None:
    said = [(PRIYA, "tickets?"), (SAM, "paper"), (SAM, "or cards"), (PRIYA, "paper")]
    assert list(turns_of(said, {PRIYA})) == [
        Turn(by_decider=True, after="paper"),
        Turn(before="tickets?"),
        Turn(speaks_again=True, goes_on=True, after="paper"),
        Turn(by_decider=True, speaks_again=True, before="or cards"),
    ]


@pytest.mark.parametrize(
    ("line", "turn", "signs"),
    [
        ("paper tickets", ALONE, []),
        ("ok 40 then", ALONE, ["concedes", "cue"]),
        ("ok 40 then", Turn(speaks_again=True), ["again", "concedes", "concedes-again", "cue"]),
        ("forget the kiosk", Turn(by_decider=True, goes_on=True),
         ["by-decider", "goes-on", "gives-up"]),
        ("paper tickets", Turn(before="tickets on paper or not?"), ["shares-a-word"]),
    ],
)  # fmt: skip
def test_a_line_has_the_signs_of_its_turn_and_of_its_words(
    line: str, turn: Turn, signs: list[str]
) -> None:
    assert list(signs_of(line, turn)) == signs


@pytest.mark.parametrize("deciders", [frozenset(), frozenset({SAM})])
def test_whoever_decides_where_people_differ_settles_something_in_fewer_words(
    deciders: frozenset[UserId],
) -> None:
    asked = request("03-02", (PRIYA, "how then?"), (SAM, SETTLES), deciders=deciders)
    decided = [claim.text for claim in read(asked).claims if claim.kind == "decision"]
    assert decided == ([SETTLES] if deciders else [])
