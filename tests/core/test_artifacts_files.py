"""Each artifact with a layout of its own: what a claim and its details become in it."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from core.artifacts.compose.analysis.tables import label, measure
from core.artifacts.compose.layouts import rests_on, sections
from core.domain.answers import Claim, Draft
from tests.core.test_scripted import SAM, answer, request
from tests.support.artifact_checker_formats import cells, flowchart, tables
from tests.support.composing import compose

TITLE = "Retry failed payments"
SAID = tuple(answer(f"{n:02d}-{m:02d}", 1, "…") for n in range(5) for m in range(1, 9))
SAID += tuple(answer(f"{n:02d}-{m:02d}", 2, "…", SAM) for n in range(5) for m in range(1, 9))


def claim(
    kind: str, text: str, step: str, number: int = 1, ref: str | None = None, **data: str
) -> Claim:
    """What Priya (an odd number) or Sam said to a step; keys are spelt without a trailing `_`."""
    kind_: Any = kind
    plain = {key.rstrip("_"): value for key, value in data.items()}
    source = next(one.id for one in SAID if one.id == f"{step}:{2 - number % 2}")
    return Claim(f"{step}/{number}", step, kind_, text, (source,), ref=ref, data=plain)  # type: ignore[arg-type]


def made(step: str, file: str, *claims: Claim, **more: Any) -> str:
    """The file, with the step's section made of its claims; claims of others stand beside."""
    asked = request(step, outputs=(file,), step_title=f"Step {step}", other_answers=SAID, **more)
    others = tuple(one for one in claims if one.step != step)
    own = tuple(one for one in claims if one.step == step)
    parts = sections(replace(asked, claims=others), Draft("", own))
    return compose(parts[0].file, TITLE, "retry", parts, None)


def shown(text: str) -> str:
    """Without links, for short comparisons."""
    return re.sub(r" \(\[message\]\([^)]*\)\)", "", text)


def rows(text: str, head: str) -> list[list[str]]:
    (table,) = [table for table in tables(shown(text)) if table[0][0] == head]
    return table[1:]


# ── requirements-spec.md ───────────────────────────────────────────────────────────────────────


def test_a_requirement_stands_with_its_criteria_its_rank_and_its_stories() -> None:
    text = made(
        "01-06",
        "requirements-spec.md",
        claim("requirement", "It retries.", "01-06", ref="FR-001"),
        claim("check", "a retry", "01-06", 3, ref="AC-001", of="FR-001"),
        claim("check", "no double", "01-06", 4, of="FR-001"),
        claim("story", "As a payer, …", "01-07", 2, ref="US-001", requirements="FR-001"),
        claim("priority", "must", "01-08", 2, requirement="FR-001", priority="must"),
    )
    assert (
        "- **FR-001** It retries. — said by Priya\n"
        "  - Accepted when: **AC-001** a retry — said by Priya\n"
        "  - Accepted when: no double — said by Sam\n"
        "  - Priority: must — said by Sam\n"
        "  - Story: US-001 ([user-stories.json](user-stories.json))\n"
    ) in shown(text)


def test_answers_that_disagree_stand_side_by_side() -> None:
    one = claim("fact", "Admins only.", "01-02", conflicts="01-02/2")
    text = shown(made("01-02", "requirements-spec.md", one, claim("fact", "All.", "01-02", 2)))
    assert "- Admins only. — said by Priya\n  - Differs from: All. — said by Sam\n" in text
    assert "- All. — said by Sam\n  - Differs from: Admins only. — said by Priya\n" in text


def test_an_answer_stands_under_its_question() -> None:
    asked = request("01-01", outputs=("requirements-spec.md",), other_answers=SAID)
    body = {"Standard Mode": "Hello.\n\n1. What hurts?\n2. Who gains?"}
    own = (
        claim("fact", "All of us.", "01-01", question="2"),
        claim("fact", "By the way.", "01-01", 3),
    )
    (part,) = sections(replace(asked, step=replace(asked.step, sections=body)), Draft("", own))
    text = shown(compose(part.file, TITLE, "retry", (part,), None))
    assert "*Who gains?*\n\n- All of us. — said by Priya\n\n*Beside the questions*\n\n- By" in text
    assert "What hurts?" not in text


