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


def test_elsewhere_an_arrow_asks_for_nothing() -> None:
    assert "requirement" not in kinds("03-03", "zone empty -> utc")
