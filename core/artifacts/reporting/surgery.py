"""Markdown of many hands, made fit to stand inside a larger document. Text in, text out.

Headings move down, markup that only a browser would understand is shown as it was typed, and a
code block that nobody closed is closed: what one file holds can swallow no other.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from typing import Final
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

from core import patterns
from core.artifacts.page import unified
from core.artifacts.plain import clean, lines

LEVEL_MIN: Final = 3  # a chapter's own heading has the second
LEVEL_MAX: Final = 6
BRACKETS_MAX: Final = 10_000  # in one paragraph: each is looked at with all that follow it
_BLANK: Final = patterns.compile(r"\n[ \t]*\n")
LINK_CHARS_MAX: Final = 2_048
_LINK: Final = patterns.compile(r"<(?:https?://|mailto:)[^\s<>]*>")
_TAG: Final = patterns.compile(
    r"<(?=[A-Za-z/!?])",
    unless=lambda match: _LINK.match(match.string[match.start() : match.start() + LINK_CHARS_MAX]),
)
_TICKS: Final = patterns.compile(r"`+")
_STOP: Final = patterns.compile(r"\\[!-/:-@\[-`{-~]|<(?:https?://|mailto:)[^\s<>]*>|`+")
_TARGET: Final = patterns.compile(r"\]\(([^()\s]+)\)")
_LEAD: Final = patterns.compile(r"(?:[ \t]*(?:>|(?:[*+-]|[0-9]{1,9}[.)])\s))*[ \t]*")
_HASHES: Final = patterns.compile(r"#{1,6}(?=\s|$)")

Lines = list[str | None]  # None: the line goes


def parser() -> MarkdownIt:
    """CommonMark with tables, and no markup of a browser's."""
    return MarkdownIt("commonmark", {"html": False}).enable("table")


PARSER: Final = parser()


def fitted(text: str, *, level: int = LEVEL_MIN) -> str:
    """`text` as a part of a chapter: no heading above `level`, none skipped, nothing left open."""
    text = unified(text).replace("\0", "\ufffd")
    if any(block.count("[") > BRACKETS_MAX for block in _BLANK.split(text)):
        return as_code(text)
    tokens = PARSER.parse(text)
    rows: Lines = list(text.split("\n"))
    for change in (_without_tags, _demoted(level)):
        change(tokens, rows)
    return _closed("\n".join(row for row in rows if row is not None).strip("\n"))


def pointed(text: str, anchors: Mapping[str, str]) -> str:
    """Links to files that have a chapter lead to the chapter."""

    def target(match: patterns.Match) -> str:
        anchor = anchors.get(unquote(match[1]))
        return f"](#{anchor})" if anchor else match[0]

    lines: Lines = list(text.split("\n"))
    _each_run(PARSER.parse(text), lines, lambda run, _: _outside_code(run, _TARGET, target))
    return "\n".join(line for line in lines if line is not None)


def headings(text: str) -> Iterator[tuple[int, str]]:
    """Level and plain words of every heading, in order."""
    tokens = PARSER.parse(text)
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            yield int(token.tag[1]), spoken(tokens[place + 1])


def spoken_of(heading: str) -> str:
    """The words of one heading."""
    return next((words for _, words in headings(heading)), "")


def spoken(inline: Token) -> str:
    """The words of a line without its markup."""
    found = (
        each.content or (" " if "break" in each.type else "") for each in inline.children or ()
    )
    return " ".join("".join(found).split())


def as_code(text: str) -> str:
    """A block that shows `text` as it is, in a fence longer than any in it."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join((fence, clean("\n".join(lines(text))).strip("\n"), fence))


# ── headings ───────────────────────────────────────────────────────────────────────────────────


def _demoted(level: int) -> Callable[[list[Token], Lines], None]:
    """A file's first level becomes `level - 1` at most, so that its second one is `level`."""

    def change(tokens: list[Token], lines: Lines) -> None:
        last = level - 1
        for place, token in enumerate(tokens):
            if token.type != "heading_open" or token.map is None:
                continue
            wanted = max(level, int(token.tag[1]) + level - 2)
            last = min(wanted, last + 1, LEVEL_MAX)
            _set_heading(token, tokens[place + 1], last, lines)

    return change


