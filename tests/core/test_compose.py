"""Artifacts: sections from claims, files from sections, and the text of people in between."""

import csv
import io
import json
import re
from dataclasses import replace
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from core.artifacts import words
from core.artifacts.compose import compose, parse_quick_scan, sections
from core.brains.scripted import read
from core.domain.answers import Claim, ReadRequest, Scan, Section
from core.domain.ids import AnswerId, StepId, UserId
from tests.core.test_scripted import FEATURES, SAM, TEXTS, answer, features, request

TITLE, SLUG = "Export dashboard as PDF", "export-dashboard-as-pdf"
MARK = re.compile(r"<!-- (/?)roundtable:section (\d\d-\d\d|head|end) -->")
SECTION = re.compile(r"<!-- roundtable:section \d\d-\d\d -->.*?<!-- /.*?-->", re.DOTALL)


def made(step: str, file: str, *said: Any, **more: Any) -> tuple[Section, ...]:
    asked = request(step, *said, outputs=(file,), step_title=f"Step {step}", **more)
    return sections(asked, read(asked))


def page(parts: tuple[Section, ...], existing: str | None = None, title: str = TITLE) -> str:
    return compose(parts[0].file, title, SLUG, parts, existing)


def told() -> tuple[Claim, ...]:
    """Two requirements, and a story that belongs to the second."""
    story = "As an owner, I want to mail the dashboard so that others see it."
    asked = request("01-07", story, claims=features())
    return (*features(), *read(asked).claims)


WHO_SAID_IT = {
    "other_answers": (answer("01-06", 1, FEATURES), answer("01-07", 1, "As an owner …", SAM))
}

# ── Markdown ───────────────────────────────────────────────────────────────────────────────────


def test_a_markdown_file_is_a_heading_and_sections_with_provenance() -> None:
    parts = made("01-06", "requirements-spec.md", FEATURES, (SAM, "Thanks!"), gaps=("How many?",))
    assert page(parts) == (
        "# Requirements Specification — Export dashboard as PDF\n"
        "\n"
        "<!-- roundtable:section head -->\n"
        f"{words.INTROS['requirements-spec.md']} {words.LEGEND}\n"
        "<!-- /roundtable:section head -->\n"
        "\n"
        "<!-- roundtable:section 01-06 -->\n"
        "## Step 01-06\n"
        "\n"
        "### Requirements\n"
        "\n"
        "- **FR-001** a button on the dashboard gives one PDF of it — said by Priya"
        " ([message](https://acme.slack.com/archives/C1/p01061))\n"
        "- **FR-002** a subscription mails the dashboard as one PDF file — said by Priya"
        " ([message](https://acme.slack.com/archives/C1/p01061))\n"
        "\n"
        "### Also said\n"
        "\n"
        "- Thanks! — said by Sam ([message](https://acme.slack.com/archives/C1/p01062))\n"
        "<!-- /roundtable:section 01-06 -->\n"
        "\n"
        "<!-- roundtable:section end -->\n"
        "## Out of Scope\n"
        "\n"
        "Nobody has left anything out on purpose.\n"
        "\n"
        "## Assumptions\n"
        "\n"
        "- **Step 01-06:** Not answered: How many? *(assumed)*\n"
        "\n"
        "## Open Questions\n"
        "\n"
        "No open question was recorded.\n"
        "\n"
        "## Who Said What\n"
        "\n"
        "| Who | Said | Messages |\n"
        "|---|---|---|\n"
        "| Priya | FR-001, FR-002 | [message](https://acme.slack.com/archives/C1/p01061) |\n"
        "| Sam | Step 01-06 | [message](https://acme.slack.com/archives/C1/p01062) |\n"
        "<!-- /roundtable:section end -->\n"
    )


