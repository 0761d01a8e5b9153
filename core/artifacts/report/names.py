"""Names of people as the record knows them, for when Slack cannot be asked.

Lines of artifacts and `meta.json` name people; what links a name to a person is the message that
the line points to, or the phase that the person accepted.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from core.artifacts.document import words
from core.artifacts.document.plain import link
from core.artifacts.files.folder import Folder, FolderError
from core.artifacts.files.meta import META_FILE, meta_in
from core.domain.answers import Section
from core.domain.ids import SessionId, UserId
from core.domain.session.session import Session
from core.ports import SessionReader


def recorded(reader: SessionReader, folder: Folder, session: SessionId) -> Mapping[UserId, str]:
    """Who is called what; who has no line of their own is not in it.

    Raises `Gone` for a session that is not there.
    """
    said_by = {link(answer.permalink): answer.by for answer in reader.answers(session)}
    names = dict(_accepting(reader.load(session), folder))
    for section in reader.sections(session):
        for name, permalink in _voices(section):
            person = said_by.get(permalink) if permalink else None
            if person is not None and name != words.text("someone"):
                names.setdefault(person, name)
    return names


def _voices(section: Section) -> Iterator[tuple[str, str]]:
    """Each name with a message, as the section's lines give them."""
    with suppress(ValueError, RecursionError):
        yield from _within(json.loads(section.body))


def _within(value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        match value:
            case {"by": str(name), "permalink": str(permalink)}:
                yield name, permalink
            case {"by": [str(name), [*permalinks], *_]}:  # of a document
                yield from ((name, permalink) for permalink in permalinks)
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _within(item)


def _accepting(session: Session, folder: Folder) -> Iterator[tuple[UserId, str]]:
    try:
        text = folder.of(session.team).read(session.slug, META_FILE)
    except FolderError:
        return
    read = meta_in(text) if text else None
    if read is None or read.meta is None:
        return
    for phase in session.course.phases:
        accepted = read.meta.acceptance.get(phase.key)
        if phase.accepted_by and accepted and accepted.by not in ("", phase.accepted_by):
            yield phase.accepted_by, accepted.by
