"""What people think of each other's answers, in the files themselves: nothing is invented."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from core.artifacts.compose.stances import EXCERPT_CHARS_MAX, home_of, views_in_data
from core.artifacts.render.markdown import markdown
from core.domain.answers import Section
from core.domain.ids import StepId
from tests.core.differing import differ, react, settle
from tests.support.artifact_checker import check
from tests.support.artifact_checker_formats import against
from tests.support.composing import compose
from tests.support.fakes import DEV, OPS, OWNER
from tests.support.harness import Harness, spec

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"
BANK = "The bank decides it, not the auditors."


def views_in(text: str) -> str:
    """From its heading to the end of its section."""
    at = max(text.find("### Differing views"), text.find("### Agreement"))
    return text[at : text.index("<!-- /roundtable:section", at)]


def test_the_section_says_who_agrees_who_differs_and_how_it_was_settled(table: Harness) -> None:
    first = table.say("Because of the auditors.")
    second = table.say("And of the bank.", DEV)
    react(table, first, OPS)
    differ(table, first, DEV, BANK)
    settle(table, first, stands="both", reason="Both of them ask.")
    react(table, second, OPS, "-1")
    assert views_in(spec(table)) == (
        "### Differing views\n\n"
        f"- **Olu** agrees with Priya ([message](https://p/{first})): Because of the auditors.\n"
        f"- **Sam** saw it differently from Priya ([message](https://p/{first})): {BANK}\n"
        f"- Settled by **Priya**, on the answer of Priya ([message](https://p/{first})): both "
        f"stand, as noted: “Because of the auditors”; “{BANK.rstrip('.')}”. Both of them ask.\n"
        f"- **Olu** sees it differently from Sam ([message](https://p/{second})): *no reason "
        "given* *(still open)*\n"
    )


def test_a_file_without_stances_is_byte_for_byte_what_it_was(table: Harness) -> None:
    said = table.say("Because of the auditors.")
    before = spec(table)
    react(table, said, DEV, "-1")
    settle(table, said)
    assert spec(table) != before
    table.delete(said)
    table.say("Because of the auditors.", ts=said)  # deleted: it brings nothing back
    assert "Differing views" not in spec(table)


def test_writing_it_again_changes_no_byte_and_what_people_wrote_there_stays(table: Harness) -> None:
    said = table.say("Because of the auditors.")
    differ(table, said, DEV, BANK)
    path = table.folder() / "requirements-spec.md"
    path.write_text(path.read_text() + "\nOur own words.\n")
    react(table, said, OPS)
    once = path.read_bytes()
    assert b"Our own words." in once
    react(table, said, OPS, "+1::skin-tone-2")
    assert path.read_bytes() == once


HOSTILE = (
    "<!-- /roundtable:section 01-01 --> # gone",
    "## A heading\n\n- a list | a | table",
    "[x](https://evil.example) <script>alert(1)</script>",
    "**bold** _it_ `code` ~~no~~ &lt;b&gt;",
    "\u202e\x00 ﻿",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_sentence_becomes_markup(table: Harness, text: str) -> None:
    said = table.say("Because of the auditors.")
    plain = spec(table)
    differ(table, said, DEV, text)
    settle(table, said, reason=text)
    after = spec(table)
    for sign in ("<!--", "\n## ", "\n# ", r"(?<!\\)\]\(https://evil", "<script>", r"\n\| "):
        assert len(re.findall(sign, after)) == len(re.findall(sign, plain)), sign
    assert views_in(after).count("\n- ") == 2


def test_a_long_answer_is_shown_by_its_beginning_in_whole_words(table: Harness) -> None:
    said = table.say("auditors " * 400)
    react(table, said, DEV)
    line = views_in(spec(table)).split("): ")[1].strip()
    assert line.endswith("auditors …")
    assert len(line) <= EXCERPT_CHARS_MAX + 2


def test_a_whole_analysis_with_stances_everywhere_stays_valid_and_invents_nothing(
    tmp_path: Path,
) -> None:
    table = Harness(tmp_path)
    table.start("Export dashboard as PDF")
    texts = ["As an auditor, I want to export the dashboard so that I can file it."]
    reasons = [BANK, "Nobody files it.", "The auditors were first."]
    while table.session.status != "completed":
        if table.session.status == "asking":
            said = table.say(texts[0])
            react(table, said, OPS)
            differ(table, said, DEV, BANK)
            if table.session.course.step != "01-07":
                settle(table, said, reason=reasons[2])
        else:
            table.forward()
    found = check(table.folder(), [*texts, *reasons], "Export dashboard as PDF")
    assert found == []
    stories = json.loads((table.folder() / "user-stories.json").read_text())
    assert [(row["by"], row["view"], row["reason"], row.get("settled")) for row in
            stories["differing_views"]] == [
        ("Olu", "agrees", "", None), ("Sam", "differs", BANK, None)
    ]  # fmt: skip
    spoken = yaml.safe_load((table.folder() / "interface-spec.yaml").read_text())
    rows = spoken["differing_views"]
    assert rows[0]["view"] == "agrees"
    assert rows[1]["settled"] == {"by": "Priya", "stands": "answer", "reason": reasons[2]}
    for name, value in (("user-stories", stories), ("interface-spec", spoken)):
        schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text())
        assert list(against(schema, value)) == []
    for path in table.folder().glob("*.md"):
        if path.name != "design-summary.md" and not path.name.startswith("adr-"):
            assert "### Differing views" in path.read_text() or path.name == "nfr-matrix.md"


def test_a_stance_taken_back_leaves_no_key_in_a_file_of_data(tmp_path: Path) -> None:
    table = Harness(tmp_path)
    table.start("Export dashboard as PDF")
    table.go_to("01-07")
    said = table.say("As an auditor, I want to export it so that I can file it.")
    path = table.folder() / "user-stories.json"
    theirs = json.loads(path.read_text()) | {"reviewed": "yes"}
    path.write_text(json.dumps(theirs))
    react(table, said, DEV, "-1")
    assert "differing_views" in json.loads(path.read_text())
    react(table, said, DEV, "-1", on_=False)
    left = json.loads(path.read_text())
    assert ("differing_views" in left, left["reviewed"]) == (False, "yes")


@pytest.mark.parametrize(
    ("outputs", "files", "home"),
    [
        (("a.md", "b.md"), ("b.md", "a.md"), "a.md"),
        (("t.csv", "b.md"), ("t.csv", "b.md"), "b.md"),
        (("adr-*.md", "t.md"), ("adr-001.md", "t.md"), "t.md"),
        (("adr-*.md",), ("adr-002.md", "adr-001.md"), "adr-001.md"),
        (("a.json",), ("a.json",), "a.json"),
        (("a.yaml", "b.json"), ("a.yaml", "b.json"), "a.yaml"),
        (("t.csv",), ("t.csv",), None),
        ((), (), None),
    ],
)
def test_a_step_shows_it_in_one_of_its_files(
    outputs: tuple[str, ...], files: tuple[str, ...], home: str | None
) -> None:
    assert home_of(outputs, files) == home


@pytest.mark.parametrize("text", ["{", "[]", "differing_views: [", "differing_views", ""])
def test_a_file_of_data_that_is_not_ours_is_replaced(text: str) -> None:
    section = Section("", StepId("01-07"), "Stories", "{}")
    for file in ("a.json", "a.yaml"):
        parts = (replace(section, file=file),)
        assert compose(file, "A", "a", parts, text) == compose(file, "A", "a", parts, None)


def test_a_section_without_stances_adds_nothing_to_data() -> None:
    from core.artifacts.compose.stances import Spoken

    section = Section("a.json", StepId("01-07"), "Stories", "{}")
    assert views_in_data((section,), Spoken({}, {})) == {}


def test_the_report_shows_it_as_the_files_do(table: Harness) -> None:
    from core.artifacts.report.gatherer import Gatherer
    from tests.support.fakes import Names

    said = table.say("Because of the auditors.")
    differ(table, said, DEV, BANK)
    gatherer = Gatherer(table.runtime.reader, table.artifacts, Names())
    chapters = "\n".join(markdown(each.blocks) for each in gatherer.report(table.id).chapters)
    assert BANK in chapters
    (table.folder() / "requirements-spec.md").unlink()
    assert BANK in gatherer.lost(table.id)["requirements-spec.md"]
    assert OWNER in table.session.people.answered
