"""What differs between a stored session and the same one decided once more, in words."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlmodel import SQLModel

from core.domain.ids import SessionId
from core.store.schema import tables
from core.store.schema.tables import table_of
from core.store.statements.sessions import sessions
from core.store.statements.statement import Connection, select_columns
from core.store.statements.steps import ACCEPTED_BY_STEP

SHOWN_CHARS_MAX: Final = 80
LEFT_ALONE: Final = "fault damage:"  # faults of events that were refused: they are in no journal

# What is compared: a table, what a row of it is called by its key, and what stands in it.
TABLES: Final[tuple[tuple[type[SQLModel], str, tuple[str, ...]], ...]] = (
    (tables.StepRow, "step {id}", ("phase", "doc")),
    (tables.AnswerRow, "answer {id}, revision {revision}", ("step", "current", "doc")),
    (tables.StanceRow, "view {answer} of {by}", ("step", "doc")),
    (tables.SettlementRow, "settlement {place}", ("step", "doc")),
    (tables.CorrectionRow, "correction {place}", ("step", "doc")),
    (tables.ClaimRow, "claims of {step}", ("doc",)),
    (
        tables.SectionRow,
        "section {step} of {file}, version {version}",
        ("current", "title", "body"),
    ),
    (tables.MenuRow, "menu {id}", ("state", "doc")),
    (tables.FaultRow, "fault {id}", ("code", "doc")),
    (tables.ContributionRow, "turn {phase}/{place}", ("doc",)),
    (tables.RunRow, "run {id}", ("session",)),
)
Rows = Mapping[str, tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class ReplayDifference:
    """`stored` is what is there, `now` what the engine comes to."""

    where: str
    stored: str
    now: str

    def __str__(self) -> str:
        return f"{self.where}: {self.stored}; now {self.now}"


def differences(
    session: SessionId, real: Connection, copy: Connection
) -> Iterator[ReplayDifference]:
    """What differs in the session, then in its rows, table by table."""
    yield from _of_documents("session", _session(real, session), _session(copy, session))
    for row, name, columns in TABLES:
        yield from _of_rows(
            _rows(real, row, name, columns, session), _rows(copy, row, name, columns, session)
        )
    yield from _of_rows(_accepted(real, session), _accepted(copy, session))


def _of_rows(stored: Rows, now: Rows) -> Iterator[ReplayDifference]:
    for name in sorted({*stored, *now}):
        if stored.get(name) != now.get(name) and not name.startswith(LEFT_ALONE):
            yield from _of_row(name, stored.get(name), now.get(name))


def _of_row(
    where: str, stored: tuple[Any, ...] | None, now: tuple[Any, ...] | None
) -> Iterator[ReplayDifference]:
    if stored is None or now is None:
        yield ReplayDifference(
            where, *("not there" if row is None else "there" for row in (stored, now))
        )
        return
    for before, after in zip(stored, now, strict=True):
        old, new = _parsed(before), _parsed(after)
        if isinstance(old, dict) and isinstance(new, dict):
            yield from _of_documents(where, old, new)
        elif old != new:
            yield ReplayDifference(where, _shown(old), _shown(new))


def _of_documents(
    where: str, stored: Mapping[str, Any], now: Mapping[str, Any]
) -> Iterator[ReplayDifference]:
    for name in sorted({*stored, *now}):
        if stored.get(name) != now.get(name):
            yield ReplayDifference(
                f"{where}, {name}", _shown(stored.get(name)), _shown(now.get(name))
            )


def _session(db: Connection, session: SessionId) -> Mapping[str, Any]:
    row = _SESSION(db, id=session).fetchone()
    if row is None:
        return {}
    doc, status, version = row
    parsed = _parsed(doc)
    values = parsed if isinstance(parsed, dict) else {"doc": doc}
    return {**values, "status": status, "version": version}


def _rows(
    db: Connection,
    row: type[SQLModel],
    name: str,
    columns: tuple[str, ...],
    session: SessionId,
) -> Rows:
    table = table_of(row)
    key = [column.name for column in table.primary_key if column.name != "session"]
    select = select_columns(table, *key, *columns, keys=("session",))
    return {
        name.format(**dict(zip(key, values, strict=False))): values[len(key) :]
        for values in select(db, session=session)
    }


def _accepted(db: Connection, session: SessionId) -> Rows:
    rows = ACCEPTED_BY_STEP(db, session=session)
    return {f"accepted claims of {step}": (doc or "[]",) for step, doc in rows}


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


_SESSION: Final = select_columns(sessions, "doc", "status", "version", keys=("id",))
