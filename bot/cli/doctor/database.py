"""The database: whether it can be used, is whole, and is of this version.

Nothing is made and nothing stays. As at every opening, what a killed bot left in the log beside the
file is taken into the file.
"""

import json
import shutil
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote
from typing import Final

from alembic.util import CommandError
from sqlalchemy.exc import SQLAlchemyError

from bot.cli.doctor.check import REMEDIES, Check, DoctorCheck
from bot.cli.doctor.folders import may_write
from bot.cli.doctor.settings import Setup
from bot.server.configuration.setting_values import remedy
from bot.views.kit.names import counted
from bot.web_api.rendering import REMEMBERED_S, is_gov_slack
from core.content import files
from core.domain.session.course import ENDED
from core.store.connection.database import WAIT_S_MAX, StoreError
from core.store.connection.opening import is_postgres
from core.store.connection.sqlite import path_of
from core.store.maintenance import upgrade

FREE_MB_MIN: Final = 200
MB: Final = 1_000_000
FAULTS_MAX: Final = 100  # of the quick check: enough to see how bad it is
WAL: Final = "wal"

OPENED: Final = DoctorCheck("database", "database", "opening the file and reading its tables")
WRITING: Final = DoctorCheck("writing", "database", "a write transaction, rolled back")
WHOLE: Final = DoctorCheck("quick check", "database", "PRAGMA quick_check")
SCHEMA: Final = DoctorCheck("schema", "database", "the stored revision against the newest one")
LOG: Final = DoctorCheck("write-ahead log", "database", "PRAGMA journal_mode")
PREFLIGHT: Final = DoctorCheck(
    "pre-flight", "database", "what each session under way lacked when it began"
)
BLOCKS: Final = DoctorCheck(
    "blocks", "database", "ROUNDTABLE_BLOCKS, and what each workspace refused lately"
)
SHOWN_MAX: Final = 5
UNDER_WAY: Final = (
    f"SELECT slug, doc FROM sessions WHERE status NOT IN {tuple(sorted(ENDED))}"  # noqa: S608
    " ORDER BY updated_at DESC"
)
REFUSED: Final = "SELECT url, refused_widgets FROM workspaces ORDER BY team"
Rows = Sequence[tuple[str, str | None]] | None
INSIDE: Final = (WRITING, WHOLE, SCHEMA, LOG, PREFLIGHT, BLOCKS)
SPACE: Final = DoctorCheck("free space", "database", "the free space where the database lies")

UPGRADE: Final = "roundtable db upgrade"
OF_DISK: Final = ("disk is full", "disk I/O")
RIGHT: Final = "Give whoever runs the bot the right to write"


def checks(setup: Setup, now: Callable[[], float]) -> Iterator[Check]:
    if not setup.unusable("ROUNDTABLE_DATABASE_URL") and is_postgres(setup.settings.database_url):
        yield from _of_server(setup, now)
        return
    path = _path(setup)
    if isinstance(path, Check):
        yield path
        yield from _unasked("there is no file to look at", *INSIDE, SPACE)
        return
    if not files.is_there(path):
        yield _absent(path)
        yield from _unasked("there is no database yet", *INSIDE)
    elif files.is_directory(path):
        yield OPENED.fail(f"{path} is a folder", remedy("ROUNDTABLE_DATABASE_URL"))
        yield from _unasked("there is no database", *INSIDE)
    else:
        yield from _looked_into(path, setup, now())
    folder = next(parent for parent in path.absolute().parents if files.is_directory(parent))
    yield space(shutil.disk_usage(folder).free)


def _of_server(setup: Setup, now: Callable[[], float]) -> Iterator[Check]:
    try:
        from bot.cli.doctor import postgres
    except StoreError as error:  # its driver is an extra
        yield OPENED.fail(str(error), REMEDIES["server-driver"])
        return
    yield from postgres.checks(setup, now)


def _unasked(because: str, *questions: DoctorCheck) -> Iterator[Check]:
    return (question.unasked(because) for question in questions)


def _path(setup: Setup) -> Path | Check:
    if unusable := setup.unusable("ROUNDTABLE_DATABASE_URL"):
        return OPENED.unasked(unusable)
    try:
        return Path(path_of(setup.settings.database_url))
    except (StoreError, SQLAlchemyError):
        return OPENED.fail(
            "ROUNDTABLE_DATABASE_URL names no file", remedy("ROUNDTABLE_DATABASE_URL")
        )


def _absent(path: Path) -> Check:
    folder = path.absolute().parent
    if not files.is_directory(folder):
        return OPENED.fail(f"the folder {folder} is not there", f"mkdir -p {quote(str(folder))}")
    if not may_write(folder):
        return OPENED.fail(f"{path} cannot be made", f"{RIGHT} in {folder}.")
    return OPENED.fail(f"{path} is not there yet", f"{UPGRADE} (it makes the file)")


def _looked_into(path: Path, setup: Setup, now: float) -> Iterator[Check]:
    url = setup.settings.database_url
    try:
        # Such an address, unlike a plain name, never makes a file.
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=rw",
            uri=True,
            timeout=WAIT_S_MAX,
            isolation_level=None,
        )
        with closing(connection):
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
            yield OPENED.ok(f"{path}, {path.stat().st_size / MB:.1f} MB")
            yield _asked(WRITING, path, lambda: _writing(connection))
            yield _asked(WHOLE, path, lambda: _whole(connection))
            yield _asked(SCHEMA, path, lambda: schema(upgrade.standing(url)))
            yield _asked(LOG, path, lambda: _log(connection, "workspaces" in tables))
            yield _asked(PREFLIGHT, path, lambda: preflight(_rows(connection, tables, UNDER_WAY)))
            yield _asked(
                BLOCKS, path, lambda: blocks(_rows(connection, tables, REFUSED), setup, now)
            )
    except sqlite3.Error as error:
        yield _refused(OPENED, path, error)
        yield from _unasked("the database cannot be read", *INSIDE)


