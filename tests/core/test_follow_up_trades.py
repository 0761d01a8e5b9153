"""Forty lines of many trades: what each is asked for, and that half of them need no question."""

import pytest

from core.brains.script.reading import read
from tests.core.test_scripted import request

ASKED = [
    # demands that nobody said how to check
    ("01-06", "The lift must stop when the door is forced.", "check"),
    ("01-06", "Only the head nurse may open the drug cabinet.", "check"),
    ("01-06", "A hive must never be sold twice.", "check"),
    ("01-06", "Die Waage muss den Lkw ohne Lieferschein ablehnen.", "check"),
    # numbers that count nothing
    ("01-05", "a claim is settled within 10, then it goes to the lawyer", "unit"),
    ("04-02", "max 500. that's what the old gate could do", "unit"),
    ("01-06", "the greenhouse airs at 28, then shuts again", "unit"),
    ("04-05", "so the boat yard closes 2 before sunset?", "unit"),
    ("01-01", "too many bikes come back broken (now 11)", "unit"),
    # degrees that nobody gave a number
    ("01-05", "the board mustn't be slow when all trains are late", "number"),
    ("01-05", "I look at eight in the evening, and it has to be quick then", "number"),
    ("01-06", "bookings close some time before the ferry leaves", "number"),
    # wishes of nobody
    ("01-07", "want no new jobs after 5pm", "person"),
    ("01-07", "I want to give a rowing lesson as a present, wrapped", "person"),
    # ways and tools that were put alone
    ("03-02", "MQTT for the sensors, nobody here has used it", "alternative"),
    ("03-02", "`sqlite3` everywhere", "alternative"),
    ("02-04", "rollout at the harbour office first, 3 weeks", "alternative"),
    ("02-04", "take back: unplug it", "alternative"),
    ("02-04", "Rollback via the old price list on paper", "alternative"),
    ("03-02", "new: Kafka for the gate events", "alternative"),
]

NOT_ASKED = [
    ("01-01", "There must be a photo of the old shed somewhere."),
    ("01-01", "They were slow last harvest, everybody was."),
    ("01-01", "we lose about 4 crates a day"),
    ("01-02", "Mostly skippers, 40 to 70, they know the lock."),
    ("01-05", "the tide table shows within 2 seconds"),
    ("01-05", "deliveries weigh in at half past nine"),
    ("01-06", "The kiln cools for 6 hours. Done when: the probe shows 60 degrees after 6 hours."),
    (
        "01-07",
        "As a beekeeper I want to see which hive is sick so that I can part it from the others",
    ),
    ("02-01", "The florist next door will notice, she shares our till."),
    ("02-04", "+1"),
    ("02-04", "lol"),
    ("03-02", "Postgres for the bookings as today"),
    ("03-02", "we keep MQTT for the sensors"),
    ("03-02", "MQTT for the sensors instead of HTTP, the radio is too weak for HTTP"),
    ("04-02", "a page holds 50 rows"),
    ("04-03", "rows 300 to 420 came from the old book"),
    ("04-04", "refused at the gate: weight > 40 t, trailers without a plate"),
    ("04-04", "oven hours > 12 are refused"),
    ("04-05", "back in 10"),
    ("04-05", "why 6 and not 7?"),
]

KINDS = frozenset({"check", "unit", "number", "person", "alternative", "difference"})


@pytest.mark.parametrize(("step", "text", "kind"), ASKED)
def test_a_line_that_lacks_something_is_asked_for_it(step: str, text: str, kind: str) -> None:
    follow_up = read(request(step, text)).follow_up
    assert follow_up is not None
    assert (follow_up.kind, follow_up.line is not None) == (kind, True)


@pytest.mark.parametrize(("step", "text"), NOT_ASKED)
def test_a_line_that_lacks_nothing_is_not(step: str, text: str) -> None:
    follow_up = read(request(step, text)).follow_up
    assert follow_up is None or follow_up.kind not in KINDS
