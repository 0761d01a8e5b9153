"""Artifacts as whoever builds from them reads them: each line once, and nothing cut in two."""

import re
from dataclasses import replace

import pytest
import yaml

from core.artifacts.compose.analysis.tables import measure
from core.artifacts.compose.layouts import sections
from core.artifacts.document import words
from core.brains.script.reading import read
from core.domain.answers import Claim, LineRef
from tests.core.test_artifacts_files import claim, made, rows, shown
from tests.core.test_scripted import request
from tests.support.artifact_checker_formats import flowchart
from tests.support.composing import compose


def test_a_line_with_a_name_stands_once_whatever_else_it_is() -> None:
    text = shown(
        made(
            "01-06",
            "requirements-spec.md",
            claim("requirement", "The old slot stays theirs.", "01-06", ref="FR-001"),
            claim("fact", "The old slot stays theirs.", "01-06", topic="constraint"),
            claim("fact", "The old slot stays theirs.", "01-06", 2, topic="constraint"),
        )
    )
    assert text.count("- **FR-001** The old slot stays theirs. — said by Priya") == 1
    assert text.count("\n- The old slot stays theirs. — said by Sam") == 1
    assert text.count("The old slot stays theirs.") == 2


def test_what_later_steps_ask_for_stands_under_their_titles_and_stories_before_it() -> None:
    lines = [
        claim("requirement", "The mail goes out once.", "04-04", ref="FR-002"),
        claim("requirement", "Guests get a mail.", "01-06", ref="FR-001"),
        claim("story", "As a guest I want a mail.", "01-07", ref="US-001"),
    ]
    later = request("04-04", outputs=("error-taxonomy.md",), step_title="Error Handling")
    text = shown(made("01-06", "requirements-spec.md", *lines, steps=(later.step,)))
    end = text.partition("## User Stories\n\n")[2].partition("\n## Out of Scope")[0]
    headings = [line for line in end.splitlines() if line.startswith("#")]
    assert headings == ["## Further Requirements", "### Error Handling"]
    assert end.index("**US-001**") < end.index("## Further Requirements") < end.index("**FR-002**")


def test_a_chain_of_flows_is_one_line_below_its_chart() -> None:
    chain = "desk -> queue -> mail"
    hops = [("desk", "queue"), ("queue", "mail")]
    flows = [
        claim("data", chain, "04-03", 2 * number + 1, from_=before, to=after)
        for number, (before, after) in enumerate(hops)
    ]
    text = shown(made("04-03", "data-flow.md", *flows))
    assert text.count(f"- {chain} — said by Priya") == 1
    assert text.count(" --> ") == 2
    assert "| From |" not in text


def flow_file(*lines: str) -> str:
    """The file of what was said of flows, as the script reads it."""
    asked = request("04-03", *lines, outputs=("data-flow.md",))
    return compose("data-flow.md", "A title", "a-title", sections(asked, read(asked)), None)


@pytest.mark.parametrize("last", ["sold | returned | lost", "sold or returned or lost"])
def test_the_ends_between_which_a_chain_chooses_are_a_box_each(last: str) -> None:
    (chart,) = charts_in(flow_file(f"new -> on loan -> {last}"))
    assert chart == [
        "new --> on loan",
        "on loan --> sold",
        "on loan --> returned",
        "on loan --> lost",
    ]


def charts_in(text: str) -> list[list[str]]:
    """Each chart as its arrows: "a --> b", "a --> b: what"."""
    charts = [flowchart(chart)[1] for chart in re.findall(r"(?s)```mermaid\n(.*?)\n```", text)]
    return [
        [f"{start} --> {end}{': ' if what else ''}{what}" for start, what, end in arrows]
        for arrows in charts
    ]


def test_a_node_keeps_its_bracket_and_is_one_with_and_without_it() -> None:
    text = flow_file("client -> reports (Postgres) -> Zendesk -> reports")
    assert charts_in(text) == [
        [
            "client --> reports (Postgres)",
            "reports (Postgres) --> Zendesk",
            "Zendesk --> reports (Postgres)",
        ]
    ]