def test_sections_stand_in_step_order_whatever_order_they_come_in() -> None:
    late = made("01-06", "requirements-spec.md", "Mail it.")
    early = made("01-01", "requirements-spec.md", "Sales asked.")
    text = compose("requirements-spec.md", TITLE, SLUG, (*late, *early), None)
    names = [name for close, name in MARK.findall(text) if not close]
    assert names == ["head", "01-01", "01-06", "end"]
    assert SECTION.findall(page(early, page(late))) == SECTION.findall(text)


def test_running_a_step_again_replaces_its_section_and_nothing_else() -> None:
    first = made("01-01", "requirements-spec.md", "Sales asked.")
    second = made("01-02", "requirements-spec.md", "Analysts use it.")
    whole = page((*first, *second))
    again = page((*made("01-01", "requirements-spec.md", "Support asked."), *second), whole)
    assert again == whole.replace("Sales asked.", "Support asked.")


def test_what_people_wrote_stays_where_it_was_between_the_sections() -> None:
    first = made("01-01", "requirements-spec.md", "Sales asked.")
    last = made("01-06", "requirements-spec.md", "Mail it.")
    edited = (
        page((*first, *last))
        .replace("# Requirements", "Draft!\n\n# Requirements", 1)
        .replace(
            "\n\n<!-- roundtable:section 01-01", "\n\nUp front.\n\n<!-- roundtable:section 01-01"
        )
        .replace("section 01-01 -->\n\n<!-- r", "section 01-01 -->\n\n> On context.\n\n<!-- r")
        + "\n## Notes\n\n    as is\n"
    )
    between = made("01-02", "requirements-spec.md", "Analysts use it.")
    text = page((*first, *between, *last), edited)
    order = [
        "Draft!",
        "# Requirements",
        "Up front.",
        "Sales",
        "> On",
        "Analysts",
        "Mail it",
        "## Notes",
    ]
    places = [text.index(one) for one in order]
    assert places == sorted(places)
    assert text.count("# Requirements Specification") == 1
    assert text.endswith("## Notes\n\n    as is\n")
    assert page((*first, *between, *last), text) == text


def test_a_section_of_a_step_we_do_not_know_is_kept() -> None:
    other = page(made("01-09", "requirements-spec.md", "From elsewhere."))
    text = page(made("01-01", "requirements-spec.md", "Sales asked."), other)
    assert "From elsewhere." in text
    assert len(MARK.findall(text)) == 8


@pytest.mark.parametrize(
    "cut", ["<!-- roundtable:section 01-01 -->\n", "<!-- /roundtable:section 01-01 -->\n"]
)
def test_marks_that_people_broke_are_mended(cut: str) -> None:
    parts = made("01-01", "requirements-spec.md", "Sales asked.")
    text = page(parts, page(parts).replace(cut, ""))
    assert [bool(close) for close, _ in MARK.findall(text)] == [False, True] * 3
    assert page(parts, text) == text


def test_a_heading_that_people_gave_the_file_stays() -> None:
    parts = made("01-01", "requirements-spec.md", "Sales asked.")
    text = page(parts, "# Our spec\n\nHello.\n")
    assert text.startswith("# Our spec\n\nHello.\n\n<!-- roundtable:section head -->")


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("# Not a heading", "- \\# Not a heading — said"),
        ("<!-- roundtable:section 01-02 -->", "- &lt;!-- roundtable:section 01-02 --&gt; — said"),
        ("see [here](https://evil.example)", "see \\[here\\](https://evil.example) — said"),
        ("a | b", "- a \\| b — said"),
        ("**bold** and `code` and snake_case", "\\*\\*bold\\*\\* and \\`code\\` and snake_case"),
        ("<script>x</script>", "- &lt;script&gt;x&lt;/script&gt; — said"),
        ("a \\* b &lt; c", "- a \\\\\\* b &amp;lt; c — said"),
        ("2020. A year", "2020\\. — said"),
    ],
)
def test_peoples_text_does_nothing_in_markdown(said: str, written: str) -> None:
    assert written in page(made("01-01", "requirements-spec.md", said))


