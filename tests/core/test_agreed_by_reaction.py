"""A 👍 on a message that puts one option: agreed by those who decide, else let pass."""

from dataclasses import replace

import pytest

from core.brains.bookkeeping.corrections import FORMER_REF
from core.brains.script.reading import read
from core.domain.answers import Claim, Draft
from core.domain.ids import UserId
from core.domain.stances import Agreement
from core.store.journal.replay import replayed
from tests.core.differing import react, unreact
from tests.core.test_scripted import PRIYA, SAM, request
from tests.support.fakes import DEV, OPS, OWNER
from tests.support.harness import Harness, spec

PROPOSAL = "How about two small ovens?"


def line(table: Harness, text: str = PROPOSAL) -> Claim:
    claims = table.runtime.reader.claims(table.id)
    return next(claim for claim in claims if claim.text == text)


def agreed(text: str, *by: UserId, decides: bool = True, step: str = "03-01") -> Draft:
    asked = request(step, (PRIYA, text))
    (answer,) = asked.answers
    agreements = tuple(Agreement(answer.id, person, decides) for person in by)
    return read(replace(asked, agreements=agreements))


def chosen(draft: Draft) -> list[str]:
    return [claim.text for claim in draft.claims if claim.data.get("choice") == "chosen"]


# ── at the table ──


def test_what_the_owner_likes_is_agreed_by_them(table: Harness) -> None:
    react(table, table.say(PROPOSAL, DEV), OWNER)
    decision = line(table)
    assert (decision.kind, decision.confidence) == ("decision", "stated")
    assert decision.data["option"] == "two small ovens"
    assert "(agreed by Priya)" in spec(table)


def test_whoever_has_answered_agrees_as_well(table: Harness) -> None:
    table.say("The old oven is cold.", OPS)
    react(table, table.say(PROPOSAL, DEV), OPS)
    assert line(table).data["agreed_by"] == OPS


def test_what_somebody_else_likes_is_let_pass_and_assumed(table: Harness) -> None:
    react(table, table.say(PROPOSAL, DEV), OPS)
    assert (line(table).kind, line(table).confidence) == ("assumption", "assumed")
    assert "(let pass by Olu)" in spec(table)


def test_taking_it_off_takes_the_agreement_back(table: Harness) -> None:
    proposed = table.say(PROPOSAL, DEV)
    before = line(table)
    react(table, proposed, OWNER)
    unreact(table, proposed, OWNER)
    after = line(table)
    assert after.data == {**before.data, FORMER_REF: "ADR-001"}  # no other decision takes its name
    assert replace(after, data=before.data) == before


def test_an_edit_of_the_proposal_takes_the_agreement_back(table: Harness) -> None:
    proposed = table.say(PROPOSAL, DEV)
    react(table, proposed, OWNER)
    table.edit(proposed, "How about nine big ovens?", DEV)
    table.settle()
    assert "choice" not in line(table, "How about nine big ovens?").data


def test_the_journal_decided_again_comes_to_the_same(table: Harness) -> None:
    react(table, table.say(PROPOSAL, DEV), OWNER)
    assert replayed(table.runtime.database, table.id).differences == ()


def test_a_bots_thumb_lets_nothing_pass(table: Harness) -> None:
    react(table, table.say(PROPOSAL, DEV), UserId("UBOT2"))
    assert "agreed_by" not in line(table).data


# ── what a message puts ──


def test_the_one_option_of_a_message_is_chosen() -> None:
    assert chosen(agreed("Option A: one big oven", SAM)) == ["Option A: one big oven"]
    assert chosen(agreed("two small ovens on wheels", SAM)) == ["two small ovens on wheels"]


@pytest.mark.parametrize(
    ("step", "text"),
    [
        ("03-01", "A) one big oven\nB) two small ones"),
        ("03-01", "either one big oven or two small ones"),
        ("01-01", "Where do the ovens stand?"),
        ("01-01", "The oven is cold."),
        ("01-01", "How about two ovens? The old one is cold."),
    ],
)
def test_of_several_options_and_of_none_nothing_is_chosen(step: str, text: str) -> None:
    draft = agreed(text, SAM, step=step)
    assert chosen(draft) == []
    assert not any("agreed_by" in claim.data for claim in draft.claims)


def test_who_decides_counts_beside_who_does_not() -> None:
    asked = request("03-01", (PRIYA, "two small ovens"))
    (answer,) = asked.answers
    both = (
        Agreement(answer.id, UserId("U9"), decides=False),
        Agreement(answer.id, SAM, decides=True),
    )
    (claim, *_) = read(replace(asked, agreements=both)).claims
    assert (claim.data["choice"], claim.data["agreed_by"]) == ("chosen", SAM)
