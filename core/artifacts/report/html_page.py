"""A report as one page of HTML: nothing to load, nothing that runs, to be read and to be printed.

Titles and facts go through Jinja2, which escapes; chapters through the renderer of documents, which
writes no markup that is not its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from core.artifacts.document.plain import link
from core.artifacts.render.html import ContentsEntry, HtmlRenderer
from core.artifacts.report.report import Chapter, Report


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
