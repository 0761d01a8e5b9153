"""What differs between a stored session and the same one decided once more, in words."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from core.domain.ids import SessionId

SHOWN_CHARS_MAX: Final = 80
LEFT_ALONE: Final = "damage:"  # faults of events that were refused: they are in no journal

# What is compared: a table, what a row of it is called, its key, and what stands in it.
TABLES: Final = (
    ("steps", "step", "id", "phase, doc"),
    ("answers", "answer", "id || ', revision ' || revision", "step, current, doc"),
    ("stances", "view", "answer || ' of ' || by", "step, doc"),
    ("settlements", "settlement", "place", "step, doc"),
    ("claims", "claims of", "step", "doc"),
    ("sections", "section", "step || ' of ' || file || ', version ' || version", "current, doc"),
    ("menus", "menu", "id", "state, doc"),
    ("faults", "fault", "id", "code, doc"),
    ("contributions", "turn", "phase || '/' || place", "doc"),
    ("runs", "run", "id", "session"),
)
ACCEPTED: Final = """SELECT s.id, CASE s.accepted WHEN '' THEN c.doc ELSE s.accepted END
    FROM steps s LEFT JOIN claims c ON c.session = s.session AND c.step = s.id
    WHERE s.session = ? AND s.accepted IS NOT NULL"""
Rows = Mapping[str, tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class ReplayDifference:
    """`stored` is what is there, `now` what the engine comes to."""

    where: str
    stored: str
    now: str

    def __str__(self) -> str:
        return f"{self.where}: {self.stored}; now {self.now}"


def of_sessions(
    session: SessionId, real: sqlite3.Connection, copy: sqlite3.Connection
) -> Iterator[ReplayDifference]:
    then, now = _session(real, session), _session(copy, session)
    for name in sorted({*then, *now}):
        if then.get(name) != now.get(name):
            yield ReplayDifference(
                f"session, {name}", _shown(then.get(name)), _shown(now.get(name))
            )


def of_rows(
    session: SessionId, real: sqlite3.Connection, copy: sqlite3.Connection
) -> Iterator[ReplayDifference]:
    for table, noun, key, columns in TABLES:
        query = f"SELECT {key}, {columns} FROM {table} WHERE session = ?"  # noqa: S608 - ours
        then, now = _rows(real, query, session), _rows(copy, query, session)
        yield from _of_rows(noun, then, now)
    yield from _of_rows("accepted claims of", _accepted(real, session), _accepted(copy, session))


def _of_rows(noun: str, then: Rows, now: Rows) -> Iterator[ReplayDifference]:
    for name in sorted({*then, *now}):
        if then.get(name) != now.get(name) and not name.startswith(LEFT_ALONE):
            yield from _of_row(f"{noun} {name}", then.get(name), now.get(name))


def _accepted(db: sqlite3.Connection, session: SessionId) -> Rows:
    return {step: (doc or "[]",) for step, doc in db.execute(ACCEPTED, (session,))}


def _of_row(where: str, then: tuple[Any, ...] | None, now: tuple[Any, ...] | None) -> Iterator[
    ReplayDifference
]:  # fmt: skip
    if then is None or now is None:
        yield ReplayDifference(
            where, *("not there" if row is None else "there" for row in (then, now))
        )
        return
    for before, after in zip(then, now, strict=True):
        old, new = _parsed(before), _parsed(after)
        if isinstance(old, dict) and isinstance(new, dict):
            for name in sorted({*old, *new}):
                if old.get(name) != new.get(name):
                    yield ReplayDifference(
                        f"{where}, {name}", _shown(old.get(name)), _shown(new.get(name))
                    )
        elif old != new:
            yield ReplayDifference(where, _shown(old), _shown(new))


def _session(db: sqlite3.Connection, session: SessionId) -> Mapping[str, Any]:
    row = db.execute(
        "SELECT doc, status, version FROM sessions WHERE id = ?", (session,)
    ).fetchone()
    if row is None:
        return {}
    doc, status, version = row
    found = _parsed(doc)
    known = found if isinstance(found, dict) else {"doc": doc}
    return {**known, "status": status, "version": version}


def _rows(db: sqlite3.Connection, query: str, session: SessionId) -> dict[str, tuple[Any, ...]]:
    return {str(key): tuple(rest) for key, *rest in db.execute(query, (session,))}


def _parsed(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _shown(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bytes):
        value = repr(value)
    raw = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = "".join(sign if sign.isprintable() else "?" for sign in raw)  # it goes to a terminal
    return text if len(text) <= SHOWN_CHARS_MAX else f"{text[:SHOWN_CHARS_MAX]}…"
