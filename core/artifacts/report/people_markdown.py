"""Markdown that people wrote, into a file of ours or beside it, as a part of a document.

Only what they wrote is read here. Markup that only a browser would understand is text; what one
file holds can swallow no other, because it is a tree.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from core import patterns
from core.artifacts.document import tree
from core.artifacts.document.plain import lines
from core.artifacts.document.tree import Block, Blocks, Inline, Row, Span, Style
from core.artifacts.render.page import unified
from core.characters import readable

BRACKETS_MAX: Final = 10_000  # in one paragraph: each is looked at with all that follow it
_BLANK: Final = patterns.compile(r"\n[ \t]*\n")
_PARSER: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
_STYLES: Final[dict[tuple[bool, bool], Style]] = {
    (True, True): "***", (True, False): "**", (False, True): "*", (False, False): "",
}  # fmt: skip


def read_markdown(text: str) -> Blocks:
    """CommonMark with tables, and no markup of a browser's. What costs too much is code."""
    text = unified(text)
    if any(block.count("[") > BRACKETS_MAX for block in _BLANK.split(text)):
        return as_code(text)
    return tuple(_blocks(_PARSER.parse(text)))


def as_code(text: str) -> Blocks:
    """A text that is shown as it is."""
    return (tree.Code("\n".join(lines(text)).strip("\n")),)


def _blocks(tokens: Sequence[Token]) -> Iterator[Block]:
    for token, inner in _children(tokens):
        match token.type:
            case "heading_open":
                yield tree.Heading(_in_one_line(_inline(inner)), int(token.tag[1]))
            case "paragraph_open":
                yield tree.Paragraph(_inline(inner))
            case "bullet_list_open":
                yield _listing(inner, None)
            case "ordered_list_open":
                yield _listing(inner, int(token.attrGet("start") or 1))
            case "blockquote_open":
                yield tree.Quote(tuple(_blocks(inner)))
            case "table_open":
                columns, *rows = _rows(inner)
                yield tree.Table(columns, tuple(rows))
            case "hr":
                yield tree.Divider()
            case "fence" | "code_block":
                yield _code(token)


def _in_one_line(text: Inline) -> Inline:
    return tuple(part.replace("\n", " ") if isinstance(part, str) else part for part in text)


def _children(tokens: Sequence[Token]) -> Iterator[tuple[Token, Sequence[Token]]]:
    """Each token of the outermost level, with those that it encloses."""
    opened: int | None = None
    level = tokens[0].level if tokens else 0
    for place, token in enumerate(tokens):
        if token.level != level:
            continue
        if token.nesting == 1:
            opened = place
        elif token.nesting == 0:
            yield token, ()
        elif opened is not None:
            yield tokens[opened], tokens[opened + 1 : place]


def _listing(tokens: Sequence[Token], start: int | None) -> tree.Listing:
    items = [inner for _, inner in _children(tokens)]
    loose = any(
        token.type == "paragraph_open" and not token.hidden
        for inner in items
        for token, _ in _children(inner)
    )
    return tree.Listing(tuple(tuple(_blocks(inner)) for inner in items), start, loose)


def _rows(tokens: Sequence[Token]) -> Iterator[Row]:
    """The head's row, then the body's."""
    for _, group in _children(tokens):
        for _, row in _children(group):
            yield tuple(_inline(cell) for _, cell in _children(row))


def _code(token: Token) -> tree.Code | tree.Diagram:
    text, info = readable(token.content).removesuffix("\n"), readable(token.info.strip())
    return tree.Diagram(text) if info.lower() == "mermaid" else tree.Code(text, info)


# ── one line ───────────────────────────────────────────────────────────────────────────────────


def _inline(tokens: Sequence[Token]) -> Inline:
    spans: list[Span] = []
    strong = emphasis = 0
    url = ""
    for token in (child for inline in tokens for child in inline.children or ()):
        match token.type:
            case "strong_open" | "strong_close":
                strong += token.nesting
            case "em_open" | "em_close":
                emphasis += token.nesting
            case "link_open":
                url = str(token.attrGet("href") or "")
            case "link_close":
                url = ""
            case _:
                spans.append(_span(token, _STYLES[strong > 0, emphasis > 0], url))
    return tuple(_merged(spans))


def _span(token: Token, style: Style, url: str) -> Span:
    match token.type:
        case "code_inline":
            return Span(readable(token.content), "`", url)
        case "image":
            return Span(readable(token.content), "picture", str(token.attrGet("src") or ""))
        case "hardbreak":
            return Span("", "break")
        case "softbreak":
            return Span("\n", style, url)
        case _:
            return Span(readable(token.content), style, url)


def _merged(spans: Sequence[Span]) -> Iterator[str | Span]:
    """Neighbours of one kind as one; a text without style or address is a text alone."""
    text = ""
    for place, span in enumerate(spans):
        text += span.text
        following = spans[place + 1] if place + 1 < len(spans) else None
        mergeable = span.style not in ("`", "picture", "break")
        if following and mergeable and (following.style, following.url) == (span.style, span.url):
            continue
        if span.style or span.url:
            yield Span(text, span.style, span.url)
        elif text:
            yield text
        text = ""
