"""Sections in all their versions: files are made of the current ones, replays need all."""

import sqlite3
from collections.abc import Iterable

from core.domain.answers import Section
from core.domain.ids import SessionId, StepId
from core.store.documents.cache import SECTIONS
from core.store.documents.codec import dump
from core.store.statements import steps


def save(
    db: sqlite3.Connection,
    session: SessionId,
    step: StepId,
    sections: Iterable[Section],
    *,
    partly: bool,
) -> None:
    """What a step shows from now on: all of it, or `partly` these files of it."""
    if not partly:
        steps.RETIRE_SECTIONS(db, session=session, step=step)
    for section in sections:
        if partly:
            steps.RETIRE_SECTION(db, session=session, step=step, file=section.file)
        _append(db, session, step, section)


def _append(db: sqlite3.Connection, session: SessionId, step: StepId, section: Section) -> None:
    doc = dump(section)
    SECTIONS.keep(doc, section)
    key = {"session": session, "step": step, "file": section.file}
    (last,) = steps.LAST_SECTION(db, **key).fetchone()
    steps.INSERT_SECTION(db, **key, version=(last or 0) + 1, doc=doc)
