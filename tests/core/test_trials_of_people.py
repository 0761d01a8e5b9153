"""What somebody would do to see that it works, told at any step and in any trade."""

import pytest

from core.brains.script.reading import read
from tests.core.test_scripted import SAM, request


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
        ("01-05", "I would let Bo try it with a key of her own, the door must not open."),
        ("02-01", "On 30 June I would park a van there and look for it on the first of July."),
        ("03-03", "I could rehearse that on the spare pump, afterwards the counter has not moved"),
        ("01-05", "I'd put last year's ledger next to it and if a cent is missing it's wrong"),
        ("04-01", "I would pull the cable in the middle of a sale and expect the till to go on."),
        ("04-03", "you would turn the key twice and hear one click"),
        ("01-06", "`journalctl -u feeder` shows no restart after a refill"),
        ("01-06", "`curl -X POST /loans` twice, the second one says 409"),
        ("02-02", "I'd swap two labels on purpose, then check that the scanner refuses both"),
        ("03-04", "I would look at both meters after a night, only one may have moved"),
        ("01-06", "I'd give it to my mother and if she has to ring me it failed"),
        ("02-02", "I'd unplug the old one on a Sunday and listen who calls"),
        ("01-05", "I would time it with my phone and if it's over five seconds it's broken"),
        ("04-01", "id rename the folder and see what falls over"),
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
        ("02-01", "I'd send a note to the porter, he has to sign it"),
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
        ("01-06", "I'd call the ferry and hear what they say about the price"),
        ("03-02", "I would pay more and expect better support"),
        ("02-04", "I'd train the night shift first and see them on Monday"),
        ("03-01", "I'd drop both and look for something smaller"),
        ("04-04", "I would retry twice, then give up"),
        ("01-06", "we'd pay on account and the clerk checks it"),
        ("01-06", "they would call and expect an answer the same day"),
    ],
)
def test_what_somebody_would_like_lose_or_propose_is_none(step: str, said: str) -> None:
    assert "check" not in {claim.kind for claim in read(request(step, said)).claims}


ROUND = (
    "A. drivers see their stops in order\n"
    "B. a stop that is skipped must come back the next day\n"
    "C. the depot gets a mail when a van is late"
)


@pytest.mark.parametrize(
    ("said", "of"),
    [
        ("for B I skip a stop tonight, it is there tomorrow", ["FR-002"]),
        ("For A, I drive the round once and tick them off", ["FR-001"]),
        ("for (c) I don't move for an hour and get one mail", ["FR-003"]),
        ("checks? for B: skip and count", ["FR-002"]),
        ("tests? for (a) I drive it. for (c) I park behind the church and wait",
         ["FR-001", "FR-003"]),
        ("acceptance -- B: skip the bakery, bakery is there on Tuesday. C: park, one mail",
         ["FR-002", "FR-003"]),
        ("how we know: A = drive it blind. C = park behind the church, mail",
         ["FR-001", "FR-003"]),
        ("Check for the mail: park two hours, one mail. For the order: drive it blind. "
         "For the skipped one I call the baker and ask.", ["FR-003", "FR-001", "FR-002"]),
    ],
)  # fmt: skip
def test_trials_go_on_line_by_line_by_the_names_of_lines(said: str, of: list[str]) -> None:
    draft = read(request("01-06", ROUND, (SAM, said)))
    assert [claim.data.get("of") for claim in draft.claims if claim.kind == "check"] == of


@pytest.mark.parametrize(
    "said",
    [
        "B: agreed",
        "for A I use the old list today",
        "For B I think a week is enough, or two",
        "C: that mail must come within the hour",
        "For C, we need the number of the depot, and the name",
        "for b I'd say two days, not one",
        "For the invoice I use a stamp and an envelope",
    ],
)
def test_what_else_is_said_of_a_line_by_its_name_is_no_check(said: str) -> None:
    draft = read(request("01-06", ROUND, (SAM, said)))
    assert "check" not in {claim.kind for claim in draft.claims}


@pytest.mark.parametrize(
    ("step", "said", "kinds"),
    [
        ("01-06", "the gate must stay shut for a plate it does not know, I'd drive past with my "
         "wife's and see whether it opens, but I forget", ["requirement", "check", "note"]),
        ("01-06", "each bag gets a label; I'd swap two and look if the belt stops",
         ["requirement", "check"]),
        ("04-04", "no signal: keeps the trip and I'd drive into the tunnel and compare the two "
         "lists", ["requirement", "error", "check"]),
        ("01-07", "as a guide I want one page per bus 🚌 I'd put my own name on it twice and look "
         "if it is there once", ["story", "check"]),
        ("01-05", "I'd swap two and look at the belt. It must stop.", ["check", "check"]),
        ("01-05", "The belt shows the bus. It must be readable.", ["quality", "quality"]),
        ("01-07", "As a vet I want a list so I'd see who is late", ["story"]),
        ("01-07", "As a vet I want a list, and I'd like it blue", ["story"]),
        ("01-06", "if the belt stops, I'd go and see who did it", ["note"]),
        ("01-02", "Kim said she'd come and I'd see her at nine", ["fact"]),
    ],
)  # fmt: skip
def test_a_sentence_that_runs_on_into_a_trial_is_both(
    step: str, said: str, kinds: list[str]
) -> None:
    assert [claim.kind for claim in read(request(step, said)).claims] == kinds


