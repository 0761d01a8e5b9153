"""Nothing that anybody writes becomes markup of a report, whatever it is and wherever it stands."""

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from core.artifacts.document.tree import paragraph, table
from core.artifacts.render.markdown import markdown
from core.artifacts.report.chapters import chapter_of, demoted
from core.artifacts.report.data_tables import data_blocks
from core.artifacts.report.pages import html_of, markdown_of
from core.artifacts.report.people_markdown import read_markdown
from core.artifacts.report.report import Chapter, Fact, Report
from tests.core.printed import printed
from tests.support.hostile import json_texts

BROWSER = MarkdownIt("commonmark", {"html": True}).enable("table")
PIECES = (
    *("<script>alert(1)</script>", "<!--", "-->", "<b", ">", "</div>", "<?x", "<![CDATA[", "<div>"),
    *("`", "``", "```", "~~~", "    ", "\t", "\n", "\n\n", "> ", "- ", "1. ", "# ", "###### "),
    *("===", "---", "| a | b |\n|---|---|\n| ", " | ", "[a]: <b>\n", "[a]:\n<div>", "](x.md)"),
    *("[m](javascript:alert(1))", "![p](https://x.example/p.png)", "<https://x.example/`>", "\\"),
    *("a", "&lt;", "&", "\u202e", "\u2066", "עברית", "\0", "\r", "\r\n", "\u2028", "\x0b", "📄"),
    *("<!-- roundtable:section 01-01 -->", "<!-- /roundtable:section end -->", "{{ 7*7 }}", "{% x"),
)
markup = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=25).map("".join)


def fitted(text: str) -> str:
    """What people wrote, as Markdown inside a chapter."""
    return markdown(demoted(read_markdown(text)))


def headings(text: str) -> Iterator[tuple[int, str]]:
    """Level and words of every heading, as a reader of Markdown finds them."""
    tokens = BROWSER.parse(text)
    for token, inline in itertools.pairwise(tokens):
        if token.type == "heading_open":
            yield int(token.tag[1]), "".join(child.content for child in inline.children or ())


def has_markup(text: str) -> bool:
    tokens = BROWSER.parse(text)
    inner = (child for token in tokens for child in token.children or ())
    return any(each.type.startswith("html") for each in (*tokens, *inner))


@given(markup)
@example("`a\\` <script> `b`")
@example("a `\n<div>\n` b")
@example("<https://x.example/`> <b> `")
@example("[a]:\n<div>\n")
@example("| ` | <b> ` |\n|--|--|\n| ` | <b> ` |")
def test_no_file_brings_markup_of_a_browser_s_into_a_report(text: str) -> None:
    assert not has_markup(fitted(text))


@given(markup)
@example("# A\n\n###### B\n\n# C")
@example("A\n===\n\n> B\n> ===\n\n- # C")
@example("> a\nb\n===")
def test_headings_begin_at_the_third_level_and_none_is_skipped(text: str) -> None:
    levels = [level for level, _ in headings(fitted(text))]
    assert all(level >= 3 for level in levels)
    steps = zip([2, *levels], levels, strict=False)
    assert all(later <= level + 1 for level, later in steps)


@given(markup)
@example("```\nnever closed")
@example("> ```\n> never closed")
@example("~~~~ x\n```")
def test_no_file_swallows_what_follows_it(text: str) -> None:
    *_, last = headings(f"{fitted(text)}\n\n## Next\n")
    assert last == (2, "Next")


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("# A\n\n## B\n\n#### C", "### A\n\n### B\n\n#### C"),
        ("Two\nlines\n=====\n\ntext", "### Two lines\n\ntext"),
        ("> # A", "> ### A"),
        ("a < b and `<b>`", "a < b and `<b>`"),
        ("<https://x.example>", "[https://x.example](https://x.example)"),
        ("```html\n<b>\n# no heading\n```", "```html\n<b>\n# no heading\n```"),
        ("    <b>", "```\n<b>\n```"),
    ],
)
def test_what_is_harmless_reads_as_it_was_typed(typed: str, kept: str) -> None:
    assert fitted(typed) == kept.strip("\n")


def report(text: str) -> Report:
    return Report(
        title=text,
        facts=(Fact(text, text, text), Fact("Channel", "#general", "https://x.example/C1")),
        front=(Chapter("Phases", table(("a",), [("b",)])),),
        chapters=(
            chapter_of("notes.md", text, lead="A file of others."),
            chapter_of("user-stories.json", text),
            chapter_of("interface-spec.yaml", text),
            chapter_of("traceability-matrix.csv", text),
            chapter_of("any.txt", text),
        ),
        closing=(Chapter(text, paragraph("Nothing.")),),
    )


@given(markup)
def test_a_page_is_balanced_and_has_no_tag_but_its_own(text: str) -> None:
    printed(html_of(report(text)))


@given(markup)
def test_a_document_has_every_chapter_and_no_markup_of_a_browser_s(text: str) -> None:
    made = markdown_of(report(text))
    assert not has_markup(made)
    numbers = [words.split(".")[0] for level, words in headings(made) if level == 2]
    assert numbers == ["Phases", "Contents", "1", "2", "3", "4", "5", "6"]


@given(json_texts())
def test_any_json_is_shown_somehow(text: str) -> None:
    for name in ("any.json", "any.yaml", "any.csv", "user-stories.json", "interface-spec.yaml"):
        assert not has_markup(fitted(markdown(chapter_of(name, text).blocks)))


def test_forty_thousand_characters_in_every_field_are_survived() -> None:
    for text in ("<script>" * 5_000, "`" * 40_000, "[" * 40_000):
        made = report(text)
        printed(html_of(made))
        assert not has_markup(markdown_of(made))


def test_hostile_stories_are_shown_as_words() -> None:
    story = {
        "id": "US-001", "role": "<script>alert(1)</script>", "want": "a | b", "benefit": "`x`",
        "acceptance_criteria": ["[m](javascript:alert(1))", "# not a heading"],
        "priority": "must", "requirements": [{"id": "FR-001", "link": "linked"}],
        "confidence": "stated",
        "sources": [{"by": "<b>Eve</b>", "permalink": "javascript:alert(1)"}],
    }  # fmt: skip
    body = markdown(data_blocks("user-stories.json", {"stories": [story]}))
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in body
    assert "](javascript" not in body.replace("\\](javascript", "")
    assert "  - \\# not a heading" in body
    assert [words for _, words in headings(body)] == ["Accepted when"]
