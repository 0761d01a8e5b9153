"""A document tree as Markdown.

Text is escaped, so that it can neither close a section nor open a heading, a link, a table, a
comment or a tag.
"""

import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, assert_never
from urllib.parse import unquote

from core import patterns
from core.artifacts.document import tree
from core.artifacts.document.plain import one_line, parts_of_code, without_bold
from core.artifacts.document.tree import Block, Blocks, Inline, LineSource, Row, Span
from core.artifacts.render.provenance import provenance

_ALWAYS: Final[Mapping[str, str]] = {sign: f"\\{sign}" for sign in "`*[]|"}
_SOMETIMES: Final[Mapping[str, str]] = {
    **{sign: f"\\{sign}" for sign in "\\_~"},
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
}
_ALWAYS_BY_CODE: Final = str.maketrans(dict(_ALWAYS))
_SIGNS: Final = frozenset({*_ALWAYS, *_SOMETIMES})
_PUNCTUATION: Final = frozenset(string.punctuation)
_ENTITY: Final = patterns.compile(r"#?\w+;")
_ENTITY_CHARS_MAX: Final = 40  # the longest name has 31
_TILDE: Final = "\\~"
_TICKS: Final = patterns.compile(r"`+")
_BLOCK_START: Final = patterns.compile(
    r"#{1,6}(?:\s|$)|[+-](?:\s|$)|-{2}|=+$|~{3}|([0-9]{1,9})[.)](?:\s|$)"
)
SECTION_MARK: Final = patterns.compile(r"<(!--\s*/?roundtable:)")


def escape(text: str) -> str:
    """One line of Markdown that reads as `text` and does nothing."""
    return _escaped(one_line(text))


def _escaped(text: str) -> str:
    inline = _inline(text)
    start = _BLOCK_START.match(inline)
    if not start:
        return inline
    place = max(start.end(1), 0)
    return f"{inline[:place]}\\{inline[place:]}"


def _inline(text: str) -> str:
    """Escaped but for short code, which stands between two backticks."""
    parts = parts_of_code(text)
    return "`".join(
        part if place % 2 else _prose(without_bold(part)) for place, part in enumerate(parts)
    )


def _prose(text: str) -> str:
    if _SIGNS.isdisjoint(text):
        return text
    if _SOMETIMES.keys().isdisjoint(text):
        return text.translate(_ALWAYS_BY_CODE)
    return "".join(
        _ALWAYS.get(sign, sign)
        if sign not in _SOMETIMES or not _acts(text, place, sign)
        else _SOMETIMES[sign]
        for place, sign in enumerate(text)
    )


def _acts(text: str, place: int, sign: str) -> bool:
    """True if a sign that means something only beside certain others does so there."""
    before, after = text[place - 1 : place] if place else "", text[place + 1 : place + 2]
    match sign:
        case "_":
            return not (before.isalnum() and after.isalnum())
        case "~":
            return "~" in (before, after)
        case "\\":
            return not after or after in _PUNCTUATION
        case "<":
            return not after or after.isalpha() or after in "/!?"
        case ">":
            return before not in ("-", "=") or text[max(place - 2, 0) : place - 1] == "-"
        case _:
            if after != "#" and after != "_" and not after.isalnum():
                return False
            return bool(_ENTITY.match(text[place + 1 : place + 1 + _ENTITY_CHARS_MAX]))


def unmarked(text: str) -> str:
    """`text` in which nothing is taken for a mark of our sections."""
    return SECTION_MARK.sub(lambda mark: f"&lt;{mark[1]}", text)


def fenced(code: str, info: str = "") -> str:
    """A code block whose fence is longer than any in it. Only our own section marks are changed."""
    fence = "`" * max(3, _longest_run(code) + 1)
    return f"{fence}{info}\n{unmarked(code)}\n{fence}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)