def test_a_code_block_is_fenced_more_deeply_than_what_it_holds() -> None:
    code = "```\n~~~\n# x\n<!-- /roundtable:section 01-04 -->\n````\n```"
    text = page(made("01-04", "requirements-spec.md", code))
    assert (
        "\n  `````\n  ~~~\n  # x\n  &lt;!-- /roundtable:section 01-04 -->\n  ````\n  `````\n"
        in text
    )
    assert len(MARK.findall(text)) == 6


def test_an_inferred_line_says_so() -> None:
    parts = made("01-08", "requirements-spec.md", "Must: the mail subscription", claims=features())
    assert "| **FR-002** a subscription mails the dashboard as one PDF file | must |" in page(parts)
    assert page(parts).count("*(inferred)*") == 1


@pytest.mark.parametrize(
    ("permalink", "shown"),
    [
        ("javascript:alert(1)", "said by Priya\n"),
        ("", "said by Priya\n"),
        ("https://a.example/x) [y](z", "([message](https://a.example/x%29%20%5By%5D%28z))"),
    ],
)
def test_a_permalink_is_a_plain_link_or_none(permalink: str, shown: str) -> None:
    asked = request("01-01", "Sales asked.", outputs=("requirements-spec.md",))
    asked = replace(asked, answers=(replace(asked.answers[0], permalink=permalink),))
    assert shown in page(sections(asked, read(asked)))


def test_an_unknown_person_is_someone_and_a_lost_answer_too() -> None:
    asked = request("01-01", "Sales asked.", outputs=("requirements-spec.md",), names={})
    draft = read(asked)
    lost = replace(draft.claims[0], sources=(AnswerId("gone"),))
    assert "said by someone ([message]" in page(sections(asked, draft))
    assert "said by someone\n" in page(sections(asked, replace(draft, claims=(lost,))))


def test_a_step_without_answers_says_so() -> None:
    assert "Nothing is recorded for this step." in page(made("01-01", "requirements-spec.md"))


# ── quick-scan.md ──────────────────────────────────────────────────────────────────────────────


def test_the_quick_scan_opens_with_its_block() -> None:
    size = made("00-01", "quick-scan.md", "Low complexity, small.")
    files = made("00-03", "quick-scan.md", "12 files")
    text = page((*size, *files))
    assert text.startswith(
        "---\nscope: small\ncomplexity: low\nfile_count: 12\nconfidence: unknown\n---\n\n# Quick"
    )
    assert parse_quick_scan(text) == Scan("small", "low", 12, None)
    assert page((*size, *files), text) == text


def test_an_empty_quick_scan_is_unknown_throughout() -> None:
    text = page(made("00-01", "quick-scan.md"))
    assert text.count("unknown") == 4
    assert parse_quick_scan(text) == Scan()


def test_the_block_is_renewed_and_keys_of_others_stay() -> None:
    old = page(made("00-01", "quick-scan.md", "Small.")).replace("---\n", "---\nsprint: 12\n", 1)
    text = page(made("00-01", "quick-scan.md", "Large."), old)
    assert text.startswith("---\nscope: large\n")
    assert text.count("sprint: 12\n---") == 1


@pytest.mark.parametrize(
    "text",
    ["", "no block", "---\n- a\n---\n", "---\nscope: huge\nfile_count: many\n---\n",
     "---\n{\n---\n", "---\nfile_count: true\nscope: unknown\ncomplexity: 3\n---"],
)  # fmt: skip
def test_a_block_that_makes_no_sense_is_an_unknown_scan(text: str) -> None:
    assert parse_quick_scan(text) == Scan()


# ── decisions and quality ──────────────────────────────────────────────────────────────────────


def test_each_decision_has_its_file() -> None:
    parts = made("03-02", "adr-*.md", "We use Postgres. The team knows it.", (SAM, "We keep cron."))
    assert [one.file for one in parts] == ["adr-001.md", "adr-002.md"]
    first = compose("adr-001.md", TITLE, SLUG, parts, None)
    assert first.startswith("# ADR-001 — Export dashboard as PDF\n")
    assert "**ADR-001** We use Postgres." in first
    assert "The team knows it." in first
    assert "cron" not in first


