"""The pages of the inception: what claims become in them, whoever made the claims."""

import re
from dataclasses import replace
from typing import Any

import pytest

from core.artifacts.compose.layouts import rests_on, sections
from core.artifacts.document import words
from core.brains.script.reading import read
from core.domain.answers import Claim, Draft
from tests.core.test_scripted import SAM, answer
from tests.support.artifact_checker_formats import flowchart, tables
from tests.support.composing import compose
from tests.support.follow_ups import passed
from tests.support.inception import SLUG, STEPS, TITLE, asked, whole

SAID = tuple(answer(step, n, "…", who) for step in STEPS for n, who in ((1, "U1"), (2, SAM)))  # type: ignore[arg-type]
VOTED = {"area": "Database", "option": "Postgres", "choice": "chosen", "reason": "we know it"}


def claim(kind: Any, text: str, step: str, number: int = 1, **data: str) -> Claim:
    """What Priya (an odd number) or Sam said to a step; keys are spelt without a trailing `_`."""
    plain = {key.rstrip("_"): value for key, value in data.items() if key != "ref"}
    source = next(one.id for one in SAID if one.id == f"{step}:{2 - number % 2}")
    ref = data.get("ref")
    return Claim(f"{step}/{number}", step, kind, text, (source,), ref=ref, data=plain)  # type: ignore[arg-type]


def page(step: str, *claims: Claim, existing: str | None = None) -> str:
    """The first file of a step, made of claims; those of other steps stand beside."""
    others = tuple(one for one in claims if one.step != step)
    own = tuple(one for one in claims if one.step == step)
    made = replace(asked(step), claims=others, other_answers=SAID)
    parts = sections(made, Draft("", own))
    return compose(parts[0].file, TITLE, SLUG, parts, existing)


def shown(text: str) -> str:
    """Without links, for short comparisons."""
    return re.sub(r" \(\[message\]\([^)]*\)\)", "", text)


def rows(text: str, head: str, columns: int) -> list[list[str]]:
    found = [t for t in tables(shown(text)) if t[0][0] == head and len(t[0]) == columns]
    return found[0][1:] if found else []


# ── project-brief.md ───────────────────────────────────────────────────────────────────────────


def test_the_brief_is_a_heading_and_sections_with_who_said_what() -> None:
    made = asked("01-01", "Purpose: it saves a day.\nUsers: clerks", (SAM, "Out of scope: mail."))
    made = replace(made, follow_ups=passed("Who pays?"))
    parts = sections(made, read(made))
    link = "https://acme.slack.com/archives/C1/p0101"
    assert compose("project-brief.md", TITLE, SLUG, parts, None) == (
        f"# Project Brief — {TITLE}\n"
        "\n"
        "<!-- roundtable:section head -->\n"
        f"{words.INTROS['project-brief.md']} {words.text('legend')}\n"
        "<!-- /roundtable:section head -->\n"
        "\n"
        "<!-- roundtable:section 01-01 -->\n"
        "## Purpose & People\n"
        "\n"
        "### Purpose\n"
        "\n"
        f"- Purpose: it saves a day. — said by Priya ([message]({link}1))\n"
        "\n"
        "### Users\n"
        "\n"
        f"- Users: clerks — said by Priya ([message]({link}1))\n"
        "<!-- /roundtable:section 01-01 -->\n"
        "\n"
        "<!-- roundtable:section end -->\n"
        "## Out of Scope\n"
        "\n"
        f"- **Purpose & People:** Out of scope: mail. — said by Sam ([message]({link}2))\n"
        "\n"
        "## Assumptions\n"
        "\n"
        "No assumption was recorded.\n"
        "\n"
        "## Open Questions\n"
        "\n"
        "- **Purpose & People:** Asked, not answered: Who pays?\n"
        "<!-- /roundtable:section end -->\n"
    )


@pytest.mark.parametrize("step", [one for one in STEPS if not one.startswith("08")])
def test_a_step_without_answers_says_so_and_its_file_has_its_end(step: str) -> None:
    text = page(step)
    assert "Nothing is recorded for this step." in text
    assert "## Assumptions\n\nNo assumption was recorded.\n" in text


@pytest.mark.parametrize("step", [one for one in STEPS if not one.startswith("08")])
def test_a_step_in_which_only_a_question_stands_sends_to_the_end(step: str) -> None:
    text = shown(page(step, claim("question", "Who?", step)))
    assert "Nothing is recorded" not in text
    assert f"- **{STEPS[step].title}:** Who? — said by Priya" in text


