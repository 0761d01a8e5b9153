"""What somebody would do to see that it works, told at any step and in any trade."""

import pytest

from core.brains.script.reading import read
from tests.core.test_scripted import request


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("01-06", "I would leave a tray in the kiln overnight and expect the alarm by six."),
        ("02-03", "id hide one parcel behind the shelf, count again and see if it complains"),
        ("04-04", "I'd drive past the gate with a wrong plate and look whether it stays down"),
        (
            "01-03",
            "We'd lend the same drill to two people and watch what the second one gets told.",
        ),
        ("01-03", "One can try it with a dead battery, the lamp has to blink."),
        ("03-03", "I could rehearse that on the spare pump, afterwards the counter has not moved"),
        ("01-05", "I'd put last year's ledger next to it and if a cent is missing it's wrong"),
        ("04-01", "I would pull the cable in the middle of a sale and expect the till to go on."),
        ("04-03", "you would turn the key twice and hear one click"),
        ("01-06", "`journalctl -u feeder` shows no restart after a refill"),
        ("01-06", "`curl -X POST /loans` twice, the second one says 409"),
        ("04-01", "To convince me somebody reads the tape of last night, no card number on it"),
        ("02-02", "I'd swap two labels on purpose, then check that the scanner refuses both"),
        ("03-04", "I would look at both meters after a night, only one may have moved"),
        ("01-06", "I'd give it to my mother and if she has to ring me it failed"),
        ("04-05", "we'd rerun March from the archive and compare it to the paper, line by line"),
    ],
)
def test_what_somebody_would_do_and_what_is_seen_then_is_a_check(step: str, said: str) -> None:
    assert [claim.kind for claim in read(request(step, said)).claims] == ["check"]


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("01-06", "I would move the drawer to the left and make it bigger."),
        ("02-04", "I'd start with the north branch and see how it goes."),
        ("01-06", "I would rather wait and see."),
        ("03-02", "We could use a cheaper scanner, it has to be small."),
        ("01-06", "I'd expect the guard to have a key"),
        ("01-07", "I would like to see the stock and compare prices."),
        ("01-06", "A member can open the list and see their place."),
        ("02-03", "we would lose the order and see it only on Monday"),
        ("01-05", "you would think they compare the numbers"),
        ("03-04", "I'd drop the second scanner, nobody looks at it."),
        ("01-02", "When I asked, she would check the list and see nothing."),
        ("03-02", "I would put it in the settings, it must not be in the way"),
        ("04-02", "`GET /loans` returns a list, newest first"),
        ("02-03", "then I'd stand there with forty guests and look like a fool"),
        ("01-04", "I could check that with the landlord, he has to sign"),
        ("01-06", "the clerk opens the drawer and sees the sum"),
        ("03-01", "I'd take the small one and see no reason for more"),
        ("01-03", "we used to count twice and compare the slips"),
        ("02-04", "we'd roll it out in one shop and see what breaks"),
        ("01-06", "they would call and expect an answer the same day"),
    ],
)
def test_what_somebody_would_like_lose_or_propose_is_none(step: str, said: str) -> None:
    assert "check" not in {claim.kind for claim in read(request(step, said)).claims}
