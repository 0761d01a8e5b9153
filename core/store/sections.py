"""Sections in all their versions: files are made of the current ones, replays need all."""

import sqlite3
from collections.abc import Iterable

from core.domain.answers import Section
from core.domain.ids import SessionId, StepId
from core.store.codec import dump
from core.store.memory import SECTIONS

RETIRE = """UPDATE sections SET current = 0
    WHERE session = ? AND step = ? AND (? IS NULL OR file = ?)"""
NEWEST = "SELECT max(version) FROM sections WHERE session = ? AND step = ? AND file = ?"
INSERT = """INSERT INTO sections(session, step, file, version, current, doc)
    VALUES (?, ?, ?, ?, 1, ?)"""


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
    doc = dump(section)
    SECTIONS.keep(doc, section)
    (last,) = db.execute(NEWEST, key).fetchone()
    db.execute(INSERT, (*key, (last or 0) + 1, doc))