@pytest.mark.parametrize("step", [one for one in STEPS if not one.startswith("08")])
def test_what_people_wrote_stays_and_composing_again_changes_nothing(step: str) -> None:
    lines = [claim("fact", "So it is.", step)]
    text = page(step, *lines)
    edited = text.replace("\n# ", "\nOurs!\n\n# ", 1).replace("# ", "Ours!\n\n# ", 1) + "\n> note\n"
    again = page(step, *lines, existing=edited)
    assert "Ours!" in again
    assert again.endswith("> note\n")
    assert page(step, *lines, existing=again) == again


def test_line_ends_of_any_system_in_what_people_wrote_change_nothing_the_second_time() -> None:
    for end in ("\r", "\r\n", "\n"):
        text = page("01-01", existing=f"Ours{end}")
        assert page("01-01", existing=text) == text


# ── tech-stack.md ──────────────────────────────────────────────────────────────────────────────


def test_choices_stand_in_a_table_with_their_rivals_and_whoever_differs() -> None:
    text = page(
        "03-01",
        claim("stack", "Database: Postgres.", "03-01", conflicts="03-01/4", **VOTED),
        claim("stack", "MySQL was turned down.", "03-01", 3, option="MySQL", choice="rejected",
              area="database"),
        claim("stack", "Not SQLite.", "03-01", 7, option="SQLite", choice="rejected",
              area="Database"),
        claim("stack", "Database: SQLite.", "03-01", 4, option="SQLite", choice="chosen",
              area="Database"),
        claim("trade-off", "One more to run.", "03-01", 5),
    )  # fmt: skip
    assert rows(text, "Area", 5) == [
        [
            "Database",
            "Postgres (differs from: SQLite, Sam)",
            "we know it",
            "MySQL / SQLite",
            "Priya",
        ],
        ["Database", "SQLite (differs from: Postgres, Priya)", "not said", "MySQL", "Sam"],
    ]
    assert "### Trade-offs\n\n- One more to run. — said by Priya" in shown(text)
    assert "### Consensus\n\nOne facilitator led this, so nobody voted." in text


def test_a_rival_without_an_area_belongs_to_the_only_choice_or_to_its_own_line() -> None:
    rival = claim("stack", "Or Go.", "03-01", 2, option="Go", choice="weighed")
    one = claim("stack", "We use Rust.", "03-01", option="Rust", choice="chosen")
    other = claim("stack", "We use Redis.", "03-01", 3, option="Redis", choice="chosen")
    assert rows(page("03-01", one, rival), "Choice", 3) == [["Rust", "Go", "Priya"]]
    assert "Empty columns, left out: Area, Reason, Weighed against." in page(
        "03-01", one, other, rival
    )
    line = replace(rival, text=one.text)
    assert [row[1] for row in rows(page("03-01", one, other, line), "Choice", 3)] == [
        "Go",
        "not said",
    ]


def test_a_page_says_how_the_personas_of_a_party_voted_and_on_what_not() -> None:
    text = page(
        "03-01",
        claim("stack", "Postgres.", "03-01", consensus="unanimous", **VOTED),
        claim("stack", "Go.", "03-01", 2, option="Go", choice="chosen", consensus="shouted"),
    )
    votes = text.partition("### Consensus")[2]
    assert "All personas agree.\n\n- Nobody voted on: Go — said by Sam" in votes
    assert words.text("no_vote") not in text


# ── architecture-overview.md, data-model.md ────────────────────────────────────────────────────


def test_the_parts_stand_in_a_table_and_every_line_below() -> None:
    text = page(
        "04-01",
        claim("module", "Store: keeps letters, knows nothing of mail.", "04-01"),
        claim("decision", "We keep one clock.", "04-01", 2, reason="two disagree"),
    )
    assert rows(text, "Module", 4) == [
        ["Store", "keeps letters", "knows nothing of mail.", "Priya"]
    ]
    assert "### Decisions\n\n- We keep one clock. — said by Sam" in shown(text)


def test_things_stand_with_their_fields_their_keeping_and_a_chart_of_their_relations() -> None:
    text = page(
        "05-01",
        claim("entity", "Order: id and total", "05-01", entity="Order", fields="id and total"),
        claim("entity", "Buyers", "05-01", 2, entity="Buyers"),
        claim("retention", "Orders: 10 years", "05-01", 3, entity="orders", period="10 years"),
        claim("relation", "Buyer -> Order: many", "05-01", 5, from_="Buyer", to="Order",
              what="many"),
    )  # fmt: skip
    assert rows(text, "Thing", 4) == [
        ["Order", "id, total", "10 years", "Priya"],
        ["Buyers", "not said", "not said", "Sam"],
    ]
    (chart,) = re.findall(r"(?s)```mermaid\n(.*?)\n```", text)
    assert flowchart(chart)[1] == [("Buyer", "many", "Order")]
    assert rows(text, "From", 4) == [["Buyer", "many", "Order", "Priya"]]


# ── test-strategy-outline.md, constitution.md, skills-report.md ────────────────────────────────


