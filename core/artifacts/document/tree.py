"""The document tree: what an artifact says, before it is Markdown, HTML or data.

Texts are plain: one line each (a code block's may have more), without markup and without what
changes how other text reads. Whoever renders a tree escapes them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from core.artifacts.document.plain import one_line

Style = Literal["", "**", "*", "_", "***", "`", "~~", "picture", "break", "name", "time"]
SaidForm = Literal["line", "cell", "lead"]


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a text that is set off, links somewhere (`url`), or both."""

    text: str
    style: Style = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Voice:
    """One person, and the messages in which they said it. A message may have no link."""

    by: str
    permalinks: tuple[str, ...] = ()
    confirmed: bool = False  # they confirmed a draft with a click, which is no message
    stands_by: bool = False  # they confirmed an assumption or a draft, and said nothing else


@dataclass(frozen=True, slots=True)
class LineSource:
    """The source of a line: who said it and how sure it is.

    `form`: behind the line, in a table cell of its own, or before a block of code. `proposed_by`:
    the persona that said it; the voices are of those who took it.
    """

    voices: tuple[Voice, ...]
    confidence: str = "stated"
    form: SaidForm = "line"
    proposed_by: str = ""


Inline: TypeAlias = tuple[str | Span | LineSource, ...]
Row: TypeAlias = tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    text: Inline
    level: int


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: Inline


@dataclass(frozen=True, slots=True)
class Listing:
    """Bullets, or numbers from `start` on. `loose`: with space between the items."""

    items: "tuple[Blocks, ...]"
    start: int | None = None
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    columns: Row
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Shown as it is. `info`: the language, as a fence names it."""

    text: str
    info: str = ""


@dataclass(frozen=True, slots=True)
class Diagram:
    """The source of a chart in Mermaid's notation."""

    source: str


@dataclass(frozen=True, slots=True)
class Quote:
    blocks: "Blocks"


@dataclass(frozen=True, slots=True)
class Divider:
    """A line across."""


Block: TypeAlias = Heading | Paragraph | Listing | Table | Code | Diagram | Quote | Divider
Blocks: TypeAlias = tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Risk:
    """A row of the risk register; the first two say where it stands in the matrix."""

    likelihood: str
    impact: str
    row: Row


@dataclass(frozen=True, slots=True)
class FileShare:
    """What a section gives to the end of its file, and to the opening that names other files."""

    excluded: tuple[Blocks, ...] = ()
    assumptions: tuple[Blocks, ...] = ()
    questions: tuple[Blocks, ...] = ()
    risks: tuple[Risk, ...] = ()
    further: tuple[Blocks, ...] = ()  # parts of steps that have no section in this file
    files: tuple[str, ...] = ()
    not_all_asked: bool = False  # a step of this file was left out


@dataclass(frozen=True, slots=True)
class StepPart:
    """A step's part of a file. `size`: what it says for the block of `quick-scan.md`."""

    blocks: Blocks
    gathered: FileShare = FileShare()
    size: tuple[tuple[str, str], ...] = ()


NOTHING: Final[Blocks] = ()


# ── building ───────────────────────────────────────────────────────────────────────────────────


def paragraph(*text: str | Span | LineSource) -> Blocks:
    return (Paragraph(text),)


def strong(text: str) -> Span:
    return Span(one_line(text), "**")


def emphasis(text: str) -> Span:
    return Span(one_line(text), "*")


def struck(text: str) -> Span:
    return Span(one_line(text), "~~")


def titled(title: str, blocks: Blocks, level: int = 3) -> Blocks:
    """The blocks under a heading; without a title, or without blocks, the blocks alone."""
    return (Heading((title,), level), *blocks) if title and blocks else blocks


def joined(parts: Iterable[Blocks]) -> Blocks:
    return tuple(block for part in parts for block in part)


def table(columns: Sequence[str | Inline], rows: Iterable[Sequence[str | Inline]]) -> Blocks:
    """A table; nothing without a row. A cell that is a text alone may be given as such."""
    cells = tuple(_row(row) for row in rows)
    return (Table(_row(columns), cells),) if cells else NOTHING


def _row(cells: Sequence[str | Inline]) -> Row:
    return tuple((cell,) if isinstance(cell, str) else cell for cell in cells)


def listing(items: Iterable[Blocks]) -> Blocks:
    """A list; nothing without an item."""
    lines = tuple(items)
    return (Listing(lines),) if lines else NOTHING


def item(*text: str | Span | LineSource, below: Iterable[Blocks] = ()) -> Blocks:
    """An item of a list, with items of its own below it."""
    return (*paragraph(*text), *listing(below))


def in_turn(parts: Iterable[Inline], between: str) -> Inline:
    """Texts one after the other, with a text of ours between them."""
    text: Inline = ()
    for part in parts:
        text = (*text, between, *part) if text else part
    return text


def spoken(text: Inline) -> str:
    """The words of a line, without markup."""
    parts = (
        " " if part == "\n" else part if isinstance(part, str) else _words(part) for part in text
    )
    return one_line("".join(parts))


def _words(part: Span | LineSource) -> str:
    if isinstance(part, Span):
        return " " if part.style == "break" else part.text
    return ", ".join(voice.by for voice in part.voices)
