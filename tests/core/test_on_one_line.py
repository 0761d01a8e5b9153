"""What stands on one line: numbered goals, states of which one leads to several, parts."""

from core.artifacts.compose.analysis.modules import modules_in
from core.brains.script.reading import read
from tests.core.test_scripted import PRIYA, request


def test_goals_that_are_numbered_on_one_line_are_each_one_and_no_requirements() -> None:
    said = "Goal 1: wrong payslips at most 3 a month. Goal 2: no pool opens late."
    for step in ("01-01", "01-05"):
        lines = [claim for claim in read(request(step, (PRIYA, said))).claims if claim.sources]
        assert [(claim.ref, claim.data["what"]) for claim in lines] == [
            ("GOAL-001", "wrong payslips at most 3 a month."),
            ("GOAL-002", "no pool opens late."),
        ]


def test_a_state_leads_to_each_of_several_and_a_semicolon_begins_anew() -> None:
    said = "open -> taken -> approved | refused; open -> withdrawn"
    lines = read(request("04-03", (PRIYA, said))).claims
    assert [(claim.data["from"], claim.data["to"]) for claim in lines if claim.kind == "data"] == [
        ("open", "taken"),
        ("taken", "approved"),
        ("taken", "refused"),
        ("open", "withdrawn"),
    ]


def test_parts_that_are_listed_on_one_line_are_a_row_each_and_no_requirement() -> None:
    said = "parts: offers (create/withdraw/take), rules (yes/no + why), `history` and export."
    line, *others = read(request("04-01", (PRIYA, said))).claims
    assert (line.kind, [claim.kind for claim in others if claim.sources]) == ("module", [])
    assert modules_in(line) == [
        ("offers", "create/withdraw/take", ""),
        ("rules", "yes/no + why", ""),
        ("`history`", "", ""),
        ("export", "", ""),
    ]