def test_a_chain_with_a_label_has_a_chart_of_its_own() -> None:
    text = flow_file("client -> gate -> store", "report: open -> in review -> erased")
    assert charts_in(text) == [
        ["client --> gate", "gate --> store"],
        ["open --> in review", "in review --> erased"],
    ]
    assert "\n\n*report*\n\n```mermaid" in text


def test_a_condition_behind_a_target_is_said_of_its_arrow() -> None:
    text = flow_file("draft -> waiting -> approved", "approved -> waiting if somebody edits")
    assert charts_in(text)[0][-1] == "approved --> waiting: if somebody edits"
    assert [row[:3] for row in rows(text, "From")] == [["approved", "if somebody edits", "waiting"]]


def test_an_arrow_that_meets_no_other_and_says_nothing_is_a_line_and_no_chart() -> None:
    text = flow_file("two regions disagree -> longer one counts")
    assert charts_in(text) == []
    assert "two regions disagree" in text


def test_the_summary_says_what_was_decided_and_counts_the_rest_by_phase() -> None:
    option = claim("option", "A row in Postgres", "03-01", option="A")
    choice = claim("option", "let's go with A", "03-01", 3, option="A", choice="chosen")
    text = shown(
        made(
            "04-05",
            "design-summary.md",
            claim("requirement", "It retries.", "01-06", ref="FR-001"),
            claim("module", "It retries.", "01-06"),
            *(option, choice),
        )
    )
    decided, _, by_phase = text.partition("### What it comes to, by phase")
    assert "### What was decided\n\n- **A row in Postgres:** let's go with A" in decided
    assert "#### Requirements\n\nOne requirement.\n\n- [requirements-spec.md]" in by_phase
    assert (
        "One requirement, no quality requirements, no user stories, no risks, one dec" in by_phase
    )
    assert "It retries." not in by_phase


def wishes(count: int) -> list[Claim]:
    return [
        claim("requirement", f"It does {number}.", "01-06", number, ref=f"FR-{number:03}")
        for number in range(1, count + 1)
    ]


STORY = claim("story", "As a payer, I want it.", "01-07", ref="US-001")


def test_many_loose_requirements_are_counted_as_so_many_more() -> None:
    linked = [
        claim("story", f"FR-{n:03}", "01-07", n, ref=f"US-{n:03}", requirements=f"FR-{n:03}")
        for n in (1, 2)
    ]
    assert "FR-010 and 2 more." in made("04-05", "design-summary.md", *wishes(12), *linked)


def test_that_nearly_no_requirement_serves_a_goal_is_said_once_in_the_summary() -> None:
    lines = [*wishes(10), STORY]
    summary = made("04-05", "design-summary.md", *lines)
    assert "Serving no story or goal yet: ten requirements of 10." in summary
    assert "serve no story" not in made("01-06", "requirements-spec.md", *lines)
    few = made("01-06", "requirements-spec.md", *wishes(8), STORY)
    assert "FR-007, FR-008.*" in few


def test_of_what_is_below_the_musts_the_summary_counts_what_lacks_a_check() -> None:
    must = claim("priority", "must", "01-08", requirement="FR-001", priority="must")
    lower = claim("priority", "could", "01-08", 2, requirement="FR-002", priority="could")
    check = claim("check", "I see it.", "01-06", 9, ref="AC-001", of="FR-003")
    later = claim("requirement", "It logs.", "04-01", ref="FR-006")
    lines = [*wishes(5), check, must, lower, later]
    text = made("01-06", "requirements-spec.md", *lines)
    assert text.count(words.text("no_check")) == 1
    must_line = text.partition("**FR-001**")[2].partition("\n- ")[0]
    assert must_line.endswith(words.text("no_check"))
    summary = made("04-05", "design-summary.md", *lines)
    assert "Neither ranked nor checked: three requirements of 6." in summary


def test_a_requirement_says_what_it_lacks_and_the_step_which_serve_no_goal() -> None:
    wish = claim("requirement", "It retries.", "01-06", ref="FR-001")
    story = claim("story", "As a payer, I want it.", "01-07", ref="US-001")
    lines = made("01-06", "requirements-spec.md", wish, story).splitlines()
    (line,) = (line for line in lines if line.startswith("  - "))
    assert line.startswith("  - No check: ")
    assert "*These serve no story or goal yet: FR-001.*" in lines