def test_what_is_left_open_or_out_is_gathered_at_the_end() -> None:
    text = made(
        "01-04",
        "requirements-spec.md",
        claim("fact", "Who tells the payer?", "01-04"),
        claim("fact", "Nobody knows the queue.", "01-04", 2, topic="open-question"),
        claim("exclusion", "Refunds.", "01-04", 3),
        replace(claim("assumption", "Asked, not answered: When?", "01-04", 5), sources=()),
    )
    section, end = shown(text).split("<!-- roundtable:section end -->")
    assert "What was said here stands at the end of this file." in section
    assert "## Out of Scope\n\n- **Step 01-04:** Refunds. — said by Priya" in end
    assert "## Assumptions\n\nNo assumption was recorded.\n" in end
    assert "- **Step 01-04:** Asked, not answered: When?\n" in end
    assert "## Open Questions\n\n- **Step 01-04:** Who tells the payer? — said by Priya\n" in end
    assert "- **Step 01-04:** Nobody knows the queue. — said by Sam" in end


def test_the_section_is_called_what_the_step_file_calls_it() -> None:
    asked = request("01-01", outputs=("requirements-spec.md",))
    told = {"Artifacts": '- `requirements-spec.md` · section "Why now": the reason.'}
    (part,) = sections(replace(asked, step=replace(asked.step, sections=told)), Draft("", ()))
    assert part.title == "Why now"


# ── quality and risks ──────────────────────────────────────────────────────────────────────────


def test_a_measure_is_the_part_of_a_sentence_that_says_a_number() -> None:
    assert (
        measure("It answers within 2 seconds, at most 3% fail.") == "within 2 seconds; at most 3%"
    )
    assert measure("It is fast.") == ""
    text = made("01-05", "nfr-matrix.md", claim("quality", "Fast.", "01-05", ref="NFR-001"))
    assert rows(text, "Id") == [["NFR-001", "Fast.", "Priya"]]
    assert "|\n\nEmpty columns, left out: Measure.\n" in text


def test_a_column_of_which_somebody_said_anything_stays() -> None:
    qualities = [
        claim("quality", text, "01-05", number, ref=f"NFR-00{number}")
        for number, text in enumerate(("Fast.", "Back in 2 s."), start=1)
    ]
    text = made("01-05", "nfr-matrix.md", *qualities)
    assert [row[2] for row in rows(text, "Id")] == ["not said", "2 s"]
    assert "Empty columns" not in text


def test_risks_that_nobody_rated_stand_in_the_register_alone() -> None:
    text = made("02-03", "impact-analysis.md", claim("risk", "It leaks.", "02-03"))
    assert rows(text, "Id") == [["R1", "It leaks.", "Priya"]]
    assert "Empty columns, left out: Likelihood, Impact, What is done about it.\n" in text
    assert "| Likelihood" not in text


def test_risks_of_all_steps_stand_in_one_matrix() -> None:
    text = made(
        "02-03",
        "impact-analysis.md",
        claim("risk", "It leaks.", "01-05"),
        claim("risk", "It breaks.", "02-03", likelihood="low", impact="High", mitigation="tests"),
        claim("risk", "It stalls.", "02-03", 2, likelihood="high", impact="high"),
    )
    grid = next(table for table in tables(text) if table[0][0].startswith("Likelihood"))
    assert grid == [
        ["Likelihood \\ Impact", "not said", "high"],
        ["**high**", "", "R3"],
        ["**low**", "", "R2"],
        ["**not said**", "R1", ""],
    ]
    assert rows(text, "Id")[1] == ["R2", "It breaks.", "low", "High", "tests", "Priya"]


def test_the_matrix_has_the_level_that_a_rating_opens_with() -> None:
    text = made(
        "02-03",
        "impact-analysis.md",
        claim("risk", "It leaks.", "02-03", likelihood="high, twice a week", impact="very high"),
        claim("risk", "It stalls.", "02-03", 2, likelihood="highly odd", impact="I move to a farm"),
    )
    grid = next(table for table in tables(text) if table[0][0].startswith("Likelihood"))
    assert grid == [
        ["Likelihood \\ Impact", "very high", "in words of one's own"],
        ["**highly odd**", "", "R2"],
        ["**high**", "R1", ""],
    ]
    assert rows(text, "Id")[0][2:4] == ["high, twice a week", "very high"]


