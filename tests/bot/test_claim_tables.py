"""Tables of a phase's lines: what stands in them, and what stays a list."""

from typing import Any

from bot.devtools.workspace.reader_text import plain
from bot.devtools.workspace.values import Names
from bot.views.kit.blocks import message
from bot.views.thread.claim_tables import ClaimTable, claim_tables
from core.domain.answers import Claim, ClaimKind
from core.domain.ids import AnswerId, StepId

NOBODY = Names({}, {})


def claim(kind: ClaimKind, text: str, step: str = "03-01", **more: Any) -> Claim:
    sources = (AnswerId("C:1.000001"),)
    return Claim(f"{step}/{kind}/{text}", StepId(step), kind, text, sources, **more)


def read(tables: list[ClaimTable]) -> list[str]:
    shown = message(*(table.table for table in tables))
    return plain(shown.blocks, shown.text, NOBODY).splitlines() if tables else []


def test_priorities_stand_beside_what_they_rank_and_differing_ones_side_by_side() -> None:
    claims = [
        claim("requirement", "A call says whether it is retried.", ref="FR-001"),
        claim("requirement", "Nothing is retried twice.", ref="FR-002", data={"priority": "must"}),
        claim("requirement", "Nobody ranked this.", ref="FR-003"),
        claim("priority", "FR-001 must", data={"requirement": "FR-001", "priority": "must"}),
        claim("priority", "FR-001 should", data={"requirement": "FR-001", "priority": "should"}),
        claim("priority", "Everything matters."),
    ]
    (priorities,) = claim_tables(claims, "phase")
    assert read([priorities]) == [
        "2 priorities",
        "What · Priority",
        "FR-002 Nothing is retried twice. · must",
        "FR-001 A call says whether it is retried. · must / should",
    ]
    assert priorities.claims == (claims[3], claims[4])


def test_options_stand_with_what_speaks_for_and_against_them_and_what_was_chosen() -> None:
    claims = [
        claim("option", "Option A: a field in the call.", data={"option": "Option A"}),
        claim("option", "Option B: a plugin.", data={"option": "Option B"}),
        claim("option", "Against: option A changes the payment path.", data={"option": "Option A"}),
        claim("fact", "What speaks for option B is that nothing changes.", "03-02"),
        claim("decision", "We take option B.", "03-02", ref="ADR-001", data={"option": "option b"}),
        claim("option", "Some other way."),
    ]
    (options,) = claim_tables(claims, "phase")
    assert read([options]) == [
        "2 options",
        "Option · For · Against · Choice",
        "Option A: a field in the call. · – · Against: option A changes the payment path. · –",
        "Option B: a plugin. · What speaks for option B is that nothing changes. · – · chosen",
    ]
    assert options.claims == (claims[0], claims[2], claims[1])


def test_an_option_whose_lines_do_not_name_it_is_named_before_them() -> None:
    data = {"option": "Stripe", "choice": "chosen", "reason": "we know it"}
    (options,) = claim_tables([claim("option", "We take it.", data=data)], "phase")
    assert read([options])[2:] == ["Stripe: We take it. · we know it · – · chosen"]


def test_risks_stand_with_their_ratings_and_what_nobody_said_stays_open() -> None:
    claims = [
        claim("risk", "It is taken twice.", data={"likelihood": "low", "impact": "high"}),
        claim("risk", "It runs too late.", data={"mitigation": "a deadline"}),
        claim("risk", "Nobody said this.", confidence="assumed"),
    ]
    (risks,) = claim_tables(claims, "phase")
    assert read([risks]) == [
        "2 risks",
        "Risk · Likelihood · Impact · What is done about it",
        "It is taken twice. · low · high · –",
        "It runs too late. · – · – · a deadline",
    ]
    assert risks.claims == tuple(claims[:2])


def test_where_nothing_is_known_beside_the_lines_they_stay_lists() -> None:
    claims = [
        claim("risk", "It is taken twice."),
        claim("option", "A plugin.", data={"option": "A plugin"}),
        claim("priority", "All of it."),
        claim("requirement", "A call says so.", ref="FR-001"),
    ]
    assert claim_tables(claims, "phase") == []


def test_of_many_rows_those_that_fit_are_shown_and_the_rest_is_counted() -> None:
    rating = {"likelihood": "low"}
    claims = [claim("risk", f"Risk {n}. {'word ' * 60}", data=rating) for n in range(60)]
    (risks,) = claim_tables(claims, "phase")
    lines = read([risks])
    assert lines[0] == "60 risks"
    assert lines[-1] == f"… and {60 - (len(lines) - 3)} more, in the files."
