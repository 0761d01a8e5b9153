"""The files of a session, its summary first, each as a chapter; and what is amiss with them.

The database is the record: a file that is missing or cannot be read is made from it. What people
wrote into the files, and files they put beside them, are kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from core.artifacts.compose.layouts import Composed
from core.artifacts.compose.markdown_files import Document, heading_of
from core.artifacts.compose.stance_files import Voices, composed_file
from core.artifacts.compose.view import is_decision_file
from core.artifacts.document import tree
from core.artifacts.document.codec import with_texts
from core.artifacts.document.plain import one_line
from core.artifacts.document.tree import Blocks
from core.artifacts.files.folder import Folder, FolderError
from core.artifacts.files.meta import META_FILE
from core.artifacts.files.state import STATE_FILE
from core.artifacts.render import page
from core.artifacts.render.data import by_column, ending_of, mapping_in, value_in
from core.artifacts.render.page import SectionedFile
from core.artifacts.report.data_tables import data_blocks, mapping_table
from core.artifacts.report.people_markdown import as_code, read_markdown
from core.artifacts.report.report import WORDS, Chapter
from core.domain.answers import Section
from core.domain.session.session import Session
from core.secrets import kinds_of, redact

SUMMARY_FILE: Final = "design-summary.md"
FOREIGN_CHARS_MAX: Final = 200_000
LEVEL_MIN: Final = 3  # a chapter's own heading has the second
LEVEL_MAX: Final = 6
_MARKDOWN: Final = frozenset({".md", ".markdown"})
_DATA: Final = frozenset({".csv", ".json", ".yaml", ".yml"})
_TEXT: Final = _MARKDOWN | _DATA | {".txt"}


@dataclass(frozen=True)
class SessionFiles:
    """The files of a session as the database knows them, and its folder."""

    session: Session
    sections: Sequence[Section]
    folder: Folder
    voices: Voices

    @cached_property
    def names(self) -> list[str]:
        """The summary of all, then files as their first steps come; a step's decision records
        after its other files."""
        steps = list(dict.fromkeys(section.step for section in self.sections))
        first = {section.file: steps.index(section.step) for section in reversed(self.sections)}
        files = dict.fromkeys(section.file for section in self.sections)
        order = {
            file: (file != SUMMARY_FILE, first[file], is_decision_file(file)) for file in files
        }
        return sorted(files, key=lambda file: order[file])

    def chapters(self) -> tuple[tuple[Chapter, ...], tuple[str, ...]]:
        """A chapter for each file, and what is amiss with the files: one line each, plain."""
        chapters, amiss = [], list[str]()
        for file in self.names:
            composed, trouble = self._composed(file)
            chapters.append(_chapter(file, composed))
            amiss += (trouble, _credentials(file, composed.text))
        for file in self.folder.names(self.session.slug):
            if file not in self.names and file != STATE_FILE and not file.startswith(META_FILE):
                chapter, trouble = self._foreign(file)
                chapters += [chapter] if chapter else []
                amiss.append(trouble)
        return tuple(chapters), tuple(filter(None, amiss))

    def lost(self) -> dict[str, str]:
        """Files of ours that the folder does not have or does not give, with what they hold."""
        files = ((file, *self._composed(file)) for file in self.names)
        return {file: redact(composed.text) for file, composed, trouble in files if trouble}

    def _composed(self, file: str) -> tuple[Composed, str]:
        """The file as it would be written now, and what was amiss with the one that is there."""
        existing, trouble = None, ""
        try:
            existing = self.folder.read(self.session.slug, file)
            if existing is None:
                trouble = f"{file} is not in the folder; it was made from the database."
        except FolderError:
            trouble = f"{file} could not be read in the folder; it was made from the database."
        own = tuple(section for section in self.sections if section.file == file)
        return composed_file(file, self.session, own, existing, self.voices), trouble

    def _foreign(self, file: str) -> tuple[Chapter | None, str]:
        """A file that somebody put into the folder, and what is amiss with it."""
        if ending_of(file) not in _TEXT:
            return None, f"{file} lies in the folder as well; it is no text, and only in the zip."
        try:
            text = self.folder.read(self.session.slug, file) or ""
        except FolderError:
            return None, f"{file} could not be read in the folder, so it is not in this report."
        if len(text) > FOREIGN_CHARS_MAX:
            return None, f"{file} lies in the folder as well; it is too long, and only in the zip."
        chapter = chapter_of(file, redact(text), lead=WORDS.text("foreign"))
        return replace(chapter, title=one_line(file)), _credentials(file, text)


def _credentials(file: str, text: str) -> str:
    kinds = ", ".join(kinds_of(text))
    return (
        f"{file} looks as if it holds {kinds}: taken out here, and not in the zip." if kinds else ""
    )


# ── one file ───────────────────────────────────────────────────────────────────────────────────


def _title_of(file: str) -> str:
    """What a file is called, plain: as its own heading says where it is a Markdown file."""
    return heading_of(file) or one_line(file)


def _chapter(file: str, composed: Composed) -> Chapter:
    """A file of ours."""
    content = composed.content
    if isinstance(content, Document):
        parts = _page_blocks(content.people, content.heading, content.parts)
        blocks = demoted((*_front_blocks(content.front), *parts))
    elif ending_of(file) in _DATA:
        is_mapping = isinstance(content, Mapping)
        value = content if is_mapping else by_column([*map(list, content)])
        blocks = data_blocks(file, value) or as_code(composed.text)
    else:
        blocks = as_code(composed.text)
    return Chapter(_title_of(file), with_texts(blocks, redact), file)


def chapter_of(file: str, text: str, *, lead: str = "") -> Chapter:
    """A file that people wrote, whatever it holds."""
    kind, text = ending_of(file), page.unified(text)
    if kind in _MARKDOWN:
        front, body = page.front_matter(text)
        parts = _page_blocks(page.take_apart(body), heading_of(file), {})
        blocks = demoted((*_front_blocks(front), *parts))
    else:
        value = value_in(kind, text)
        blocks = (data_blocks(file, value) if value is not None else ()) or as_code(text)
    opening = tree.paragraph(tree.emphasis(lead)) if lead else ()
    return Chapter(_title_of(file), (*opening, *blocks), file)


def _page_blocks(people: SectionedFile, heading: str, ours: Mapping[str, Blocks]) -> Blocks:
    """All but the heading, which the chapter has: ours, and around it what people wrote."""
    blocks = read_markdown("\n\n".join(page.without_heading(people.head, heading)))
    for name in page.in_order((*people.sections, *ours)):
        own = ours[name] if name in ours else read_markdown(people.sections[name])
        blocks += (*own, *read_markdown(people.after.get(name, "")))
    return blocks


def _front_blocks(front: str | None) -> Blocks:
    """A block of values at the top of a file as a table; as it is, where it has no values."""
    if not front or not front.strip():
        return ()
    values = mapping_in(front)
    groups = (value if isinstance(value, dict) else {"": value} for value in values.values())
    plain = [value for group in groups for value in group.values()]
    if not plain or not all(isinstance(value, str | int | float) for value in plain):
        return as_code(front)
    return mapping_table(values)


def demoted(blocks: Blocks, above: int = LEVEL_MIN - 1) -> Blocks:
    """The same with its headings in the third level or below, and none of the levels skipped."""
    return _demoted(blocks, above)[0]


def _demoted(blocks: Blocks, above: int) -> tuple[Blocks, int]:
    changed: Blocks = ()
    for block in blocks:
        match block:
            case tree.Heading(text, level):
                above = min(max(LEVEL_MIN, level + 1), above + 1, LEVEL_MAX)
                changed += (tree.Heading(text, above),)
            case tree.Quote(inner):
                inner, above = _demoted(inner, above)
                changed += (tree.Quote(inner),)
            case tree.Listing(items, start, loose):
                lines = []
                for item in items:
                    line, above = _demoted(item, above)
                    lines.append(line)
                changed += (tree.Listing(tuple(lines), start, loose),)
            case _:
                changed += (block,)
    return changed, above