# ── architecture ───────────────────────────────────────────────────────────────────────────────

OPTIONS = (
    claim("option", "Option A: a field in the payment call.", "03-01", option="Option A"),
    claim("option", "Option B: a plugin with its own queue.", "03-01", 3, option="Option B"),
    claim("fact", "What speaks against option A is the API.", "03-01", 2),
)
CHOSEN = claim(
    "decision", "We use a plugin with a queue, because it is apart.", "03-02", ref="ADR-001"
)


def test_options_stand_in_a_table_with_what_was_chosen() -> None:
    text = made("03-01", "architecture-overview.md", *OPTIONS, CHOSEN)
    a, b = rows(text, "Option")
    assert a[2:4] == ["What speaks against option A is the API.", "not said"]
    assert (a[4], b[3]) == ("Priya and Sam", "chosen, [ADR-001](adr-001.md)")
    assert "Empty columns, left out: For.\n" in text


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("option b it is, bc the API is frozen", ""),
        ("we go w/ B", "B"),
        ("Decided: Option B.", ""),
        ("We chose option B over A.", "option B"),
    ],
)
def test_a_chosen_option_has_the_record_that_chose_it_however_it_is_called(
    text: str, option: str
) -> None:
    decision = claim("decision", text, "03-02", ref="ADR-001", option=option)
    whole = made("03-01", "architecture-overview.md", *OPTIONS, decision)
    a, b = rows(whole, "Option")
    assert (a[3], b[3]) == ("not said", "chosen, [ADR-001](adr-001.md)")


def test_an_option_chosen_by_its_letter_is_one_row_with_its_record() -> None:
    letter = claim("option", "We go with B.", "03-01", 4, option="B", choice="chosen")
    whole = made("03-01", "architecture-overview.md", *OPTIONS, letter, CHOSEN)
    assert [row[0] for row in rows(whole, "Option")] == ["Option A", "Option B"]
    chosen = "chosen: We go with B., [ADR-001](adr-001.md)"
    assert rows(whole, "Option")[1][3] == chosen
    assert "We go with B." not in rows(whole, "Option")[1][1]
    assert "\n- " not in whole.split("| Option B")[1].split("<!--")[0]  # no line again below it


def test_a_decision_has_a_record_with_its_alternatives_and_what_follows() -> None:
    follows = claim("fact", "That means one more thing to run.", "03-02", 2)
    text = shown(made("03-02", "adr-*.md", *OPTIONS, CHOSEN, follows))
    found = dict(re.findall(r"(?ms)^### (\w+)\n\n(.*?)\n(?=\n###|<!--)", text))
    assert found["Status"] == "decided — said by Priya"
    assert found["Context"] == "Nothing was recorded of the situation behind it."
    assert found["Options"].startswith("- Option A: a field")
    assert "- Option B" in found["Options"]
    assert found["Consequences"] == "- That means one more thing to run. — said by Sam"
    assert list(found) == [
        "Status",
        "Context",
        "Options",
        "Decision",
        "Consequences",
        "Sources",
    ]


def test_a_decision_that_others_dispute_says_so() -> None:
    other = claim("decision", "We use cron.", "03-02", 2, ref="ADR-002", conflicts="03-02/1")
    assert "disputed — said by Priya" in shown(made("03-02", "adr-*.md", CHOSEN, other))


def test_decisions_are_a_table_with_their_reasons() -> None:
    text = made("03-02", "tech-stack-decision.md", CHOSEN)
    assert rows(text, "Id")[0][2] == "it is apart"


def test_where_nothing_is_decided_the_last_word_on_it_stands_first() -> None:
    text = shown(
        made(
            "03-02",
            "tech-stack-decision.md",
            claim("fact", "A token for 14 days.", "03-02"),
            claim("fact", "If/else is enough.", "03-02", 3),
            claim("fact", "We use passkeys.", "03-02", 2),
            claim("fact", "That is new for us.", "03-02", 4),
        )
    )
    assert (
        "Nobody said that something is decided. What was said of it, the last word first:\n\n"
        "- We use passkeys. — said by Sam\n"
        "- That is new for us. — said by Sam\n"
        "- A token for 14 days. — said by Priya\n"
        "- If/else is enough. — said by Priya\n"
    ) in text
    empty = made("03-02", "tech-stack-decision.md")
    assert "## Step 03-02\n\nNo decision was recorded.\n" in empty


