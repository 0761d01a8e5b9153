"""The report of a session: everything is in it, in order, and what is not is said."""

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from core.artifacts.compose.lines.sources import Sources
from core.artifacts.document.tree import Span, paragraph
from core.artifacts.render.html import HtmlRenderer
from core.artifacts.render.markdown import markdown as markdown_blocks
from core.artifacts.report import closing
from core.artifacts.report.chapters import chapter_of
from core.artifacts.report.export import exported
from core.artifacts.report.gatherer import Gatherer
from core.artifacts.report.names import recorded
from core.artifacts.report.title_page import SessionRecord as Standing
from core.domain.answers import Answer, Claim
from core.domain.ids import AnswerId, Export, PersonaKey, StepId, Ts
from core.domain.party.contributions import Contribution
from core.domain.session.step import Questions
from core.ports import Workspace
from tests.core.differing import react
from tests.core.printed import printed
from tests.core.test_party_artifacts import played
from tests.support.fakes import DEV, MAYA, NAMES, OWNER, TEAM, Names
from tests.support.follow_ups import passed
from tests.support.harness import Harness, small_table
from tests.support.step_trees import Tree, text_of

OPEN, MISSING, SAID = "Left open", "What is not in this report", "Who said what"
TITLE = "Export dashboard as PDF"
WANTED = "Must:\n- export it as PDF\n- mail it every Monday"
STORY = "As an analyst, I want one PDF file, so that I can mail it.\nAcceptance: the file opens"


def gatherer(table: Harness) -> Gatherer:
    return Gatherer(table.runtime.reader, table.artifacts, Names())


def markdown(table: Harness) -> str:
    return exported(gatherer(table), table.id, "markdown").files[0][1].decode()


def page(table: Harness) -> str:
    return exported(gatherer(table), table.id, "html").files[0][1].decode()


def chapters(table: Harness) -> list[str]:
    return [each.title for each in gatherer(table).report(table.id).listed]


def body(table: Harness, title: str) -> str:
    every = gatherer(table).report(table.id)
    return next(
        markdown_blocks(each.blocks)
        for each in (*every.front, *every.listed)
        if each.title == title
    )


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Sequence[str]:
    """A finished analysis: its Markdown, its page, and the titles of its chapters."""
    table = Harness(tmp_path_factory.mktemp("whole"))
    table.start(TITLE)
    table.go_to("01-06")
    table.say(WANTED)
    table.say("Out of scope: Excel", DEV)
    table.forward()
    table.say(STORY)
    table.forward()
    table.finish()
    assert table.session.status == "completed"
    return markdown(table), page(table), *chapters(table)


def test_every_artifact_is_a_chapter_in_the_order_of_the_flow_the_summary_first(
    whole: Sequence[str],
) -> None:
    assert list(whole[2:]) == [
        "Design Summary",
        *("Quick Scan", "Requirements Specification", "Quality Requirements", "User Stories"),
        *("Traceability Matrix", "Impact Analysis", "Architecture Overview"),
        *("Technology Decisions", "Module Design", "Interface Specification"),
        *("Data Flow", "Error Taxonomy", "Left open", "Who said what"),
    ]


def test_the_title_page_says_what_it_is_and_who_accepted_what(whole: Sequence[str]) -> None:
    front = whole[0].partition("## Contents")[0]
    assert front.startswith(f"# {TITLE}\n\n- **What:** Analysis\n- **Status:** completed, 24 of 24")
    assert "- **Channel:** [C1](https://test.slack.com/archives/C1)" in front
    assert "- **Started by:** Priya" in front
    assert "| Requirements | Maya Chen | 8 of 8 | completed | Priya | 2027-01-15 08:" in front
    assert "| Sam | took part | 1 |" in front
    assert "| Jordan Park | System Designer | – |" in front


def test_the_contents_list_leads_to_every_chapter(whole: Sequence[str]) -> None:
    contents = whole[0].partition("## Contents")[2].partition("\n## ")[0]
    assert "5. [User Stories](#5-user-stories)" in contents
    assert contents.count("](#") == len(whole[2:])
    read = printed(whole[1])
    titles = read.headings[1:]
    for number, title in enumerate(whole[2:], start=1):
        assert f"#c{number}" in read.links
        assert f"{number} {title}" in titles


