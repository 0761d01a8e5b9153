"""A report as one Markdown document. The same report gives the same bytes."""

from collections.abc import Iterator
from typing import Final

from core.artifacts.document import tree
from core.artifacts.document.plain import link, one_line
from core.artifacts.document.tree import Block, Blocks, Span
from core.artifacts.render.markdown import MarkdownRenderer
from core.artifacts.report.report import Chapter, Fact, Report

CONTENTS: Final = "Contents"


def markdown_of(report: Report) -> str:
    front = [block for part in report.front for block in _chapter(part)]
    opened: Blocks = (
        tree.Heading((one_line(report.title),), 1),
        *tree.listing(map(_fact, report.facts)),
        *front,
        tree.Heading((CONTENTS,), 2),
    )
    chapters = [
        _chapter(chapter, str(number), ". ")
        for number, chapter in enumerate(report.listed, start=1)
    ]
    anchors = _anchors(opened, chapters)
    contents = tuple(
        tree.item(Span(one_line(chapter.title), "", f"#{anchor}"))
        for chapter, anchor in zip(report.listed, anchors, strict=True)
    )
    pairs = zip(report.listed, anchors, strict=True)
    targets = {chapter.file: anchor for chapter, anchor in pairs if chapter.file}
    blocks = (*opened, tree.Listing(contents, 1), *(block for part in chapters for block in part))
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
    """What GitHub and most others call a heading's place; the same one again gets a number."""
    taken: dict[str, int] = {}
    for heading in _headings(opened):
        _free(heading, taken)
    return [_first_free(blocks, taken) for blocks in chapters]


def _first_free(blocks: Blocks, taken: dict[str, int]) -> str:
    """The chapter's own; those of its headings are taken, too."""
    first, *_ = [_free(heading, taken) for heading in _headings(blocks)]
    return first


def _headings(blocks: Blocks) -> Iterator[str]:
    for block in blocks:
        yield from _headings_in(block)


def _headings_in(block: Block) -> Iterator[str]:
    match block:
        case tree.Heading(text):
            yield tree.spoken(text)
        case tree.Quote(blocks):
            yield from _headings(blocks)
        case tree.Listing(items):
            for blocks in items:
                yield from _headings(blocks)


def _free(heading: str, taken: dict[str, int]) -> str:
    signs = (sign for sign in heading.lower() if sign.isalnum() or sign in "_- ")
    plain = "".join(signs).replace(" ", "-")
    again = taken.get(plain)
    taken[plain] = 0 if again is None else again + 1
    return plain if again is None else f"{plain}-{again + 1}"