def test_a_rank_of_what_has_no_name_says_so_and_stands_last() -> None:
    table = rows(
        made(
            "01-08",
            "requirements-spec.md",
            claim("priority", "must: the banner", "01-08", 2, priority="must"),
            claim("priority", "could: FR-001", "01-08", requirement="FR-001", priority="could"),
        ),
        "Requirement",
    )
    assert [row[:2] for row in table] == [
        ["FR-001", "could"],
        ["the banner: not matched to a requirement", "must"],
    ]


def test_a_name_in_a_line_of_ranks_that_names_no_requirement_has_a_row_of_its_own() -> None:
    text = "Should: A, the tickets, contest, log"
    ranked = [
        claim("priority", text, "01-08", requirement=ref, priority="should")
        for ref in ("FR-001", "FR-002")
    ]
    table = rows(
        made(
            "01-08",
            "requirements-spec.md",
            claim("requirement", "A. It retries.", "01-06", ref="FR-001"),
            claim("requirement", "Each ticket has a number.", "01-06", 2, ref="FR-002"),
            claim("story", "As a payer, I want to contest it.", "01-07", ref="US-003"),
            *ranked,
            claim("priority", "Could: CSV, push", "01-08", 2, requirement="", priority="could"),
        ),
        "Requirement",
    )
    assert [row[:2] for row in table] == [
        ["FR-001 A. It retries.", "should"],
        ["FR-002 Each ticket has a number.", "should"],
        ["contest: US-003?", "should"],
        ["log: not matched to a requirement", "should"],
        ["CSV: not matched to a requirement", "could"],
        ["push: not matched to a requirement", "could"],
    ]


def test_what_a_list_calls_by_its_numbers_has_no_second_row() -> None:
    said = "Must: 2, 1, late fees"
    ranked = [
        claim("priority", said, "01-08", requirement=ref, priority="must")
        for ref in ("FR-002", "FR-001")
    ]
    lines = [
        claim("requirement", "Each ticket has a number.", "01-06", ref="FR-001"),
        claim("requirement", "A payer can contest it.", "01-06", 2, ref="FR-002"),
    ]
    table = rows(made("01-08", "requirements-spec.md", *lines, *ranked), "Requirement")
    assert [row[0] for row in table] == [
        "FR-001 Each ticket has a number.",
        "FR-002 A payer can contest it.",
        "late fees: not matched to a requirement",
    ]


def test_a_rank_of_one_thing_that_no_requirement_has_says_which() -> None:
    lines = [
        claim("story", "As a payer, I want a header with what is left.", "01-07", ref="US-002"),
        claim("priority", "the header is a must.", "01-08", requirement="", priority="must"),
        claim("priority", "late fees = could", "01-08", 2, requirement="", priority="could"),
        claim("priority", "ok that should do, it stays a should", "01-08", 3, requirement="",
              priority="should"),
    ]  # fmt: skip
    table = rows(made("01-08", "requirements-spec.md", *lines), "Requirement")
    assert [row[:2] for row in table] == [
        ["not said", "should"],
        ["header: US-002?", "must"],
        ["late fees: not matched to a requirement", "could"],
    ]


def test_a_name_that_fits_several_lines_names_them_and_its_last_rank_counts() -> None:
    listed = "Should: the map, the raffle"
    maybe = {"requirement": "", "called": "map", "maybe": "FR-001, FR-002"}
    lines = [
        claim("requirement", "The map shows pitches.", "01-06", ref="FR-001"),
        claim("requirement", "The warden prints the map.", "01-06", 2, ref="FR-002"),
        claim("priority", listed, "01-08", priority="should", **maybe),
        claim("priority", listed, "01-08", 3, requirement="", called="raffle", priority="should"),
        claim("priority", "the map is a must", "01-08", 5, priority="must", **maybe),
    ]
    table = rows(made("01-08", "requirements-spec.md", *lines), "Requirement")
    assert [row[:2] for row in table] == [
        ["map: FR-001 or FR-002?", "must"],
        ["the raffle: not matched to a requirement", "should"],
    ]


