"""`roundtable db upgrade`, `compact` and `copy`, `roundtable sessions`: what is kept."""

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bot.cli.printing import FormatOption, print_answer, refuse
from bot.cli.serve import guarded, refuse_unfit
from bot.views.kit.terminal import echo

if TYPE_CHECKING:
    from core.ports import Summary
    from core.store.connection.database import Database
    from core.store.queries.reader import Reader

RECORD_KEYS: Final = (
    *("slug", "id", "title", "channel", "owner", "status", "phase", "step", "done", "total"),
)
app = typer.Typer(help="The database.", no_args_is_help=True, rich_markup_mode=None)


@app.command("upgrade")
def upgrade() -> None:
    """Bring the database to the newest schema; safe to run again."""
    from bot.server.configuration.settings import load_or_exit
    from core.store.maintenance.upgrade import upgrade as migrate

    settings = load_or_exit()
    revision = guarded(lambda: migrate(settings.database_url))
    echo(f"The database is at revision {revision}.")


@app.command("compact")
def compact() -> None:
    """Write the file anew, with the bot stopped: room is given back, deleted words are gone."""
    from bot.server.configuration.settings import load_or_exit
    from core.store.connection.database import DatabaseError
    from core.store.maintenance.exclusive_lock import exclusive_connection
    from core.store.maintenance.stored_rows import compact as write_anew
    from core.store.maintenance.stored_rows import size_bytes

    settings = load_or_exit()
    database_of_settings().close()

    def compacted() -> tuple[int, int]:
        with exclusive_connection(settings.database_url) as connection:
            before = size_bytes(connection)
            write_anew(connection)
            return before, size_bytes(connection)

    try:
        before, after = guarded(compacted)
    except DatabaseError as error:
        raise refuse(f"The file could not be written anew: {error}.") from error
    echo(f"The database was {before:,} bytes and is {after:,} now.")


@app.command("copy")
def copy(
    source: Annotated[
        str, typer.Option("--from", help="sqlite:///path/to/roundtable.db", metavar="URL")
    ],
    target: Annotated[
        str,
        typer.Option("--to", help="postgresql://… of an empty database", metavar="URL"),
    ],
    artifacts: Annotated[
        Path | None,
        typer.Option(help="The folder of the artifacts; the one of the settings without it."),
    ] = None,
    without_files: Annotated[
        bool, typer.Option("--without-files", help="The artifacts stay in their folder.")
    ] = False,
) -> None:
    """Copy a SQLite file and its artifacts into an empty PostgreSQL database, with the bot stopped.

    All of it or nothing: every row is compared, and every session decided once more on both. The
    file and the folder stay as they are. Exit 2 when nothing was copied.
    """
    from core.store.connection.database import DatabaseError
    from core.store.maintenance.copying import DiffersError, copy_database

    folder = None if without_files else artifacts or _artifacts_of_settings()
    try:
        copied = guarded(lambda: copy_database(source, target, folder))
    except DiffersError as error:
        raise refuse(f"The copy differs: {error}. Nothing was kept of it.") from error
    except (DatabaseError, OSError) as error:
        raise refuse(f"It cannot be copied: {error}. Nothing was kept of it.") from error
    rows = sum(copied.rows.values()) - copied.files
    echo(f"Copied {rows:,} rows and {copied.files:,} files; all are the same.")
    echo(f"{copied.sessions:,} sessions decide the same on both.")


def _artifacts_of_settings() -> Path:
    from bot.server.configuration.settings import load_or_exit

    return load_or_exit().artifacts_dir


def sessions(
    form: FormatOption = "human",
) -> None:
    """List every session of the database, newest first."""
    rows = reader_of_settings().all_sessions()
    lines = map(_line, rows) if rows else ["There is no session yet."]
    print_answer(form, lines, lambda: [_record(row) for row in rows])


def _line(row: "Summary") -> str:
    done = f"{row.done}/{row.total}  {row.step or row.phase or '-'}"
    waiting = f"  waits for {', '.join(row.awaited)}" if row.awaited else ""
    columns = (row.slug, row.status, done, row.channel, iso_time(row.updated_at), *_used(row))
    return f"{'  '.join(columns)}{waiting}"


def _used(row: "Summary") -> list[str]:
    """Of language models: tokens and price; nothing where none was asked."""
    from bot.views.private.brain import used

    return used(row.usage) if row.usage.tokens else []


def _record(row: "Summary") -> dict[str, object]:
    values = {key: getattr(row, key) for key in RECORD_KEYS}
    used = asdict(row.usage) if row.usage.tokens else None
    waiting = list(row.awaited)
    return {**values, "waiting": waiting, "updated": iso_time(row.updated_at), "used": used}


def iso_time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def reader_of_settings() -> "Reader":
    """What a command line may look up. Exits where the settings or the database do not serve."""
    from core.store.queries.reader import Reader

    return Reader(database_of_settings())


def database_of_settings() -> "Database":
    from bot.server.configuration.settings import load_or_exit
    from core.store.connection.opening import open_database

    settings = load_or_exit()
    refuse_unfit(settings.database_url)
    return guarded(lambda: open_database(settings.database_url))
