"""What answers a step that asks for rules is a requirement, with or without a word that demands."""

import pytest

from core.brains.script.reading import read
from tests.core.test_scripted import request


def kinds(step: str, text: str) -> list[str]:
    return [claim.kind for claim in read(request(step, text)).claims]


@pytest.mark.parametrize(
    "text",
    [
        "file missing or half written → ignored, the pool keeps what it has",
        "zone empty -> utc",
        "pdf fails => job retries at night",
    ],
)
def test_what_happens_when_something_fails_is_a_requirement(text: str) -> None:
    assert kinds("04-04", text) == ["requirement", "error"]


@pytest.mark.parametrize(
    "text",
    [
        "bell silent → mends itself",
        "sms away → see above",
        "disk full → nobody was told last year",
    ],
)
def test_what_nobody_builds_is_a_failure_alone(text: str) -> None:
    assert "requirement" not in kinds("04-04", text)


@pytest.mark.parametrize(
    "text",
    [
        "cache and postgres disagree: postgres wins",
        "feed and log disagree → log is right, always",
        "for prices my ledger wins!",
    ],
)
def test_which_source_wins_is_a_requirement(text: str) -> None:
    assert kinds("04-03", text)[0] == "requirement"


@pytest.mark.parametrize("text", ["who wins:", "hm i wanted newer wins", "of course it wins"])
def test_a_doubt_about_the_source_is_none(text: str) -> None:
    assert "requirement" not in kinds("04-03", text)


def test_an_arrow_that_somebody_typed_parts_no_failure() -> None:
    claims = read(request("04-04", 'Odile typed "fil => fil" and it is gone')).claims
    assert all("response" not in claim.data for claim in claims)
    once = 'Odile made "fil => fil" once and everything was gone.'
    assert "requirement" not in kinds("04-04", once)


@pytest.mark.parametrize(
    "text",
    [
        "the old till stays.",
        "Our phone number stays, it's on the magnets",
        "hands off the scanner, its firmware stays untouched",
        "BäckerPlan bleibt",
        "the county's file keeps its columns",
    ],
)
def test_what_has_to_stay_is_a_requirement_where_a_step_asks_what_there_is(text: str) -> None:
    assert "requirement" in kinds("01-04", text)
    assert "requirement" not in kinds("01-01", text)


@pytest.mark.parametrize(
    "text",
    [
        "what stays:",
        "the guard stays late",
        "the old key stayed",
        "today the file stays on the desk",
    ],
)
def test_what_only_stays_somewhere_is_none(text: str) -> None:
    assert "requirement" not in kinds("01-04", text)


@pytest.mark.parametrize(
    "text",
    [
        "Mollie away → we hide the button",
        "PIM slow: 3 retries, then the build stops",
        "two nights missing -> mail to me",
    ],
)
def test_what_is_done_while_a_neighbour_is_away_is_a_requirement(text: str) -> None:
    assert "requirement" in kinds("03-03", text)


@pytest.mark.parametrize(
    "text",
    [
        "the web form down: nothing on our side",
        "kiosk away → use the desk",
        "the fax away: call the desk",
    ],
)
def test_what_others_do_then_is_none(text: str) -> None:
    assert "requirement" not in kinds("03-03", text)


@pytest.mark.parametrize(
    "text",
    [
        "press gets an end time and has no idea about extra time",
        "Courier doesn't look at values, only ships",
        "log is append only",
        "sender: no db access",
        "only Gatekeeper decides",
    ],
)
def test_what_a_part_is_kept_from_is_a_requirement_and_no_open_question(text: str) -> None:
    assert "requirement" in kinds("04-01", text)
    assert "question" not in kinds("04-01", text)


@pytest.mark.parametrize("text", ["I have no idea", "nobody knows who decides"])
def test_who_knows_nothing_of_the_parts_leaves_them_open(text: str) -> None:
    assert kinds("04-01", text) == ["question"]


def test_elsewhere_an_arrow_asks_for_nothing() -> None:
    assert "requirement" not in kinds("03-03", "zone empty -> utc")
