"""A thing that somebody names where it is asked what is chosen, and what only stands beside one."""

from dataclasses import replace

import pytest

from core.brains.script.reading import read
from core.domain.ids import StepId
from core.domain.lines import standing
from tests.core.test_scripted import PRIYA, SAM, answer, request, shipped


def chosen(step: str, *said: str) -> list[str]:
    """What is chosen at a step at which two people speak in turn."""
    pairs = [((PRIYA, SAM)[number % 2], text) for number, text in enumerate(said)]
    steps = {one.id: one for one in shipped()}
    claims = read(replace(request(step, *pairs), step=steps[StepId(step)])).claims
    return [claim.text for claim in claims if claim.data.get("choice") == "chosen"]


@pytest.mark.parametrize(
    "said",
    [
        "Rust + MariaDB like the till.",
        "elixir, phoenix, no job queue.",
        "- Keycloak for the logins (nobody knows it yet)",
        "Labels through Zebra Browser Print",
        "oak boards in the hall, lino upstairs",
        "for the waiting list no tool, a sheet is enough",
        "For the scales we take the ones from Kern, with the USB cable.",
        "The night shift report I will write as a cron job, I have most of it.",
        "every 5 min we fetch the tide table, no push",
        "MQTT over the clinic's own wifi.",
        "`pandas.read_fwf()` then `to_sql()`",
        "Leaflet (have it), OSM tiles (have it), `supercluster` (new)",
        "Ticket number per counter (`B-031`), not the name, people shout it out",
        "Vue, Pinia, PrimeVue for the grids",
    ],
)
def test_a_thing_that_answers_what_would_be_used_is_chosen(said: str) -> None:
    assert chosen("03-02", said) == [said.removeprefix("- ")]


@pytest.mark.parametrize(
    "said",
    [
        "Keycloak for the logins?",
        "maybe Keycloak for the logins",
        "Keycloak could do for the logins",
        "New for us: the label printer, and Keycloak",
        "new for all of us.",
        "Hardest to undo: member numbers on printed cards",
        "hardest to undo = the order of the columns",
        "The printer at the gate runs on Windows XP today",
        "tried Keycloak for the logins, too slow",
        "considered a queue in Redis, nope",
        "thought about a queue in Redis, but the power cuts",
        "stay on Oracle",
        "the goat, not the sheep, ate the list",
        "A) bake at night",
        "Keycloak wants a server of its own in the cellar",
        "too big for four pages",
        "three weeks of work",
        "respect",
        "No Keycloak, the admins cannot patch it",
        "yes, the boats. I know",
        "own numbers vs the numbers of the harbour",
        "if the grant comes, Keycloak for the logins",
        "Does Keycloak log the token at debug level?",
        "We had Keycloak at the last club",
        "New for us:\n- Keycloak for the logins\n- MQTT",
        "2. Keycloak for the logins\n3. the numbers on the cards",
    ],
)
def test_what_is_asked_doubted_new_dismissed_or_told_is_not_chosen(said: str) -> None:
    assert chosen("03-02", said) == []


@pytest.mark.parametrize("said", ["bands, not sure", "dann Feierabend", "EU ones", "cheap, quick"])
def test_a_remark_behind_somebody_else_chooses_nothing(said: str) -> None:
    assert chosen("03-02", "who paints the tags?", said) == []


def test_a_thing_with_its_use_behind_somebody_else_is_chosen() -> None:
    assert chosen("03-02", "who prints the tags?", "Zebra for the tags") == ["Zebra for the tags"]


def test_a_thing_is_chosen_by_its_place_only_where_that_is_asked() -> None:
    assert chosen("03-03", "Labels through Zebra Browser Print") == []


ROADS = "Road 1: PWA on the tablets\nRoad 2: the module of the till, 39 € a month\nRoad 3: a sheet"
NUMBERED = "(1) bake at night\n(2) bake at noon, deliver by bike\n(3) buy frozen rolls"


@pytest.mark.parametrize(
    ("put", "said"),
    [
        (ROADS, "So the PWA."),
        (ROADS, "so it's 2"),
        (NUMBERED, "So it's way 3"),
        (NUMBERED, "so it is (2), because of the bikes"),
        (NUMBERED, "then it's 1"),
    ],
)
def test_an_option_is_named_behind_so_it_is(put: str, said: str) -> None:
    assert chosen("03-01", put, said) == [said]


@pytest.mark.parametrize(
    "said", ["so it's late", "well, it's 2 o'clock", "so it's on 3 floors", "so it's 2?"]
)
def test_what_it_is_besides_names_no_option(said: str) -> None:
    assert chosen("03-01", NUMBERED, said) == []


def test_a_number_that_only_then_follows_names_an_option() -> None:
    assert chosen("03-01", NUMBERED, "(3) then.") == ["then."]


def test_options_of_an_earlier_step_take_no_choice_away() -> None:
    put = answer("03-01", 1, ROADS)
    earlier = read(request("03-01", ROADS)).claims
    step = next(one for one in shipped() if one.id == "03-02")
    asked = request("03-02", "Zebra for the tags", claims=earlier, other_answers=(put,))
    assert [claim.kind for claim in read(replace(asked, step=step)).claims] == ["decision"]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Texts through the copy shop", "the post office for the texts"),
        ("Zebra for the tags", "Brother for the tags then"),
        ("Logins via Keycloak.", "logins via Authentik"),
    ],
)
def test_another_thing_for_the_same_use_stands_in_place_of_the_first(first: str, then: str) -> None:
    assert chosen_now(first, then) == [then]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Zebra for the tags", "Brother for the tag archive"),
        ("Cards through the copy shop", "the post office for the texts"),
        ("Zebra for the tags", "Zebra for the cards"),
    ],
)
def test_another_use_leaves_the_first_thing_standing(first: str, then: str) -> None:
    assert chosen_now(first, then) == [first, then]


def chosen_now(first: str, then: str) -> list[str]:
    """What of two choices of one person stands, somebody else having asked between them."""
    step = next(one for one in shipped() if one.id == "03-02")
    asked = request("03-02", first, (SAM, "do we have a contract with them?"), then)
    lines = standing(read(replace(asked, step=step)).claims)
    return [claim.text for claim in lines if claim.data.get("choice") == "chosen"]