def _set_heading(token: Token, inline: Token, level: int, lines: Lines) -> None:
    assert token.map is not None
    first, end = token.map
    line = lines[first] or ""
    lead = _LEAD.match(line)
    indent = lead[0] if lead else ""
    if token.markup.startswith("#"):
        lines[first] = indent + _HASHES.sub("#" * level, line[len(indent) :], count=1)
        return
    # Underlined: it may go over several lines, which an opened one cannot.
    text = " ".join(inline.content.split("\n"))
    lines[first] = f"{indent}{'#' * level} {text}"
    lines[first + 1 : end] = [None] * (end - first - 1)


# ── markup ─────────────────────────────────────────────────────────────────────────────────────


def _without_tags(tokens: list[Token], lines: Lines) -> None:
    def shown(run: str, in_table: bool) -> str:
        # Cells end where they end, whatever signs for code stand in them.
        return _TAG.sub("&lt;", run) if in_table else _outside_code(run, _TAG, lambda _: "&lt;")

    _each_run(tokens, lines, shown)
    for place in _bare(tokens, len(lines)):  # where links are defined, and the like
        lines[place] = _TAG.sub("&lt;", lines[place] or "")
    # A heading's text is taken from its token where its lines are joined.
    for token in tokens:
        if token.type == "inline":
            token.content = _outside_code(token.content, _TAG, lambda _: "&lt;")


def _each_run(tokens: list[Token], lines: Lines, change: Callable[[str, bool], str]) -> None:
    """Every run of lines that is text, once."""
    cells = False
    done: set[int] = set()
    for token in tokens:
        cells = {"table_open": True, "table_close": False}.get(token.type, cells)
        if token.type != "inline" or token.map is None or token.map[0] in done:
            continue
        first, end = token.map
        done.update(range(first, end))
        run = "\n".join(line or "" for line in lines[first:end])
        lines[first:end] = change(run, cells).split("\n")


def _bare(tokens: list[Token], many: int) -> Iterator[int]:
    """Lines that are neither text nor code."""
    known: set[int] = set()
    for token in tokens:
        if token.map is not None and token.type in ("inline", "fence", "code_block"):
            known.update(range(*token.map))
    return (place for place in range(many) if place not in known)


def _outside_code(
    text: str, wanted: patterns.Pattern, change: Callable[[patterns.Match], str]
) -> str:
    """What is found is changed, but not between signs for code."""
    parts, at = [], 0
    for start, end in _code(text):
        parts += [wanted.sub(change, text[at:start]), text[start:end]]
        at = end
    return "".join((*parts, wanted.sub(change, text[at:])))


def _code(text: str) -> Iterator[tuple[int, int]]:
    """A run of backticks to the next one just as long, if both stand in one line.

    One that goes on in the next line is left out: what begins that line could be taken for markup.
    """
    closing: dict[int, list[int]] = {}
    for run in _TICKS.finditer(text):
        closing.setdefault(len(run[0]), []).append(run.start())
    at, next_stop = 0, _STOP.over(text)
    while found := next_stop(at):
        at = found.end()
        ends = closing.get(len(found[0]), []) if found[0][0] == "`" else []
        later = bisect_left(ends, at)
        if later < len(ends):
            at = ends[later] + len(found[0])
            if "\n" not in text[found.start() : at]:
                yield found.start(), at


# ── code blocks ────────────────────────────────────────────────────────────────────────────────

_BEHIND: Final = "roundtable-behind"


def _closed(text: str) -> str:
    tokens = PARSER.parse(f"{text}\n\n{_BEHIND}")
    if len(tokens) > 1 and tokens[-1].type == "paragraph_close":
        return text
    last = tokens[-1] if tokens else None
    return f"{text}\n{last.markup}" if last is not None and last.type == "fence" else text