def test_without_a_decision_the_first_file_says_so() -> None:
    (part,) = made("03-02", "adr-001.md", "We looked at Mongo.")
    assert (part.file, part.body) == ("adr-001.md", "No decision was recorded.")


def test_a_withdrawn_decision_is_said_in_its_file() -> None:
    both = request("03-02", "We use Postgres.", "We keep cron.", outputs=("adr-*.md",))
    asked = replace(both, answers=both.answers[:1], previous=read(both).claims)
    bodies = {one.file: one.body for one in sections(asked, read(asked))}
    assert bodies["adr-002.md"] == "This decision was withdrawn."


def test_quality_and_risks_are_a_table() -> None:
    text = page(made("01-05", "nfr-matrix.md", "Stay under 5 s | 9 s\nIt might leak."))
    assert "| NFR-001 | Stay under 5 s \\| 9 s | under 5 s; 9 s | Priya ([message](" in text
    assert "### Risks\n\n- It might leak. — said by Priya" in text
    assert "No quality requirement" in page(made("01-05", "nfr-matrix.md"))


# ── data ───────────────────────────────────────────────────────────────────────────────────────


def test_user_stories_follow_their_schema() -> None:
    early = read(request("01-02", "As a reader, I want a button.")).claims
    parts = made(
        "01-07",
        "user-stories.json",
        (SAM, "As an owner, I want mail so that others see it.\nLater more."),
        claims=early,
        other_answers=(answer("01-02", 1, "As a reader, I want a button."),),
        gaps=("Who else?",),
    )
    found = json.loads(page(parts))
    assert list(found) == ["schema", "title", "slug", "stories", "notes", "assumptions"]
    assert found["stories"] == [
        {
            "id": "US-001",
            "role": "reader",
            "want": "a button",
            "benefit": "",
            "acceptance_criteria": [],
            "priority": None,
            "requirements": [],
            "confidence": "stated",
            "sources": [{"by": "Priya", "permalink": "https://acme.slack.com/archives/C1/p01021"}],
        },
        {
            "id": "US-002",
            "role": "owner",
            "want": "mail",
            "benefit": "others see it",
            "acceptance_criteria": [],
            "priority": None,
            "requirements": [],
            "confidence": "stated",
            "sources": [{"by": "Sam", "permalink": "https://acme.slack.com/archives/C1/p01071"}],
        },
    ]
    assert [note["text"] for note in found["notes"]] == ["Later more."]
    assert found["assumptions"] == ["Not answered: Who else?"]


def test_a_story_takes_its_priority_from_its_requirement() -> None:
    ranked = read(request("01-08", "FR-002 must", claims=told())).claims
    parts = made("01-07", "user-stories.json", "As an owner, I want to mail the dashboard.",
                 claims=(*features(), *ranked))  # fmt: skip
    assert json.loads(page(parts))["stories"][0]["priority"] == "must"


def test_the_matrix_lists_every_requirement_and_story() -> None:
    lone = read(request("01-02", "As a guest, I want silence.")).claims
    renamed = tuple(replace(claim, ref="US-002") for claim in lone)
    parts = made("01-08", "traceability-matrix.csv", "FR-002 must", (SAM, "FR-002 should"),
                 claims=(*told(), *renamed), **WHO_SAID_IT)  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(page(parts))))
    link = "https://acme.slack.com/archives/C1/p01061"
    assert [tuple(row.values()) for row in rows] == [
        ("FR-001", "", "", "no story", f"Priya {link}", features()[0].text, ""),
        (
            "FR-002",
            "US-001",
            "must / should",
            "linked (inferred)",
            f"Priya {link}; Sam {link[:-4]}1071",
            features()[1].text,
            told()[2].text,
        ),
        ("", "US-002", "", "no requirement", "someone", "", lone[0].text),
    ]


