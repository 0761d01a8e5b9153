"""`roundtable db upgrade`, `roundtable sessions`: what is kept."""

from typing import TYPE_CHECKING

import typer

from bot.cli.serve import guarded, refuse

if TYPE_CHECKING:
    from core.store.reading import Reader

db = typer.Typer(help="The database.", no_args_is_help=True, rich_markup_mode=None)


@db.callback()
def _database() -> None:
    """The database."""


@db.command("upgrade")
def upgrade() -> None:
    """Bring the database to the newest schema; safe to run again."""
    from bot.settings import load_or_exit
    from core.store.migrate import upgrade as migrate

    settings = load_or_exit()
    revision = guarded(lambda: migrate(settings.database_url))
    typer.echo(f"The database is at revision {revision}.")


def sessions() -> None:
    """List every session of the database, newest first."""
    reader = reader_of_settings()
    for each in reader.all_sessions():
        where = each.step or each.phase or "-"
        typer.echo(f"{each.slug}  {each.status}  {each.done}/{each.total}  {where}  {each.channel}")


def reader_of_settings() -> "Reader":
    """What a command line may look up. Exits where the settings or the database do not serve."""
    from bot.settings import load_or_exit
    from core.store.database import Database
    from core.store.migrate import is_current
    from core.store.reading import Reader

    settings = load_or_exit()
    if not guarded(lambda: is_current(settings.database_url)):
        raise refuse("The database is not at the newest schema. Run: roundtable db upgrade")
    return Reader(guarded(lambda: Database(settings.database_url)))
