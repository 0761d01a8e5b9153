"""Names of people as the record knows them, for when Slack cannot be asked.

Lines of artifacts and `meta.json` name people; what links a name to a person is the message that
the line points to, or the phase that the person accepted.
"""

import html
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from core import patterns
from core.artifacts.folder import Folder, FolderError
from core.artifacts.meta import META_FILE, meta_in
from core.artifacts.plain import link
from core.artifacts.share import without_share
from core.artifacts.words import AND, MESSAGE, SAID_BY, SOMEONE
from core.domain.answers import Section
from core.domain.ids import SessionId, UserId
from core.domain.session import Session
from core.ports import SessionReader

_WHERE: Final = patterns.compile(rf" \(\[{MESSAGE}\]\(([^()\s]+)\)")
_ESCAPE: Final = patterns.compile(r"\\([!-/:-@\[-`{-~])")


def recorded(reader: SessionReader, folder: Folder, session: SessionId) -> Mapping[UserId, str]:
    """Who is called what; who has no line of their own is not in it."""
    known = reader.load(session)
    said_by = {link(each.permalink): each.by for each in reader.answers(session)}
    found = dict(_accepting(known, folder))
    for section in reader.sections(session):
        for who, permalink in _voices(section):
            person = said_by.get(permalink) if permalink else None
            if person is not None and who != SOMEONE:
                found.setdefault(person, who)
    return found


def _voices(section: Section) -> Iterator[tuple[str, str]]:
    """Each name with a message, as the section gives them to its file, or its lines say."""
    for who, _, permalinks in without_share(section.body)[0].voices:
        yield from ((who, each) for each in permalinks)
    for line in section.body.splitlines():
        for found in _WHERE.finditer(line):
            yield _named(line[: found.start()]), found[1]
    try:
        yield from _within(json.loads(section.body))
    except (ValueError, RecursionError):
        return


def _named(before: str) -> str:
    """The name that ends a line so far: what stands before it is ours, or ends another's."""
    name = before
    for sign in (f"{SAID_BY} ", f") {AND} ", "), ", "| "):
        name = name.rpartition(sign)[2]
    return html.unescape(_ESCAPE.sub(lambda escape: str(escape[1]), name))


def _within(value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        if isinstance(value.get("by"), str) and isinstance(value.get("permalink"), str):
            yield value["by"], value["permalink"]
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _within(each)


def _accepting(session: Session, folder: Folder) -> Iterator[tuple[UserId, str]]:
    try:
        text = folder.of(session.team).read(session.slug, META_FILE)
    except FolderError:
        return
    read = meta_in(text) if text else None
    if read is None or read.meta is None:
        return
    for phase in session.phases:
        accepted = read.meta.acceptance.get(phase.key)
        if phase.accepted_by and accepted and accepted.by not in ("", phase.accepted_by):
            yield phase.accepted_by, accepted.by
