"""The files of a session, in the order of its flow, each as a chapter; and what is amiss with them.

The database is the record: a file that is missing or cannot be read is made from it. What people
wrote into the files, and files they put beside them, are kept.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from core import patterns
from core.artifacts import page, words
from core.artifacts.compose import heading_of
from core.artifacts.data import mapping_in
from core.artifacts.folder import Folder, FolderError
from core.artifacts.markdown import joined
from core.artifacts.meta import META_FILE
from core.artifacts.plain import one_line
from core.artifacts.reporting.report import Chapter
from core.artifacts.reporting.showing import mapping_table, shown
from core.artifacts.reporting.surgery import as_code, fitted
from core.artifacts.state import STATE_FILE
from core.artifacts.view import is_decision_file
from core.artifacts.voices import NOBODY, Voices, composed
from core.domain.answers import Section
from core.domain.session import Session
from core.secrets import redact
from core.secrets.named import kinds_of

FOREIGN_CHARS_MAX: Final = 200_000
TITLES: Final[Mapping[str, str]] = {  # of files that have no heading of their own
    "user-stories.json": "User Stories",
    "traceability-matrix.csv": "Traceability Matrix",
    "interface-spec.yaml": "Interface Specification",
    "discovery-context.json": "Discovery Context",
}
FOREIGN: Final = "Somebody put this file into the folder; Roundtable did not write it."
_MARKDOWN: Final = frozenset({".md", ".markdown"})
_TEXT: Final = frozenset({*_MARKDOWN, ".txt", ".csv", ".json", ".yaml", ".yml"})
_MARK: Final = patterns.compile(
    r"^[ \t]*<!-- /?roundtable:section [0-9a-z-]+ -->[ \t]*$\n?", patterns.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Gathered:
    chapters: tuple[Chapter, ...]
    amiss: tuple[str, ...]  # one line each, plain


def gathered(
    session: Session, sections: Sequence[Section], folder: Folder, voices: Voices = NOBODY
) -> Gathered:
    chapters, amiss = [], list[str]()
    ours = in_order(sections)
    for file in ours:
        text, trouble = _text_of(session, file, sections, folder, voices)
        chapters.append(chapter_of(file, redact(text)))
        amiss += [line for line in (trouble, _held(file, text)) if line]
    for file in folder.names(session.slug):
        if file in ours or file in (META_FILE, STATE_FILE) or file.startswith(META_FILE):
            continue
        chapter, trouble = _foreign(session, file, folder)
        chapters += [chapter] if chapter else []
        amiss += [trouble] if trouble else []
    return Gathered(tuple(chapters), tuple(amiss))


def lost(
    session: Session, sections: Sequence[Section], folder: Folder, voices: Voices = NOBODY
) -> dict[str, str]:
    """Files of ours that the folder does not have or does not give, with what they hold."""
    read = (
        (file, *_text_of(session, file, sections, folder, voices)) for file in in_order(sections)
    )
    return {file: redact(text) for file, text, trouble in read if trouble}


def in_order(sections: Sequence[Section]) -> list[str]:
    """Files as their first steps come; a step's decision records after its other files."""
    steps = list(dict.fromkeys(each.step for each in sections))
    first = {each.file: steps.index(each.step) for each in reversed(sections)}
    files = dict.fromkeys(each.file for each in sections)
    return sorted(files, key=lambda file: (first[file], is_decision_file(file)))


def _text_of(
    session: Session, file: str, sections: Sequence[Section], folder: Folder, voices: Voices
) -> tuple[str, str]:
    """The file as it would be written now, and what was amiss with the one that is there."""
    existing, trouble = None, ""
    try:
        existing = folder.read(session.slug, file)
        if existing is None:
            trouble = f"{file} is not in the folder; it was made from the database."
    except FolderError:
        trouble = f"{file} could not be read in the folder; it was made from the database."
    mine = tuple(each for each in sections if each.file == file)
    text = composed(file, session, mine, existing, voices)
    return text, trouble


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
    return Chapter(one_line(file), chapter.body, file), _held(file, text)


def _held(file: str, text: str) -> str:
    kinds = ", ".join(kinds_of(text))
    return (
        f"{file} looks as if it holds {kinds}: taken out here, and not in the zip." if kinds else ""
    )


# ── one file ───────────────────────────────────────────────────────────────────────────────────


def title_of(file: str) -> str:
    """What a file is called, plain: as its own heading says where it is a Markdown file."""
    stem = PurePath(file).stem
    if is_decision_file(file):
        return stem.upper()
    known = words.HEADINGS.get(file) or TITLES.get(file)
    if known:
        return known
    spoken = one_line(stem.replace("-", " ").replace("_", " "))
    return spoken[:1].upper() + spoken[1:] or one_line(file)


def chapter_of(file: str, text: str, *, lead: str = "") -> Chapter:
    kind = PurePath(file).suffix.lower()
    if kind in _MARKDOWN:
        body = _markdown(file, text)
    elif kind in _TEXT and kind != ".txt":
        body = shown(file, page.unified(text))
    else:
        body = as_code(text)
    return Chapter(title_of(file), joined((f"*{lead}*" if lead else "", body)), file)


def _markdown(file: str, text: str) -> str:
    """Without the marks of its sections and the heading that the chapter has instead."""
    front, rest = page.front_matter(page.unified(text))
    plain = _MARK.sub("", rest).strip("\n")
    body = fitted("\n".join(_without_heading(file, plain.split("\n"))))
    return joined((_front(front), body))


def _without_heading(file: str, lines: list[str]) -> Iterator[str]:
    ours, waiting = f"# {heading_of(file)}", True
    for line in lines:
        if waiting and (line == ours or line.startswith(f"{ours} — ")):
            waiting = False
        else:
            yield line


def _front(front: str | None) -> str:
    """A block of values at the top of a file as a table; as it is, where it has no values."""
    if not front or not front.strip():
        return ""
    values: Mapping[str, object] = mapping_in(front)
    if not values or not all(isinstance(each, str | int | float) for each in values.values()):
        return as_code(front)
    return mapping_table(values)
