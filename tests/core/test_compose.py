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

from core.artifacts.compose.layouts import sections
from core.artifacts.document import words
from core.artifacts.document.codec import decode
from core.artifacts.document.tree import FileShare, paragraph
from core.brains.script.reading import read
from core.domain.answers import Claim, ReadRequest, Section
from core.domain.ids import AnswerId, StepId, UserId
from tests.core.test_scripted import FEATURES, SAM, answer, features, request
from tests.support.artifact_words import phrases
from tests.support.composing import compose
from tests.support.follow_ups import passed

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
    story = "As an owner, I want to mail it as a subscription so that others see it."
    asked = request("01-07", story, claims=features())
    return (*features(), *read(asked).claims)


WHO_SAID_IT = {
    "other_answers": (answer("01-06", 1, FEATURES), answer("01-07", 1, "As an owner …", SAM))
}

# ── Markdown ───────────────────────────────────────────────────────────────────────────────────


def test_a_markdown_file_is_a_heading_and_sections_with_provenance() -> None:
    parts = made(
        "01-06", "requirements-spec.md", FEATURES, (SAM, "Thanks!"), follow_ups=passed("How many?")
    )
    assert page(parts) == (
        "# Requirements Specification — Export dashboard as PDF\n"
        "\n"
        "<!-- roundtable:section head -->\n"
        f"{words.INTROS['requirements-spec.md']} {words.text('legend')}\n"
        "<!-- /roundtable:section head -->\n"
        "\n"
        "<!-- roundtable:section 01-06 -->\n"
        "## Step 01-06\n"
        "\n"
        "### Requirements\n"
        "\n"
        "- **FR-001** a button on the dashboard gives one PDF of it — said by Priya"
        " ([message](https://acme.slack.com/archives/C1/p01061))\n"
        f"  - {words.text('no_check')}\n"
        "- **FR-002** a subscription mails the dashboard as one PDF file — said by Priya"
        " ([message](https://acme.slack.com/archives/C1/p01061))\n"
        f"  - {words.text('no_check')}\n"
        "\n"
        "### Asides\n"
        "\n"
        "- Thanks! — said by Sam ([message](https://acme.slack.com/archives/C1/p01062))\n"
        "<!-- /roundtable:section 01-06 -->\n"
        "\n"
        "<!-- roundtable:section end -->\n"
        "## Out of Scope\n"
        "\n"
        "Nothing was recorded as out of scope.\n"
        "\n"
        "## Assumptions\n"
        "\n"
        "No assumption was recorded.\n"
        "\n"
        "## Open Questions\n"
        "\n"
        "- **Step 01-06:** Asked, not answered: How many?\n"
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
        ("**bold**, 2*3 and `code` and snake_case", "bold, 2\\*3 and `code` and snake_case"),
        ("`a | b` and `<b>`", "- \\`a \\| b\\` and \\`&lt;b&gt;\\` — said"),
        ("one ` is no code, `a``b` neither", "one \\` is no code, \\`a\\`\\`b\\` neither — said"),
        ("-- a -> b => c, x <- y < 3", "\\-- a -> b => c, x <- y < 3 — said"),
        ("a --> b", "- a --&gt; b — said"),
        ("99.5 % of ~25 files, +1 of it", "- 99.5 % of ~25 files, +1 of it — said"),
        ("<script>x</script>", "- &lt;script&gt;x&lt;/script&gt; — said"),
        ("a \\* b &lt; c", "- a \\\\\\* b &amp;lt; c — said"),
        ("2020. A year", "- 2020\\. A year — said"),
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
    assert "| FR-002 a subscription mails the dashboard as one PDF file | must |" in page(parts)
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
TEXTS = st.one_of(
    st.text(max_size=80),
    st.sampled_from(("As a reader, I want a button.", "1. Yes\n2. No", "FR-001 must", "9 files")),
)
HOSTILE = st.one_of(TEXTS, st.text(st.characters()), st.sampled_from(NASTY))


def assert_valid(file: str, text: str) -> None:
    text.encode()
    if file.endswith(".json"):
        assert json.loads(text)["schema"] == (2 if file == "user-stories.json" else 1)
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


TEMPLATE = stems("\n".join(phrases())) | stems(
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


def test_a_section_that_was_stored_with_who_spoke_is_read_without_it() -> None:
    old = '{"part":[[],{"end":[[[{"p":[["No chat."]]}]],[],[],[["FR-001",{"by":["Sam"]}]]]}]}'
    assert decode(old).gathered == FileShare(excluded=(paragraph("No chat."),))