def test_a_cell_is_never_a_formula() -> None:
    parts = made("05-01", "z.csv", "=1+1", "@sum", "-x", names={UserId("U1"): "=cmd()"})
    rows = list(csv.reader(io.StringIO(page(parts))))[1:]
    assert [row[3] for row in rows] == ["'=1+1", "'@sum", "'-x"]
    assert {row[5] for row in rows} == {"'=cmd()"}


def test_the_interface_spec_names_endpoints_and_who_said_them() -> None:
    found = yaml.safe_load(page(made("04-02", "interface-spec.yaml", "GET /pdf reads it.\nOk.")))
    link = "https://acme.slack.com/archives/C1/p04021"
    assert found["interfaces"] == [
        {"summary": "GET /pdf reads it.", "method": "GET", "path": "/pdf", "said_by": "Priya",
         "source": link}
    ]  # fmt: skip
    assert found["notes"] == [{"text": "Ok.", "said_by": "Priya", "source": link}]
    assert found["title"] == TITLE


def test_keys_that_people_added_to_our_data_stay_and_other_files_are_replaced() -> None:
    stories = made("01-07", "user-stories.json", "As a reader, I want a button.")
    ours = page(stories)
    added = ours.replace('"schema": 1,', '"schema": 1, "owner": "Priya",')
    assert json.loads(page(stories, added))["owner"] == "Priya"
    assert page(stories, page(stories, added)) == page(stories, added)
    for foreign in ("{", "[]", '{"owner": 1}', '{"schema": 1, "stories": {}}', '{"schema": NaN}'):
        assert page(stories, foreign) == ours
    half = ours.replace('"schema": 1,', '"schema": 1, "x": "\\ud800",')
    assert page(stories, half) == ours

    spec = made("04-02", "interface-spec.yaml", "GET /pdf")
    assert yaml.safe_load(page(spec, page(spec) + "version: 2\n"))["version"] == 2
    for foreign in ("a: [", "- 1", "x: 1", "interfaces: {}", "a: 2024-99-99", "!!python/none"):
        assert page(spec, foreign) == page(spec)


@pytest.mark.parametrize(
    "file", ["x.md", "y.json", "z.csv", "w.yaml", "v.yml", "u.txt", "t.html", "s"]
)
def test_a_step_of_ones_own_works_by_the_ending_of_its_file(file: str) -> None:
    parts = made("05-01", file, "Roll out on Monday <b>.", (SAM, "With a flag."))
    text = page(parts)
    assert "With a flag." in text
    assert "Sam" in text
    assert page(parts, text) == text
    assert "<b>" not in text or file not in ("x.md", "t.html")


def test_generic_json_says_all_of_a_claim() -> None:
    found = json.loads(page(made("05-01", "y.json", "Roll out on Monday.")))
    assert found["steps"] == [
        {
            "step": "05-01",
            "title": "Step 05-01",
            "claims": [
                {
                    "id": "05-01/1",
                    "kind": "fact",
                    "ref": None,
                    "text": "Roll out on Monday.",
                    "confidence": "stated",
                    "sources": [
                        {"by": "Priya", "permalink": "https://acme.slack.com/archives/C1/p05011"}
                    ],
                }
            ],
        }
    ]


# ── promises ───────────────────────────────────────────────────────────────────────────────────

FILES = (
    ("00-01", "quick-scan.md"),
    ("01-05", "nfr-matrix.md"),
    ("01-06", "requirements-spec.md"),
    ("01-07", "user-stories.json"),
    ("01-08", "traceability-matrix.csv"),
    ("03-02", "adr-*.md"),
    ("04-02", "interface-spec.yaml"),
    *(("05-01", file) for file in ("x.md", "y.json", "z.csv", "w.yaml", "u.txt")),
)
NASTY = (
    "<!-- roundtable:section 01-06 -->",
    "```\n<!-- /roundtable:section 01-06 -->\n```",
    *("---", "]]>", "\ud800", "a\x00b", "x\u2028y\x85z", "'\"\\", ": {", "=1", "\ufeff", "#FR-001"),
)
HOSTILE = st.one_of(TEXTS, st.text(st.characters()), st.sampled_from(NASTY))


