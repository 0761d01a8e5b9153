"""What people say to a persona by name: the name says to whom it is said, and nothing else."""

from core.brains.script.performing import consult
from tests.core.test_council_blueprint import blueprint
from tests.core.test_council_stack import debate, rows
from tests.support.council_requests import NADIA, VISION, request, said

TO_TWO = "Zara: the keys are kept in Bitwarden. Felix: a backup every night, and a restore"


def test_the_name_of_a_persona_is_no_area_of_the_stack() -> None:
    held = debate("x", changes=(TO_TWO, "Liam and Zara: we take Postgres", "Zara: Hosting: Strato"))
    assert [row[:3] for row in rows(held)] == [
        ("chosen", "Postgres", ""),
        ("chosen", "Strato", "Hosting"),
    ]
    facts = [one.text for one in held.claims if one.kind == "fact"]
    assert facts[-2:] == TO_TWO.replace(". Felix", ".\nFelix").splitlines()


def test_a_line_that_opens_with_to_and_a_name_is_said_to_that_persona() -> None:
    held = debate("x", changes=("To Felix: docker compose on Hetzner", "to Zara: we take Keycloak"))
    assert [row[:3] for row in rows(held)] == [
        ("chosen", "docker compose on Hetzner", ""),
        ("chosen", "Keycloak", ""),
    ]


def test_it_is_no_level_of_a_test_no_part_and_no_thing() -> None:
    held = blueprint("Felix: we test the restore", "data model designer: Crate: lot, weight")
    claims = {one.kind: one for one in held.claims if one.sources}
    assert (claims["test"].text, claims["test"].data) == ("Felix: we test the restore", {})
    assert claims["entity"].data == {"entity": "Crate", "fields": "lot, weight"}


def test_a_line_to_somebody_at_the_table_answers_what_it_speaks_of() -> None:
    answers = said(VISION, "Nadia: it is for the managers of food banks")
    position = consult(request(NADIA, "position", *answers))
    (claim,) = (one for one in position.claims if one.sources)
    assert (claim.kind, claim.text) == ("user", "Nadia: it is for the managers of food banks")


def test_somebody_who_is_not_at_the_table_is_no_persona() -> None:
    held = debate("x", changes=("Wolfgang: Strato",))
    assert [row[:3] for row in rows(held)] == [("chosen", "Strato", "Wolfgang")]


def test_what_a_line_mends_is_nothing_that_is_kept() -> None:
    held = blueprint("correction to 7: the logs must be kept 1 year, not 2")
    (claim,) = (one for one in held.claims if one.kind == "retention")
    assert claim.text == "correction to 7: the logs must be kept 1 year, not 2"
    assert claim.data == {"entity": "logs", "period": "1 year"}