def test_a_rank_of_a_replaced_line_is_one_of_what_stands_instead() -> None:
    old = claim("requirement", "Five photos.", "01-06", ref="FR-001")
    three = replace(
        claim("decision", "Three it is.", "01-06", 2, ref="ADR-001"),
        supersedes=(LineRef(old.sources[0], old.text),),
    )
    rank = claim("priority", "must: 1", "01-08", requirement="FR-001", priority="must")
    table = rows(made("01-08", "requirements-spec.md", old, three, rank), "Requirement")
    assert [row[:2] for row in table] == [["ADR-001 Three it is.", "must"]]
    summary = made("04-05", "design-summary.md", old, three, rank)
    assert "**ADR-001** Three it is." in summary.partition("### Musts")[2].partition("###")[0]


def test_a_story_that_somebody_ranked_is_among_the_musts() -> None:
    story = claim("story", "As a payer, I want a header.", "01-07", ref="US-002")
    rank = claim("priority", "header = must", "01-08", requirement="US-002", priority="must")
    summary = made("04-05", "design-summary.md", story, rank)
    assert "**US-002**" in summary.partition("### Musts")[2].partition("###")[0]


def test_a_module_named_in_code_style_is_a_row_whatever_it_does() -> None:
    lines = [
        claim("module", "`Ledger` picks by date", "04-01"),
        claim("module", "`Scale` (new) slip and beep", "04-01", 2),
        claim("module", "`desk`      what the clerk sees", "04-01", 3),
    ]
    table = rows(made("04-01", "module-design.md", *lines), "Module")
    assert [row[:2] for row in table] == [
        ["`Ledger`", "picks by date"],
        ["`Scale`", "slip and beep"],
        ["`desk`", "what the clerk sees"],
    ]


@pytest.mark.parametrize(
    "said",
    [
        "It has to know that a ride was cold.",
        "People will be reading that.",
        "estimate: calendar 3 weekends, tin 2",
        "If it has to be, then with two people.",
        "only shows and ticks",
    ],
)
def test_a_pronoun_or_a_number_of_weekends_is_no_module(said: str) -> None:
    text = made("04-01", "module-design.md", claim("module", said, "04-01"))
    assert "| Module |" not in text
    assert said in text


def test_what_a_module_does_not_know_is_left_to_others() -> None:
    line = claim("module", "board doesn't know HL7.", "04-01")
    text = made("04-01", "module-design.md", line)
    assert rows(text, "Module")[0][:2] == ["board", "doesn't know HL7."]
    assert "Empty columns, left out: What it does." in text


def test_all_that_was_said_of_a_module_stands_in_its_row() -> None:
    lines = [
        claim("module", "Reader: reads the photo", "04-01"),
        claim("module", "and the Reader must not know the price", "04-01", 2),
        claim("module", "`Reader` gives a confidence", "04-01", 3),
        claim("module", "Desk: shows it", "04-01", 4),
    ]
    assert rows(made("04-01", "module-design.md", *lines), "Module") == [
        ["Reader", "reads the photo; gives a confidence", "must not know the price",
         "Priya, Sam, Priya"],
        ["Desk", "shows it", "not said", "Sam"],
    ]  # fmt: skip


def test_a_rank_that_its_author_gives_again_has_one_row() -> None:
    ranked = [
        claim("priority", said, "01-08", 1 + 2 * n, requirement="FR-001", priority="should")
        for n, said in enumerate(("Should: 1", "1 stays where it is"))
    ]
    requirement = claim("requirement", "It exports.", "01-06", ref="FR-001")
    table = rows(made("01-08", "requirements-spec.md", requirement, *ranked), "Requirement")
    assert [row[2] for row in table] == ["1 stays where it is"]


def test_what_a_line_says_of_another_module_stands_in_a_row_of_its_own() -> None:
    said = "Scale decides what counts, and Ledger must never see a name"
    table = rows(made("04-01", "module-design.md", claim("module", said, "04-01")), "Module")
    assert [row[:3] for row in table] == [
        ["Scale", "decides what counts", "not said"],
        ["Ledger", "not said", "must never see a name"],
    ]