def test_levels_stand_in_a_table_and_gaps_below() -> None:
    text = page(
        "06-01",
        claim("test", "Unit: prices", "06-01", level="Unit", covers="prices"),
        claim("test", "It all has to work.", "06-01", 2),
        claim("test-gap", "The printer.", "06-01", 3),
    )
    assert rows(text, "Level", 3) == [["Unit", "prices", "Priya"]]
    assert "- It all has to work. — said by Sam" in shown(text)
    assert "### Gaps\n\n- The printer. — said by Priya" in shown(text)


def test_articles_stand_in_the_order_of_their_numbers_each_with_its_reason() -> None:
    text = shown(
        page(
            "07-01",
            claim("article", "Nobody waits.", "07-01", 2, ref="ART-003", reason="time is short"),
            claim("article", "No guess, because it stays.", "07-01", ref="ART-001",
                  reason="it stays"),
            claim("fact", "Good.", "07-01", 3),
        )
    )  # fmt: skip
    assert (
        "- **ART-001** No guess, because it stays. — said by Priya\n"
        "- **ART-003** Nobody waits. — said by Sam\n"
        "  - Reason: time is short — said by Sam\n"
        "\n"
        "### Also said\n\n- Good. — said by Priya\n"
    ) in text


def test_articles_that_disagree_say_so() -> None:
    text = shown(
        page(
            "07-01",
            claim("article", "At most 2 days.", "07-01", ref="ART-001", conflicts="07-01/2"),
            claim("article", "At most 3 days.", "07-01", 2, ref="ART-002"),
        )
    )
    assert (
        "At most 2 days. — said by Priya\n  - Differs from: **ART-002** At most 3 days. — said by"
        in text
    )


def test_what_the_stack_asks_for_and_nobody_spoke_of_stands_among_the_skills() -> None:
    def stack(name: str, number: int) -> Claim:
        return claim("stack", f"We use {name}.", "03-01", number, option=name, choice="chosen")

    text = page(
        "07-02",
        stack("Go", 1),
        stack("Postgres 16", 2),
        stack("Redis", 3),
        claim("stack", "Not Java.", "03-01", 5, option="Java", choice="rejected"),
        claim("skill", "We know Go.", "07-02", skill="Go", status="has"),
        claim("skill", "Postgres is new to us.", "07-02", 2, skill="Postgres", status="gap"),
        claim("skill", "Writing.", "07-02", 3, skill="Writing", status="odd"),
    )
    not_said = "named; nobody said whether the team has it"
    assert rows(text, "Skill", 3) == [
        ["Go", "the team has it", "Priya"],
        ["Postgres", "missing", "Sam"],
        ["Writing", not_said, "Priya"],
        ["Redis", not_said, "Priya"],
    ]
    assert rests_on("skills-report.md") == {"stack"}


def test_a_line_that_was_read_as_two_stands_once() -> None:
    files, _ = whole({"03-01": ["We use Go instead of Java."]})
    assert files["tech-stack.md"].count("- We use Go instead of Java.") == 1


def test_the_brief_ends_with_what_was_said_at_the_walkthrough() -> None:
    files, _ = whole(
        {
            "01-01": ["Purpose: it saves a day."],
            "08-01": ["3. Ops may merge and release."],
            "08-02": [
                "hm.",
                "let's say 3 weeks",
                "3 next steps\nSam draws it by Monday",
                "ok 4 weeks",
            ],
        }
    )
    _, _, walkthrough = shown(files["project-brief.md"]).partition("## Walkthrough\n")
    walkthrough, _, _ = walkthrough.partition("\n## ")
    assert [line for line in walkthrough.splitlines() if line.startswith(("#", "- "))] == [
        "### Constitution Review",
        "#### Permissions",
        "- Ops may merge and release. — said by Priya",
        "### First Steps",
        "#### Iterations",
        "- ~~let's say 3 weeks~~ — said by Sam",
        "- ok 4 weeks — said by Sam",
        "#### Next steps",
        "- next steps — said by Priya",
        "- Sam draws it by Monday — said by Priya",
        "#### Also said",
        "- hm. — said by Priya",
    ]


def test_a_choice_without_an_area_that_another_names_has_no_row_of_its_own() -> None:
    text = page(
        "03-01",
        claim("stack", "Hosting: Hetzner in Germany", "03-01", area="Hosting",
              option="Hetzner in Germany", choice="chosen"),
        claim("stack", "hetzner.", "03-01", 2, option="hetzner", choice="chosen"),
        claim("stack", "Redis", "03-01", 3, option="Redis", choice="chosen"),
    )  # fmt: skip
    assert [row[:2] for row in rows(text, "Area", 3)] == [
        ["Hosting", "Hetzner in Germany"], ["not said", "Redis"],
    ]  # fmt: skip
    assert "hetzner." in text