@dataclass(frozen=True, slots=True)
class MarkdownRenderer:
    """`targets`: by file name, the anchor that a link to the file leads to instead."""

    targets: Mapping[str, str] = field(default_factory=dict)

    def blocks(self, blocks: Blocks) -> str:
        return "\n\n".join(map(self._block, blocks))

    def inline(self, text: Inline) -> str:
        return "".join(map(self._part, text))

    def _block(self, block: Block) -> str:
        match block:
            case tree.Heading(text, level):
                return f"{'#' * level} {self.inline(text)}"
            case tree.Paragraph(text):
                return self.inline(text)
            case tree.Listing():
                return self._listing(block)
            case tree.Table(columns, rows):
                return self._table(columns, rows)
            case tree.Code(text, info):
                return fenced(text, info)
            case tree.Diagram(source):
                return f"```mermaid\n{source}\n```"
            case tree.Quote(blocks):
                lines = self.blocks(blocks).split("\n")
                return "\n".join(f"> {line}".rstrip() for line in lines)
            case tree.Divider():
                return "---"
        assert_never(block)

    def _listing(self, listing: tree.Listing) -> str:
        text = ""
        for place, blocks in enumerate(listing.items):
            marker = "- " if listing.start is None else f"{listing.start + place}. "
            text += _indented(self._item(blocks, listing.loose), marker)
            ends_in_code = bool(blocks) and isinstance(blocks[-1], tree.Code)
            text += "\n\n" if ends_in_code or listing.loose else "\n"
        return text.rstrip("\n")

    def _item(self, blocks: Blocks, loose: bool) -> str:
        text = ""
        for block in blocks:
            between = "\n" if isinstance(block, tree.Listing) and not loose else "\n\n"
            text += f"{between if text else ''}{self._block(block)}"
        return text

    def _table(self, columns: Row, rows: tuple[Row, ...]) -> str:
        lines = [f"| {' | '.join(map(self.inline, row))} |" for row in (columns, *rows)]
        return "\n".join((lines[0], f"|{'---|' * len(columns)}", *lines[1:]))

    def _part(self, part: str | Span | LineSource) -> str:
        match part:
            case str():
                return "\n".join(map(_with_outer_spaces, part.split("\n")))
            case LineSource():
                return self.inline(provenance(part))
            case Span(text, style, url):
                return self._span(text, style, url)
        assert_never(part)

    def _span(self, text: str, style: str, url: str) -> str:
        match style:
            case "break":
                return "\\\n"
            case "`":
                label = _code_span(text)
            case "~~":  # no sign of people's may close it
                label = f"~~{_TILDE.join(map(_inline, one_line(text).split('~')))}~~"
            case "" | "name" | "picture" | "time":
                label = escape(text)
            case _:
                label = f"{style}{escape(text)}{style}"
        anchor = self.targets.get(unquote(url)) if url else None
        address = f"#{anchor}" if anchor else url.replace("(", "%28").replace(")", "%29")
        lead = "!" if style == "picture" else ""
        return f"{lead}[{label}]({address})" if url else label


def _with_outer_spaces(line: str) -> str:
    text = line.strip(" ")
    if text == line:
        return _escaped(text)
    begin = len(line) - len(line.lstrip(" "))
    return f"{line[:begin]}{_escaped(text)}{line[begin + len(text) :]}"


def _code_span(text: str) -> str:
    ticks = "`" * (_longest_run(text) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    code = text.replace("|", "\\|")
    return f"{ticks}{pad}{code}{pad}{ticks}"


def _indented(text: str, marker: str) -> str:
    indent = " " * len(marker)
    first, *others = text.split("\n")
    lines = (f"{indent}{line}" if line.strip() else "" for line in others)
    return "\n".join((f"{marker}{first}".rstrip(), *lines))


_PLAIN: Final = MarkdownRenderer()


def markdown(blocks: Blocks) -> str:
    """The blocks, with an empty line between them."""
    return _PLAIN.blocks(blocks)
