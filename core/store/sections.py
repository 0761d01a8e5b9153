"""Sections in all their versions: the newest as it is, each one before by what came after it.

Files are made of the newest versions; the ones before are for whoever decides a journal again. So
the newest can be read by itself, and the one written before it costs a few dozen bytes.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress

from core.domain.answers import Section
from core.domain.ids import SessionId, StepId
from core.store.codec import dump
from core.store.memory import SECTIONS
from core.store.packing import PackingError, as_change, changed_back, is_change, packed, plain

RETIRE = """UPDATE sections SET current = 0
    WHERE session = ? AND step = ? AND (? IS NULL OR file = ?)"""
NEWEST = """SELECT version, doc FROM sections WHERE session = ? AND step = ? AND file = ?
    ORDER BY version DESC LIMIT 1"""
REPLACE = "UPDATE sections SET doc = ? WHERE session = ? AND step = ? AND file = ? AND version = ?"
INSERT = """INSERT INTO sections(session, step, file, version, current, doc)
    VALUES (?, ?, ?, ?, 1, ?)"""
VERSIONS = """SELECT step, file, version, current, doc FROM sections WHERE session = ?
    ORDER BY step, file, version DESC"""


def save(
    db: sqlite3.Connection,
    session: SessionId,
    step: StepId,
    sections: Iterable[Section],
    *,
    partly: bool,
) -> None:
    """What a step shows from now on: all of it, or `partly` these files of it."""
    for file in [section.file for section in sections] if partly else [None]:
        db.execute(RETIRE, (session, step, file, file))
    for section in sections:
        _append(db, (session, step, section.file), section)


def _append(db: sqlite3.Connection, key: tuple[str, str, str], section: Section) -> None:
    text = dump(section)
    last = db.execute(NEWEST, key).fetchone()
    version, before = last or (0, "")
    doc = packed(text)
    SECTIONS.keep(doc, section)
    if last and not is_change(before):
        with suppress(PackingError):  # what says nothing is kept as it was found
            db.execute(REPLACE, (as_change(plain(before), text), *key, version))
    db.execute(INSERT, (*key, version + 1, doc))


def versions(
    db: sqlite3.Connection, session: SessionId
) -> Iterator[tuple[tuple[str, str, int], bool, str]]:
    """Step, file and version; whether it is shown; its JSON. The newest of each file comes first.

    One that cannot be read is left out, with those before it that rest on it.
    """
    later, text = ("", ""), ""
    for step, file, version, current, doc in db.execute(VERSIONS, (session,)):
        if is_change(doc) and later != (step, file):
            continue
        try:
            text = changed_back(doc, text)
        except PackingError:
            later = ("", "")
            continue
        later = (step, file)
        yield (step, file, version), bool(current), text