def test_a_line_of_prose_that_ranks_has_no_rows_of_its_words() -> None:
    prose = "Must: the export has to work on every phone, quickly, and in the dark"
    ranked = claim("priority", prose, "01-08", requirement="FR-001", priority="must")
    requirement = claim("requirement", "It exports.", "01-06", ref="FR-001")
    table = rows(made("01-08", "requirements-spec.md", requirement, ranked), "Requirement")
    assert [row[:2] for row in table] == [["FR-001 It exports.", "must"]]


def test_a_risk_of_a_table_is_called_by_its_first_cell() -> None:
    risks = [
        claim("risk", text, "02-03", 2 * n + 1, likelihood="low", impact="high")
        for n, text in enumerate(("| sent twice | low | high |", "lost | found", "it | low"))
    ]
    register = rows(made("02-03", "impact-analysis.md", *risks), "Id")
    assert [row[1] for row in register] == ["sent twice", "lost \\| found", "it"]


def test_a_number_goes_without_the_word_that_leads_to_the_next_one() -> None:
    assert measure("99.5 % available between 6:00 and 22:00") == "99.5 %; 6:00; 22:00"
    assert measure("99 in the week of the payrun, within 2 seconds") == "99; within 2 seconds"


def test_the_number_of_a_standard_is_no_measure() -> None:
    assert measure("four eyes from ISO 27001 at two harbours, article 20") == ""
    assert measure("within 3 months, as ISO 27001 asks") == "within 3 months"


def test_calls_in_a_block_of_code_are_endpoints_each() -> None:
    code = "```\nPOST /slots/{id}/hold -> 201 | 409 taken\nget /slots?day=1 -> 200\nnote\n```"
    spec = yaml.safe_load(made("04-02", "interface-spec.yaml", claim("interface", code, "04-02")))
    assert {path: set(calls) for path, calls in spec["paths"].items()} == {
        "/slots/{id}/hold": {"post"},
        "/slots": {"get"},
    }
    calls = [call for calls in spec["paths"].values() for call in calls.values()]
    assert [call["summary"] for call in calls] == code.split("\n")[1:-2]
    assert {speech["said_by"] for call in calls for speech in call["x-said"]} == {"Priya"}
    assert [row["summary"] for row in spec["interfaces"]] == ["note"]


def test_code_that_names_no_call_stays_whole() -> None:
    code: Claim = claim("interface", "```\nx = 1\ny = 2\n```", "04-02")
    spec = yaml.safe_load(made("04-02", "interface-spec.yaml", code))
    assert len(spec["interfaces"]) == 1
    assert "paths" not in spec


def test_a_line_about_an_interface_is_no_note_beside_it() -> None:
    lines = [
        claim("interface", "Amounts are text.", "04-02"),
        claim("requirement", "Amounts are text.", "04-02", ref="FR-001"),
        claim("fact", "With tears.", "04-02"),
    ]
    spec = yaml.safe_load(made("04-02", "interface-spec.yaml", *lines))
    assert [row["text"] for row in spec["notes"]] == ["With tears."]


def test_a_question_that_somebody_answered_stands_in_its_section_with_the_answer() -> None:
    asked = claim(
        "question", "Both at once?", "01-06", answer="No, the old one goes.", answered_by="a1"
    )
    text = made("01-06", "requirements-spec.md", asked)
    section = text[: text.index("## Open Questions")]
    assert "- Both at once?" in section
    assert "  - Answer: No, the old one goes." in section


def test_a_message_that_is_quoted_in_a_response_keeps_both_quotes() -> None:
    asked = request(
        "04-04",
        'message out of history => "too old to report", refused in client',
        outputs=("error-taxonomy.md",),
    )
    text = compose("error-taxonomy.md", "A title", "a-title", sections(asked, read(asked)), None)
    assert rows(text, "Condition")[0][:2] == [
        "message out of history",
        '"too old to report", refused in client',
    ]