def test_data_is_shown_as_tables_and_never_as_it_lies_in_the_file(whole: Sequence[str]) -> None:
    stories = whole[0].partition("\n## 5. User Stories")[2].partition("\n## ")[0]
    assert "| Story | As | When | I want | So that | Priority | Said by |" in stories
    assert "| **US-001** | analyst | – | one PDF file | I can mail it |" in stories
    assert "### Accepted when\n\n- **US-001**" in stories
    assert "\n  - the file opens" in stories
    traces = whole[0].partition("\n## 6. Traceability Matrix")[2].partition("\n## ")[0]
    assert "| Goal | Requirement | Story | Check | Part | Decision | Priority | Status |" in traces
    assert "| **FR-001** export it as PDF |" in traces
    for raw in ('"schema"', "schema:", "requirement,story"):
        assert raw not in whole[0]


def test_no_mark_of_a_section_is_left_and_chapters_link_to_each_other(whole: Sequence[str]) -> None:
    assert "roundtable:section" not in whole[0]
    assert "roundtable:section" not in whole[1]
    assert "[user-stories.json](#5-user-stories)" in whole[0]
    assert '<a href="#c5">user-stories.json</a>' in whole[1]


def test_the_page_is_whole_by_itself_and_made_to_be_printed(whole: Sequence[str]) -> None:
    read = printed(whole[1])
    assert ("lang", "en") in read.attributes
    for rule in ("@page", "@media print", "break-before: page", "table-header-group"):
        assert rule in whole[1]
    for loaded in ("<script", "<link", "<img", "url(", "@import"):
        assert loaded not in whole[1]