# ── design ─────────────────────────────────────────────────────────────────────────────────────


def test_modules_are_a_table() -> None:
    text = made(
        "04-01",
        "module-design.md",
        claim("module", "The drawing turns it into a PDF and knows nothing of mail.", "04-01"),
        claim("module", "Sending: decides who gets what", "04-01", 2),
        claim("module", "Something else entirely", "04-01", 3),
    )
    assert rows(text, "Module") == [
        ["drawing", "turns it into a PDF", "knows nothing of mail.", "Priya"],
        ["Sending", "decides who gets what", "not said", "Sam"],
    ]
    assert "### Modules\n\n- Something else entirely" in text


def test_endpoints_are_a_fragment_of_openapi() -> None:
    said = claim("interface", "GET /pdf/:id", "04-02", method="GET", path="/pdf/:id")
    found = yaml.safe_load(made("04-02", "interface-spec.yaml", said))
    operation = found["paths"]["/pdf/{id}"]["get"]
    assert (found["openapi"], operation["summary"]) == ("3.1.0", "GET /pdf/:id")
    assert [each["name"] for each in operation["parameters"]] == ["id"]
    assert operation["responses"] == {"default": {"description": "not said"}}


def test_a_fragment_goes_with_the_last_endpoint() -> None:
    said = claim("interface", "GET /pdf", "04-02", method="GET", path="/pdf")
    asked = request("04-02", outputs=("interface-spec.yaml",), other_answers=SAID)
    before = sections(asked, Draft("", (said,)))
    after = sections(asked, Draft("", ()))
    old = compose("interface-spec.yaml", TITLE, "retry", before, None) + "version: 2\n"
    found = yaml.safe_load(compose("interface-spec.yaml", TITLE, "retry", after, old))
    assert not {"openapi", "info", "paths"} & found.keys()
    assert found["version"] == 2


def test_flows_are_a_chart_and_a_table() -> None:
    hop = {"from_": "The queue", "to": "the runner", "what": "due retries"}
    text = made("04-03", "data-flow.md", claim("data", "It sends.", "04-03", **hop))
    (chart,) = re.findall(r"(?s)```mermaid\n(.*?)\n```", text)
    assert flowchart(chart)[1] == [("The queue", "due retries", "the runner")]
    assert rows(text, "From") == [["The queue", "due retries", "the runner", "Priya"]]


@given(st.text(min_size=1), st.text(), st.text(min_size=1))
def test_any_names_leave_a_chart_that_parses(one: str, what: str, other: str) -> None:
    hop = {"from_": one, "to": other, "what": what}
    text = made("04-03", "data-flow.md", claim("data", "x", "04-03", **hop))
    for chart in re.findall(r"(?s)```mermaid\n(.*?)\n```", text):
        nodes, arrows = flowchart(chart)
        assert len(arrows) == 1
        assert 1 <= len(nodes) <= 2
    assert '"' not in label(one)


def test_failures_are_a_table_of_condition_response_and_who_sees_it() -> None:
    text = made(
        "04-04",
        "error-taxonomy.md",
        claim("error", "It takes too long: the person reads that it failed.", "04-04"),
        claim("error", "Too large.", "04-04", 2, condition="too large", response="a link goes out"),
        claim("error", "It mends itself.", "04-04", 3),
    )
    assert rows(text, "Condition") == [
        ["It takes too long", "the person reads that it failed.", "the person", "Priya"],
        ["too large", "a link goes out", "not said", "Sam"],
    ]
    assert "- It mends itself. — said by Priya" in shown(text)


def test_failures_of_exchanges_and_codes_with_their_reason_are_rows_too() -> None:
    away = {"condition": "Desk down", "response": "it waits 5 min. mailbox down => later"}
    text = made(
        "04-04",
        "error-taxonomy.md",
        claim("interface", "Desk down => …", "03-03", **away),
        claim("interface", "429 after 5 reports per player", "04-02"),
        claim("interface", "reason is needed when it is refused, else 422.", "04-02", 2),
        claim("interface", "POST /a -> 200", "04-02", 3),
        claim("interface", "up to 500 rows for each", "04-02", 4),
        claim("error", "too large: a link goes out", "04-04"),
    )
    assert [row[:2] for row in rows(text, "Condition")] == [
        ["Desk down", "it waits 5 min"],
        ["mailbox down", "later"],
        ["after 5 reports per player", "429"],
        ["reason is needed when it is refused", "else 422"],
        ["too large", "a link goes out"],
    ]