def _asked(question: DoctorCheck, path: Path, look: Callable[[], Check]) -> Check:
    """A damaged file can answer anything with an error."""
    try:
        return look()
    except sqlite3.Error as error:
        return _refused(question, path, error)
    except (StoreError, CommandError):
        return question.unasked("the database cannot be read")


def _refused(question: DoctorCheck, path: Path, error: sqlite3.Error) -> Check:
    if not isinstance(error, sqlite3.OperationalError):
        return question.fail(f"damaged: {error}", REMEDIES["restore"])
    if "locked" in str(error):
        return question.warn("another process keeps it locked", REMEDIES["busy"])
    return question.fail(
        str(error),
        next((REMEDIES["disk"] for word in OF_DISK if word in str(error)), _rights(path)),
    )


def _writing(connection: sqlite3.Connection) -> Check:
    try:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("CREATE TABLE written_by_the_doctor (line)")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    return WRITING.ok("a write was possible, and was taken back")


def _whole(connection: sqlite3.Connection) -> Check:
    faults = [str(row[0]) for row in connection.execute(f"PRAGMA quick_check({FAULTS_MAX})")]
    return (
        WHOLE.ok("whole")
        if faults == ["ok"]
        else WHOLE.fail(f"damaged: {faults[0]}", REMEDIES["restore"])
    )


def _rows(connection: sqlite3.Connection, tables: Collection[str], query: str) -> Rows:
    """The rows of a query; None in a database that is not of this version."""
    columns = {name for _, name, *_ in connection.execute("PRAGMA table_info(workspaces)")}
    if "sessions" not in tables or "refused_widgets" not in columns:
        return None
    return connection.execute(query).fetchall()


def schema(revision: upgrade.Standing) -> Check:
    match revision.kind:
        case "current":
            return SCHEMA.ok(f"revision {revision.stored}")
        case "extended":
            return SCHEMA.ok(f"revision {revision.stored}, which adds to {revision.newest}")
        case "missing" | "empty":
            return SCHEMA.fail("it is empty", UPGRADE)
        case "older":
            needed = f"revision {revision.stored}, and this version needs {revision.newest}"
            return SCHEMA.fail(needed, UPGRADE)
        case "newer":
            ends = f"newer than this version, which ends at {revision.newest}"
            return SCHEMA.fail(f"revision {revision.stored} is {ends}", REMEDIES["newer"])
        case "foreign":
            return SCHEMA.fail(
                "it has the tables of another program", REMEDIES[f"another-{revision.noun}"]
            )


def _log(connection: sqlite3.Connection, may_have_run: bool) -> Check:
    (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
    if mode == WAL:
        return LOG.ok("on")
    started = may_have_run and connection.execute("SELECT 1 FROM workspaces").fetchone()
    if not started:
        return LOG.ok("off until the first start, which turns it on")
    # The bot asks for it at every start; what the file system cannot do stays off.
    return LOG.warn(f"off ({mode}); a write then holds up every reader", REMEDIES["move-file"])


def space(free_bytes: int) -> Check:
    if free_bytes < FREE_MB_MIN * MB:
        return SPACE.warn(f"{free_bytes / MB:.0f} MB", "Free some; a full disk stops every answer.")
    return SPACE.ok(f"{free_bytes / MB / 1000:.1f} GB")


def _rights(path: Path) -> str:
    return f"{RIGHT} {path} and the folder it lies in."


def preflight(rows: Rows) -> Check:
    """One line for all of them. A document that is not readable as JSON is another check's."""
    if rows is None:
        return PREFLIGHT.ok("no session yet")
    wanting = [(slug, missed) for slug, doc in rows if (missed := _missed(doc or ""))]
    if not wanting:
        return PREFLIGHT.ok("nothing")
    some = [f"{slug}: {check['what']} ({check.get('found', '')})"
            for slug, missed in wanting for check in missed]  # fmt: skip
    more = ", …" if len(some) > SHOWN_MAX else ""
    summary = f"{counted(len(wanting), 'session')}: {', '.join(some[:SHOWN_MAX])}{more}"
    return PREFLIGHT.warn(summary, REMEDIES["pre-flight"])


def _missed(doc: str) -> Sequence[Mapping[str, str]]:
    try:
        session = json.loads(doc)
    except ValueError:
        return ()
    return session.get("missed", ()) if isinstance(session, dict) else ()


def blocks(rows: Rows, setup: Setup, now: float) -> Check:
    if setup.settings.blocks == "plain":
        return BLOCKS.ok("plain, as ROUNDTABLE_BLOCKS says")
    if rows is None:
        return BLOCKS.ok("no workspace yet")
    refused = [line for url, refused in rows for line in _refused_widgets(url, refused, now)]
    return BLOCKS.ok("; ".join(refused) or "Slack's newer ones; none was refused lately")


def _refused_widgets(url: str, refused: str | None, now: float) -> Iterator[str]:
    """What is drawn plainly in a workspace, and for how long."""
    if is_gov_slack(url):
        yield f"plain in {url}, which is GovSlack"
        return
    for kind, at in json.loads(refused or "{}").items():
        until = at + REMEMBERED_S
        if until > now:
            ends = f"{datetime.fromtimestamp(until, UTC):%-d %B %Y, %H:%M} UTC"
            yield f"Slack refused {kind} in {url}, drawn plainly until {ends}"
