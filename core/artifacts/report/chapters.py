"""The files of a session, in the order of its flow, each as a chapter; and what is amiss with them.

The database is the record: a file that is missing or cannot be read is made from it. What people
wrote into the files, and files they put beside them, are kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Final

from core.artifacts.compose.layouts import Composed
from core.artifacts.compose.markdown_files import Document, heading_of
from core.artifacts.compose.stance_files import NOBODY, Voices, composed_file
from core.artifacts.compose.view import is_decision_file
from core.artifacts.document import tree
from core.artifacts.document.codec import with_texts
from core.artifacts.document.plain import one_line
from core.artifacts.document.tree import Blocks
from core.artifacts.files.folder import Folder, FolderError
from core.artifacts.files.meta import META_FILE
from core.artifacts.files.state import STATE_FILE
from core.artifacts.render import page
from core.artifacts.render.data import Fragment, Rows, mapping_in
from core.artifacts.render.page import SectionedFile
from core.artifacts.report.data_tables import data_blocks, mapping_table
from core.artifacts.report.foreign_data import by_column, value_in
from core.artifacts.report.people_markdown import as_code, read_markdown
from core.artifacts.report.report import Chapter
from core.domain.answers import Section
from core.domain.session import Session
from core.secrets import kinds_of, redact

FOREIGN_CHARS_MAX: Final = 200_000
LEVEL_MIN: Final = 3  # a chapter's own heading has the second
LEVEL_MAX: Final = 6
FOREIGN: Final = "Somebody put this file into the folder; Roundtable did not write it."
_MARKDOWN: Final = frozenset({".md", ".markdown"})
_TEXT: Final = frozenset({*_MARKDOWN, ".txt", ".csv", ".json", ".yaml", ".yml"})


@dataclass(frozen=True, slots=True)
class GatheredChapters:
    chapters: tuple[Chapter, ...]
    amiss: tuple[str, ...]  # one line each, plain


def gathered(
    session: Session, sections: Sequence[Section], folder: Folder, voices: Voices = NOBODY
) -> GatheredChapters:
    chapters, amiss = [], list[str]()
    ours = in_order(sections)
    for file in ours:
        composed, trouble = _composed(session, file, sections, folder, voices)
        chapters.append(_chapter(file, composed))
        amiss += [line for line in (trouble, _credentials(file, composed.text)) if line]
    for file in folder.names(session.slug):
        if file in ours or file in (META_FILE, STATE_FILE) or file.startswith(META_FILE):
            continue
        chapter, trouble = _foreign(session, file, folder)
        chapters += [chapter] if chapter else []
        amiss += [trouble] if trouble else []
    return GatheredChapters(tuple(chapters), tuple(amiss))


def lost(
    session: Session, sections: Sequence[Section], folder: Folder, voices: Voices = NOBODY
) -> dict[str, str]:
    """Files of ours that the folder does not have or does not give, with what they hold."""
    files = (
        (file, *_composed(session, file, sections, folder, voices)) for file in in_order(sections)
    )
    return {file: redact(composed.text) for file, composed, trouble in files if trouble}


def in_order(sections: Sequence[Section]) -> list[str]:
    """Files as their first steps come; a step's decision records after its other files."""
    steps = list(dict.fromkeys(section.step for section in sections))
    first = {section.file: steps.index(section.step) for section in reversed(sections)}
    files = dict.fromkeys(section.file for section in sections)
    return sorted(files, key=lambda file: (first[file], is_decision_file(file)))


def _composed(
    session: Session, file: str, sections: Sequence[Section], folder: Folder, voices: Voices
) -> tuple[Composed, str]:
    """The file as it would be written now, and what was amiss with the one that is there."""
    existing, trouble = None, ""
    try:
        existing = folder.read(session.slug, file)
        if existing is None:
            trouble = f"{file} is not in the folder; it was made from the database."
    except FolderError:
        trouble = f"{file} could not be read in the folder; it was made from the database."
    own = tuple(section for section in sections if section.file == file)
    return composed_file(file, session, own, existing, voices), trouble


def _foreign(session: Session, file: str, folder: Folder) -> tuple[Chapter | None, str]:
    if PurePath(file).suffix.lower() not in _TEXT:
        return None, f"{file} lies in the folder as well; it is no text, and only in the zip."
    try:
        text = folder.read(session.slug, file) or ""
    except FolderError:
        return None, f"{file} could not be read in the folder, so it is not in this report."
    if len(text) > FOREIGN_CHARS_MAX:
        return None, f"{file} lies in the folder as well; it is too long, and only in the zip."
    chapter = chapter_of(file, redact(text), lead=FOREIGN)
    return replace(chapter, title=one_line(file)), _credentials(file, text)


def _credentials(file: str, text: str) -> str:
    kinds = ", ".join(kinds_of(text))
    return (
        f"{file} looks as if it holds {kinds}: taken out here, and not in the zip." if kinds else ""
    )


# ── one file ───────────────────────────────────────────────────────────────────────────────────


def title_of(file: str) -> str:
    """What a file is called, plain: as its own heading says where it is a Markdown file."""
    return heading_of(file) or one_line(file)


def _chapter(file: str, composed: Composed) -> Chapter:
    """A file of ours."""
    content = composed.content
    if isinstance(content, Document):
        parts = _page_blocks(content.people, content.heading, content.parts)
        blocks = demoted((*_front_blocks(content.front), *parts))
    else:
        blocks = _data_blocks(file, content) or as_code(composed.text)
    return Chapter(title_of(file), with_texts(blocks, redact), file)


def _data_blocks(file: str, content: Fragment | Rows) -> Blocks:
    if PurePath(file).suffix.lower() not in _TEXT - {".txt"}:
        return ()
    is_mapping = isinstance(content, Mapping)
    return data_blocks(file, content if is_mapping else by_column([*map(list, content)]))


def chapter_of(file: str, text: str, *, lead: str = "") -> Chapter:
    """A file that people wrote, whatever it holds."""
    kind, text = PurePath(file).suffix.lower(), page.unified(text)
    if kind in _MARKDOWN:
        front, rest = page.front_matter(text)
        parts = _page_blocks(page.take_apart(rest), heading_of(file), {})
        blocks = demoted((*_front_blocks(front), *parts))
    else:
        value = value_in(kind, text)
        blocks = (data_blocks(file, value) if value is not None else ()) or as_code(text)
    return Chapter(
        title_of(file), (*(tree.paragraph(tree.emphasis(lead)) if lead else ()), *blocks), file
    )


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
    if not values or not all(isinstance(value, str | int | float) for value in values.values()):
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
