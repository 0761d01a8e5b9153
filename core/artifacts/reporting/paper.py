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

from core import patterns
from core.artifacts.plain import link
from core.artifacts.reporting.report import Chapter, Report
from core.artifacts.reporting.surgery import LEVEL_MIN, parser, spoken
from core.artifacts.words import AND, CONFIRMED_BY, SAID_BY

CONTENTS_CHARS_MAX: Final = 90
DIAGRAM: Final = "A diagram, as its source in Mermaid’s notation."
SCHEMES: Final = frozenset({"http", "https", "mailto"})
_BY: Final = patterns.compile(rf" — (?:{SAID_BY}|{CONFIRMED_BY}) ")
_NAME: Final = patterns.compile(
    rf"(?P<before>\)?(?:, | {AND} )?(?:{CONFIRMED_BY} )?)(?P<name>[^()]*?)(?P<after> \(|)"
)
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
        token.children = _isolated(token.children) if token.children else token.children
        for child in token.children or ():
            if child.type == "link_open":
                _point(child, targets)


def _isolated(children: Sequence[Token]) -> list[Token]:
    """What somebody said, and each name behind it, in a `<bdi>`: neither can turn the other."""
    ours = [
        (place, found[-1])
        for place, child in enumerate(children)
        if child.type == "text"
        and child.level == 0
        and (found := list(_BY.finditer(child.content)))
    ]
    if not ours:
        return list(children)
    place, by = ours[-1]
    text = children[place].content
    words = [*children[:place], *_text(text[: by.start()])]
    behind = [*_text(text[by.end() :]), *children[place + 1 :]]
    names = (part for child in behind for part in _names(child))
    return [_markup("<bdi>"), *words, _markup("</bdi>"), *_text(str(by[0])), *names]


def _names(child: Token) -> list[Token]:
    """The name in a text such as `) and Sam (`, for itself."""
    found = _NAME.fullmatch(child.content) if child.type == "text" and child.level == 0 else None
    if found is None or not found["name"]:
        return [child]
    name = (_markup("<bdi>"), *_text(found["name"]), _markup("</bdi>"))
    return [*_text(found["before"]), *name, *_text(found["after"])]


def _text(content: str) -> list[Token]:
    return [Token("text", "", 0, content=content)] if content else []


def _markup(content: str) -> Token:
    return Token("html_inline", "", 0, content=content)


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
