"""A Markdown file of many sections. What people write into it outside our sections stays theirs.

A section is one step's, or one of two of the file's own: `head` opens it, `end` closes it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from core import patterns
from core.artifacts.render.markdown import SECTION_MARK, escape, unmarked

HEAD, END = "head", "end"
OLD: Final = "(before this was taken up)"
_NAME: Final = rf"[0-9]{{2}}-[0-9]{{2}}|{HEAD}|{END}"
_MARK: Final = patterns.compile(rf"<!-- (/?)roundtable:section ({_NAME}) -->")
_MARK_IN_LINE: Final = patterns.compile(r"<(!--[^\S\n]*/?roundtable:)")
_HEADING: Final = patterns.compile(r"^## .+$", patterns.MULTILINE)
_FRONT: Final = patterns.compile(r"\A---[ \t]*\n((?:.*?\n)?)---[ \t]*(?:\n|\Z)", patterns.DOTALL)


@dataclass(slots=True)
class SectionedFile:
    """A file taken apart: what stands before the first section, and after each of them."""

    head: str = ""
    sections: dict[str, str] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)


def section(name: str, text: str) -> str:
    """A section with its marks."""
    inside = unmarked(text.strip())
    return f"<!-- roundtable:section {name} -->\n{inside}\n<!-- /roundtable:section {name} -->"


def take_apart(text: str) -> SectionedFile:
    """Find our sections. Marks that belong to no whole section are dropped, their text is kept."""
    page, place, outside = SectionedFile(), "", list[str]()
    inside: list[str] | None = None
    name = ""

    def put_by(lines: list[str]) -> None:
        """Text between sections belongs to the one before it."""
        old = page.after.get(place, "") if place else page.head
        text = _joined((old, "\n".join(lines)))
        if place:
            page.after[place] = text
        else:
            page.head = text

    at = 0
    for mark, begin, end in _marks(text):
        if at < begin:
            (outside if inside is None else inside).append(_unmarked(text[at : begin - 1]))
        at = end
        if not mark[1]:
            outside += inside or ()
            name, inside = mark[2], []
        elif inside is not None and mark[2] == name:
            put_by(outside)
            page.sections.setdefault(name, "\n".join(inside).strip("\n"))
            place, outside, inside = name, [], None
    put_by([*outside, *(inside or ()), _unmarked(text[at:])])
    return page


def _marks(text: str) -> Iterator[tuple[patterns.Match, int, int]]:
    """Marks that have a line to themselves: where that begins, and where the next one does."""
    for mark in _MARK.finditer(text):
        begin, end = text.rfind("\n", 0, mark.start()) + 1, text.find("\n", mark.end())
        end = len(text) if end < 0 else end
        if not text[begin : mark.start()].strip() and not text[mark.end() : end].strip():
            yield mark, begin, end + 1


def _unmarked(text: str) -> str:
    return _MARK_IN_LINE.sub(lambda mark: f"&lt;{mark[1]}", text) if "roundtable:" in text else text


def put_together(page: SectionedFile, rendered: Mapping[str, str]) -> str:
    """All sections in step order, each followed by what people wrote there."""
    blocks = [page.head]
    for name in in_order((*page.sections, *rendered)):
        blocks.append(rendered.get(name) or _kept(name, page.sections.get(name, "")))
        blocks.append(page.after.get(name, ""))
    return f"{_joined(blocks)}\n"


def in_order(names: Iterable[str]) -> list[str]:
    """Names of sections, each once, in the order in which they stand."""
    return sorted(set(names), key=lambda name: ({HEAD: 0, END: 2}.get(name, 1), name))


def _kept(name: str, body: str) -> str:
    """The section of a step that we do not know stays; of our own, only what is said now."""
    if name in (HEAD, END):
        return ""
    return f"<!-- roundtable:section {name} -->\n{body}\n<!-- /roundtable:section {name} -->"


def with_old_end(text: str, steps: Collection[str]) -> str:
    """What closes the file becomes text of its own, as it stood before the file was taken up.

    Only where it gathers from sections of steps that nobody knows, and only once.
    """
    page = take_apart(text)
    strangers = [name for name in page.sections if name not in (HEAD, END, *steps)]
    if not strangers or not page.sections.get(END) or OLD in text:
        return text
    old = _HEADING.sub(lambda line: f"{line[0]} {OLD}", page.sections.pop(END))
    last = max(strangers)
    parts = (page.after.get(last, ""), old, page.after.pop(END, ""))
    page.after[last] = _joined(parts)
    return put_together(page, {HEAD: section(HEAD, page.sections.get(HEAD, ""))})


def unified(existing: str) -> str:
    """Without what editors leave behind: byte order marks, line ends of another system."""
    return existing.replace("\ufeff", "").replace("\r\n", "\n").replace("\r", "\n")


def front_matter(text: str) -> tuple[str | None, str]:
    """The block between `---` at the very top, and the rest."""
    match = _FRONT.match(text)
    if match is None or SECTION_MARK.search(match[1]):
        return None, text
    return match[1], text[match.end() :]


def with_heading(head: str, heading: str, title: str) -> str:
    """`# Heading — title` where it stood, or first; a heading people put there instead stays."""
    name = escape(title)
    ours = f"# {escape(heading)} — {name}" if name else f"# {escape(heading)}"
    parts = without_heading(head, heading)
    if len(parts) > 1:
        return _joined((parts[0], ours, parts[1]))
    theirs = next((row for row in head.split("\n") if row.strip()), "").startswith("# ")
    return _joined((head,)) if theirs else _joined((ours, head))


def without_heading(head: str, heading: str) -> tuple[str, ...]:
    """What stands above our heading and below it; all of it, where our heading is not there."""
    ours = f"# {escape(heading)}"
    rows = head.split("\n")
    for number, row in enumerate(rows):
        if row == ours or row.startswith(f"{ours} — "):
            return "\n".join(rows[:number]), "\n".join(rows[number + 1 :])
    return (head,)


def _joined(blocks: Iterable[str]) -> str:
    """Blocks with one empty line between them; what is only white space is no block."""
    return "\n\n".join(block.strip("\n") for block in blocks if block.strip())
