"""A document tree as HTML: no markup but ours, and every link to the web, to a chapter or nowhere.

What somebody said, and each name behind it, stands in a `<bdi>`: neither can turn the other.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, assert_never
from urllib.parse import unquote, urlsplit

from markupsafe import escape as escape_code

from core.artifacts.document import tree
from core.artifacts.document.plain import moment, parts_of_code, without_bold
from core.artifacts.document.tree import Block, Blocks, Inline, LineSource, Span
from core.artifacts.render.provenance import provenance

CONTENTS_CHARS_MAX: Final = 90
DIAGRAM: Final = "A diagram, as its source in Mermaid’s notation."
SCHEMES: Final = frozenset({"http", "https", "mailto"})
TOP_LEVEL: Final = 3  # a chapter's own heading has the second
_TAGS: Final[Mapping[str, tuple[str, ...]]] = {
    "**": ("strong",), "*": ("em",), "_": ("em",), "***": ("strong", "em"), "`": ("code",),
    "~~": ("del",), "name": ("bdi",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ContentsEntry:
    """A heading below a chapter, for the contents list."""

    id: str
    text: str


@dataclass(slots=True)
class HtmlRenderer:
    """Renders one chapter. `key` begins the ids of its headings; `targets`: anchor by file name."""

    key: str
    title: str
    targets: Mapping[str, str]
    entries: list[ContentsEntry] = field(default_factory=list)
    _headings: int = 0
    _tables: int = 0

    def blocks(self, blocks: Iterable[Block]) -> str:
        return "".join(map(self._block, blocks))

    def _block(self, block: Block) -> str:
        match block:
            case tree.Heading():
                return self._heading(block)
            case tree.Paragraph(text):
                return f'<p dir="auto">{self.inline(text)}</p>\n'
            case tree.Listing():
                return self._listing(block)
            case tree.Table():
                return self._table(block)
            case tree.Code(text):
                return _code(text)
            case tree.Diagram(source):
                caption = f"<figcaption>{DIAGRAM}</figcaption>"
                return f"<figure>\n{_code(source)}{caption}\n</figure>\n"
            case tree.Quote(blocks):
                return f'<blockquote dir="auto">\n{self.blocks(blocks)}</blockquote>\n'
            case tree.Divider():
                return "<hr />\n"
        assert_never(block)

    def _heading(self, heading: tree.Heading) -> str:
        self._headings += 1
        place, level = f"{self.key}-{self._headings}", heading.level
        if level == TOP_LEVEL:
            self.entries.append(ContentsEntry(place, shortened(tree.spoken(heading.text))))
        return f'<h{level} dir="auto" id="{place}">{self.inline(heading.text)}</h{level}>\n'

    def _listing(self, listing: tree.Listing) -> str:
        loose = listing.loose or any(
            isinstance(b, tree.Code) for item in listing.items for b in item
        )
        items = "".join(self._item(item, loose) for item in listing.items)
        if listing.start is None:
            return f"<ul>\n{items}</ul>\n"
        start = "" if listing.start == 1 else f' start="{listing.start}"'
        return f"<ol{start}>\n{items}</ol>\n"

    def _item(self, blocks: Blocks, loose: bool) -> str:
        match blocks:
            case (tree.Paragraph(text), *rest) if not loose:
                between = "\n" if rest else ""
                inner = f"{self.inline(text)}{between}{self.blocks(rest)}"
            case _:
                inner = f"\n{self.blocks(blocks)}" if blocks else ""
        return f'<li dir="auto">{inner}</li>\n'

    def _table(self, table: tree.Table) -> str:
        """On a phone a wide table moves in a window of its own, by keyboard as well."""
        self._tables += 1
        name = escape_code(f"Table {self._tables} of {shortened(self.title)}")
        body = "".join(self._row(row, "td") for row in table.rows)
        return (
            f'<div class="wide" role="region" aria-label="{name}" tabindex="0">\n<table>\n'
            f"<thead>\n{self._row(table.columns, 'th')}</thead>\n"
            f"{f'<tbody>{chr(10)}{body}</tbody>{chr(10)}' if body else ''}</table>\n</div>\n"
        )

    def _row(self, cells: Iterable[Inline], tag: str) -> str:
        written = "".join(f'<{tag} dir="auto">{self.inline(cell)}</{tag}>\n' for cell in cells)
        return f"<tr>\n{written}</tr>\n"

    def inline(self, text: Inline) -> str:
        html = ""
        for part in text:
            if isinstance(part, LineSource) and part.form == "line" and part.voices:
                html = f"<bdi>{html}</bdi>"
            html += self._part(part)
        return html

    def _part(self, part: str | Span | LineSource) -> str:
        match part:
            case str():
                return _with_code(part)
            case LineSource(form="line"):
                return "".join(map(self._part, provenance(part)))
            case LineSource():
                return "".join(map(self._part, _unnamed(provenance(part))))
            case Span():
                return self._span(part)
        assert_never(part)

    def _span(self, span: Span) -> str:
        if span.style == "break":
            return "<br />\n"
        if span.style == "picture":  # it would have to be fetched: its description stands for it
            return escape(f"[{span.text or 'picture'}]")
        if span.style == "time":
            return f'<time datetime="{escape(span.text)}">{escape(moment(span.text))}</time>'
        tags = _TAGS.get(span.style, ())
        opened = "".join(f"<{tag}>" for tag in tags)
        closed = "".join(f"</{tag}>" for tag in reversed(tags))
        text = f"{opened}{escape(span.text)}{closed}"
        return f"<a{self._address(span.url)}>{text}</a>" if span.url else text

    def _address(self, url: str) -> str:
        """To the web, to a chapter, or nowhere."""
        chapter = self.targets.get(unquote(url))
        if chapter:
            return f' href="#{chapter}"'
        if _scheme(url) in SCHEMES:
            return f' href="{escape(url)}" rel="noopener noreferrer"'
        return ""


def _with_code(text: str) -> str:
    """What people wrote between two backticks is code."""
    return "".join(
        f"<code>{escape(part)}</code>" if place % 2 else escape(without_bold(part))
        for place, part in enumerate(parts_of_code(text))
    )


def _unnamed(text: Inline) -> Inline:
    return tuple(
        part.text if isinstance(part, Span) and part.style == "name" else part for part in text
    )


def _code(text: str) -> str:
    return f'<pre tabindex="0"><code>{escape_code(text)}\n</code></pre>\n'


def escape(text: str) -> str:
    plain = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return plain.replace('"', "&quot;")


def _scheme(address: str) -> str:
    try:
        return urlsplit(address).scheme
    except ValueError:
        return ""


def shortened(text: str) -> str:
    cut = text[: CONTENTS_CHARS_MAX - 1].rstrip()
    return text if len(text) <= CONTENTS_CHARS_MAX else f"{cut}…"
