"""What people ask for in the middle of a sentence that runs on; and what belongs together."""

import pytest

from core.brains.script.parts.run_ons import CHARS_MAX
from core.brains.script.reading import read
from tests.core.test_scripted import request


def lines(step: str, said: str, kind: str) -> list[str]:
    return [claim.text for claim in read(request(step, said)).claims if claim.kind == kind]


@pytest.mark.parametrize(
    ("step", "said", "asked"),
    [
        (
            "01-04",
            "I've asked for a new till since May, the landlord won't pay, so it has to work on the "
            "old tablet as well, and after Easter we can bin that",
            ["it has to work on the old tablet as well"],
        ),
        (
            "02-01",
            "the logger gets hot when we poll it, Ivo saw it smoke, so we poll every ten minutes "
            "and no more often, and then the tide table, which he prints, is a day behind",
            ["we poll every ten minutes and no more often"],
        ),
        (
            "03-03",
            "The bank sends a list, and we send the night's total to the office at 6 every "
            "morning; if the camera is blind there's a bell for the guard and the gate stays "
            "shut, and if the bank is silent the last list counts",
            [
                "if the camera is blind there's a bell for the guard and the gate stays shut",
                "if the bank is silent the last list counts",
            ],
        ),
        (
            "04-04",
            "nobody sees a torn label at once, and when it is torn a new one gets printed",
            ["when it is torn a new one gets printed"],
        ),
    ],
)
def test_a_piece_that_is_asked_for_stands_apart(step: str, said: str, asked: list[str]) -> None:
    asks = {*lines(step, said, "requirement"), *lines(step, said, "quality")}
    assert set(asked) <= asks


def test_a_story_is_one_wherever_it_begins_in_a_sentence() -> None:
    said = (
        "The guards ring me on my day off, which I hate, so as the pool manager I'd like to see "
        "who is on duty so that I stop ringing round, and the test is that my phone stays silent"
    )
    (story,) = (claim for claim in read(request("01-07", said)).claims if claim.kind == "story")
    assert story.text.startswith("as the pool manager I'd like")
    assert story.data["role"] == "pool manager"
    assert story.data["benefit"] == "I stop ringing round"


def test_every_piece_keeps_its_own_words() -> None:
    said = "I was up all night, so the lamp has to be lit, but only at the pier, but I digress"
    texts = dict.fromkeys(claim.text for claim in read(request("01-04", said)).claims)
    assert list(texts) == [
        "I was up all night",
        "the lamp has to be lit, but only at the pier",
        "but I digress",
    ]


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("01-03", "guests with a pram, it must never ask them to fold it"),
        ("01-02", "They aren't allowed to sell, so they have to be able to look things up"),
        ("01-06", "I'd send two boats out, and it must show both names"),
        ("01-04", "if the tide is out, the pier is dry, so it has to wait for water"),
        ("04-04", "If the reader is dead, and when it is night, the guard opens by hand"),
        ("02-01", "the old bus is slow, so we ask the driver every time"),
        ("01-04", 'the sign says "nobody swims here, so it has to stay shut for now"'),
    ],
)
def test_what_belongs_together_stays_one_line(step: str, said: str) -> None:
    assert {claim.text for claim in read(request(step, said)).claims} == {said}


def test_a_very_long_sentence_stays_one_line() -> None:
    said = f"I was there, {'and waited, ' * (CHARS_MAX // 10)}so it has to be quick at night"
    assert len(read(request("01-04", said)).claims) == 1


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("oh and a weekly list of who came late", "requirement"),
        ("one screen with all the late boats", "requirement"),
        ("a lot of people ask for that", "fact"),
        ("a colleague with a broken arm typed it", "fact"),
        ("a man that waits an hour is lost", "fact"),
        ("a driver that waits an hour is lost", "fact"),
        ("a nurse on my ward cried over that", "fact"),
        ("a call with the vendor on friday", "fact"),
    ],
)
def test_a_thing_by_its_name_is_wished_for_where_stories_are(said: str, kind: str) -> None:
    assert lines("01-07", said, kind) == [said]
