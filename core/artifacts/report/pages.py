"""A report as one Markdown document, and as one page of HTML. The same report gives the same bytes.

The page of HTML has nothing to load and nothing that runs. Its titles and facts go through Jinja2,
which escapes; chapters through the renderer of documents, which writes no markup but its own.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from core.artifacts.document import tree
from core.artifacts.document.plain import link, one_line
from core.artifacts.document.tree import Blocks, Span
from core.artifacts.render.html import ContentsEntry, HtmlRenderer
from core.artifacts.render.markdown import MarkdownRenderer
from core.artifacts.report.report import WORDS, Chapter, Fact, Report

# ── HTML ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class HtmlChapter:
    """A chapter as the page's template takes it."""

    id: str
    title: str
    file: str
    html: Markup
    entries: tuple[ContentsEntry, ...]


def html_of(report: Report) -> str:
    """The whole page. The same report gives the same bytes."""
    listed = list(enumerate(report.listed, 1))
    targets = {chapter.file: f"c{number}" for number, chapter in listed if chapter.file}
    front = [_written(f"f{n}", chapter, targets) for n, chapter in enumerate(report.front, 1)]
    chapters = [_written(f"c{number}", chapter, targets) for number, chapter in listed]
    page = _TEMPLATES.get_template("report.html.jinja")
    facts = [replace(fact, url=link(fact.url)) for fact in report.facts]
    return page.render(title=report.title, facts=facts, front=front, chapters=chapters)


def _written(key: str, chapter: Chapter, targets: Mapping[str, str]) -> HtmlChapter:
    renderer = HtmlRenderer(key, chapter.title, targets)
    html = Markup(renderer.blocks(chapter.blocks))  # noqa: S704 (the renderer escapes every text)
    return HtmlChapter(key, chapter.title, chapter.file, html, tuple(renderer.entries))


_TEMPLATES: Final = Environment(
    loader=PackageLoader("core.artifacts.report"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)


# ── Markdown ───────────────────────────────────────────────────────────────────────────────────


def markdown_of(report: Report) -> str:
    opened: Blocks = (
        tree.Heading((one_line(report.title),), 1),
        *tree.listing(map(_fact, report.facts)),
        *tree.joined(map(_chapter, report.front)),
        tree.Heading((WORDS.text("contents"),), 2),
    )
    chapters = [
        _chapter(chapter, str(number), ". ")
        for number, chapter in enumerate(report.listed, start=1)
    ]
    anchors = _anchors(opened, chapters)
    pairs = list(zip(report.listed, anchors, strict=True))
    contents = tuple(
        tree.item(Span(one_line(chapter.title), "", f"#{anchor}")) for chapter, anchor in pairs
    )
    targets = {chapter.file: anchor for chapter, anchor in pairs if chapter.file}
    blocks = (*opened, tree.Listing(contents, 1), *tree.joined(chapters))
    return f"{MarkdownRenderer(targets).blocks(blocks)}\n"


def _fact(fact: Fact) -> Blocks:
    text = one_line(fact.text)
    url = link(fact.url)
    return tree.item(tree.strong(f"{fact.label}:"), " ", Span(text, "", url) if url else text)


def _chapter(chapter: Chapter, *number: str) -> Blocks:
    heading = tree.Heading((*number, one_line(chapter.title)), 2)
    file = tree.paragraph(tree.emphasis(chapter.file)) if chapter.file else ()
    return (heading, *file, *chapter.blocks)


# ── anchors ────────────────────────────────────────────────────────────────────────────────────


def _anchors(opened: Blocks, chapters: list[Blocks]) -> list[str]:
    """What GitHub and most others call a chapter's place; the same one again gets a number."""
    last_numbers: dict[str, int] = {}
    anchors = [
        [_free(heading, last_numbers) for heading in _headings(p)] for p in (opened, *chapters)
    ]
    return [of_chapter[0] for of_chapter in anchors[1:]]


def _headings(blocks: Blocks) -> Iterator[str]:
    for block in blocks:
        match block:
            case tree.Heading(text):
                yield tree.spoken(text)
            case tree.Quote(inner):
                yield from _headings(inner)
            case tree.Listing(items):
                yield from _headings(tree.joined(items))


def _free(heading: str, last_numbers: dict[str, int]) -> str:
    signs = (sign for sign in heading.lower() if sign.isalnum() or sign in "_- ")
    plain = "".join(signs).replace(" ", "-")
    again = last_numbers.get(plain)
    last_numbers[plain] = 0 if again is None else again + 1
    return plain if again is None else f"{plain}-{again + 1}"