def test_the_same_session_gives_the_same_bytes_again(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.answer("Because.")
    first, slug = exported(gatherer(table), table.id, "all"), table.session.slug
    again = table.again()
    assert exported(gatherer(again), again.id, "all") == first
    assert [name for name, _ in first.files] == [f"{slug}.{end}" for end in ("zip", "md", "html")]


@pytest.mark.parametrize("wanted", get_args(Export))
def test_a_session_without_an_answer_can_be_exported(tmp_path: Path, wanted: Export) -> None:
    table = Harness(tmp_path)
    table.start("🙂")
    assert all(content for _, content in exported(gatherer(table), table.id, wanted).files)
    assert "Nobody has answered yet." in markdown(table)
    printed(page(table))


# ── what is not there ──────────────────────────────────────────────────────────────────────────


def test_half_way_it_says_how_far_it_is_and_what_is_missing(tmp_path: Path) -> None:
    table = Harness(tmp_path)
    table.start(TITLE)
    table.go_to("01-03")
    text = markdown(table)
    assert "- **Status:** under way; this is how far it has come, 5 of 24 steps done" in text
    missing = body(table, MISSING)
    assert "- 01-03 User Experience &amp; Journeys is not answered" in missing.replace(
        "& ", "&amp; "
    )
    assert "- The phase Architecture (4 steps) is not begun" in missing
    assert "- `user-stories.json`" in missing


def test_what_a_fault_left_out_is_named_with_its_reason(tmp_path: Path) -> None:
    tree = Tree(tmp_path / "steps")
    tree.agent()
    (tree.phase("01-requirements") / "01-a.md").write_text(text_of())
    (tree.phase("01-requirements") / "02-b.md").write_text("# Nothing")
    table = small_table(tmp_path, tree=tree)
    table.start()
    table.finish()
    assert "Warning: Step file 02-b.md has invalid frontmatter. Skipping. (`ERR-STEP-004`)" in body(
        table, MISSING
    )


def test_what_people_left_out_is_said_with_their_names(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.click("skip-step", DEV)
    assert ", by Sam" in body(table, MISSING).partition("### Left out by people")[2]


# ── what is left open ──────────────────────────────────────────────────────────────────────────


def answer(number: int, by: str, text: str) -> Answer:
    return Answer(
        AnswerId(f"a{number}"), StepId("01-06"), by, text, Ts(f"{number}.1"), Ts("1.0"),  # type: ignore[arg-type]
        f"https://acme.slack.com/p{number}",
    )  # fmt: skip


def claim(number: int, text: str, **more: object) -> Claim:
    given = {"sources": (AnswerId(f"a{number}"),), "kind": "requirement"} | more
    return Claim(f"01-06/{number}", StepId("01-06"), text=text, **given)  # type: ignore[arg-type]


def test_assumptions_differences_and_questions_stand_in_one_place(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    step = replace(
        table.runtime.reader.all_steps(table.id)[0],
        id=StepId("01-06"), title="Features",
        questions=Questions(passed("Who pays?")), concerns=("No diagram.",),
    )  # fmt: skip
    answers = (answer(1, OWNER, "PDF"), answer(2, DEV, "Excel"))
    standing = Standing(
        table.session, table.runtime.reader.personas(table.session), None, (step,), answers,
        NAMES, Workspace(TEAM, "https://acme.slack.com/", OWNER, "B1"), "general",
    )  # fmt: skip
    claims = (
        claim(1, "It is a PDF", ref="FR-001"),
        claim(2, "It is an Excel file", data={"conflicts": "01-06/1"}),
        claim(3, "Nobody prints it", kind="assumption", sources=(), confidence="assumed"),
        claim(2, "Who may see it?", kind="question"),
    )
    votes = (
        Contribution(MAYA, "vote", "It costs too much.", agrees=False),
        Contribution(PersonaKey("solutions-architect"), "vote", "Fine.", agrees=True),
    )
    sources = Sources({each.id: each for each in answers}, NAMES)
    found = closing.left_open(standing, claims, sources, votes).blocks
    said = "— said by {} ([message](https://acme.slack.com/p{}))"
    assert markdown_blocks(found).split("\n\n") == [
        "### Assumptions",
        "- **Features:** Nobody prints it *(assumed)*",
        "### Views that differ",
        f"- **FR-001** It is a PDF {said.format('Priya', 1)}\n"
        f"  - It is an Excel file {said.format('Sam', 2)}\n"
        "- Maya Chen does not agree: It costs too much.",
        "### Open questions",
        f"- **Features:** Who may see it? {said.format('Sam', 2)}\n"
        "- Asked, not answered: Who pays? (Features)",
        "### Not verified",
        "- No diagram. (Features)",
    ]


def test_a_difference_that_somebody_gave_stands_there_with_their_name(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    said = table.say("Everybody needs it.")
    assert "### Views that differ" not in body(table, OPEN)
    react(table, said, DEV, "-1")
    left = body(table, OPEN).partition("### Views that differ")[2]
    assert "**Sam**" in left
    assert f"Priya ([message](https://p/{said}))" in left


def test_every_answer_is_told_with_its_author_and_its_message(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    ts = table.say("Because | of <b>it</b>", DEV)
    said = body(table, SAID)
    assert f"| Sam | Because \\| of &lt;b&gt;it&lt;/b&gt; | [message](https://p/{ts}) |" in said


# ── files of other hands, and files that are gone ──────────────────────────────────────────────


def test_what_people_wrote_into_the_folder_is_kept(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.answer("Because.")
    spec = table.folder() / "requirements-spec.md"
    spec.write_text(f"{spec.read_text()}\nA note of Priya's, [see](requirements-spec.md).\n")
    (table.folder() / "glossary.md").write_text("# Glossary\n\n## PDF\n\nA file <b>.")
    (table.folder() / "numbers.csv").write_text("a,b\n1,2\n")
    (table.folder() / "picture.png").write_bytes(b"\x89PNG\xff")
    text = markdown(table)
    assert "A note of Priya's, [see](#1-requirements-specification)." in text
    lead = "*Somebody put this file into the folder; Roundtable did not write it.*"
    assert f"*glossary.md*\n\n{lead}\n\n### PDF\n\nA file &lt;b&gt;." in text
    assert "| A | B |\n|---|---|\n| 1 | 2 |" in text
    assert "picture.png lies in the folder as well; it is no text, and only in the zip." in text
    printed(page(table))


def test_a_file_that_is_gone_or_cannot_be_read_comes_from_the_database(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.answer("A sentence of its own.")
    spec, foreign = table.folder() / "requirements-spec.md", table.folder() / "notes.md"
    spec.unlink()
    foreign.write_bytes(b"\xff\xfe\x00")
    text = markdown(table)
    assert "A sentence of its own." in text.partition("*requirements-spec.md*")[2]
    assert "requirements-spec.md is not in the folder; it was made from the database." in text
    assert "notes.md could not be read in the folder, so it is not in this report." in text
    spec.write_bytes(b"\xff\xfe\x00")
    text = markdown(table)
    assert "A sentence of its own." in text.partition("*requirements-spec.md*")[2]
    assert "requirements-spec.md could not be read in the folder; it was made from" in text


def test_the_zip_takes_from_the_database_what_the_folder_lost(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.answer("A sentence of its own.")
    (table.folder() / "requirements-spec.md").unlink()
    (table.folder() / "link.md").symlink_to("/etc/passwd")
    ((name, packed),) = exported(gatherer(table), table.id, "zip").files
    assert name == f"{table.session.slug}.zip"
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        names = [Path(each).name for each in archive.namelist()]
        spec = archive.read(f"{table.session.slug}/requirements-spec.md").decode()
    assert names == ["meta.json", "requirements-spec.md"]
    assert "A sentence of its own." in spec


def test_a_credential_in_a_file_of_others_is_not_in_the_report(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.answer("Because.")
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    (table.folder() / "notes.md").write_text(f"Use {secret} for it.")
    assert secret not in markdown(table) + page(table)


def test_a_yaml_file_that_names_itself_over_and_over_is_shown_as_it_is(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.answer("Because.")
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    levels += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    (table.folder() / "bomb.yaml").write_text("\n".join(levels))
    (table.folder() / "deep.json").write_text("[" * 5_000 + "]" * 5_000)
    assert "a29: &a29" in markdown(table)


# ── the other flows ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("mode", "what", "who"),
    [
        ("party", "Inception, party mode", "| Zara | Security Advisor | – |"),
        ("classic", "Inception, classic mode", "| Lead | Discovery Lead | – |"),
    ],
)
def test_an_inception_has_a_report_as_well(tmp_path: Path, mode: str, what: str, who: str) -> None:
    table = played(tmp_path / mode, mode)
    text = markdown(table)
    assert f"- **What:** {what}" in text
    assert who in text
    assert {"Project Brief", "Tech Stack", "Constitution", "Discovery Context"} <= {
        *chapters(table)
    }
    assert '"sources"' not in text
    printed(page(table))


# ── names without Slack ────────────────────────────────────────────────────────────────────────


def test_the_record_knows_who_is_called_what(tmp_path: Path) -> None:
    """By the lines of its artifacts, whoever said them, and by who accepted."""
    table = small_table(tmp_path)
    table.start()
    table.say("Because.", DEV)
    table.forward(OWNER)
    table.finish()
    found = recorded(table.runtime.reader, table.artifacts, table.id)
    assert found == {OWNER: "Priya", DEV: "Sam"}
    meta = json.loads((table.folder() / "meta.json").read_text())
    assert {each["by"] for each in meta["acceptance"].values()} <= {"Priya", "Sam"}


def test_the_page_shows_times_and_code_as_people_read_them() -> None:
    page = HtmlRenderer("c1", "A title", {})
    when = Span("2026-11-26T11:13:40+00:00", "time")
    assert page.inline(("since ", when)) == (
        'since <time datetime="2026-11-26T11:13:40+00:00">2026-11-26 11:13 UTC</time>'
    )
    assert page.inline(("`SlotLock` and `<b>`, a -> b",)) == (
        "`SlotLock` and `&lt;b&gt;`, a -&gt; b"
    )
    assert page.inline(("set `SlotLock` to & fro",)) == "set <code>SlotLock</code> to &amp; fro"
    assert markdown_blocks(paragraph("since ", when)) == "since 2026-11-26T11:13:40+00:00"


def test_the_values_at_the_top_of_a_file_are_a_table_those_of_a_group_in_one_cell() -> None:
    front = (
        "---\nscope: unknown\npeople_say:\n  scope: 'pm: small'\n  complexity: low\n---\n\nText."
    )
    shown = markdown_blocks(chapter_of("quick-scan.md", front).blocks)
    assert "| **People say** | Scope: pm: small; Complexity: low |" in shown
    assert shown.endswith("Text.")
    listed = chapter_of("quick-scan.md", "---\nscope: [small, large]\n---\n\nText.")
    assert "```\nscope: [small, large]\n```" in markdown_blocks(listed.blocks)