def assert_valid(file: str, text: str) -> None:
    text.encode()
    if file.endswith(".json"):
        assert json.loads(text)["schema"] == 1
    elif file.endswith(".yaml"):
        assert yaml.safe_load(text)["title"] is not None
    elif file.endswith(".csv"):
        rows = list(csv.reader(io.StringIO(text)))
        assert len({len(row) for row in rows}) == 1
        assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)
    elif file.endswith(".md"):
        marks = MARK.findall(text)
        assert [bool(close) for close, _ in marks] == [False, True] * (len(marks) // 2)
        assert len({step for _, step in marks}) == len(marks) / 2
        assert text.count("<!--") == len(marks)


@given(st.sampled_from(FILES), st.lists(HOSTILE, max_size=3), HOSTILE, HOSTILE)
def test_any_text_leaves_every_file_valid_and_composing_again_changes_nothing(
    place: tuple[str, str], texts: list[str], name: str, title: str
) -> None:
    step, output = place
    asked = request(step, *texts, outputs=(output,), names={UserId("U1"): name}, step_title=title)
    parts = sections(asked, read(asked))
    for part in parts:
        text = compose(part.file, title, SLUG, parts, None)
        assert_valid(part.file, text)
        assert compose(part.file, title, SLUG, parts, text) == text


@given(st.sampled_from(FILES), st.lists(HOSTILE, max_size=4), st.lists(TEXTS, max_size=2))
def test_any_existing_file_leaves_a_valid_one_that_stays_the_same(
    place: tuple[str, str], existing: list[str], texts: list[str]
) -> None:
    step, output = place
    asked = request(step, *texts, outputs=(output,))
    parts = sections(asked, read(asked))
    part = parts[0]
    own = compose(part.file, TITLE, SLUG, parts, None)
    for old in (
        "\n".join(existing),
        "\n".join([*existing, own, *existing]),
        own + "".join(existing),
    ):
        text = compose(part.file, TITLE, SLUG, parts, old)
        text.encode()
        if not part.file.endswith(".md"):
            assert_valid(part.file, text)
        assert len(MARK.findall(text)) % 2 == 0
        assert compose(part.file, TITLE, SLUG, parts, text) == text


def stems(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", text))


TEMPLATE = stems("\n".join(words.phrases())) | stems(
    "Step 01 06 roundtable section head end FR 001 002 003 004 005 006 007 008 009 010 US Priya"
)


@given(st.lists(st.text(st.characters(categories=["Ll", "Lu", "Nd", "Zs"])), max_size=3))
def test_every_word_and_number_of_an_artifact_was_said_or_is_the_template(texts: list[str]) -> None:
    asked = request("01-06", *texts, outputs=("requirements-spec.md",), step_title="Step 01-06")
    text = page(sections(asked, read(asked)))
    said = stems(" ".join(texts)) | stems(TITLE) | TEMPLATE
    said |= {word for one in asked.answers for word in stems(one.permalink)}
    assert stems(text) <= said


def test_sections_name_their_step_and_title() -> None:
    (part,) = made("01-01", "requirements-spec.md", "Sales asked.")
    assert (part.step, part.title) == (StepId("01-01"), "Step 01-01")


def test_every_output_of_a_step_has_one_section() -> None:
    asked: ReadRequest = request(
        "01-08", "FR-001 must", outputs=("requirements-spec.md", "traceability-matrix.csv"),
        claims=features(),
    )  # fmt: skip
    assert [one.file for one in sections(asked, read(asked))] == list(asked.step.outputs)