TRIED = "I'd press it twice and see if the horn sounds."


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("01-06", "Each cabin owns two keys, and the spare one opens the store, never the safe; we "
         "had it the other way round in 2020."),
        ("04-04", "Refused: a bag above the limit, at the belt, with the weight on the lamp."),
        ("02-01", "The ferry loses its list on Sundays, it should fetch a new one each night."),
        ("03-03", "If the pump is away the tank waits and fills up later the same night."),
        ("04-01", "the scale never learns the price of a thing, only its weight."),
        ("01-03", "the second letter is sent by post, without a logo."),
        ("01-03", "what matters to me is that the sum is worked out from the list."),
    ],
)  # fmt: skip
def test_what_a_check_follows_on_its_line_is_asked_for_and_checked_by_it(
    step: str, said: str
) -> None:
    claims = read(request(step, f"{said} {TRIED}")).claims
    demands = [claim.ref for claim in claims if claim.kind == "requirement"]
    of = [claim.data.get("of") for claim in claims if claim.kind == "check"]
    assert demands == of == ["FR-001"]


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("01-03", "We counted the keys twice last year."),
        ("01-02", "Kim is on holiday."),
        ("04-04", "who answers the phone then?"),
        ("01-05", "No idea, ask the skipper."),
        ("02-01", "That was ugly."),
        ("03-04", "I like the small one."),
    ],
)
def test_what_tells_of_no_deed_is_not_asked_for_by_what_follows_it(step: str, said: str) -> None:
    claims = read(request(step, f"{said} {TRIED}")).claims
    assert [claim.data.get("of") for claim in claims if claim.kind == "check"] == [None]
    assert "requirement" not in {claim.kind for claim in claims}


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("01-06", "i hide one key on purpose, then look if the board misses it"),
        ("01-06", "2 is easy, I raise the fee from 3 to 4 and look whether the slip says 4."),
        ("01-06", "ferry mode: wifi off, load ten cars, wifi on, all there"),
        ("01-06", "start 40 loans, pull them back, nothing moves"),
        ("01-06", "kubectl drain node in the middle, boat list still comes"),
        ("02-02", "I'd move one at noon and check next morning it's still there"),
        ("02-03", "3 boats, ask without any harbour, 0 foreign boats"),
        ("03-03", "Easy to see: slow the line to a crawl, send one photo, count the bytes."),
        ("03-03", "test: one pump hangs for a minute, the others don't wait"),
        ("04-04", "kill the feeder halfway, must be on the list"),
    ],
)
def test_an_act_and_what_is_seen_of_it_are_a_check(step: str, said: str) -> None:
    assert {claim.kind for claim in read(request(step, said)).claims} == {"check"}


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("01-03", "she opens the board and looks for a free boat"),
        ("01-02", "I open the log every morning and look whether a boat is out"),
        ("01-05", "I tried twice and it said no"),
        ("01-06", "the skipper looks at the list and approves"),
        ("01-06", "cap it at 40 cars per trip, above that they have to wait"),
        ("01-06", "scan a key -> shows its boat"),
        ("01-06", "members can open the board and look whether a boat is free"),
        ("01-06", "three clicks and a name, and it snaps back by itself"),
        ("02-04", "we start with Kim and five others for two weeks and then all harbours"),
        ("02-04", "I'd run it in shadow for a month, and then compare, after that everybody"),
        ("02-04", "I'd put it behind a flag per harbour, ours first, then everybody"),
        ("03-03", "Twilio down: texts wait, the skipper decides on the page."),
        ("04-03", "open, taken, paid, back, lost"),
        ("04-04", "If the printer fails the sale stops; no slip is better than a wrong one."),
        ("02-01", "It should show when the boat left, not when it was typed in."),
    ],
)
def test_journeys_habits_demands_and_plans_are_no_checks(step: str, said: str) -> None:
    assert "check" not in {claim.kind for claim in read(request(step, said)).claims}


def test_what_somebody_by_name_does_behind_a_story_is_its_check() -> None:
    story = "As treasurer I want the fines in the file so that nobody rings me."
    tried = "Kim opens the file and looks for one she knows"
    *_, check = read(request("01-07", f"{story} {tried}")).claims
    assert (check.kind, check.text, check.data["of"]) == ("check", tried, "US-001")


def test_an_outcome_before_its_check_is_asked_for() -> None:
    claims = read(request("01-06", "gate dies = no car lost. kill -9 it, list still goes out"))
    assert [claim.kind for claim in claims.claims] == ["requirement", "check"]
