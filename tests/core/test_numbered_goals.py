"""Goals that people number, and states of which one leads to several."""

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
