"""Markdown files: a step's part of one, and the file that is put together from them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import PurePath
from typing import Final
from urllib.parse import quote

from core.artifacts.compose.analysis.decisions import records
from core.artifacts.compose.data_files import Head
from core.artifacts.compose.gathered import gathered, together
from core.artifacts.compose.view import SectionView, is_decision_file
from core.artifacts.document import tree, words
from core.artifacts.document.codec import decode, encode
from core.artifacts.document.plain import one_line
from core.artifacts.document.tree import Blocks, FileShare, Span, StepPart
from core.artifacts.render import page
from core.artifacts.render.markdown import markdown
from core.artifacts.render.page import SectionedFile
from core.domain.answers import ClaimKind, Section

TITLE_CHARS_MAX: Final = 80  # of a decision record
SHOWN_MAX: Final = 256  # sections; of a file that grows all but one are as they were


def heading_of(file: str) -> str:
    """What a file is called: from the table, else made of its name."""
    stem = PurePath(file).stem
    if is_decision_file(file):
        return stem.upper()
    spoken = one_line(stem.replace("-", " ").replace("_", " "))
    heading = words.HEADINGS.get(file) or words.DATA_HEADINGS.get(file)
    return heading or spoken[:1].upper() + spoken[1:]


@dataclass(frozen=True, slots=True)
class Document:
    """A Markdown file: its sections in step order, and what people wrote around them.

    `front`: the block at its very top, as YAML; None where it has none.
    """

    heading: str
    title: str
    front: str | None
    people: SectionedFile
    opening: Blocks
    sections: Sequence[Section]
    end: Blocks

    @property
    def parts(self) -> Mapping[str, Blocks]:
        """What is ours, by the name of its section."""
        steps: dict[str, Blocks] = {part.step: section_blocks(part) for part in self.sections}
        return {page.HEAD: self.opening, **steps, page.END: self.end}

    @property
    def text(self) -> str:
        """The file."""
        head = page.with_heading(self.people.head, self.heading, self.title)
        ours: dict[str, str] = {part.step: _section_text(part) for part in self.sections}
        for name, blocks in ((page.HEAD, self.opening), (page.END, self.end)):
            if blocks:
                ours[name] = page.section(name, markdown(blocks))
        text = page.put_together(replace(self.people, head=head), ours)
        return text if self.front is None else f"---\n{self.front}---\n\n{text}"


@lru_cache(maxsize=SHOWN_MAX)
def part_of(section: Section) -> StepPart:
    """A stored section of a Markdown file. Most are as they were."""
    return decode(section.body)


def section_blocks(section: Section) -> Blocks:
    return tree.titled(one_line(section.title), part_of(section).blocks, 2)


@lru_cache(maxsize=SHOWN_MAX)
def _section_text(section: Section) -> str:
    return page.section(section.step, markdown(section_blocks(section)))


@dataclass(frozen=True, slots=True)
class MarkdownFile:
    """A Markdown file.

    `blocks`: a step's section of it. `end`: what closes the file, from what all sections share.
    `share`: what a section gives to that end. `size`, `front`: the same of a parseable block at the
    top. `rests_on`: kinds of other steps' claims that it shows.
    """

    blocks: Callable[[SectionView], Blocks]
    end: Callable[[FileShare], Blocks] | None = None
    share: Callable[[SectionView, str], FileShare] = gathered
    size: Callable[[SectionView], tuple[tuple[str, str], ...]] = lambda _: ()
    front: Callable[[Iterable[StepPart], str], tuple[str | None, str]] | None = None
    rests_on: frozenset[ClaimKind] = frozenset()

    def bodies(self, view: SectionView, file: str) -> dict[str, str]:
        """What is stored of a step's part."""
        share = self.share(view, file) if self.end else FileShare()
        return {file: encode(StepPart(self.blocks(view), share, self.size(view)))}

    def content(
        self, file: str, head: Head, sections: Sequence[Section], existing: str | None
    ) -> Document:
        """The file as a tree, with what people wrote into the one that is there."""
        parts = [part_of(section) for section in sections]
        front, body = page.front_matter(existing or "")
        if self.front:
            front, body = self.front(parts, existing or "")
        file_share = together(part.gathered for part in parts)
        document = Document(
            heading_of(file), head["title"], front, page.take_apart(body),
            _opening(file, file_share), sections, self.end(file_share) if self.end else (),
        )  # fmt: skip
        # A mark that was dropped may leave a block at the top that is one only now.
        if front is None and document.people.head.startswith("---"):
            text = document.text
            if page.front_matter(text)[0] is not None:
                return self.content(file, head, sections, text)
        return document


class RecordFile(MarkdownFile):
    """`adr-*.md`, which stands for a file for each decision."""

    def bodies(self, view: SectionView, file: str) -> dict[str, str]:
        return {name: encode(StepPart(blocks)) for name, blocks in records(view).items()}

    def content(
        self, file: str, head: Head, sections: Sequence[Section], existing: str | None
    ) -> Document:
        """The record under what it decides, which is the first line of its first section."""
        document = super().content(file, head, sections, existing)
        opens = next(iter(part_of(sections[0]).blocks), None) if sections else None
        title = tree.spoken(opens.text) if isinstance(opens, tree.Paragraph) else ""
        if len(title) > TITLE_CHARS_MAX:
            title = f"{title[: TITLE_CHARS_MAX - 1].rstrip()}…"
        return replace(document, title=title or document.title)


def _opening(file: str, file_share: FileShare) -> Blocks:
    """What this file is, how to read it, and which files belong to it."""
    intro = words.text("decision_intro") if is_decision_file(file) else words.INTROS.get(file, "")
    if not intro:
        return ()
    files = tree.in_turn(((Span(name, "", quote(name)),) for name in file_share.files), ", ")
    also = tree.paragraph(f"{words.text('see_also')}: ", *files) if files else ()
    return (*tree.paragraph(f"{intro} {words.text('legend')}"), *also)
