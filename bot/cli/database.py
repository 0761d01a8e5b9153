"""`roundtable db upgrade` and `db compact`, `roundtable sessions`: what is kept."""

import json
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bot.cli.serve import guarded, refuse, refuse_unfit
from bot.views.kit.terminal import echo

if TYPE_CHECKING:
    from core.ports import Summary
    from core.store.connection.database import Database
    from core.store.queries.reader import Reader

db = typer.Typer(help="The database.", no_args_is_help=True, rich_markup_mode=None)


@db.callback()
def _database() -> None:
    """The database."""


@db.command("upgrade")
def upgrade() -> None:
    """Bring the database to the newest schema; safe to run again."""
    from bot.server.settings import load_or_exit
    from core.store.maintenance.upgrade import upgrade as migrate

    settings = load_or_exit()
    revision = guarded(lambda: migrate(settings.database_url))
    echo(f"The database is at revision {revision}.")


@db.command("compact")
def compact() -> None:
    """Write the file anew, with the bot stopped: room is given back, deleted words are gone."""
    from bot.server.settings import load_or_exit
    from core.store.connection.database import path_of
    from core.store.maintenance.exclusive_lock import InUseError, exclusive_connection
    from core.store.maintenance.stored_rows import compact as write_anew

    settings = load_or_exit()
    database_of_settings().close()
    path = Path(path_of(settings.database_url))
    before = path.stat().st_size
    try:
        with exclusive_connection(settings.database_url) as connection:
            write_anew(connection)
    except InUseError as error:
        raise refuse("The bot is running. Stop it, run this again, and start it.") from error
    except sqlite3.Error as error:
        raise refuse(f"The file could not be written anew: {error}.") from error
    echo(f"The database was {before:,} bytes and is {path.stat().st_size:,} now.")


def sessions(
    form: Annotated[
        Literal["human", "json"], typer.Option("--format", help="How to print it.")
    ] = "human",
) -> None:
    """List every session of the database, newest first."""
    found = reader_of_settings().all_sessions()
    if form == "json":
        echo(json.dumps([_record(each) for each in found], indent=2, ensure_ascii=False))
        return
    if not found:
        echo("There is no session yet.")
    for each in found:
        where = each.step or each.phase or "-"
        line = f"{each.slug}  {each.status}  {each.done}/{each.total}  {where}  {each.channel}"
        waiting = f"  waits for {', '.join(each.awaited)}" if each.awaited else ""
        echo(f"{line}  {_time(each.updated_at)}{waiting}")


def _record(each: "Summary") -> dict[str, object]:
    return {
        "slug": each.slug,
        "id": each.id,
        "title": each.title,
        "channel": each.channel,
        "owner": each.owner,
        "status": each.status,
        "phase": each.phase,
        "step": each.step,
        "done": each.done,
        "total": each.total,
        "waiting": list(each.awaited),
        "updated": _time(each.updated_at),
    }


def _time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def reader_of_settings() -> "Reader":
    """What a command line may look up. Exits where the settings or the database do not serve."""
    from core.store.queries.reader import Reader

    return Reader(database_of_settings())


def database_of_settings() -> "Database":
    from bot.server.settings import load_or_exit
    from core.store.connection.database import Database

    settings = load_or_exit()
    refuse_unfit(settings.database_url)
    return guarded(lambda: Database(settings.database_url))
