"""A report as one page of HTML: nothing to load, nothing that runs, to be read and to be printed.

Titles and facts go through Jinja2, which escapes; bodies through markdown-it, which knows no markup
of a browser's and writes none that is not its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup, escape

from core.artifacts.plain import link
from core.artifacts.reporting.report import Chapter, Report
from core.artifacts.reporting.surgery import LEVEL_MIN, parser, spoken

CONTENTS_CHARS_MAX: Final = 90
DIAGRAM: Final = "A diagram, as its source in Mermaid’s notation."
SCHEMES: Final = frozenset({"http", "https", "mailto"})
_BLOCKS: Final = frozenset(
    {"paragraph_open", "heading_open", "list_item_open", "th_open", "td_open", "blockquote_open"}
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A heading below a chapter, for the contents list."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    id: str
    title: str
    file: str
    html: Markup
    entries: tuple[Entry, ...]


def html_of(report: Report) -> str:
    """The whole page. The same report gives the same bytes."""
    targets = {each.file: f"c{number}" for number, each in enumerate(report.listed, 1) if each.file}
    front = [_shown(f"f{number}", each, targets) for number, each in enumerate(report.front, 1)]
    chapters = [_shown(f"c{number}", each, targets) for number, each in enumerate(report.listed, 1)]
    page = _TEMPLATES.get_template("report.html.jinja")
    facts = [replace(fact, url=link(fact.url)) for fact in report.facts]
    return page.render(title=report.title, facts=facts, front=front, chapters=chapters)


def _shown(key: str, chapter: Chapter, targets: Mapping[str, str]) -> Shown:
    tokens = _PARSER.parse(chapter.body)
    entries = tuple(_prepared(tokens, key, targets))
    for number, token in enumerate((each for each in tokens if each.type == "table_open"), 1):
        token.meta["name"] = f"Table {number} of {_shortened(chapter.title)}"
    html = _PARSER.renderer.render(tokens, _PARSER.options, {})
    # Written by the renderer, from tokens in which there is no markup.
    return Shown(key, chapter.title, chapter.file, Markup(html), entries)  # noqa: S704


def _prepared(tokens: Sequence[Token], key: str, targets: Mapping[str, str]) -> Iterator[Entry]:
    """Anchors, directions and links are put on; headings of the highest level are told."""
    number = 0
    for place, token in enumerate(tokens):
        if token.type in _BLOCKS:
            token.attrSet("dir", "auto")
        if token.type == "heading_open":
            number += 1
            token.attrSet("id", f"{key}-{number}")
            if int(token.tag[1]) == LEVEL_MIN:
                yield Entry(f"{key}-{number}", _shortened(spoken(tokens[place + 1])))
        for child in token.children or ():
            if child.type == "link_open":
                _point(child, targets)


def _point(opened: Token, targets: Mapping[str, str]) -> None:
    """To the web, to a chapter, or nowhere."""
    address = str(opened.attrGet("href") or "")
    chapter = targets.get(unquote(address))
    if chapter:
        opened.attrs = {"href": f"#{chapter}"}
    elif _scheme(address) in SCHEMES:
        opened.attrs = {"href": address, "rel": "noopener noreferrer"}
    else:
        opened.attrs = {}


def _scheme(address: str) -> str:
    try:
        return urlsplit(address).scheme
    except ValueError:
        return ""


def _shortened(text: str) -> str:
    cut = text[: CONTENTS_CHARS_MAX - 1].rstrip()
    return text if len(text) <= CONTENTS_CHARS_MAX else f"{cut}…"


# ── what is written otherwise than usual ───────────────────────────────────────────────────────


def _table_open(
    self: RendererHTML, tokens: Sequence[Token], place: int, options: OptionsDict, env: EnvType
) -> str:
    """On a phone a wide table moves in a window of its own, by keyboard as well."""
    name = escape(tokens[place].meta["name"])
    return f'<div class="wide" role="region" aria-label="{name}" tabindex="0">\n<table>\n'


def _table_close(
    self: RendererHTML, tokens: Sequence[Token], place: int, options: OptionsDict, env: EnvType
) -> str:
    return "</table>\n</div>\n"


def _image(
    self: RendererHTML, tokens: Sequence[Token], place: int, options: OptionsDict, env: EnvType
) -> str:
    """A picture would have to be fetched: its description stands for it."""
    return f"[{escape(tokens[place].content or 'picture')}]"


def _fence(
    self: RendererHTML, tokens: Sequence[Token], place: int, options: OptionsDict, env: EnvType
) -> str:
    code = f'<pre tabindex="0"><code>{escape(tokens[place].content)}</code></pre>\n'
    if tokens[place].info.strip().lower() != "mermaid":
        return code
    return f"<figure>\n{code}<figcaption>{escape(DIAGRAM)}</figcaption>\n</figure>\n"


def _made() -> Any:
    made = parser()
    for rule, write in (
        ("table_open", _table_open),
        ("table_close", _table_close),
        ("image", _image),
        ("fence", _fence),
        ("code_block", _fence),
    ):
        made.add_render_rule(rule, write)
    return made


_PARSER: Final = _made()
_TEMPLATES: Final = Environment(
    loader=PackageLoader("core.artifacts.reporting"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