def test_the_summary_counts_lists_and_links_what_is_there() -> None:
    text = shown(
        made(
            "04-05",
            "design-summary.md",
            claim("requirement", "It retries.", "01-06", ref="FR-001"),
            *OPTIONS,
            CHOSEN,
            claim("fact", "Ready?", "04-05"),
            replace(claim("assumption", "Asked, not answered: When?", "01-04", 5), sources=()),
        )
    )
    assert (
        "One requirement, no quality requirements, no user stories, no risks, one decision," in text
    )
    assert "#### Requirements\n\nOne requirement.\n" in text
    assert "### What was decided\n\n- **ADR-001** We use" in text
    assert "#### Architecture\n\n- [architecture-overview.md]" in text
    assert "### Open Questions\n\n- Ready? — said by Priya\n" in text
    found = re.findall(r"(?m)^- \[([^\]]+)\]", text)
    assert found == [
        *("requirements-spec.md", "architecture-overview.md"),
        *("tech-stack-decision.md", "adr-001.md"),
    ]


# ── what rests on other steps ──────────────────────────────────────────────────────────────────

SHOWS: Mapping[str, tuple[str, Claim]] = {
    "requirements-spec.md": (
        "01-06",
        claim("priority", "must", "01-08", requirement="FR-001", priority="must"),
    ),
    "impact-analysis.md": ("02-01", claim("risk", "It leaks.", "01-05")),
    "architecture-overview.md": ("03-01", CHOSEN),
    "adr-001.md": ("03-02", claim("option", "Option C: a plugin, queue.", "03-01", option="C")),
    "data-flow.md": ("04-03", claim("interface", "x", "03-03", from_="a", to="b")),
    "error-taxonomy.md": ("04-04", claim("interface", "429 when it is full", "04-02")),
    "design-summary.md": ("04-05", claim("question", "When?", "01-01")),
}


def test_what_shows_claims_of_other_steps_is_made_again_when_they_change() -> None:
    for file, (step, other) in SHOWS.items():
        own = [claim("requirement", "It retries.", "01-06", ref="FR-001"), *OPTIONS[:2], CHOSEN]
        output = "adr-*.md" if file.startswith("adr") else file
        mine = [one for one in own if one != other]
        assert made(step, output, *mine, other) != made(step, output, *mine), file
        kinds: set[str] = set(rests_on(file))
        assert other.kind in kinds | {"question"}, file


@pytest.mark.parametrize(
    ("file", "first", "later", "other"),
    [
        ("requirements-spec.md", "01-01", "01-06", claim("requirement", "It runs.", "00-01")),
        ("impact-analysis.md", "02-01", "02-03", claim("risk", "It leaks.", "01-05")),
    ],
)
def test_what_all_of_a_file_shares_is_stored_with_its_first_section_alone(
    file: str, first: str, later: str, other: Claim
) -> None:
    writers = [request(step, outputs=(file,), other_answers=SAID) for step in (first, later)]
    own = [claim("note", "Something.", asked.step.id) for asked in writers]
    others = [(other, own[1]), (other, own[0])]
    steps = tuple(asked.step for asked in writers)
    stored = [
        sections(replace(asked, claims=beside, steps=steps), Draft("", (mine,)))[0]
        for asked, beside, mine in zip(writers, others, own, strict=True)
    ]
    assert [other.text in section.body for section in stored] == [True, False]
    assert compose(file, TITLE, "retry", stored, None).count(other.text) == 1
    alone = replace(writers[1], claims=(other,), steps=steps)
    assert other.text in sections(alone, Draft("", own[1:]))[0].body


def test_files_that_show_only_their_own_steps_rest_on_nothing() -> None:
    assert rests_on("module-design.md") == frozenset()
    assert rests_on("adr-017.md") == rests_on("adr-001.md")


def test_cells_are_cut_where_no_backslash_stands() -> None:
    assert cells("| a \\| b | c |") == ["a \\| b", "c"]
